import type { CheckAcceptance } from './acceptance.ts'
import type { MailHouse } from './account-mails.ts'
import type { DemandGrant } from './grant-demand.ts'

/** What the operations of accounts are made with. */
export interface AccountParts {
  readonly demandGrant: DemandGrant
  readonly checkAcceptance: CheckAcceptance
  readonly mails: MailHouse
}
