import type { Reader } from '../../platform/postgres/reader.ts'
import type { MailDeps } from './mails.ts'

/**
 * Refuses `store_access_required` if an operator requires a grant for the purpose and the token is not one. Provided by
 * access, a higher feature.
 */
export type RequireGrant = (
  reader: Reader,
  request: {
    readonly purpose: 'register' | 'password_reset'
    readonly token: string | null
    readonly now: Date
  },
) => Promise<void>

/**
 * Refuses `validation_failed` if a document is not in force, or a required one is not accepted. Provided by storefront,
 * a higher feature.
 */
type CheckAcceptance = (
  reader: Reader,
  accepted: readonly { readonly type: string; readonly version: string }[],
  context: { readonly now: Date },
) => Promise<void>

export interface AccountDeps {
  readonly requireGrant: RequireGrant
  readonly checkAcceptance: CheckAcceptance
  readonly mails: MailDeps
}
