import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { CommandError, messageOf, UsageError } from '../../failure.ts'
import { readTextFile } from '../../options.ts'
import type { Output } from '../../output.ts'
import { requireFolderOf } from '../../whole-file.ts'

/** The first bytes of a file in the age format. @see https://age-encryption.org/v1 */
const MARK = 'age-encryption.org/v1'
const OWNER_ALONE = 0o600

/** A step of a pipeline that encrypts for the recipients. Without recipients, it passes the bytes through. */
export function encryptedFor(recipients: readonly string[]) {
  const encrypter = new Encrypter()
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient)
    } catch (error) {
      throw new UsageError(`${recipient} is not a recipient in the age format: ${messageOf(error)}.`, { cause: error })
    }
  }
  return async function* encrypt(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    if (recipients.length === 0) return yield* source
    yield* await encrypter.encrypt(webStream(source))
  }
}

/** The bytes of a backup, decrypted if it is encrypted. @throws CommandError if the identity is missing or wrong */
export async function decrypted(source: Readable, identityFile: string | null): Promise<AsyncIterable<Buffer>> {
  const bytes = source.pipe(new PassThrough())
  source.once('error', (error) => bytes.destroy(error))
  const first = await firstOf(bytes)
  if (!first.subarray(0, MARK.length).equals(Buffer.from(MARK))) return bytes
  if (identityFile === null) throw new CommandError('The backup is encrypted: give --identity FILE.')
  const decrypter = new Decrypter()
  const lines = (await readTextFile(identityFile)).split('\n')
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new CommandError(`${identityFile} contains no identity in the age format.`)
  for (const identity of identities) decrypter.addIdentity(identity.trim())
  try {
    const plain = await decrypter.decrypt(webStream(bytes))
    return Readable.from(buffersOf(plain))
  } catch (error) {
    throw new CommandError(`The backup cannot be decrypted with ${identityFile}: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** `vitrine backup-identity FILE`: the identity stays in the file; backups need only its recipient. */
export async function identityCommand(file: string, output: Output): Promise<void> {
  if (existsSync(file)) throw new CommandError(`${file} already exists and is not overwritten.`)
  requireFolderOf(file)
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  await writeFile(file, `# recipient: ${recipient}\n${identity}\n`, { mode: OWNER_ALONE, flag: 'wx' })
  output.result({ file, recipient }, [
    recipient,
    '',
    `Keep ${file} in another place than the backups: without it they cannot be restored. Back up with --recipient ${recipient}.`,
  ])
}

/** The first chunk, which stays in the stream. */
async function firstOf(stream: Readable): Promise<Buffer> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    stream.unshift(chunk)
    return chunk as Buffer
  }
  return Buffer.alloc(0)
}

function webStream(source: AsyncIterable<Buffer>) {
  return Readable.toWeb(Readable.from(source)) as globalThis.ReadableStream<Uint8Array>
}

async function* buffersOf(stream: globalThis.ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream as ReadableStream<Uint8Array>) yield Buffer.from(chunk)
}
