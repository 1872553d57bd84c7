import type { Scope } from '@vitrine/contract'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import type { Code, Grant, RefreshToken } from './grant.ts'

interface GrantRow {
  id: string
  client_id: string
  scopes: Scope[]
  ends_at: Date
  revoked_at: Date | null
}

const GRANT_COLUMNS = 'g.id, g.client_id, g.scopes, g.ends_at, g.revoked_at'

function grantOf(row: GrantRow): Grant {
  return {
    id: row.id,
    clientId: row.client_id,
    scopes: row.scopes,
    endsAt: row.ends_at,
    revokedAt: row.revoked_at,
  }
}

/** When a grant `g` ends: with its code, unless the code was exchanged in time. */
export const GRANT_END =
  'least(g.ends_at, (select expires_at from oauth_codes where grant_id = g.id and used_at is null))'

const insertGrant = statement(
  'oauth.insert_grant',
  `insert into oauth_grants (id, client_id, store_id, scopes, approved_by, created_at, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)
const insertCode = statement(
  'oauth.insert_code',
  `insert into oauth_codes (code_hash, grant_id, redirect_uri, code_challenge, dpop_jkt, expires_at)
   values ($1, $2, $3, $4, $5, $6)`,
)

export interface NewGrant {
  readonly id: string
  readonly clientId: string
  readonly storeId: string | null
  readonly scopes: readonly Scope[]
  readonly approvedBy: string
  readonly createdAt: Date
  readonly endsAt: Date
}

interface NewCode {
  readonly code: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly dpopJkt: string | null
  readonly expiresAt: Date
}

export function saveGrant(tx: Transaction, grant: NewGrant, code: NewCode): void {
  const { id, clientId, storeId, scopes, approvedBy, createdAt, endsAt } = grant
  tx.write(insertGrant, [id, clientId, storeId, scopes, approvedBy, createdAt, endsAt])
  const hash = hashOfToken(code.code)
  tx.write(insertCode, [hash, id, code.redirectUri, code.codeChallenge, code.dpopJkt, code.expiresAt])
}

interface CodeRow extends GrantRow {
  redirect_uri: string
  code_challenge: string
  dpop_jkt: string | null
  expires_at: Date
  used_at: Date | null
}

// Locks before it reads, so that concurrent requests with the same code see that it was used.
const lockCodeRow = statement<CodeRow>(
  'oauth.lock_code',
  `select ${GRANT_COLUMNS}, c.redirect_uri, c.code_challenge, c.dpop_jkt, c.expires_at, c.used_at
   from oauth_codes c join oauth_grants g on g.id = c.grant_id where c.code_hash = $1 for update`,
)

export async function lockCode(tx: Transaction, code: string): Promise<Code | undefined> {
  const row = await tx.row(lockCodeRow, [hashOfToken(code)])
  if (!row) return undefined
  return {
    grant: grantOf(row),
    redirectUri: row.redirect_uri,
    codeChallenge: row.code_challenge,
    dpopJkt: row.dpop_jkt,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }
}

const useCode = statement(
  'oauth.use_code',
  'update oauth_codes set used_at = $2 where grant_id = $1 and used_at is null',
)

/** Marks the code of a grant as used. The transaction fails if it already is. */
export function saveCodeUsed(tx: Transaction, grant: Grant, now: Date): void {
  tx.write(useCode, [grant.id, now], { rows: 1 })
}

interface RefreshRow extends GrantRow {
  jkt: string
  expires_at: Date
  rotated_at: Date | null
}

const lockRefreshRow = statement<RefreshRow>(
  'oauth.lock_refresh_token',
  `select ${GRANT_COLUMNS}, r.jkt, r.expires_at, r.rotated_at
   from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id where r.token_hash = $1 for update`,
)

/** Locks a refresh token and its grant. */
export async function lockRefreshToken(tx: Transaction, token: string): Promise<RefreshToken | undefined> {
  const row = await tx.row(lockRefreshRow, [hashOfToken(token)])
  if (!row) return undefined
  return { grant: grantOf(row), jkt: row.jkt, expiresAt: row.expires_at, rotatedAt: row.rotated_at }
}

const readRotation = statement<{ rotated_at: Date | null }>(
  'oauth.read_rotation',
  'select rotated_at from oauth_refresh_tokens where token_hash = $1',
)

/** Whether a refresh token was rotated. Call it while the grant is locked. */
export async function isRotated(tx: Transaction, token: string): Promise<boolean> {
  return Boolean((await tx.row(readRotation, [hashOfToken(token)]))?.rotated_at)
}

const isStored = statement('oauth.is_stored', 'select from oauth_refresh_tokens where token_hash = $1')

export async function isStoredToken(tx: Transaction, token: string): Promise<boolean> {
  return (await tx.row(isStored, [hashOfToken(token)])) !== undefined
}

const rotate = statement(
  'oauth.rotate',
  'update oauth_refresh_tokens set rotated_at = $2 where token_hash = $1 and rotated_at is null',
)
const insertRefreshToken = statement(
  'oauth.insert_refresh_token',
  'insert into oauth_refresh_tokens (token_hash, grant_id, jkt, expires_at) values ($1, $2, $3, $4)',
)

export function saveRotated(tx: Transaction, token: string, now: Date): void {
  tx.write(rotate, [hashOfToken(token), now], { rows: 1 })
}

interface NewRefreshToken {
  readonly token: string
  readonly grantId: string
  readonly jkt: string
  readonly expiresAt: Date
}

export function saveRefreshToken(tx: Transaction, { token, grantId, jkt, expiresAt }: NewRefreshToken): void {
  tx.write(insertRefreshToken, [hashOfToken(token), grantId, jkt, expiresAt])
}

const revoke = statement(
  'oauth.revoke_grant',
  'update oauth_grants set revoked_at = $2, revoked_because = $3 where id = $1 and revoked_at is null',
)

/** Revokes a grant with all its tokens, on every node, at commit. */
export function revokeGrant(
  tx: Transaction,
  grantId: string,
  because: 'code_reused' | 'refresh_reused' | 'revoked',
  now: Date,
): void {
  tx.write(revoke, [grantId, now, because])
}

const revokeOfApprover = statement(
  'oauth.revoke_grants_of_approver',
  `update oauth_grants g set revoked_at = $2, revoked_because = 'revoked'
   where approved_by = $1 and revoked_at is null and ${GRANT_END} > $2`,
)

/** Revokes the active grants that a staff member or operator has approved. @returns the number of grants */
export function revokeGrantsOfApprover(tx: Transaction, approvedBy: string, now: Date): Promise<number> {
  return tx.change(revokeOfApprover, [approvedBy, now])
}

/** Deletes grants that ended before `$1`, with their codes and tokens. */
export const sweepGrants = sweepStatement('oauth_grants', 'ends_at')
