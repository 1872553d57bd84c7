import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { assert, present } from '../../kernel/assert.ts'
import type { Randomness } from '../../kernel/randomness.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** An encrypted secret and the id of its key. */
export interface Sealed {
  readonly keyId: string
  /** Nonce, ciphertext and tag. */
  readonly bytes: Buffer
}

/** Keys for stored secrets that have to be read again: the first encrypts, all of them decrypt. */
export interface Keyring {
  /** The key that encrypts. */
  readonly keyId: string
  readonly keyIds: readonly string[]
  /** Encrypts for one place, such as `whe_…/2`: elsewhere it cannot be decrypted. */
  seal(secret: Uint8Array, place: string): Sealed
  open(sealed: Sealed, place: string): Buffer
  /** Reads the keys again from their source, as another process may have added one. */
  lookAgain(): void
}

/** A value is sealed with a key that this node does not have. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError'

  constructor(keyId: string) {
    super(`the key ${keyId} of a sealed secret is unknown`)
  }
}

/**
 * A keyring for AES-256-GCM with random nonces: the limit of 2^32 secrets per key is far out of reach.
 *
 * @param keys 32 bytes each, the newest first
 * @param read reads them again
 * @see NIST SP 800-38D §8.3 for the number of random nonces
 */
export function keyring(
  keys: readonly Buffer[],
  randomness: Randomness,
  read: () => readonly Buffer[] = () => keys,
): Keyring {
  let byId = mapOf(keys)
  const lookAgain = () => {
    byId = mapOf(read())
  }
  const first = () => present([...byId.keys()][0], 'the keyring has a key')
  const keyOf = (id: string) => {
    // Another process may have sealed with a newer key.
    if (!byId.has(id)) lookAgain()
    const key = byId.get(id)
    if (key === undefined) throw new UnknownKeyError(id)
    return key
  }

  return {
    get keyId() {
      return first()
    },
    get keyIds() {
      return [...byId.keys()]
    },
    lookAgain,
    seal(secret, place) {
      const nonce = randomness.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(first()), nonce)
      cipher.setAAD(Buffer.from(place))
      const sealed = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]
      return { keyId: first(), bytes: Buffer.concat(sealed) }
    },
    open({ keyId, bytes }, place) {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keyId), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    },
  }
}

function mapOf(keys: readonly Buffer[]): ReadonlyMap<string, Buffer> {
  for (const key of keys) assert(key.length === KEY_BYTES, 'a key has 32 bytes')
  return new Map(keys.map((key) => [keyIdOf(key), key]))
}

/** A public id of a key: 64 bits of its hash. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('vitrine sealing key').update(key).digest('hex').slice(0, 16)
}
