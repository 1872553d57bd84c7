import { limits } from '@vitrine/contract'
import { comparableEmail } from '../../kernel/email.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import { matchesPassword } from '../../platform/auth/password-hash.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import { hashNewPassword } from '../accounts/index.ts'
import { revokeGrantsOfApprover } from './grant-store.ts'

/** A staff member of a store. Can grant apps access to the store. */
export interface Staff {
  readonly id: string
  readonly email: string
  readonly storeId: string
  readonly storeSlug: string
}

const EMAIL = /^[^\s@]+@[^\s@]+$/
const storeBySlug = statement<{ id: string }>('oauth.store_by_slug', 'select id from stores where slug = $1')
const insert = statement(
  'oauth.insert_staff',
  `insert into staff (id, store_id, email, email_key, comparable_email, password_hash, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
)

interface NewStaff {
  readonly storeSlug: string
  readonly email: string
  readonly password: string
}

/** A new staff member with the password hashed. */
interface PreparedStaff extends Omit<NewStaff, 'password'> {
  readonly passwordHash: string
}

/**
 * Checks a new staff member and hashes the password. Takes about 30 ms on another thread: call it before the transaction.
 *
 * Refusals: `validation_failed`, `password_too_weak`.
 */
export async function prepareStaff({ storeSlug, email, password }: NewStaff): Promise<PreparedStaff> {
  if (!EMAIL.test(email) || email.length > 254) {
    refuseField('email', 'wrong_format', `"${email}" is not an email address.`)
  }
  checkPasswordLength(password)
  return { storeSlug, email, passwordHash: await hashNewPassword(password, email, 'password') }
}

/**
 * Creates a staff member of a store. The staff of other stores is not revealed: the same address may be theirs.
 *
 * Refusals: `not_found` for the store, `name_taken` for the email address.
 */
export async function createStaff(
  tx: Transaction,
  { storeSlug, email, passwordHash }: PreparedStaff,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<string> {
  const store = await tx.row(storeBySlug, [storeSlug])
  if (!store) refuse('not_found')
  const id = ids.next('stf')
  const comparable = comparableEmail(email)
  const insertWith = (emailKey: string) =>
    tx.change(insert, [id, store.id, email, emailKey, comparable, passwordHash, now])
  // The earlier version needs a unique key, so that it can still find the first member with an address.
  if ((await insertWith(comparable)) + (await insertWith(id)) === 0) {
    const message = `${email} is already a staff member.`
    refuse('name_taken', { faults: [{ field: 'email', code: 'not_unique', message }] })
  }
  return id
}

const { passwordLengthMin, passwordLengthMax } = limits.accounts

function checkPasswordLength({ length }: string): void {
  if (length >= passwordLengthMin && length <= passwordLengthMax) return
  refuseField('password', 'out_of_range', `A password has ${passwordLengthMin} to ${passwordLengthMax} characters.`)
}

interface StaffRow {
  id: string
  email: string
  store_id: string
  store_slug: string
}

const STAFF_COLUMNS = 'f.id, f.email, f.store_id, s.slug as store_slug'
/** More stores than one person works for. Each costs 30 ms at sign-in. */
const STORES_MAX = 20
const findByEmail = statement<{ id: string; password_hash: string }>(
  'oauth.find_staff',
  `select id, password_hash from staff where coalesce(comparable_email, email_key) = $1 and status = 'active'
   order by (store_id = $2) desc nulls last, created_at, id limit ${STORES_MAX}`,
)

function staffOf({ id, email, store_id, store_slug }: StaffRow): Staff {
  return { id, email, storeId: store_id, storeSlug: store_slug }
}

/** A staff member whose password was verified. */
export interface VerifiedStaff {
  readonly id: string
  readonly passwordHash: string
}

/**
 * The staff member with an email address and password, or `null`. One of several stores is known by the password, and by the store
 * of the app if the passwords are the same. Takes the same time for an unknown address.
 */
export async function verifyStaff(
  reader: Reader,
  { email, password, storeId }: { readonly email: string; readonly password: string; readonly storeId: string | null },
): Promise<VerifiedStaff | null> {
  const rows = await reader.rows(findByEmail, [comparableEmail(email), storeId])
  if (rows.length === 0) await matchesPassword(null, password)
  const matches = await Promise.all(rows.map((row) => matchesPassword(row.password_hash, password)))
  const row = rows[matches.indexOf(true)]
  return row ? { id: row.id, passwordHash: row.password_hash } : null
}

const listByStore = statement<{ id: string; email: string; status: 'active' | 'blocked'; created_at: Date }>(
  'oauth.list_staff',
  'select id, email, status, created_at from staff where store_id = $1 order by coalesce(comparable_email, email_key) limit $2',
)
const byId = statement<{ email: string }>(
  'oauth.staff_by_id',
  'select email from staff where id = $1 and store_id = $2',
)
const savePassword = statement(
  'oauth.set_staff_password',
  'update staff set password_hash = $3 where id = $1 and store_id = $2',
)
const deleteSessions = statement('oauth.delete_staff_sessions', 'delete from staff_sessions where staff_id = $1')
const deleteStaff = statement<{ email: string }>(
  'oauth.delete_staff',
  'delete from staff where id = $1 and store_id = $2 returning email',
)

/** The staff of a store, by email address. */
export function listStaff(reader: Reader, storeId: string, limit: number) {
  return reader.rows(listByStore, [storeId, limit])
}

interface StaffOfStore {
  readonly staffId: string
  readonly storeId: string
}

/** Checks and hashes a new password of a staff member, as `prepareStaff` does. Refusals: `not_found`, `validation_failed`, `password_too_weak`. */
export async function prepareStaffPassword(
  reader: Reader,
  { staffId, storeId }: StaffOfStore,
  password: string,
): Promise<string> {
  const { email } = (await reader.row(byId, [staffId, storeId])) ?? refuse('not_found')
  checkPasswordLength(password)
  return hashNewPassword(password, email, 'password')
}

/** Sets the password of a staff member and ends their sessions. Refusals: `not_found`. */
export async function setStaffPassword(
  tx: Transaction,
  { staffId, storeId }: StaffOfStore,
  passwordHash: string,
): Promise<void> {
  if ((await tx.change(savePassword, [staffId, storeId, passwordHash])) !== 1) refuse('not_found')
  tx.write(deleteSessions, [staffId])
}

/**
 * Removes a staff member. Ends their sessions and revokes the grants that they approved.
 *
 * @returns the email address and the number of revoked grants; `undefined` if the store has no such staff member
 */
export async function removeStaff(
  tx: Transaction,
  { staffId, storeId }: StaffOfStore,
  now: Date,
): Promise<{ readonly email: string; readonly grants: number } | undefined> {
  const found = await tx.row(deleteStaff, [staffId, storeId])
  if (!found) return undefined
  return { email: found.email, grants: await revokeGrantsOfApprover(tx, staffId, now) }
}

const SESSION_MS = 8 * 3_600_000
const insertSession = statement(
  'oauth.insert_staff_session',
  `insert into staff_sessions (token_hash, staff_id, created_at, expires_at)
   select $1, id, $4, $5 from staff where id = $2 and password_hash = $3 and status = 'active' for share`,
)
const findByToken = statement<StaffRow & { session_created_at: Date }>(
  'oauth.find_staff_session',
  `select ${STAFF_COLUMNS}, t.created_at as session_created_at
   from staff_sessions t join staff f on f.id = t.staff_id join stores s on s.id = f.store_id
   where t.token_hash = $1 and t.expires_at > $2 and f.status = 'active'`,
)
const deleteSession = statement('oauth.delete_staff_session', 'delete from staff_sessions where token_hash = $1')

/**
 * Opens a session.
 *
 * @returns the cookie value, which is stored as a hash; `null` if the password was changed or the staff member removed since
 */
export async function openStaffSession(
  tx: Transaction,
  { id, passwordHash }: VerifiedStaff,
  randomness: Randomness,
  now: Date,
): Promise<string | null> {
  const token = randomness.bytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  const opened = await tx.change(insertSession, [hashOfToken(token), id, passwordHash, now, expiresAt])
  return opened === 1 ? token : null
}

/** The staff member of a session and the start of the session. */
export async function findStaffSession(
  reader: Reader,
  token: string,
  now: Date,
): Promise<{ readonly staff: Staff; readonly since: Date } | null> {
  const row = await reader.row(findByToken, [hashOfToken(token), now])
  return row ? { staff: staffOf(row), since: row.session_created_at } : null
}

const lockActive = statement('oauth.lock_staff', `select from staff where id = $1 and status = 'active' for share`)

/** Whether a staff member is still active, and until the end of the transaction stays so. */
export async function remainsStaff(tx: Transaction, staffId: string): Promise<boolean> {
  return (await tx.row(lockActive, [staffId])) !== undefined
}

export function endStaffSession(tx: Transaction, token: string): void {
  tx.write(deleteSession, [hashOfToken(token)])
}

/** Deletes staff sessions that expired before `$1`. */
export const sweepStaffSessions = sweepStatement('staff_sessions', 'expires_at')
