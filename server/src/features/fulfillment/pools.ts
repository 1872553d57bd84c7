import { present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type Keyring, keyring } from '../../platform/secrets/keyring.ts'
import { mac, type RotatingSecret } from '../../platform/secrets/rotating-secret.ts'
import { loadSecrets, type SecretDeps, type ServerSecrets } from '../../platform/secrets/server-secrets.ts'

/** Encrypts license keys, and fingerprints them so that they are recognized without decryption. */
export interface LicenseVault {
  readonly keyring: Keyring
  /** Fingerprints of a key: by the current secret first, then by earlier secrets that rows may still have. */
  fingerprintsOf(pool: Pool, key: string): readonly [Buffer, ...Buffer[]]
}

/** The keys of a SKU in one environment. */
export interface Pool {
  readonly skuId: string
  readonly environment: Environment
}

/** @param secrets secrets of the server: one encrypts, the other fingerprints */
export function licenseVault(
  secrets: Pick<ServerSecrets, 'licence-keys' | 'licence-fingerprint'>,
  randomness: Randomness,
): LicenseVault {
  const keysOf = ({ current, accepted }: RotatingSecret) => [current, ...accepted.filter((each) => each !== current)]
  const opened = keyring(keysOf(secrets['licence-keys']), randomness, () => keysOf(secrets['licence-keys']))
  return {
    get keyring() {
      opened.lookAgain()
      return opened
    },
    fingerprintsOf(pool, key) {
      const text = `${poolName(pool)}\n${key}`
      const [first, ...others] = keysOf(secrets['licence-fingerprint']).map((each) => mac(each, text))
      return [present(first, 'a secret is current'), ...others]
    },
  }
}

/** Opens the vault for a command that runs next to the server. */
export async function openLicenseVault(tx: Transaction, deps: SecretDeps): Promise<LicenseVault> {
  return licenseVault((await loadSecrets(tx, deps)).values, deps.randomness)
}

function poolName({ skuId, environment }: Pool): string {
  return `${environment}/${skuId}`
}

/** Associated data: a sealed key can only be opened in its pool and with its fingerprint. */
function placeOf(pool: Pool, fingerprint: Buffer): string {
  return `licence ${poolName(pool)}/${fingerprint.toString('hex')}`
}

const digital = statement<{ sku_id: string }>(
  'fulfilment.digital_skus',
  'select sku_id from licence_pools where sku_id = any ($1)',
)

/** Finds the SKUs that are delivered by mail. */
export async function digitalSkus(reader: Reader, skuIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(digital, [[...new Set(skuIds)]])
  return new Set(rows.map((row) => row.sku_id))
}

const open = statement(
  'fulfilment.open_pool',
  'insert into licence_pools (sku_id, created_at) values ($1, $2) on conflict do nothing',
)
const lockForImport = statement('fulfilment.lock_pool', 'select 1 from licence_pools where sku_id = $1 for update')
const insert = statement(
  'fulfilment.insert_keys',
  `insert into licence_keys (sku_id, environment, fingerprint, sealing_key_id, sealed, imported_at)
   select $1, $2, fingerprint, $3, sealed, $4 from unnest($5::bytea[], $6::bytea[]) as one (fingerprint, sealed)
   on conflict (sku_id, environment, fingerprint) do nothing`,
)

/**
 * Creates the pool of a SKU if needed and locks it, so that no job finds it empty until the transaction ends. Jobs that found it
 * empty before are visible as waiting.
 */
export async function lockPool(tx: Transaction, skuId: string, now: Date): Promise<void> {
  tx.write(open, [skuId, now])
  await tx.rows(lockForImport, [skuId])
}

const findKnown = statement<{ fingerprint: Buffer }>(
  'fulfilment.known_keys',
  'select fingerprint from licence_keys where sku_id = $1 and environment = $2 and fingerprint = any ($3)',
)

