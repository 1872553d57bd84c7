import { comparableEmail } from '../../kernel/email.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import { addressForLimits } from '../../platform/http/client-address.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { type CustomerSecret, findCustomerByEmail } from './customer-store.ts'

/**
 * The customer whose address and password these are, or null. Takes as long for an address that nobody has. About 30 ms on
 * another thread, so it is asked before a transaction is open; `openSession` then makes sure that nothing has changed since.
 */
export async function verifySignIn(
  reader: Reader,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<CustomerSecret | null> {
  const customer = await findCustomerByEmail(reader, email)
  const matches = await matchesPassword(customer?.password_hash ?? null, password)
  return customer && matches && customer.status === 'active' ? customer : null
}

/**
 * Counts a try to sign in, for the account and for the address. Whoever guesses one password for many accounts, or many for
 * one, is stopped.
 *
 * Refusals: `rate_limited`.
 */
export async function limitSignIn(
  limiter: RateLimiter,
  { email, address, now }: { readonly email: string; readonly address: string; readonly now: Date },
): Promise<void> {
  const who = hashOfToken(comparableEmail(email)).toString('base64url')
  refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
  refuseOverLimit(await limiter.take('sign-in-account', who, now.getTime()))
}
