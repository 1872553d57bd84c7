import { comparableEmail } from '../../kernel/email.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import { addressForLimits } from '../../platform/http/client-address.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { type CustomerSecret, findCustomerByEmail } from './customer-store.ts'

/**
 * Verifies an email address and password. Takes the same time for an unknown address: about 30 ms on another
 * thread, so call it before the transaction. `openSession` checks that nothing has changed since.
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
 * Verifies an email address and password within the limits for attempts. Call it before the transaction.
 *
 * Refusals: `rate_limited`, `credential_invalid`.
 */
export async function verifyPassword(
  reader: Reader,
  limiter: RateLimiter,
  attempt: { readonly email: string; readonly password: string; readonly address: string; readonly now: Date },
): Promise<CustomerSecret> {
  await limitSignIn(limiter, attempt)
  return (await verifySignIn(reader, attempt)) ?? refuse('credential_invalid')
}

/**
 * Limits sign-in attempts by account and by IP address, against guessing one password for many accounts or many for
 * one.
 *
 * Refusals: `rate_limited`.
 */
export async function limitSignIn(
  limiter: RateLimiter,
  { email, address, now }: { readonly email: string; readonly address: string; readonly now: Date },
): Promise<void> {
  const accountKey = hashOfToken(comparableEmail(email)).toString('base64url')
  refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
  refuseOverLimit(await limiter.take('sign-in-account', accountKey, now.getTime()))
}
