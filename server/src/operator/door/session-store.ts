import type { OperatorRole } from '@vitrine/contract/operator'
import { comparableEmail } from '../../kernel/email.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type OperatorStore, STORE_OF_OPERATOR } from './store-narrowing.ts'

/** An operator with the hash of the password. */
export interface OperatorRow {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly store: OperatorStore | null
  /** `null`: they were invited and have chosen none. */
  readonly password_hash: string | null
}

/** The lifetime of a session, and how long it lasts without activity. */
const SESSION_HOURS = 12
const IDLE_HOURS = 2
/** The last use of a session is recorded at most this often. */
const USED_RESOLUTION_MINUTES = 5
const HOUR_MS = 3_600_000
const TOKEN_BYTES = 32

const any = statement<{ exists: boolean }>('operators.any', 'select exists (select 1 from operators)')
const byEmail = statement<OperatorRow>(
  'operators.by_email',
  `select id, email, role, ${STORE_OF_OPERATOR} as store, password_hash from operators
   where email_key = $1 and disabled_at is null`,
)
const lockById = statement<OperatorRow>(
  'operators.lock',
  `select id, email, role, ${STORE_OF_OPERATOR} as store, password_hash from operators
   where id = $1 and disabled_at is null for update`,
)
const insert = statement(
  'operators.insert',
  `insert into operators (id, email, email_key, password_hash, created_at, role, language, store_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (email_key) do nothing`,
)
// If two requests set up at once, the second waits here and then finds the first operator.
const lockSetup = statement('operators.lock_setup', `select pg_advisory_xact_lock(hashtext('vitrine operators'))`)

/** Whether an operator exists. */
export async function operatorsExist(reader: Reader): Promise<boolean> {
  return (await reader.row(any))?.exists ?? false
}

/** Waits while another process creates an operator. */
export async function lockOperators(tx: Transaction): Promise<void> {
  await tx.rows(lockSetup)
}

export async function findOperator(reader: Reader, email: string): Promise<OperatorRow | undefined> {
  return reader.row(byEmail, [comparableEmail(email)])
}

/** Locks the operator, unless they are disabled: one who is disabled or chooses another password meanwhile is not signed in. */
export async function lockOperatorById(tx: Transaction, id: string): Promise<OperatorRow | undefined> {
  return tx.row(lockById, [id])
}

/** Creates an operator. False if the address already belongs to one. */
export async function insertOperator(
  tx: Transaction,
  operator: {
    readonly id: string
    readonly email: string
    readonly role: OperatorRole
    /** The one store that they see; `null`: all. */
    readonly storeId?: string | null
    readonly language: Language
    /** `null`: they choose one by a link. */
    readonly passwordHash: string | null
    readonly now: Date
  },
): Promise<boolean> {
  const { id, email, role, storeId = null, language, passwordHash, now } = operator
  return (
    (await tx.change(insert, [id, email, comparableEmail(email), passwordHash, now, role, language, storeId])) === 1
  )
}

interface SessionRow {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  readonly used_at: Date
  readonly proved_at: Date | null
  readonly store: OperatorStore | null
  readonly expires_at: Date
  readonly has_second_factor: boolean
  readonly needs_second_factor: boolean
}

const insertSession = statement(
  'operators.insert_session',
  `insert into operator_sessions
     (token_hash, operator_id, created_at, used_at, expires_at, address, device, proved_at, second_factor)
   values ($1, $2, $3, $3, $4, $5, $6, $7, $8)`,
)
/** Whether an operator has an authenticator app or a passkey. */
export const HAS_SECOND_FACTOR = `(totp_confirmed_at is not null
  or exists (select from operator_passkeys passkey where passkey.operator_id = operators.id))`
// A provider may have asked for only one factor. The operator then has to show their own second factor, required or not.
const findByToken = statement<SessionRow>(
  'operators.session',
  `select operators.id, email, role, used_at, proved_at,
     ${STORE_OF_OPERATOR} as store, expires_at, ${HAS_SECOND_FACTOR} as has_second_factor,
     case second_factor when 'provider' then false
       when 'owed' then ${HAS_SECOND_FACTOR} or (select requires_second_factor from operator_policy)
       else not ${HAS_SECOND_FACTOR} and (select requires_second_factor from operator_policy) end as needs_second_factor
   from operator_sessions join operators on operators.id = operator_id
   where token_hash = $1 and expires_at > $2 and used_at > $3 and disabled_at is null`,
)
const forget = statement('operators.forget_sessions', 'delete from operator_sessions where expires_at <= $1')
const noteUse = statement('operators.note_use', 'update operator_sessions set used_at = $2 where token_hash = $1')
const noteFactor = statement(
  'operators.note_second_factor',
  `update operator_sessions set second_factor = 'own' where token_hash = $1 and second_factor = 'owed'`,
)
const endOne = statement('operators.end_session', 'delete from operator_sessions where token_hash = $1')

/** Opens a session and deletes expired ones, which are few. @returns the cookie value and its expiry */
export function openOperatorSession(
  tx: Transaction,
  operatorId: string,
  from: {
    readonly now: Date
    readonly randomness: Randomness
    readonly address: string
    readonly device: string | null
    /** The time of the proof of identity: now, unless the identity provider reports another. */
    readonly provedAt?: Date | null
    readonly secondFactor?: 'own' | 'provider' | 'owed'
  },
): { readonly token: string; readonly expiresAt: Date } {
  const { now, randomness, address, device, provedAt = now, secondFactor = 'own' } = from
  const token = randomness.bytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * HOUR_MS)
  tx.write(forget, [now])
  const place = [address.slice(0, 64), device]
  tx.write(insertSession, [hashOfToken(token), operatorId, now, expiresAt, ...place, provedAt, secondFactor])
  return { token, expiresAt }
}

/** The operator of a session cookie, and whether its use should be recorded. */
export async function findOperatorSession(reader: Reader, token: string, now: Date) {
  const idleSince = new Date(now.getTime() - IDLE_HOURS * HOUR_MS)
  const row = await reader.row(findByToken, [hashOfToken(token), now, idleSince])
  if (!row) return undefined
  const isStale = now.getTime() - row.used_at.getTime() > USED_RESOLUTION_MINUTES * 60_000
  const { id, email, role, store, proved_at: provedAt } = row
  const { needs_second_factor: needsSecondFactor, has_second_factor: hasSecondFactor } = row
  return { id, email, role, store, provedAt, needsSecondFactor, hasSecondFactor, isStale }
}

export function recordSessionUse(tx: Transaction, token: string, now: Date): void {
  tx.write(noteUse, [hashOfToken(token), now])
}

/** Records that the operator of a session has shown or set up a second factor. */
export function noteSecondFactor(tx: Transaction, token: string): void {
  tx.write(noteFactor, [hashOfToken(token)])
}

export function endOperatorSession(tx: Transaction, token: string): void {
  tx.write(endOne, [hashOfToken(token)])
}
