import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import { type Keyring, keyring, UnknownKeyError } from './keyring.ts'

const KEY_BYTES = 32
const FILE = 'sealing-key'
const FILE_BEFORE = 'webhook-secret-key'

/** A key is missing or unreadable. The message is for the operator. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError'
}

export function missingKey(keyId: string): SealingKeyError {
  return new SealingKeyError(
    `The secrets in the database are sealed with the key ${keyId}, which this node does not have. Set SEALING_KEY to the same keys ` +
      'on all nodes, the newest first, or restore the file sealing-key of the data directory. A backup does not contain it.',
  )
}

/** The required format of configured keys. */
export const SEALING_KEYS_FORM =
  'must contain 32-byte keys in base64, the newest first, as printed by "openssl rand -base64 32".'

/** Parses keys separated by commas or spaces; `null` if the format is invalid. */
export function sealingKeysIn(text: string): readonly Buffer[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const hasForm = words.length > 0 && words.every((word) => /^[A-Za-z0-9+/_-]{43}=?$/.test(word))
  return hasForm ? words.map((word) => Buffer.from(word, 'base64')) : null
}

/** The source of a node's keys: one of these, else a file in the data directory that the first start creates. */
export interface SealingKeySettings {
  readonly sealing: {
    /** The keys from the environment. */
    readonly keys: readonly Buffer[] | null
    readonly file: string | null
    /** Prints them, such as the client of a key management service. */
    readonly command: string | null
  }
  readonly dataDirectory: string
}

/** Whether the keys are in the data directory, as nothing else is configured. */
export function keepsOwnKeys({ sealing }: Pick<SealingKeySettings, 'sealing'>): boolean {
  return sealing.keys === null && sealing.file === null && sealing.command === null
}

/** The file in the data directory with the keys. Earlier versions sealed only webhook secrets, and named it after them. */
export function sealingKeyFile(dataDirectory: string): string {
  const earlier = join(dataDirectory, FILE_BEFORE)
  const path = join(dataDirectory, FILE)
  return !existsSync(path) && existsSync(earlier) ? earlier : path
}

/** Keyrings that this process has opened, by the ids of their keys: see {@link processKeyring}. */
const opened = new Map<string, Keyring>()

/**
 * Opens the keyring of this node.
 *
 * @param sealedWith the id of a key that must exist: no other one is created
 * @throws SealingKeyError if there is no key and none can be created
 */
export async function openKeyring(
  settings: SealingKeySettings,
  randomness: Randomness,
  sealedWith: string | null,
): Promise<Keyring> {
  const { sealing, dataDirectory } = settings
  if (keepsOwnKeys(settings) && !existsSync(sealingKeyFile(dataDirectory))) {
    if (sealedWith !== null) throw missingKey(sealedWith)
    await createMissingKey(dataDirectory, randomness)
  }
  const read = () => sealing.keys ?? readKeys(settings)
  return shared(keyring(read(), randomness, read))
}

/** Registers a keyring for {@link processKeyring}. */
export function shared(ring: Keyring): Keyring {
  for (const keyId of ring.keyIds) opened.set(keyId, ring)
  return ring
}

/**
 * The keyring of this process that has a key. For secrets that the transaction of any change may need, such as that of the link in a
 * mail about an order. A key is the same in every keyring, so its id is enough.
 */
export function processKeyring(keyId: string): Keyring {
  const known = opened.get(keyId)
  if (known !== undefined) return known
  const failures: unknown[] = []
  for (const ring of new Set(opened.values())) {
    try {
      ring.lookAgain()
    } catch (error) {
      // Its source cannot be read now. Another keyring may have the key.
      failures.push(error)
    }
    if (ring.keyIds.includes(keyId)) return shared(ring)
  }
  throw failures[0] ?? new UnknownKeyError(keyId)
}

const COMMAND_MS_MAX = 20_000

function readKeys({ sealing: { file, command }, dataDirectory }: SealingKeySettings): readonly Buffer[] {
  const place = command === null ? (file ?? sealingKeyFile(dataDirectory)) : 'The output of SEALING_KEY_COMMAND'
  try {
    const text =
      command === null
        ? readFileSync(place, 'utf8')
        : execFileSync('/bin/sh', ['-c', command], {
            encoding: 'utf8',
            timeout: COMMAND_MS_MAX,
            stdio: ['ignore', 'pipe', 'inherit'],
          })
    const keys = sealingKeysIn(text)
    if (keys === null) throw new SealingKeyError(`${place} ${SEALING_KEYS_FORM}`)
    return keys
  } catch (error) {
    throw error instanceof SealingKeyError ? error : unusable(error)
  }
}

function unusable(error: unknown): SealingKeyError {
  const reason = error instanceof Error ? error.message : String(error)
  return new SealingKeyError(`The sealing key can be neither read nor created: ${reason}. Set SEALING_KEY instead.`, {
    cause: error,
  })
}

/**
 * The key in the data directory, created by the first start: readable by this user only, written atomically.
 *
 * @throws SealingKeyError if it can be neither read nor created
 */
async function createMissingKey(dataDirectory: string, randomness: Randomness): Promise<void> {
  const path = join(dataDirectory, FILE)
  try {
    await mkdir(dataDirectory, { recursive: true })
    // If two processes start at once, both use the key of the first.
    await withPartial(path, [randomness.bytes(KEY_BYTES)], randomness, (partial) =>
      link(partial, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }),
    )
  } catch (error) {
    throw unusable(error)
  }
}

/** Puts a new key in front of those in the file of the data directory. The others still open what they sealed. */
export async function addKeyToFile(dataDirectory: string, randomness: Randomness): Promise<void> {
  const path = sealingKeyFile(dataDirectory)
  const keys = sealingKeysIn(await readFile(path, 'utf8')) ?? []
  await withPartial(path, [randomness.bytes(KEY_BYTES), ...keys], randomness, (partial) => rename(partial, path))
}

async function withPartial(
  path: string,
  keys: readonly Buffer[],
  randomness: Randomness,
  place: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = `${path}.${randomness.bytes(8).toString('hex')}`
  await writeFile(partial, `${keys.map((key) => key.toString('base64')).join('\n')}\n`, { mode: 0o600, flush: true })
  try {
    await place(partial)
  } finally {
    await rm(partial, { force: true })
  }
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
