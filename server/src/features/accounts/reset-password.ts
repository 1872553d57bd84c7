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
import { changedMail, letterheadOf, type MailDeps, resetMail } from './account-mails.ts'
import { findCustomerByEmail, savePassword } from './customer-store.ts'
import { hashNewPassword } from './new-password.ts'
import {
  answerReset,
  answerResetOfNobody,
  endReset,
  findReset,
  insertReset,
  lockReset,
  lockWaitingReset,
  type SentReset,
} from './reset-store.ts'
import { endSessions } from './sessions.ts'
import { newToken } from './token.ts'

export const RESET_JOB = 'accounts.reset'
/** A wish that no job got to is as good as none after this time. */
const WAITING_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Writes down a wish for a new password. It does not look whether the address is known, so neither its answer nor its time
 * can tell; a job looks afterwards.
 */
export function requestReset(
  tx: Transaction,
  { email, locale }: { readonly email: string; readonly locale: string },
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): void {
  const id = ids.next('rst')
  insertReset(tx, { id, email, locale, now, expiresAt: new Date(now.getTime() + WAITING_HOURS * HOUR_MS) })
  enqueue(tx, { kind: RESET_JOB, subject: id, runAt: now }, ids)
}

/**
 * Counts a wish for an address, whoever has it. The public door counts in the same bucket, by its row.
 *
 * Refusals: `rate_limited`.
 */
export async function limitReset(
  limiter: RateLimiter,
  { email, now }: { readonly email: string; readonly now: Date },
): Promise<void> {
  const who = hashOfToken(comparableEmail(email)).toString('base64url')
  refuseOverLimit(await limiter.take('reset-account', who, now.getTime()))
}

/** The job: a link that lets the owner of the address choose a password. Nobody is told of an address that nobody has. */
export function answerResets(house: MailDeps & { readonly randomness: Randomness }): JobHandler {
  return async ({ subject: id }, { database, now, ids }) => {
    await database.transaction(async (tx) => {
      const wish = await lockWaitingReset(tx, id)
      if (!wish) return
      const customer = await findCustomerByEmail(tx, wish.email_key)
      if (customer?.status !== 'active') {
        answerResetOfNobody(tx, id, now)
        return
      }

      const { token, hash } = newToken(house.randomness)
      const expiresAt = new Date(now.getTime() + limits.accounts.resetTokenSeconds * 1000)

      answerReset(tx, id, { customerId: customer.id, tokenHash: hash, now, expiresAt })
      sendMail(tx, resetMail(await letterheadOf(house, tx), customer, wish.locale, token), { ids, now })
    })
  }
}

/** The wish that a token belongs to, if it still works. */
export async function findOpenReset(reader: Reader, token: string, now: Date): Promise<SentReset | null> {
  return openOf(await findReset(reader, hashOfToken(token)), now)
}

/**
 * Hashes the new password for a token that works. Slow, so it comes before the transaction; a token that is none costs a
 * query and no more.
 *
 * Refusals: `reset_token_invalid`, `password_too_weak`.
 */
export async function prepareReset(
  reader: Reader,
  { token, newPassword, now }: { readonly token: string; readonly newPassword: string; readonly now: Date },
): Promise<string> {
  const reset = await findOpenReset(reader, token, now)
  if (!reset) refuse('reset_token_invalid')
  return hashNewPassword(newPassword, reset.customer_email, '/newPassword')
}

/**
 * Sets the new password. The token is used up with every other one of the customer, every session ends, and the customer is
 * told.
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

  savePassword(tx, reset.customer_id, passwordHash, now)
  endReset(tx, reset, now)
  endSessions(tx, reset.customer_id)
  sendMail(tx, changedMail(await letterheadOf(mails, tx), reset.customer_email, reset.customer_locale), { ids, now })
}

function openOf(reset: SentReset | undefined, now: Date): SentReset | null {
  return reset && reset.ended_at === null && now < reset.expires_at ? reset : null
}
