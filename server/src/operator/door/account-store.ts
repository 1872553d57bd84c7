import type { OperatorRole } from '@vitrine/contract/operator'
import type { Language } from '../../kernel/languages/languages.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { HAS_SECOND_FACTOR, type OperatorRow } from './session-store.ts'
import { STORE_OF_OPERATOR } from './store-narrowing.ts'

/** An operator in the list of operators. */
export interface OperatorAccountRow {
  readonly id: string
  readonly email: string
  readonly role: OperatorRole
  /** The slug of their only store; `null`: the whole marketplace. */
  readonly store: string | null
  readonly language: Language
  readonly has_password: boolean
  readonly has_second_factor: boolean
  /** Whether an account at the identity provider is linked to them. */
  readonly uses_provider: boolean
  readonly created_at: Date
  readonly disabled_at: Date | null
  /** Known only while they are signed in. */
  readonly last_used_at: Date | null
  /** When their invitation link expires. */
  readonly invited_until: Date | null
}

const list = statement<OperatorAccountRow>(
  'operators.list',
  `select id, email, role, (select slug from stores where stores.id = store_id) as store, language,
     password_hash is not null as has_password,
     ${HAS_SECOND_FACTOR} as has_second_factor, created_at, disabled_at,
     exists (select from operator_identities where operator_id = operators.id) as uses_provider,
     (select expires_at from operator_links where operator_id = operators.id and purpose = 'invitation') as invited_until,
     (select max(used_at) from operator_sessions where operator_id = operators.id) as last_used_at
   from operators where $1::text is null or id = $1 order by email_key limit $2`,
)
const withRoles = statement<{ readonly email: string; readonly language: Language }>(
  'operators.with_roles',
  `select email, language from operators
   where disabled_at is null and store_id is null and role = any($1::text[])
     and (password_hash is not null or exists (select from operator_identities where operator_id = operators.id))
   order by email_key`,
)
const setDisabled = statement('operators.set_disabled', 'update operators set disabled_at = $2 where id = $1')
const setRole = statement('operators.set_role', 'update operators set role = $2, store_id = $3 where id = $1')
const setPassword = statement('operators.set_password', 'update operators set password_hash = $2 where id = $1')
const replaceProved = statement(
  'operators.replace_password',
  'update operators set password_hash = $2 where id = $1 and password_hash = $3',
)
const endAll = statement('operators.end_sessions', 'delete from operator_sessions where operator_id = $1')
const endOthers = statement(
  'operators.end_other_sessions',
  'delete from operator_sessions where operator_id = $1 and token_hash <> $2',
)

const voidLinks = statement('operators.void_links', 'delete from operator_links where operator_id = $1')
const insertLink = statement(
  'operators.insert_link',
  `insert into operator_links (token_hash, operator_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)
   on conflict (operator_id) do update set token_hash = excluded.token_hash, purpose = excluded.purpose,
     created_at = excluded.created_at, expires_at = excluded.expires_at`,
)
const byLink = statement<Pick<OperatorRow, 'id' | 'email' | 'role' | 'store'>>(
  'operators.by_link',
  `select operators.id, email, role, ${STORE_OF_OPERATOR} as store from operator_links join operators on operators.id = operator_id
   where token_hash = $1 and expires_at > $2 and disabled_at is null`,
)
const useLink = statement('operators.use_link', 'delete from operator_links where token_hash = $1 and expires_at > $2')
const listSessions = statement<OperatorSessionRow>(
  'operators.list_sessions',
  `select token_hash, created_at, used_at, expires_at, address, device from operator_sessions
   where operator_id = $1 and expires_at > $2 order by used_at desc limit 100`,
)
const endOwn = statement(
  'operators.end_own_session',
  'delete from operator_sessions where operator_id = $1 and token_hash = $2',
)

const LIST_MAX = 1000
const TOKEN_BYTES = 32

