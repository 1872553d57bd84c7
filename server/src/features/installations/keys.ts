import { limits, type Scope } from '@vitrine/contract'
import type { Randomness } from '../../kernel/randomness.ts'
import { refuse } from '../../kernel/refusal.ts'
import { displayOfApiKey, hashOfToken, makeApiKey } from '../../platform/auth/api-key.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type CreateContext, findInstallation } from './store.ts'

const OVERLAP_MS = limits.apiKeys.rotationOverlapHours * 3_600_000

/** A key in the operator's view. */
export interface KeyRow {
  readonly id: string
  readonly installation_id: string
  readonly display: string
  readonly scopes: readonly Scope[]
  readonly jkt: string | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  /** The id of its successor, if it was rotated. */
  readonly replaced_by: string | null
}

const COLUMNS =
  'id, installation_id, display, scopes, jkt, created_at, expires_at, revoked_at, last_used_at, replaced_by'
const keysOf = statement<KeyRow>(
  'installations.keys',
  `select ${COLUMNS} from api_keys where installation_id = $1 order by id`,
)
const keyById = statement<KeyRow>('installations.key', `select ${COLUMNS} from api_keys where id = $1`)
const lockKey = statement<KeyRow>(
  'installations.lock_key',
  `select ${COLUMNS} from api_keys where id = $1 for no key update`,
)
const replaceKey = statement(
  'installations.replace_key',
  'update api_keys set expires_at = $2, replaced_by = $3 where id = $1 and replaced_by is null',
)
const revoke = statement('installations.revoke_key', 'update api_keys set revoked_at = $2 where id = $1')

/** The status of a key. `expiring`: it works until its expiry, for example during a rotation. */
export function keyStatus(key: KeyRow, now: Date): 'active' | 'expiring' | 'expired' | 'revoked' {
  if (key.revoked_at) return 'revoked'
  if (!key.expires_at) return 'active'
  return key.expires_at <= now ? 'expired' : 'expiring'
}

/**
 * The keys of an installation, oldest first.
 *
 * Refusals: `not_found`.
 */
export async function listKeys(reader: Reader, installationId: string): Promise<KeyRow[]> {
  const [installation, keys] = await Promise.all([
    findInstallation(reader, installationId),
    reader.rows(keysOf, [installationId]),
  ])
  if (!installation) refuse('not_found')
  return keys
}

export function findKey(reader: Reader, keyId: string): Promise<KeyRow | undefined> {
  return reader.row(keyById, [keyId])
}

