import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { assert, present } from '../../kernel/assert.ts'
import type { Randomness } from '../../kernel/randomness.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What was sealed, and by which key. */
export interface Sealed {
  readonly keyId: string
  /** Nonce, ciphertext and tag. */
  readonly bytes: Buffer
}

/** Keys that keep secrets which have to be read again: the first seals, all of them open. */
export interface Keyring {
  /** The key that seals. */
  readonly keyId: string
  readonly keyIds: readonly string[]
  /** Seals for one place, such as `whe_…/2`: elsewhere it does not open. */
  seal(secret: Uint8Array, place: string): Sealed
  open(sealed: Sealed, place: string): Buffer
}

/**
 * A ring of keys for AES-256-GCM. The nonce is random: 2^32 secrets under one key are far more than there will be.
 *
 * @param keys 32 bytes each, the newest first
 * @see NIST SP 800-38D §8.3 for the number of random nonces
 */
export function keyring(keys: readonly Buffer[], randomness: Randomness): Keyring {
  for (const key of keys) assert(key.length === KEY_BYTES, 'a key has 32 bytes')
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const [keyId] = byId.keys()
  const first = present(keyId, 'a ring has a key')

  return {
    keyId: first,
    keyIds: [...byId.keys()],
    seal(secret, place) {
      const nonce = randomness.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', present(byId.get(first), 'the first key'), nonce)
      cipher.setAAD(Buffer.from(place))
      const sealed = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]
      return { keyId: first, bytes: Buffer.concat(sealed) }
    },
    open({ keyId: id, bytes }, place) {
      const key = present(byId.get(id), `the key ${id}, which a secret is sealed with`)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    },
  }
}

/** What a key is called where it is not to be known: 64 bits of its hash. */
function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('vitrine sealing key').update(key).digest('hex').slice(0, 16)
}
