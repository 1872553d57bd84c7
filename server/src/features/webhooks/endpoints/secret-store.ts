import { limits } from '@vitrine/contract'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import type { NewSecret } from './secret.ts'

/**
 * The maximum number of active secrets: the current one and those replaced in the last 24 hours. More than two, because a client
 * that lost the response to a rotation rotates again, while the receiver still uses the first secret.
 */
const SIGNING_SECRETS_MAX = 4

const newest = statement<{ generation: number }>(
  'webhook_secrets.newest',
  'select generation from webhook_secrets where endpoint_id = $1 and expires_at is null',
)
const replace = statement(
  'webhook_secrets.replace',
  'update webhook_secrets set expires_at = $2 where endpoint_id = $1 and expires_at is null',
)
const retire = statement(
  'webhook_secrets.retire',
  'delete from webhook_secrets where endpoint_id = $1 and (expires_at <= $2 or generation <= $3)',
)
const insert = statement(
  'webhook_secrets.insert',
  `insert into webhook_secrets (endpoint_id, generation, key_id, sealed, hint, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
)

interface SealedRow {
  readonly endpoint_id: string
  readonly generation: number
  readonly key_id: string
  readonly sealed: Buffer
}
const signing = statement<SealedRow>(
  'webhook_secrets.signing',
  `select endpoint_id, generation, key_id, sealed from webhook_secrets
   where endpoint_id = any($1) and (expires_at is null or expires_at > $2)
   order by endpoint_id, generation desc`,
)

export function insertFirstSecret(
  tx: Transaction,
  keyring: Keyring,
  endpointId: string,
  secret: NewSecret,
  now: Date,
): void {
  insertSecret(tx, keyring, { endpointId, generation: 1 }, secret, now)
}

/**
 * Rotates the secret of a locked endpoint. The previous secret keeps signing for 24 hours.
 *
 * @param rotation.dropsOld whether all previous secrets stop signing at once, for example after a leak
 */
export async function replaceSecret(
  tx: Transaction,
  keyring: Keyring,
  endpointId: string,
  secret: NewSecret,
  { now, dropsOld }: { readonly now: Date; readonly dropsOld: boolean },
): Promise<void> {
  const before = await tx.row(newest, [endpointId])
  const generation = (before?.generation ?? 0) + 1
  tx.write(replace, [endpointId, new Date(now.getTime() + limits.webhooks.secretOverlapHours * 3_600_000)], { rows: 1 })
  tx.write(retire, [endpointId, now, generation - (dropsOld ? 1 : SIGNING_SECRETS_MAX)])
  insertSecret(tx, keyring, { endpointId, generation }, secret, now)
}

interface SecretKey {
  readonly endpointId: string
  readonly generation: number
}

function insertSecret(tx: Transaction, keyring: Keyring, key: SecretKey, { bytes, hint }: NewSecret, now: Date): void {
  const sealed = keyring.seal(bytes, sealingContextOf(key))
  tx.write(insert, [key.endpointId, key.generation, sealed.keyId, sealed.bytes, hint, now])
}

/** The active secrets by endpoint, the current one first. */
export async function signingSecrets(
  reader: Reader,
  keyring: Keyring,
  endpointIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const found = new Map<string, Buffer[]>()
  for (const row of await reader.rows(signing, [endpointIds, now])) {
    const secrets = found.get(row.endpoint_id) ?? []
    found.set(row.endpoint_id, [...secrets, openSecret(keyring, row)])
  }
  return found
}

function openSecret(keyring: Keyring, { endpoint_id: endpointId, generation, key_id: keyId, sealed }: SealedRow) {
  return keyring.open({ keyId, bytes: sealed }, sealingContextOf({ endpointId, generation }))
}

function sealingContextOf({ endpointId, generation }: SecretKey): string {
  return `${endpointId}/${generation}`
}

/** Deletes secrets that expired before `$1`. */
export const sweepSecrets = sweepStatement('webhook_secrets', 'expires_at')