const insertKey = statement(
  'installations.insert_key',
  `insert into api_keys (id, installation_id, key_hash, display, scopes, jkt, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export interface NewKey {
  readonly installationId: string
  readonly scopes: readonly Scope[]
  /** Thumbprint of the public key that the API key is bound to. Absent for an unbound key, which can only read. */
  readonly jkt?: string | undefined
  readonly expiresAt?: Date | undefined
}

/**
 * Creates an API key. Returned once and stored as a hash.
 *
 * Refusals: `not_found` if the installation does not exist.
 */
export async function createKey(
  tx: Transaction,
  input: NewKey,
  { ids, now, randomness }: CreateContext & { readonly randomness: Randomness },
): Promise<{ readonly key: string; readonly keyId: string }> {
  const installation = await findInstallation(tx, input.installationId)
  if (!installation) refuse('not_found')
  const key = makeApiKey(installation.environment, randomness)
  const keyId = ids.next('key')
  tx.write(insertKey, [
    keyId,
    installation.id,
    hashOfToken(key),
    displayOfApiKey(key),
    [...new Set(input.scopes)],
    input.jkt ?? null,
    now,
    input.expiresAt ?? null,
  ])
  return { key, keyId }
}

const lastUse = statement<{ last_used_at: Date | null }>(
  'installations.last_use',
  'select last_used_at from api_keys where id = $1',
)

/** The recorded last use of an API key. Uses of access tokens are not recorded: they are valid for ten minutes. */
export async function findLastUse(reader: Reader, credentialId: string): Promise<Date | null> {
  return (await reader.row(lastUse, [credentialId]))?.last_used_at ?? null
}

const keyExists = statement<{ exists: boolean }>(
  'installations.key_exists',
  'select exists (select from api_keys where key_hash = $1 and revoked_at is null) as exists',
)

/** Whether a key was created by this database and is not revoked. */
export async function isKnownKey(reader: Reader, key: string): Promise<boolean> {
  return (await reader.row(keyExists, [hashOfToken(key)]))?.exists ?? false
}

interface KeyRotation {
  readonly keyId: string
  /** Thumbprint of the successor's public key. Defaults to that of the old key. */
  readonly jkt?: string | undefined
}

interface RotatedKey {
  readonly key: string
  readonly keyId: string
  readonly jkt: string | null
  /** When the old key stops working. Both keys work until then. */
  readonly oldKeyExpiresAt: Date
}

/**
 * Rotates a key: creates a successor with the same scopes and lifetime. The old key works for another 24 hours and stays bound
 * to its key pair.
 *
 * Refusals: `not_found`; `state_conflict` if the key no longer works or already has a successor, which `params` names.
 */
export async function rotateKey(
  tx: Transaction,
  { keyId, jkt }: KeyRotation,
  context: CreateContext & { readonly randomness: Randomness },
): Promise<RotatedKey> {
  const { now } = context
  const old = await loadLockedKey(tx, keyId)
  const status = keyStatus(old, now)
  if (status === 'revoked' || status === 'expired') {
    refuse('state_conflict', { conflict: { currentState: status } })
  }
  if (old.replaced_by) {
    refuse('state_conflict', { conflict: { currentState: 'rotated' }, params: { replacedBy: old.replaced_by } })
  }
  const successorJkt = jkt ?? old.jkt
  const successor = await createKey(
    tx,
    {
      installationId: old.installation_id,
      scopes: old.scopes,
      jkt: successorJkt ?? undefined,
      expiresAt: old.expires_at ? new Date(now.getTime() + lifetimeOf(old)) : undefined,
    },
    context,
  )
  const overlapEnd = new Date(now.getTime() + OVERLAP_MS)
  const oldKeyExpiresAt = old.expires_at && old.expires_at < overlapEnd ? old.expires_at : overlapEnd
  tx.write(replaceKey, [keyId, oldKeyExpiresAt, successor.keyId], { rows: 1 })
  return { ...successor, jkt: successorJkt, oldKeyExpiresAt }
}

function lifetimeOf({ created_at, expires_at }: KeyRow): number {
  return (expires_at ?? created_at).getTime() - created_at.getTime()
}

/**
 * Revokes a key. Every node refuses it from the commit on, because keys are not cached. Returns the time of the first
 * revocation.
 *
 * Refusals: `not_found`.
 */
export async function revokeKey(tx: Transaction, keyId: string, now: Date): Promise<Date> {
  const { revoked_at } = await loadLockedKey(tx, keyId)
  if (revoked_at) return revoked_at
  tx.write(revoke, [keyId, now], { rows: 1 })
  return now
}

async function loadLockedKey(tx: Transaction, keyId: string): Promise<KeyRow> {
  const key = await tx.row(lockKey, [keyId])
  if (!key) refuse('not_found')
  return key
}

const anyUsable = statement<{ isThere: boolean }>(
  'installations.any_usable_key',
  `select exists (select from api_keys k join installations i on i.id = k.installation_id and i.status = 'active'
     where k.revoked_at is null and (k.expires_at is null or k.expires_at > $1)) as "isThere"`,
)

/** Whether any active installation has a usable key. */
export async function hasUsableKey(reader: Reader, now: Date): Promise<boolean> {
  return (await reader.row(anyUsable, [now]))?.isThere === true
}