/** The operators of the whole marketplace with one of the roles who can sign in: with a password, or at the identity provider. */
export function operatorsWithRoles(reader: Reader, roles: readonly OperatorRole[]) {
  return reader.rows(withRoles, [roles])
}

/** Operators by email address. */
export function listOperatorAccounts(reader: Reader): Promise<OperatorAccountRow[]> {
  return reader.rows(list, [null, LIST_MAX])
}

export function findOperatorAccount(reader: Reader, id: string): Promise<OperatorAccountRow | undefined> {
  return reader.row(list, [id, 1])
}

/** Disables an operator from `since` on, ends their sessions and voids their link. */
export function disableOperator(tx: Transaction, id: string, since: Date): void {
  tx.write(setDisabled, [id, since])
  tx.write(endAll, [id])
  tx.write(voidLinks, [id])
}

export function enableOperator(tx: Transaction, id: string): void {
  tx.write(setDisabled, [id, null])
}

export function saveRole(tx: Transaction, id: string, role: OperatorRole, storeId: string | null): void {
  tx.write(setRole, [id, role, storeId])
}

/** Signs an operator out everywhere. */
export function endOperatorSessions(tx: Transaction, id: string): void {
  tx.write(endAll, [id])
}

/** Changes the password of an operator and ends their other sessions. False if the proved password is no longer theirs. */
export async function replacePassword(
  tx: Transaction,
  change: {
    readonly id: string
    readonly passwordHash: string
    readonly provedHash: string | null
    readonly sessionToken: string
  },
): Promise<boolean> {
  const { id, passwordHash, provedHash, sessionToken } = change
  if ((await tx.change(replaceProved, [id, passwordHash, provedHash])) !== 1) return false
  tx.write(endOthers, [id, hashOfToken(sessionToken)])
  tx.write(voidLinks, [id])
  return true
}

/** The purpose of a link to choose a password. */
type LinkPurpose = 'invitation' | 'reset'

const HOUR_MS = 3_600_000
/** An invitation allows for a vacation; a reset link is used at once. */
const LINK_MS: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS / 3 }

/** Creates a link for an operator, in place of an earlier one. @returns its token, which is not stored */
export function createOperatorLink(
  tx: Transaction,
  { operatorId, purpose }: { readonly operatorId: string; readonly purpose: LinkPurpose },
  { now, randomness }: { readonly now: Date; readonly randomness: Randomness },
): { readonly token: string; readonly expiresAt: Date } {
  const token = randomness.bytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + LINK_MS[purpose])
  tx.write(insertLink, [hashOfToken(token), operatorId, purpose, now, expiresAt])
  return { token, expiresAt }
}

/** The operator of a link that can still be used. */
export function findOperatorByLink(reader: Reader, token: string, now: Date) {
  return reader.row(byLink, [hashOfToken(token), now])
}

/** Uses up a link: sets the password and ends all sessions. False if another request has used it. */
export async function choosePassword(
  tx: Transaction,
  chosen: { readonly id: string; readonly token: string; readonly passwordHash: string; readonly now: Date },
): Promise<boolean> {
  const { id, token, passwordHash, now } = chosen
  if ((await tx.change(useLink, [hashOfToken(token), now])) !== 1) return false
  tx.write(setPassword, [id, passwordHash])
  tx.write(endAll, [id])
  return true
}

/** A session of an operator. */
export interface OperatorSessionRow {
  readonly token_hash: Buffer
  readonly created_at: Date
  readonly used_at: Date
  readonly expires_at: Date
  readonly address: string | null
  readonly device: string | null
}

export function listOperatorSessions(reader: Reader, operatorId: string, now: Date): Promise<OperatorSessionRow[]> {
  return reader.rows(listSessions, [operatorId, now])
}

/** Ends a session of an operator by its id, the hash of its token. False if it is not theirs. */
export async function endSessionOf(tx: Transaction, operatorId: string, sessionId: string): Promise<boolean> {
  return (await tx.change(endOwn, [operatorId, Buffer.from(sessionId, 'base64url')])) === 1
}
