import { comparableEmail } from '../../kernel/email.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import type { NewCustomer } from './customer-store.ts'

/** An unconfirmed registration. */
export interface Registration {
  readonly id: string
  readonly email: string
  readonly password_hash: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly locale: string
  readonly marketing_consent: boolean
  readonly accepted_documents: readonly { readonly type: string; readonly version: string }[]
  readonly expires_at: Date
}

export interface NewRegistration extends NewCustomer {
  readonly expiresAt: Date
}

const COLUMNS =
  'id, email, password_hash, first_name, last_name, locale, marketing_consent, accepted_documents, expires_at'

const insert = statement(
  'accounts.insert_registration',
  `insert into registrations (id, email, email_key, password_hash, first_name, last_name, locale, marketing_consent,
     accepted_documents, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const lockPending = statement<Registration & { readonly answered_lately: number }>(
  'accounts.lock_waiting_registration',
  `select ${COLUMNS}, (
     select count(*)::integer from registrations as other
     where other.email_key = mine.email_key and other.answered_at > $2) as answered_lately
   from registrations as mine where id = $1 and answered_at is null for update`,
)
const saveProcessed = statement(
  'accounts.answer_registration',
  'update registrations set answered_at = $2, token_hash = $3 where id = $1 and answered_at is null',
)
const byToken = statement<Registration>(
  'accounts.registration_by_token',
  `select ${COLUMNS} from registrations where token_hash = $1`,
)
const lockByToken = statement<Registration>(
  'accounts.lock_registration_by_token',
  `select ${COLUMNS} from registrations where token_hash = $1 for update`,
)
const deleteOne = statement('accounts.drop_registration', 'delete from registrations where id = $1')
const deleteByEmail = statement('accounts.forget_registrations', 'delete from registrations where email_key = $1')

export function insertRegistration(tx: Transaction, registration: NewRegistration): void {
  const { id, email, passwordHash, firstName, lastName, locale, marketingConsent, acceptedDocuments } = registration
  tx.write(insert, [
    id,
    email,
    comparableEmail(email),
    passwordHash,
    firstName,
    lastName,
    locale,
    marketingConsent,
    JSON.stringify(acceptedDocuments),
    registration.now,
    registration.expiresAt,
  ])
}

/** Locks a registration that no job has processed, with the number mailed to the same address after `since`. */
export function lockPendingRegistration(tx: Transaction, id: string, since: Date) {
  return tx.row(lockPending, [id, since])
}

/** Marks a registration as processed and mailed, with the hash of the token that was mailed, if any. */
export function markRegistrationProcessed(tx: Transaction, id: string, now: Date, tokenHash: Buffer | null): void {
  tx.write(saveProcessed, [id, now, tokenHash], { rows: 1 })
}

export function findRegistration(reader: Reader, tokenHash: Buffer): Promise<Registration | undefined> {
  return reader.row(byToken, [tokenHash])
}

export function lockRegistration(tx: Transaction, tokenHash: Buffer): Promise<Registration | undefined> {
  return tx.row(lockByToken, [tokenHash])
}

/** Deletes a registration without a mail: it cannot be confirmed, and does not count. */
export function deleteRegistration(tx: Transaction, id: string): void {
  tx.write(deleteOne, [id], { rows: 1 })
}

/** Deletes all registrations for an address. */
export function deleteRegistrations(tx: Transaction, email: string): void {
  tx.write(deleteByEmail, [comparableEmail(email)])
}

/** Deletes registrations that expired before `$1`. */
export const sweepRegistrations = sweepStatement('registrations', 'expires_at')
