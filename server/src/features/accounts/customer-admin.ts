import { sql } from 'kysely'
import { comparableEmail } from '../../kernel/email.ts'
import { queries } from '../../platform/postgres/query-builder.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Consent } from './customer-store.ts'
import { endSessions } from './sessions.ts'

/** A customer in the operator's view. */
export interface CustomerRecord {
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly locale: string
  readonly status: 'active' | 'blocked'
  readonly marketing_consent: boolean
  /** When its owner closed the account. */
  readonly closed_at: Date | null
  readonly accepted_documents: readonly { readonly type: string; readonly version: string }[]
  /** Unexpired sessions. */
  readonly sessions: number
  /** The history of the consent to marketing, oldest first. */
  readonly consents: readonly { readonly at: string; readonly is_given: boolean; readonly source: Consent['source'] }[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `id, email, first_name, last_name, locale, status, marketing_consent, closed_at, accepted_documents,
  version::integer as version, created_at, updated_at`

const find = statement<CustomerRecord>(
  'accounts.customer_record',
  `select ${COLUMNS}, (select count(*)::integer from customer_sessions
      where customer_id = customers.id and expires_at > $2) as sessions,
     (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'is_given', is_given, 'source', source) order by at), '[]')
      from customer_consents where customer_id = customers.id) as consents
   from customers where id = $1`,
)
const lock = statement('accounts.lock_customer', 'select 1 from customers where id = $1 for update')
/** The expression of the index `customers_by_name`. */
const NAME = sql`coalesce(first_name, '') || ' ' || coalesce(last_name, '')`
const save = statement(
  'accounts.set_customer_status',
  'update customers set status = $2, updated_at = $3, version = version + 1 where id = $1',
)

// Each subquery reads one index by prefix, and ends after $3 customers.
const withPrefix = (column: string) => `(select id from customers
     where ${column} collate "C" >= $1 and ${column} collate "C" < $2 order by ${column} collate "C" limit $3)`
export const findByText = statement<CustomerFinding>(
  'accounts.find_by_text',
  `select id, email, first_name, last_name from customers
   where id in (
     ${withPrefix('email_key')}
     union ${withPrefix("lower(first_name || ' ' || last_name)")}
     union ${withPrefix('lower(last_name)')})
   order by last_name, first_name, id limit $3`,
)

/** A result of a text search. */
type CustomerFinding = Pick<CustomerRecord, 'id' | 'email' | 'first_name' | 'last_name'>

/** Sorts after every customer id. */
const END = 'cus_8'

/** Filters. An absent filter matches all. */
export interface CustomerSearch {
  readonly id?: string | undefined
  readonly email?: string | undefined
  /** A LIKE pattern for the name. */
  readonly like?: string | undefined
  readonly status?: CustomerRecord['status'] | undefined
  readonly afterId: string | null
  readonly limit: number
}

/** Customers, newest first. Ids grow with time: the newest are at the end of the primary key. */
export function listCustomerRecords(
  reader: Reader,
  { id, email, like, status, afterId, limit }: CustomerSearch,
): Promise<Omit<CustomerRecord, 'sessions' | 'consents'>[]> {
  // Only the filters given: with one statement for all, PostgreSQL keeps one plan, which reads all customers to find one address.
  const conditions = [
    sql`id < ${afterId ?? END}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(email === undefined ? [] : [sql`email_key = ${comparableEmail(email)}`]),
    ...(like === undefined ? [] : [sql`${NAME} ilike ${like}`]),
  ]
  const page = sql<Omit<CustomerRecord, 'sessions' | 'consents'>>`select ${sql.raw(COLUMNS)} from customers
    where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`
  return reader.run(page.compile(queries))
}

export async function findCustomerRecord(reader: Reader, id: string, now: Date): Promise<CustomerRecord | null> {
  return (await reader.row(find, [id, now])) ?? null
}

/** Locks and reads a customer. */
export function lockCustomer(tx: Transaction, id: string, now: Date): Promise<CustomerRecord | null> {
  tx.write(lock, [id])
  return findCustomerRecord(tx, id, now)
}

/** Blocks or unblocks a customer. Blocking ends all of their sessions. */
export function setCustomerStatus(tx: Transaction, id: string, status: CustomerRecord['status'], now: Date): void {
  tx.write(save, [id, status, now], { rows: 1 })
  if (status === 'blocked') endSessions(tx, id)
}

/** Finds customers by a prefix of their email address, last name, or first and last name. */
export function findCustomers(reader: Reader, text: string, limit: number): Promise<CustomerFinding[]> {
  const key = comparableEmail(text)
  return reader.rows(findByText, [key, `${key}\u{10ffff}`, limit])
}