/** Inserts keys into a pool, each once. Returns how many were new. */
export async function insertKeys(
  tx: Transaction,
  pool: Pool,
  keys: readonly string[],
  { vault, now }: { readonly vault: LicenseVault; readonly now: Date },
): Promise<number> {
  const { keyring: ring } = vault
  const each = keys.map((key) => ({ key, fingerprints: vault.fingerprintsOf(pool, key) }))
  const older = each.flatMap(({ fingerprints: [, ...others] }) => others)
  const known = older.length === 0 ? [] : await tx.rows(findKnown, [pool.skuId, pool.environment, older])
  const isKnown = new Set(known.map(({ fingerprint }) => fingerprint.toString('hex')))
  const added = each.filter(({ fingerprints }) => !fingerprints.some((one) => isKnown.has(one.toString('hex'))))
  const sealed = added.map(({ key, fingerprints }) => ring.seal(Buffer.from(key), placeOf(pool, fingerprints[0])).bytes)
  const fingerprints = added.map((one) => one.fingerprints[0])
  return tx.change(insert, [pool.skuId, pool.environment, ring.keyId, now, fingerprints, sealed])
}

interface StoredKey extends KeyRow {
  readonly sku_id: string
  readonly environment: Environment
}
const RESEAL_BATCH = 500
const sealedBefore = statement<StoredKey>(
  'fulfilment.keys_sealed_before',
  `select id, sku_id, environment, fingerprint, sealing_key_id, sealed from licence_keys where sealing_key_id <> $1
   order by id limit ${RESEAL_BATCH} for update`,
)
const reseal = statement(
  'fulfilment.reseal_keys',
  `update licence_keys set sealing_key_id = $1, fingerprint = one.fingerprint, sealed = one.sealed
   from unnest($2::bigint[], $3::bytea[], $4::bytea[]) as one (id, fingerprint, sealed) where licence_keys.id = one.id`,
)

/** Seals a batch of keys with the current secret. @returns `false` if none are left */
export async function resealKeys(tx: Transaction, { keyring: ring, fingerprintsOf }: LicenseVault): Promise<boolean> {
  const rows = await tx.rows(sealedBefore, [ring.keyId])
  const each = rows.map((row) => {
    const pool: Pool = { skuId: row.sku_id, environment: row.environment }
    const key = openKey(ring, pool, row)
    const [fingerprint] = fingerprintsOf(pool, key)
    return { id: row.id, fingerprint, sealed: ring.seal(Buffer.from(key), placeOf(pool, fingerprint)).bytes }
  })
  const columns = [each.map(({ id }) => id), each.map((one) => one.fingerprint), each.map(({ sealed }) => sealed)]
  if (each.length > 0) tx.write(reseal, [ring.keyId, ...columns], { rows: each.length })
  return each.length === RESEAL_BATCH
}

function openKey(ring: Keyring, pool: Pool, { fingerprint, sealing_key_id: keyId, sealed: bytes }: KeyRow): string {
  return ring.open({ keyId, bytes }, placeOf(pool, fingerprint)).toString('utf8')
}

interface KeyRow {
  readonly id: bigint
  readonly fingerprint: Buffer
  readonly sealing_key_id: string
  readonly sealed: Buffer
}

/** A key that is locked until the transaction ends. */
export interface ClaimedKey {
  readonly id: bigint
  readonly key: string
}

// A concurrent claim takes the next keys instead of waiting.
const claim = statement<KeyRow>(
  'fulfilment.claim_keys',
  `select id, fingerprint, sealing_key_id, sealed from licence_keys
   where sku_id = $1 and environment = $2 and given_to is null order by id limit $3 for update skip locked`,
)

/** Claims up to `count` keys, oldest first. */
export async function claimKeys(
  tx: Transaction,
  pool: Pool,
  count: number,
  vault: LicenseVault,
): Promise<ClaimedKey[]> {
  const rows = await tx.rows(claim, [pool.skuId, pool.environment, count])
  const { keyring: ring } = vault
  return rows.map((row) => ({ id: row.id, key: openKey(ring, pool, row) }))
}

const lockForCount = statement(
  'fulfilment.lock_pool_for_count',
  'select 1 from licence_pools where sku_id = $1 for share',
)
// A separate statement after the lock, so that it sees keys that were imported or given before.
const countFree = statement<{ free: bigint }>(
  'fulfilment.count_free',
  `select count(*) as free from (
     select 1 from licence_keys where sku_id = $1 and environment = $2 and given_to is null limit $3) as counted`,
)

