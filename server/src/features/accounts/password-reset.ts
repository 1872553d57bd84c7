import { limits } from '@vitrine/contract'
import { comparableEmail } from '../../kernel/email.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { enqueue, type JobHandler } from '../../platform/jobs/index.ts'
import { sendMail } from '../../platform/mail/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { findCustomerByEmail, savePassword } from './customer-store.ts'
import { letterheadOf, type MailDeps, passwordChangedMail, resetMail } from './mails.ts'
import { hashNewPassword } from './new-password.ts'
import {
  endReset,
  findReset,
  insertReset,
  lockPendingReset,
  lockReset,
  markResetSent,
  markResetUnmatched,
  type SentReset,
} from './password-reset-store.ts'
import { endSessions } from './sessions.ts'
import { newToken } from './token.ts'

export const RESET_JOB = 'accounts.reset'
/** How long an unprocessed request is kept. */
const RETENTION_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Stores a request for a new password. It never checks whether the address is known, so neither the response nor
 * its time reveals it; a job checks later.
 */
export function requestReset(
  tx: Transaction,
  { email, locale }: { readonly email: string; readonly locale: string },
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): void {
  const id = ids.next('rst')
  insertReset(tx, { id, email, locale, now, expiresAt: new Date(now.getTime() + RETENTION_HOURS * HOUR_MS) })
  enqueue(tx, { kind: RESET_JOB, subject: id, runAt: now }, ids)
}

/**
 * Limits requests per address, in the bucket that the public API uses as well.
 *
 * Refusals: `rate_limited`.
 */
export async function limitReset(
  limiter: RateLimiter,
  { email, now }: { readonly email: string; readonly now: Date },
): Promise<void> {
  const accountKey = hashOfToken(comparableEmail(email)).toString('base64url')
  refuseOverLimit(await limiter.take('reset-account', accountKey, now.getTime()))
}

/** The job: mails a reset link to an active customer, and nothing to an unknown address. */
export function passwordResetJob(deps: MailDeps & { readonly randomness: Randomness }): JobHandler {
  return async ({ subject: id }, { database, now, ids }) => {
    await database.transaction(async (tx) => {
      const reset = await lockPendingReset(tx, id)
      if (!reset) return
      const customer = await findCustomerByEmail(tx, reset.email_key)
      if (customer?.status !== 'active') {
        markResetUnmatched(tx, id, now)
        return
      }

      const { token, hash } = newToken(deps.randomness)
      const expiresAt = new Date(now.getTime() + limits.accounts.resetTokenSeconds * 1000)

      markResetSent(tx, id, { customerId: customer.id, tokenHash: hash, now, expiresAt })
      sendMail(tx, resetMail(await letterheadOf(deps, tx), customer, reset.locale, token), { ids, now })
    })
  }
}

/** The password reset of a token, if it can still be used. */
export async function findOpenReset(reader: Reader, token: string, now: Date): Promise<SentReset | null> {
  return openOf(await findReset(reader, hashOfToken(token)), now)
}

/**
 * Checks a token and hashes the new password. Slow, so it runs before the transaction; an invalid token costs one
 * query.
 *
 * Refusals: `reset_token_invalid`, `password_too_weak`.
 */
export async function prepareReset(
  reader: Reader,
  { token, newPassword, now }: { readonly token: string; readonly newPassword: string; readonly now: Date },
): Promise<string> {
  const reset = await findOpenReset(reader, token, now)
  if (!reset) refuse('reset_token_invalid')
  return hashNewPassword(newPassword, reset.customer_email, 'newPassword')
}

/**
 * Sets the new password. Uses up all reset tokens of the customer, ends their sessions and notifies them.
 *
 * Refusals: `reset_token_invalid`.
 */
export async function confirmReset(
  tx: Transaction,
  { token, passwordHash }: { readonly token: string; readonly passwordHash: string },
  { ids, now, mails }: { readonly ids: IdSource; readonly now: Date; readonly mails: MailDeps },
): Promise<void> {
  const reset = openOf(await lockReset(tx, hashOfToken(token)), now)
  if (!reset) refuse('reset_token_invalid')

  await savePassword(tx, reset.customer_id, passwordHash, { now })
  endReset(tx, reset, now)
  endSessions(tx, reset.customer_id)
  const customer = { email: reset.customer_email, locale: reset.customer_locale }
  sendMail(tx, passwordChangedMail(await letterheadOf(mails, tx), customer), { ids, now })
}

function openOf(reset: SentReset | undefined, now: Date): SentReset | null {
  return reset && reset.ended_at === null && now < reset.expires_at ? reset : null
}
