import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import type { Customer, CustomerSecret } from './customer-store.ts'
import { newToken } from './token.ts'

const SESSION_HOURS = 12
const HOUR_MS = 3_600_000

// If the password was changed since it was verified, no session is inserted.
const insert = statement(
  'accounts.insert_session',
  `insert into customer_sessions (token_hash, customer_id, created_at, expires_at, agent)
   select $1, id, $4, $5, $6 from customers where id = $2 and password_changed_at = $3 and status = 'active' for share`,
)
const find = statement<Customer>(
  'accounts.session',
  `select id, email, first_name, last_name, locale, status, credential_version
   from customer_sessions join customers on customers.id = customer_id
   where token_hash = $1 and expires_at > $2 and status = 'active'`,
)
const end = statement('accounts.end_session', 'delete from customer_sessions where token_hash = $1')
const endAll = statement('accounts.end_sessions', 'delete from customer_sessions where customer_id = $1')

const list = statement<SessionRecord>(
  'accounts.sessions',
  `select token_hash, created_at, expires_at, agent from customer_sessions
   where customer_id = $1 and expires_at > $2 order by created_at desc`,
)
const endListed = statement(
  'accounts.end_listed_session',
  'delete from customer_sessions where customer_id = $1 and token_hash = $2',
)
const endOthers = statement(
  'accounts.end_other_sessions',
  'delete from customer_sessions where customer_id = $1 and token_hash <> $2',
)
// Customer tokens and hosted logins belong to sign-ins, too.
const endTokens = statement(
  'accounts.end_tokens',
  'update customers set credential_version = credential_version + 1 where id = $1',
)
const AGENT_MAX = 300

/**
 * Opens a session for a customer whose password was verified.
 *
 * @returns the value of the cookie `customer`, or null if the password was changed or the customer was blocked since
 */
export async function openSession(
  tx: Transaction,
  customer: Pick<CustomerSecret, 'id' | 'password_changed_at'>,
  {
    now,
    randomness,
    agent = null,
  }: { readonly now: Date; readonly randomness: Randomness; readonly agent?: string | null },
): Promise<string | null> {
  const { token, hash } = newToken(randomness)
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * HOUR_MS)
  const opened = await tx.change(insert, [
    hash,
    customer.id,
    customer.password_changed_at,
    now,
    expiresAt,
    agent?.slice(0, AGENT_MAX) ?? null,
  ])
  return opened === 1 ? token : null
}

/**
 * Opens a session in place of the browser's earlier one.
 *
 * Refusals: `credential_invalid` if the password was changed or the customer was blocked since it was verified.
 */
export async function replaceSession(
  tx: Transaction,
  earlier: string | null,
  customer: CustomerSecret,
  from: { readonly now: Date; readonly randomness: Randomness; readonly agent: string | null },
): Promise<string> {
  const opened = await openSession(tx, customer, from)
  if (opened === null) refuse('credential_invalid', { reason: 'the password was changed a moment ago' })
  if (earlier !== null) endSession(tx, earlier)
  return opened
}

/** The customer of a session cookie, or null. */
export async function findCustomerSession(reader: Reader, token: string | null, now: Date): Promise<Customer | null> {
  if (token === null) return null
  return (await reader.row(find, [hashOfToken(token), now])) ?? null
}

/** A session as its customer sees it. */
export interface SessionRecord {
  readonly token_hash: Buffer
  readonly created_at: Date
  readonly expires_at: Date
  /** The `User-Agent` header of the browser, if it sent one. */
  readonly agent: string | null
}

/** The unexpired sessions of a customer, newest first. */
export function listSessions(reader: Reader, customerId: string, now: Date): Promise<SessionRecord[]> {
  return reader.rows(list, [customerId, now])
}

/** Ends one session of a customer, identified by its token hash. */
export function endListedSession(tx: Transaction, customerId: string, tokenHash: Buffer): void {
  tx.write(endListed, [customerId, tokenHash])
}

/** Ends all sessions of a customer except one, and their customer tokens at installations. */
export function endOtherSessions(tx: Transaction, customerId: string, token: string): void {
  tx.write(endTokens, [customerId])
  tx.write(endOthers, [customerId, hashOfToken(token)])
}

/** Ends one session. */
export function endSession(tx: Transaction, token: string): void {
  tx.write(end, [hashOfToken(token)])
}

/** Ends all sessions of a customer, and their customer tokens at installations. */
export function endSessions(tx: Transaction, customerId: string): void {
  tx.write(endTokens, [customerId])
  tx.write(endAll, [customerId])
}

/** Deletes sessions that expired before `$1`. */
export const sweepSessions = sweepStatement('customer_sessions', 'expires_at')