/**
 * Whether the pool has keys beyond those claimed here: another transaction holds them and may release them. Imports wait until the
 * transaction ends.
 */
export async function hasMoreKeys(tx: Transaction, pool: Pool, claimed: number): Promise<boolean> {
  tx.write(lockForCount, [pool.skuId])
  const row = await tx.row(countFree, [pool.skuId, pool.environment, claimed + 1])
  return (row?.free ?? 0n) > BigInt(claimed)
}

const give = statement(
  'fulfilment.give_keys',
  `with counted as (select coalesce(max(unit), 0) as units from licence_keys where given_to = $2)
   update licence_keys set given_to = $2, unit = counted.units + one.nth, intent_id = $3, given_at = $4
   from unnest($1::bigint[]) with ordinality as one (id, nth), counted
   where licence_keys.id = one.id and given_to is null`,
)

/** Gives claimed keys to a line, permanently. */
export function giveKeys(
  tx: Transaction,
  keys: readonly ClaimedKey[],
  { lineId, intentId, now }: { readonly lineId: string; readonly intentId: string; readonly now: Date },
): void {
  tx.write(give, [keys.map(({ id }) => id), lineId, intentId, now], { rows: keys.length })
}

interface GivenKeyRow extends KeyRow, Pick<Pool, 'environment'> {
  readonly sku_id: string
  readonly given_to: string
}

const ofParcel = statement<GivenKeyRow>(
  'fulfilment.keys_of_parcel',
  `select id, sku_id, environment, fingerprint, sealing_key_id, sealed, given_to from licence_keys
   where given_to = any ($1) and intent_id = $2 order by unit`,
)

/** A key, and the line that it was given to. */
interface GivenKey {
  readonly lineId: string
  readonly key: string
}

/** The keys that a parcel has given to its lines. */
export async function keysOfParcel(
  reader: Reader,
  { id, lines }: { readonly id: string; readonly lines: readonly { readonly lineId: string }[] },
  vault: LicenseVault,
): Promise<readonly GivenKey[]> {
  const rows = await reader.rows(ofParcel, [lines.map(({ lineId }) => lineId), id])
  return rows.map((row) => ({
    lineId: row.given_to,
    key: openKey(vault.keyring, { skuId: row.sku_id, environment: row.environment }, row),
  }))
}

/** Fill level of a pool. */
interface PoolLevel extends Pool {
  /** The store's code of the SKU. */
  readonly skuCode: string
  readonly free: number
  readonly given: number
  /** Paid units that wait for keys. */
  readonly owed: number
}

const levels = statement<{
  sku_id: string
  code: string
  environment: Environment
  free: bigint
  given: bigint
  owed: bigint
}>(
  'fulfilment.pool_levels',
  `with keys as (
     select sku_id, environment, count(*) filter (where given_to is null) as free, count(given_to) as given
     from licence_keys group by sku_id, environment),
   owed as (
     select line.sku_id, intent.environment, sum(units.quantity) as owed
     from fulfilment_intents as intent join fulfilment_units as units on units.intent_id = intent.id
       join order_lines as line on line.id = units.order_line_id
     where intent.status = 'pending' and intent.method = 'digital' group by line.sku_id, intent.environment)
   select pool.sku_id, sku.code, environment, coalesce(free, 0) as free, coalesce(given, 0) as given, coalesce(owed, 0)::bigint as owed
   from licence_pools as pool join skus as sku on sku.id = pool.sku_id cross join (values ('test'), ('live')) as each (environment)
     left join keys using (sku_id, environment) left join owed using (sku_id, environment)
   order by pool.created_at, pool.sku_id, environment`,
)

/** Lists all pools, oldest first. */
export async function listPools(reader: Reader): Promise<PoolLevel[]> {
  const rows = await reader.rows(levels)
  return rows.map(({ sku_id: skuId, code: skuCode, environment, free, given, owed }) => ({
    skuId,
    skuCode,
    environment,
    free: Number(free),
    given: Number(given),
    owed: Number(owed),
  }))
}
