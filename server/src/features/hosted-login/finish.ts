import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Customer } from '../accounts/index.ts'
import { markCanceled, markReturned, returnRedirectUrl } from './login.ts'
import { lockPageLogin, type PageLogin, saveLoginFailed, saveLoginReturned } from './store.ts'

const CODE_BYTES = 32

interface LoginContext {
  readonly now: Date
  /** The `iss` parameter of the redirect. */
  readonly issuer: string
}

/** A customer as read when they signed in: with another password since, the login is void. */
type SignedInCustomer = Pick<Customer, 'id' | 'credential_version'>

/**
 * Finishes a login for a customer who has signed in, and issues a single-use code.
 *
 * Refusals: `not_found`, `session_expired`.
 *
 * @returns the URL to redirect to
 */
export async function returnCustomer(
  tx: Transaction,
  { loginId, customer }: { readonly loginId: string; readonly customer: SignedInCustomer },
  { now, issuer, randomness }: LoginContext & { readonly randomness: Randomness },
): Promise<string> {
  const { login } = await loadLockedLogin(tx, loginId, now)
  const code = randomness.bytes(CODE_BYTES).toString('base64url')

  const finished = markReturned(login, { customerId: customer.id, codeHash: hashOfToken(code), now })

  saveLoginReturned(tx, finished, { credentialVersion: customer.credential_version, now })
  return returnRedirectUrl(finished, { code }, issuer)
}

/**
 * Finishes a login that the shopper cancels. Refusals: `not_found`, `session_expired`.
 *
 * @returns the URL to redirect to
 */
export async function cancelLogin(tx: Transaction, loginId: string, { now, issuer }: LoginContext): Promise<string> {
  const { login } = await loadLockedLogin(tx, loginId, now)

  const failed = markCanceled(login)

  saveLoginFailed(tx, failed.id, now)
  return returnRedirectUrl(failed, { error: 'access_denied' }, issuer)
}

async function loadLockedLogin(tx: Transaction, loginId: string, now: Date): Promise<PageLogin> {
  return (await lockPageLogin(tx, loginId, now)) ?? refuse('not_found')
}
