import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { canceled, returned, wayBack } from './login.ts'
import { type LoginOnPages, lockLoginOnPages, saveFailed, saveReturned } from './login-store.ts'

const CODE_BYTES = 32

interface Moment {
  readonly now: Date
  /** Who we are to the installation. */
  readonly issuer: string
}

/**
 * Sends a customer who has signed in back to the installation, with a code that works once.
 *
 * Refusals: `not_found`, `session_expired`.
 *
 * @returns the address to go to
 */
export async function returnCustomer(
  tx: Transaction,
  { loginId, customerId }: { readonly loginId: string; readonly customerId: string },
  { now, issuer, randomness }: Moment & { readonly randomness: Randomness },
): Promise<string> {
  const { login } = await lockedLogin(tx, loginId, now)
  const code = randomness.bytes(CODE_BYTES).toString('base64url')

  const back = returned(login, { customerId, codeHash: hashOfToken(code), now })

  saveReturned(tx, back, now)
  return wayBack(back, { code }, issuer)
}

/**
 * Sends a shopper back who does not want to log in. Refusals: `not_found`, `session_expired`.
 *
 * @returns the address to go to
 */
export async function cancelLogin(tx: Transaction, loginId: string, { now, issuer }: Moment): Promise<string> {
  const { login } = await lockedLogin(tx, loginId, now)

  const failed = canceled(login)

  saveFailed(tx, failed.id, now)
  return wayBack(failed, { error: 'access_denied' }, issuer)
}

async function lockedLogin(tx: Transaction, loginId: string, now: Date): Promise<LoginOnPages> {
  return (await lockLoginOnPages(tx, loginId, now)) ?? refuse('not_found')
}
