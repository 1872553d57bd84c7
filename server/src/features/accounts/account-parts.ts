import type { CheckAcceptance } from './acceptance.ts'
import type { MailDeps } from './account-mails.ts'
import type { DemandGrant } from './grant-demand.ts'

/** What the operations of accounts are made with. */
export interface AccountDeps {
  readonly demandGrant: DemandGrant
  readonly checkAcceptance: CheckAcceptance
  readonly mails: MailDeps
}
