import { limits } from '@vitrine/contract'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Reader, Transaction } from '../../platform/postgres/access.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** How many secrets sign at once at most: the current one and those that were replaced within the last 24 hours. */
const SIGNING_SECRETS_MAX = 4

/** A secret as its owner is shown it. @see Standard Webhooks 1.0, Symmetric */
export function secretText(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString('base64')
}

/** The last letters before the padding, by which people tell secrets apart. */
export function hintOf(bytes: Uint8Array): string {
  return secretText(bytes).slice(-5, -1)
}

const replace = statement(
  'webhook_secrets.replace',
  'update webhook_secrets set expires_at = $2 where endpoint_id = $1 and expires_at is null',
)
const retire = statement(
  'webhook_secrets.retire',
  'delete from webhook_secrets where endpoint_id = $1 and (expires_at <= $2 or generation <= $3)',
)
const newest = statement<{ generation: number }>(
  'webhook_secrets.newest',
  'select generation from webhook_secrets where endpoint_id = $1 and expires_at is null',
)
const insert = statement(
  'webhook_secrets.insert',
  `insert into webhook_secrets (endpoint_id, generation, key_id, sealed, hint, created_at) values ($1, $2, $3, $4, $5, $6)`,
)
interface SecretRow {
  readonly endpoint_id: string
  readonly generation: number
  readonly key_id: string
  readonly sealed: Buffer
}
const signing = statement<SecretRow>(
  'webhook_secrets.signing',
  `select endpoint_id, generation, key_id, sealed from webhook_secrets
   where endpoint_id = any($1) and (expires_at is null or expires_at > $2)
   order by endpoint_id, generation desc`,
)

/** What secrets are made and kept with. */
export interface SecretParts {
  readonly keyring: Keyring
  readonly randomness: Randomness
}

/**
 * Gives an endpoint, which is locked or new, a new secret. The one before signs beside it for 24 hours more, so that a
 * receiver can be told in peace.
 *
 * @returns the secret as its owner is shown it, this once
 */
export async function giveSecret(
  tx: Transaction,
  endpointId: string,
  { keyring, randomness }: SecretParts,
  now: Date,
): Promise<string> {
  const before = await tx.row(newest, [endpointId])
  const generation = (before?.generation ?? 0) + 1
  const secret = randomness.bytes(SECRET_BYTES)
  const { keyId, bytes } = keyring.seal(secret, placeOf(endpointId, generation))

  tx.write(replace, [endpointId, new Date(now.getTime() + limits.webhooks.secretOverlapHours * 3_600_000)])
  tx.write(retire, [endpointId, now, generation - SIGNING_SECRETS_MAX])
  tx.write(insert, [endpointId, generation, keyId, bytes, hintOf(secret), now])
  return secretText(secret)
}

/** The secrets that sign for each endpoint at a moment, the current one first. */
export async function signingSecrets(
  reader: Reader,
  keyring: Keyring,
  endpointIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const found = new Map<string, Buffer[]>()
  for (const row of await reader.rows(signing, [endpointIds, now])) {
    const secret = keyring.open({ keyId: row.key_id, bytes: row.sealed }, placeOf(row.endpoint_id, row.generation))
    found.set(row.endpoint_id, [...(found.get(row.endpoint_id) ?? []), secret])
  }
  return found
}

function placeOf(endpointId: string, generation: number): string {
  return `${endpointId}/${generation}`
}
