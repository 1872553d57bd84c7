import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import { type Keyring, keyring } from './keyring.ts'

const KEY_BYTES = 32
const FILE = 'webhook-secret-key'

/** A key is missing or unreadable. The message is for the operator. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError'
}

/** The required format of configured keys. */
export const SEALING_KEYS_FORM =
  'must contain 32-byte keys in base64, the newest first, as printed by "openssl rand -base64 32".'

/** Parses keys separated by commas or spaces; `null` where the format is invalid. */
export function sealingKeysIn(text: string): readonly Buffer[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const hasForm = words.length > 0 && words.every((word) => /^[A-Za-z0-9+/_-]{43}=?$/.test(word))
  return hasForm ? words.map((word) => Buffer.from(word, 'base64')) : null
}

/** The source of a node's keys. */
export interface SealingKeySettings {
  /** The configured keys; `null`: the key in the data directory. */
  readonly webhookSecretKeys: readonly Buffer[] | null
  readonly dataDirectory: string
}

/** Opens the keyring of this node. @throws SealingKeyError where there is no key and none can be created */
export async function openKeyring(settings: SealingKeySettings, randomness: Randomness): Promise<Keyring> {
  const { webhookSecretKeys, dataDirectory } = settings
  return keyring(webhookSecretKeys ?? (await sealingKeysOf(dataDirectory, randomness)), randomness)
}

/**
 * The key in the data directory, created by the first start: readable by this user only, written atomically.
 *
 * @throws SealingKeyError where it can be neither read nor created
 */
export async function sealingKeysOf(dataDirectory: string, randomness: Randomness): Promise<readonly Buffer[]> {
  const path = join(dataDirectory, FILE)
  try {
    const stored = await readFile(path, 'utf8').catch(unlessMissing)
    const keys = sealingKeysIn(stored ?? (await createKeyFile(dataDirectory, path, randomness)))
    if (keys === null) throw new SealingKeyError(`${path} ${SEALING_KEYS_FORM}`)
    return keys
  } catch (error) {
    if (error instanceof SealingKeyError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SealingKeyError(
      `The key for webhook secrets can be neither read nor created: ${reason}. Set WEBHOOK_SECRET_KEY instead.`,
      { cause: error },
    )
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Writes a temporary file and links it into place: if two processes start at once, both use the key of the first. */
async function createKeyFile(dataDirectory: string, path: string, randomness: Randomness): Promise<string> {
  await mkdir(dataDirectory, { recursive: true })
  const temporary = `${path}.${randomness.bytes(8).toString('hex')}`
  await writeFile(temporary, `${randomness.bytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(path, 'utf8')
}

const offer = statement(
  'sealing_keys.offer',
  'insert into sealing_keys (key_id, first_used_at) values ($1, $2) on conflict do nothing',
)
const missing = statement<{ key_id: string }>(
  'sealing_keys.lacking',
  'select key_id from sealing_keys where key_id <> all($1) order by first_used_at',
)

/**
 * Records the key that this node encrypts with.
 *
 * @returns the ids of keys that other nodes use or used, and this node does not have
 */
export async function joinKeyring(tx: Transaction, { keyId, keyIds }: Keyring, now: Date): Promise<readonly string[]> {
  tx.write(offer, [keyId, now])
  const rows = await tx.rows(missing, [keyIds])
  return rows.map((row) => row.key_id)
}

const forget = statement('sealing_keys.forget', 'delete from sealing_keys where key_id <> $1')

/** Records that every secret is encrypted with the first key: nodes no longer need the others. */
export function forgetOtherKeys(tx: Transaction, { keyId }: Keyring): void {
  tx.write(forget, [keyId])
}
