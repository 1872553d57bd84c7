import { limits, type Scope } from '@vitrine/contract'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { createKey, findInstallation, InstallationError } from './installation-store.ts'

const OVERLAP_MS = limits.apiKeys.rotationOverlapHours * 3_600_000

/** A key as its operator sees it. */
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
  /** The id of its successor, once it was rotated. */
  readonly replaced_by: string | null
}

const COLUMNS =
  'id, installation_id, display, scopes, jkt, created_at, expires_at, revoked_at, last_used_at, replaced_by'
const keysOf = statement<KeyRow>(
  'installations.keys',
  `select ${COLUMNS} from api_keys where installation_id = $1 order by id`,
)
const lockKey = statement<KeyRow>(
  'installations.lock_key',
  `select ${COLUMNS} from api_keys where id = $1 for no key update`,
)
const replaceKey = statement(
  'installations.replace_key',
  'update api_keys set expires_at = $2, replaced_by = $3 where id = $1 and replaced_by is null',
)
const revoke = statement('installations.revoke_key', 'update api_keys set revoked_at = $2 where id = $1')

/** What becomes of a key: it works, works until its successor has taken over or its time is up, or no more. */
export function standingOfKey(key: KeyRow, now: Date): 'active' | 'expiring' | 'expired' | 'revoked' {
  if (key.revoked_at) return 'revoked'
  if (!key.expires_at) return 'active'
  return key.expires_at <= now ? 'expired' : 'expiring'
}

/**
 * The keys of an installation, oldest first.
 *
 * @throws InstallationError where there is no such installation
 */
export async function listKeys(reader: Reader, installationId: string): Promise<KeyRow[]> {
  const [installation, keys] = await Promise.all([
    findInstallation(reader, installationId),
    reader.rows(keysOf, [installationId]),
  ])
  if (!installation) throw new InstallationError(`There is no installation "${installationId}".`)
  return keys
}

export interface KeyRotation {
  readonly keyId: string
  /** The thumbprint of another public key for the successor; that of the old one where absent. */
  readonly jkt?: string | undefined
}

export interface RotatedKey {
  readonly key: string
  readonly keyId: string
  readonly jkt: string | null
  /** When the old key stops working: both work until then. */
  readonly oldKeyExpiresAt: Date
}

/**
 * Makes the successor of a key, with its scopes and, where it had an end, the same time to live. The old key works for 24
 * hours more, with its own key pair: each key is bound to one for life.
 *
 * @throws InstallationError where there is no such key, it works no more, or it has a successor
 */
export async function rotateKey(
  tx: Transaction,
  { keyId, jkt }: KeyRotation,
  making: { readonly ids: IdSource; readonly now: Date; readonly randomness: Randomness },
): Promise<RotatedKey> {
  const { now } = making
  const old = await heldKey(tx, keyId)
  const standing = standingOfKey(old, now)
  if (standing === 'revoked' || standing === 'expired') {
    throw new InstallationError(`The key "${keyId}" is ${standing}: make a new one.`)
  }
  if (old.replaced_by) {
    throw new InstallationError(`The key "${keyId}" was rotated: its successor is "${old.replaced_by}".`)
  }
  const bound = jkt ?? old.jkt
  const made = await createKey(
    tx,
    {
      installationId: old.installation_id,
      scopes: old.scopes,
      jkt: bound ?? undefined,
      expiresAt: old.expires_at ? new Date(now.getTime() + lifetimeOf(old)) : undefined,
    },
    making,
  )
  const overlapEnd = new Date(now.getTime() + OVERLAP_MS)
  const oldKeyExpiresAt = old.expires_at && old.expires_at < overlapEnd ? old.expires_at : overlapEnd
  tx.write(replaceKey, [keyId, oldKeyExpiresAt, made.keyId], { rows: 1 })
  return { ...made, jkt: bound, oldKeyExpiresAt }
}

function lifetimeOf({ created_at, expires_at }: KeyRow): number {
  return (expires_at ?? created_at).getTime() - created_at.getTime()
}

/**
 * Ends a key: every node refuses it from the commit on, since none keeps what it knows of one. Revoked again, it stays
 * revoked since the first time.
 *
 * @throws InstallationError where there is no such key
 */
export async function revokeKey(tx: Transaction, keyId: string, now: Date): Promise<Date> {
  const { revoked_at } = await heldKey(tx, keyId)
  if (revoked_at) return revoked_at
  tx.write(revoke, [keyId, now], { rows: 1 })
  return now
}

async function heldKey(tx: Transaction, keyId: string): Promise<KeyRow> {
  const key = await tx.row(lockKey, [keyId])
  if (!key) throw new InstallationError(`There is no key "${keyId}".`)
  return key
}

const setStatus = statement(
  'installations.set_status',
  `update installations set status = $2, version = version + 1, updated_at = $3 where id = $1 and status <> $2`,
)

/**
 * Suspends an installation, so that all its credentials are refused from the commit on, or lets it go on.
 *
 * @throws InstallationError where there is no such installation
 */
export async function setInstallationStatus(
  tx: Transaction,
  installationId: string,
  status: 'active' | 'suspended',
  now: Date,
): Promise<void> {
  const installation = await findInstallation(tx, installationId)
  if (!installation) throw new InstallationError(`There is no installation "${installationId}".`)
  tx.write(setStatus, [installationId, status, now])
}
