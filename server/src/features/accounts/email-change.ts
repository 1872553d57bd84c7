import { comparableEmail } from '../../kernel/email.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import { enqueue, type JobHandler } from '../../platform/jobs/index.ts'
import { sendMail } from '../../platform/mail/index.ts'
import { isUniqueViolation } from '../../platform/postgres/errors.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import { type RateLimiter, refuseOverLimit } from '../../platform/rate-limit/rate-limiter.ts'
import { findCustomerByEmail, findCustomerSecret } from './customer-store.ts'
import { emailChangedMail, emailTakenMail, letterheadOf, type MailDeps, newEmailMail } from './mails.ts'
import { voidResets } from './password-reset-store.ts'
import { limitSignIn } from './sign-in.ts'
import { newToken } from './token.ts'

export const EMAIL_CHANGE_JOB = 'accounts.email_change'
const VALID_MS = 86_400_000

/** A requested change of an email address. */
interface EmailChange {
  readonly id: string
  readonly customer_id: string
  readonly email: string
  readonly locale: string
  readonly expires_at: Date
}

const COLUMNS = 'id, customer_id, email, locale, expires_at'
const forget = statement('accounts.forget_email_changes_of', 'delete from email_changes where customer_id = $1')
const insert = statement(
  'accounts.insert_email_change',
  `insert into email_changes (id, customer_id, email, email_key, locale, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const lockPending = statement<EmailChange>(
  'accounts.lock_waiting_email_change',
  `select ${COLUMNS} from email_changes where id = $1 and answered_at is null for update`,
)
const saveProcessed = statement(
  'accounts.answer_email_change',
  'update email_changes set answered_at = $2, token_hash = $3 where id = $1',
)
const byToken = statement<EmailChange>(
  'accounts.email_change_by_token',
  `select ${COLUMNS} from email_changes where token_hash = $1`,
)
const lockByToken = statement<EmailChange>(
  'accounts.lock_email_change_by_token',
  `select ${COLUMNS} from email_changes where token_hash = $1 for update`,
)
const changeEmail = statement(
  'accounts.change_email',
  `update customers set email = $2, email_key = $3, updated_at = $4, confirmed_at = $4, version = version + 1
   where id = $1 and status = 'active' and not exists (select from customers where email_key = $3 and id <> $1)`,
)

/**
 * Stores a request for a new address and replaces an earlier request. It never checks whether the address is known; a job checks
 * later, and mails either a confirmation link or a notice.
 */
export function requestEmailChange(
  tx: Transaction,
  { customerId, email, locale }: { readonly customerId: string; readonly email: string; readonly locale: string },
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): void {
  const id = ids.next('emc')
  tx.write(forget, [customerId])
  tx.write(insert, [id, customerId, email, comparableEmail(email), locale, now, new Date(now.getTime() + VALID_MS)])
  enqueue(tx, { kind: EMAIL_CHANGE_JOB, subject: id, runAt: now }, ids)
}

/** Limits the mails to an address that may belong to another person. Refusals: `rate_limited`. */
export async function limitEmailChange(limiter: RateLimiter, email: string, now: Date): Promise<void> {
  const key = hashOfToken(`email ${comparableEmail(email)}`).toString('base64url')
  refuseOverLimit(await limiter.take('reset-account', key, now.getTime()))
}

/** The job: mails a link to the new address, or a notice if it belongs to another customer. */
export function emailChangeJob(deps: MailDeps & { readonly randomness: Randomness }): JobHandler {
  return async ({ subject: id }, { database, now, ids }) => {
    await database.transaction(async (tx) => {
      const change = await tx.row(lockPending, [id])
      if (!change) return
      const [customer, head] = await Promise.all([findCustomerByEmail(tx, change.email), letterheadOf(deps, tx)])
      const isFree = customer === undefined || customer.id === change.customer_id
      const confirmation = isFree ? newToken(deps.randomness) : null
      tx.write(saveProcessed, [id, now, confirmation?.hash ?? null], { rows: 1 })
      if (confirmation) sendMail(tx, newEmailMail(head, change, confirmation.token), { ids, now })
      else if (customer) sendMail(tx, emailTakenMail(head, customer), { ids, now })
    })
  }
}

/** The email change of a token, if it can still be used. */
export async function findOpenEmailChange(reader: Reader, token: string, now: Date): Promise<EmailChange | null> {
  return openOf(await reader.row(byToken, [hashOfToken(token)]), now)
}

/**
 * Verifies the password of the account: if the new address was mistyped, the recipient of the link does not know it.
 *
 * Refusals: `reset_token_invalid`, `rate_limited`, `credential_invalid`.
 */
export async function verifyEmailChange(
  reader: Reader,
  limiter: RateLimiter,
  attempt: { readonly token: string; readonly password: string; readonly address: string; readonly now: Date },
): Promise<void> {
  const { token, password, address, now } = attempt
  const change = (await findOpenEmailChange(reader, token, now)) ?? refuse('reset_token_invalid')
  const customer = (await findCustomerSecret(reader, change.customer_id)) ?? refuse('reset_token_invalid')
  await limitSignIn(limiter, { email: customer.email, address, now })
  if (!(await matchesPassword(customer.password_hash, password))) refuse('credential_invalid')
}

/**
 * Changes the address, notifies the previous one and voids the links that were mailed to it.
 *
 * Refusals: `reset_token_invalid` for an unknown, used or expired link, and if the address now belongs to another customer.
 */
export async function confirmEmailChange(
  tx: Transaction,
  token: string,
  { ids, now, mails }: { readonly ids: IdSource; readonly now: Date; readonly mails: MailDeps },
): Promise<void> {
  const change = openOf(await tx.row(lockByToken, [hashOfToken(token)]), now) ?? refuse('reset_token_invalid')
  const { customer_id: id, email } = change
  const before = (await findCustomerSecret(tx, id)) ?? refuse('reset_token_invalid')
  // Of two customers that confirm the same address at the same time, the second one only sees the first in the unique key.
  const changed = await tx.change(changeEmail, [id, email, comparableEmail(email), now]).catch((error: unknown) => {
    if (isUniqueViolation(error, 'customers_email_key_key')) return 0
    throw error
  })
  if (changed === 0) refuse('reset_token_invalid')
  tx.write(forget, [id])
  voidResets(tx, id, now)
  sendMail(tx, emailChangedMail(await letterheadOf(mails, tx), before), { ids, now })
}

function openOf(change: EmailChange | undefined, now: Date): EmailChange | null {
  return change && now < change.expires_at ? change : null
}

/** Deletes changes that expired before `$1`. */
export const sweepEmailChanges = sweepStatement('email_changes', 'expires_at')
