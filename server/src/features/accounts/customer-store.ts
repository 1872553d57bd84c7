import { comparableEmail } from '../../kernel/email.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** A customer of the marketplace, with a confirmed email address. */
export interface Customer {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly locale: string
  readonly status: 'active' | 'blocked'
  /** Grows with each change of password or status, and when all sessions are ended. What was issued under an earlier one is void. */
  readonly credential_version: number
}

/** A customer with the password hash, for sign-in. */
export interface CustomerSecret extends Customer {
  readonly password_hash: string
  readonly password_changed_at: Date
}

export interface NewCustomer {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly locale: string
  readonly marketingConsent: boolean
  readonly acceptedDocuments: readonly { readonly type: string; readonly version: string }[]
  readonly now: Date
}

const COLUMNS = 'id, email, first_name, last_name, locale, status, credential_version'

const insert = statement(
  'accounts.insert_customer',
  `insert into customers (id, email, email_key, password_hash, first_name, last_name, locale, marketing_consent,
     accepted_documents, password_changed_at, confirmed_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10, $10)
   on conflict (email_key) do nothing`,
)
const byEmail = statement<CustomerSecret>(
  'accounts.customer_by_email',
  `select ${COLUMNS}, password_hash, password_changed_at from customers where email_key = $1`,
)
const byId = statement<CustomerSecret>(
  'accounts.customer_by_id',
  `select ${COLUMNS}, password_hash, password_changed_at from customers where id = $1 and status = 'active'`,
)
const insertConsent = statement(
  'accounts.insert_consent',
  `insert into customer_consents (customer_id, at, is_given, source) values ($1, $2, $3, $4)
   on conflict (customer_id, at) do update set is_given = excluded.is_given`,
)
const changePassword = statement(
  'accounts.change_password',
  `update customers set password_hash = $2, password_changed_at = $3, updated_at = $3, version = version + 1
   where id = $1 and ($4::timestamptz is null or password_changed_at = $4)`,
)

/** Inserts a customer. Returns false if the address already has one. */
export async function insertCustomer(tx: Transaction, customer: NewCustomer): Promise<boolean> {
  const { id, email, passwordHash, firstName, lastName, locale, marketingConsent, acceptedDocuments, now } = customer
  const added = await tx.change(insert, [
    id,
    email,
    comparableEmail(email),
    passwordHash,
    firstName,
    lastName,
    locale,
    marketingConsent,
    JSON.stringify(acceptedDocuments),
    now,
  ])
  if (added === 1 && marketingConsent) saveConsent(tx, id, { isGiven: true, source: 'registration', now })
  return added === 1
}

/** A consent to marketing that was given or withdrawn. */
export interface Consent {
  readonly at: Date
  readonly is_given: boolean
  readonly source: 'registration' | 'account' | 'operator'
}

/** Adds an entry to the history of a customer's consent. */
export function saveConsent(
  tx: Transaction,
  customerId: string,
  { isGiven, source, now }: { readonly isGiven: boolean; readonly source: Consent['source']; readonly now: Date },
): void {
  tx.write(insertConsent, [customerId, now, isGiven, source])
}

export async function findCustomerSecret(reader: Reader, id: string): Promise<CustomerSecret | undefined> {
  return reader.row(byId, [id])
}

export function findCustomerByEmail(reader: Reader, email: string): Promise<CustomerSecret | undefined> {
  return reader.row(byEmail, [comparableEmail(email)])
}

/** Saves a password. False if the earlier one was changed since `provedOf`, when it was set. */
export async function savePassword(
  tx: Transaction,
  customerId: string,
  passwordHash: string,
  { now, provedOf = null }: { readonly now: Date; readonly provedOf?: Date | null },
): Promise<boolean> {
  return (await tx.change(changePassword, [customerId, passwordHash, now, provedOf])) === 1
}
