import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import type { Keyring } from './keyring.ts'
import { missingKey } from './sealing-keys.ts'

/** The columns that the keyring seals, and the associated data of a row as SQL: no value can be opened in another row or column. */
export const SEALED_PLACES = [
  {
    table: 'server_secret_versions',
    keyId: 'key_id',
    sealed: 'sealed',
    place: `'secret ' || purpose || '/' || version`,
  },
  { table: 'webhook_secrets', keyId: 'key_id', sealed: 'sealed', place: `endpoint_id || '/' || generation` },
  { table: 'operators', keyId: 'totp_key_id', sealed: 'totp_secret', place: `id || '/totp'` },
] as const

const unknownKeys = statement<{ key_id: string }>(
  'sealed.unknown_keys',
  SEALED_PLACES.map(
    ({ table, keyId }) => `select ${keyId} as key_id from ${table} where ${keyId} is not null and ${keyId} <> all($1)`,
  ).join(' union '),
)
const anySealed = statement<{ key_id: string }>('sealed.any', `${unknownKeys.text} limit 1`)

/** The id of a key that something is sealed with; `null` in a new database. */
export async function someSealingKey(reader: Reader): Promise<string | null> {
  return (await reader.row(anySealed, [[]]))?.key_id ?? null
}

/**
 * Checks at startup that this node has the key of everything that is sealed, rather than failing later.
 *
 * @throws SealingKeyError with the id of the missing key
 */
export async function assertOpenable(reader: Reader, keyring: Keyring): Promise<void> {
  const isMissing = async () => (await reader.row(unknownKeys, [keyring.keyIds]))?.key_id
  if ((await isMissing()) === undefined) return
  keyring.lookAgain()
  const keyId = await isMissing()
  if (keyId !== undefined) throw missingKey(keyId)
}

interface SealedRow {
  readonly place: string
  readonly key_id: string
  readonly sealed: Buffer
}
const STATEMENTS = SEALED_PLACES.map(({ table, keyId, sealed, place }) => ({
  others: statement<SealedRow>(
    `sealed.others_${table}`,
    `select ${place} as place, ${keyId} as key_id, ${sealed} as sealed from ${table} where ${keyId} <> $1 order by 1 for update`,
  ),
  save: statement(
    `sealed.save_${table}`,
    `update ${table} set ${keyId} = $2, ${sealed} = $3 where ${place} = $1 and ${keyId} = $4`,
  ),
}))

/**
 * Seals everything with the first key of the keyring, so that the others are needed only for older backups.
 *
 * @returns how many values were resealed
 */
export async function resealAll(tx: Transaction, keyring: Keyring): Promise<number> {
  let resealed = 0
  for (const { others, save } of STATEMENTS) {
    for (const { place, key_id: before, sealed } of await tx.rows(others, [keyring.keyId])) {
      const { keyId, bytes } = keyring.seal(keyring.open({ keyId: before, bytes: sealed }, place), place)
      tx.write(save, [place, keyId, bytes, before], { rows: 1 })
      resealed += 1
    }
  }
  return resealed
}
