import { comparableEmail } from '../../kernel/email.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'

/** A password reset whose link was sent. */
export interface SentReset {
  readonly id: string
  readonly customer_id: string
  readonly customer_email: string
  readonly customer_locale: string
  readonly expires_at: Date
  readonly ended_at: Date | null
}

const insert = statement(
  'accounts.insert_reset',
  'insert into password_resets (id, email_key, locale, created_at, expires_at) values ($1, $2, $3, $4, $5)',
)
const lockPending = statement<{ readonly email_key: string; readonly locale: string }>(
  'accounts.lock_waiting_reset',
  'select email_key, locale from password_resets where id = $1 and answered_at is null for update',
)
const saveProcessed = statement(
  'accounts.answer_reset',
  `update password_resets set answered_at = $2, customer_id = $3, token_hash = $4, expires_at = coalesce($5, expires_at)
   where id = $1 and answered_at is null`,
)
const voidOthers = statement(
  'accounts.void_resets',
  'update password_resets set ended_at = $3 where customer_id = $1 and id <> $2 and ended_at is null',
)
const end = statement(
  'accounts.end_reset',
  'update password_resets set ended_at = $2 where id = $1 and ended_at is null',
)

const SENT = `select reset.id, customer_id, customer.email as customer_email, customer.locale as customer_locale,
  expires_at, ended_at
  from password_resets as reset join customers as customer on customer.id = customer_id
  where token_hash = $1 and customer.status = 'active'`
const byToken = statement<SentReset>('accounts.reset_by_token', SENT)
const lockByToken = statement<SentReset>('accounts.lock_reset_by_token', `${SENT} for update of reset`)

interface NewReset {
  readonly id: string
  readonly email: string
  readonly locale: string
  readonly now: Date
  readonly expiresAt: Date
}

export function insertReset(tx: Transaction, { id, email, locale, now, expiresAt }: NewReset): void {
  tx.write(insert, [id, comparableEmail(email), locale, now, expiresAt])
}

/** Locks a reset that no job has processed. */
export function lockPendingReset(tx: Transaction, id: string) {
  return tx.row(lockPending, [id])
}

/** Marks a reset as processed without a matching customer. */
export function markResetUnmatched(tx: Transaction, id: string, now: Date): void {
  tx.write(saveProcessed, [id, now, null, null, null], { rows: 1 })
}

/** Marks a reset as sent to a customer, and voids their earlier tokens. */
export function markResetSent(
  tx: Transaction,
  id: string,
  { customerId, tokenHash, now, expiresAt }: { customerId: string; tokenHash: Buffer; now: Date; expiresAt: Date },
): void {
  tx.write(saveProcessed, [id, now, customerId, tokenHash, expiresAt], { rows: 1 })
  tx.write(voidOthers, [customerId, id, now])
}

export function findReset(reader: Reader, tokenHash: Buffer): Promise<SentReset | undefined> {
  return reader.row(byToken, [tokenHash])
}

export function lockReset(tx: Transaction, tokenHash: Buffer): Promise<SentReset | undefined> {
  return tx.row(lockByToken, [tokenHash])
}

/** Uses up a reset and voids the customer's other ones. */
export function endReset(tx: Transaction, { id, customer_id: customerId }: SentReset, now: Date): void {
  tx.write(end, [id, now], { rows: 1 })
  tx.write(voidOthers, [customerId, id, now])
}

/** Voids all links of a customer. */
export function voidResets(tx: Transaction, customerId: string, now: Date): void {
  tx.write(voidOthers, [customerId, '', now])
}

/** Deletes resets that expired before `$1`. */
export const sweepResets = sweepStatement('password_resets', 'expires_at')
