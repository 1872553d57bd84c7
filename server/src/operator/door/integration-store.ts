import type { IntegrationAccess, OperatorIntegration } from '@vitrine/contract/operator'
import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { OperatorStore } from './store-narrowing.ts'

const PREFIX = 'vit_'
const TOKEN_BYTES = 32
const HINT_LENGTH = 4
/** The last use of a token is recorded at most this often. */
const USED_RESOLUTION_MS = 60_000
/** Including revoked ones. */
const LISTED_MAX = 1000

/** The integration of a request. */
export interface Integration {
  readonly access: IntegrationAccess
  readonly createdAt: Date
}

export interface IntegrationRow {
  readonly id: string
  readonly name: string
  readonly token_hint: string
  readonly access: IntegrationAccess
  readonly store_id: string | null
  readonly store_slug: string | null
  readonly endpoints: number
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

const SELECT = `select integration.id, name, token_hint, access, store_id, store.slug as store_slug, integration.created_at, expires_at,
    revoked_at, last_used_at,
    (select count(*)::integer from webhook_endpoints where integration_id = integration.id) as endpoints
  from integrations integration left join stores store on store.id = store_id`

const byToken = statement<IntegrationRow>(
  'integrations.by_token',
  `${SELECT} where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
)
const byId = statement<IntegrationRow>('integrations.by_id', `${SELECT} where integration.id = $1`)
const lock = statement('integrations.lock', 'select 1 from integrations where id = $1 for update')
const list = statement<IntegrationRow>(
  'integrations.list',
  `${SELECT} order by revoked_at is not null, integration.id desc limit $1`,
)
const insert = statement(
  'integrations.insert',
  `insert into integrations (id, name, token_hash, token_hint, access, store_id, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (lower(name)) where revoked_at is null do nothing`,
)
const replace = statement(
  'integrations.replace_token',
  'update integrations set token_hash = $2, token_hint = $3 where id = $1',
)
const revoke = statement('integrations.revoke', 'update integrations set revoked_at = $2 where id = $1')
const recordUse = statement('integrations.record_use', 'update integrations set last_used_at = $2 where id = $1')

/** A new token. Only its hash is stored. */
export function newToken(randomness: Randomness): string {
  return PREFIX + randomness.bytes(TOKEN_BYTES).toString('base64url')
}

/** Whether a bearer token has the form of an integration token. */
export function isIntegrationToken(token: string): boolean {
  return token.startsWith(PREFIX)
}

/** The active integration of a token. */
export function findByToken(reader: Reader, token: string, now: Date): Promise<IntegrationRow | undefined> {
  return reader.row(byToken, [hashOfToken(token), now])
}

/** Whether the use of a token should be recorded. */
export function isUseStale({ last_used_at: at }: IntegrationRow, now: Date): boolean {
  return at === null || now.getTime() - at.getTime() >= USED_RESOLUTION_MS
}

export function recordIntegrationUse(tx: Transaction, id: string, now: Date): void {
  tx.write(recordUse, [id, now])
}

export function findIntegration(reader: Reader, id: string): Promise<IntegrationRow | undefined> {
  return reader.row(byId, [id])
}

export function lockIntegration(tx: Transaction, id: string): Promise<IntegrationRow | undefined> {
  tx.write(lock, [id])
  return findIntegration(tx, id)
}

export function listIntegrationRows(reader: Reader): Promise<IntegrationRow[]> {
  return reader.rows(list, [LISTED_MAX])
}

/** False if an integration in use has the name. */
export async function insertIntegration(
  tx: Transaction,
  integration: {
    readonly id: string
    readonly name: string
    readonly token: string
    readonly access: IntegrationAccess
    readonly storeId: string | null
    readonly expiresAt: Date | null
    readonly now: Date
  },
): Promise<boolean> {
  const { id, name, token, access, storeId, expiresAt, now } = integration
  const values = [id, name, hashOfToken(token), hintOf(token), JSON.stringify(access), storeId, now, expiresAt]
  return (await tx.change(insert, values)) === 1
}

export function replaceToken(tx: Transaction, id: string, token: string): void {
  tx.write(replace, [id, hashOfToken(token), hintOf(token)], { rows: 1 })
}

export function saveRevocation(tx: Transaction, id: string, now: Date): void {
  tx.write(revoke, [id, now], { rows: 1 })
}

function hintOf(token: string): string {
  return token.slice(-HINT_LENGTH)
}

export function statusOf({ revoked_at, expires_at }: IntegrationRow, now: Date): OperatorIntegration['status'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

export function storeOf({ store_id: id, store_slug: slug }: IntegrationRow): OperatorStore | null {
  return id !== null && slug !== null ? { id, slug } : null
}

export function presentIntegration(row: IntegrationRow, now: Date): OperatorIntegration {
  const store = storeOf(row)
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row, now),
    access: row.access,
    ...(store && { store }),
    tokenHint: `…${row.token_hint}`,
    endpointCount: row.endpoints,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
    ...(row.revoked_at && { revokedAt: row.revoked_at.toISOString() }),
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
  }
}
