import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import { type Keyring, keyring } from './keyring.ts'

const KEY_BYTES = 32
const FILE = 'webhook-secret-key'

/** A key that is missing or cannot be read: a sentence for the operator. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError'
}

/** What is asked of keys that an operator writes. */
export const SEALING_KEYS_FORM =
  'must hold keys of 32 bytes in base64, the newest first, each as "openssl rand -base64 32" prints one.'

/** Keys as an operator writes them, with commas or spaces between them; `null` where they have another form. */
export function sealingKeysIn(text: string): readonly Buffer[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const hasForm = words.length > 0 && words.every((word) => /^[A-Za-z0-9+/_-]{43}=?$/.test(word))
  return hasForm ? words.map((word) => Buffer.from(word, 'base64')) : null
}

/** Where the keys of a node are. */
export interface SealingKeySettings {
  /** As the operator has set them; `null`: the key in the data directory. */
  readonly webhookSecretKeys: readonly Buffer[] | null
  readonly dataDirectory: string
}

/** The ring of this node. @throws SealingKeyError where there is none and none can be made */
export async function openKeyring(settings: SealingKeySettings, randomness: Randomness): Promise<Keyring> {
  const { webhookSecretKeys, dataDirectory } = settings
  return keyring(webhookSecretKeys ?? (await sealingKeysOf(dataDirectory, randomness)), randomness)
}

/**
 * The key in the data directory, made by whoever starts first: readable by this user alone, whole or not there at all.
 *
 * @throws SealingKeyError where it can be neither read nor made
 */
export async function sealingKeysOf(dataDirectory: string, randomness: Randomness): Promise<readonly Buffer[]> {
  const path = join(dataDirectory, FILE)
  try {
    const kept = await readFile(path, 'utf8').catch(unlessMissing)
    const keys = sealingKeysIn(kept ?? (await makeKeyFile(dataDirectory, path, randomness)))
    if (keys === null) throw new SealingKeyError(`${path} ${SEALING_KEYS_FORM}`)
    return keys
  } catch (error) {
    if (error instanceof SealingKeyError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SealingKeyError(
      `The key that seals webhook secrets can be neither read nor made: ${reason}. Set WEBHOOK_SECRET_KEY instead.`,
      { cause: error },
    )
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Written aside and linked into its place: of two who start at once, one key stands, and both read that. */
async function makeKeyFile(dataDirectory: string, path: string, randomness: Randomness): Promise<string> {
  await mkdir(dataDirectory, { recursive: true })
  const aside = `${path}.${randomness.bytes(8).toString('hex')}`
  await writeFile(aside, `${randomness.bytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    await link(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(aside, { force: true })
  }
  return readFile(path, 'utf8')
}

const offer = statement(
  'sealing_keys.offer',
  'insert into sealing_keys (key_id, first_used_at) values ($1, $2) on conflict do nothing',
)
const lacking = statement<{ key_id: string }>(
  'sealing_keys.lacking',
  'select key_id from sealing_keys where key_id <> all($1) order by first_used_at',
)

/**
 * Notes which key this node seals with.
 *
 * @returns the keys that other nodes seal with, or sealed with, and this one lacks
 */
export async function joinKeyring(tx: Transaction, { keyId, keyIds }: Keyring, now: Date): Promise<readonly string[]> {
  tx.write(offer, [keyId, now])
  const rows = await tx.rows(lacking, [keyIds])
  return rows.map((row) => row.key_id)
}

const forget = statement('sealing_keys.forget', 'delete from sealing_keys where key_id <> $1')

/** Says that nothing is sealed with any other key than the first of the ring: nodes no longer need the others. */
export function forgetOtherKeys(tx: Transaction, { keyId }: Keyring): void {
  tx.write(forget, [keyId])
}
