import { createCipheriv, createDecipheriv, hash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../kernel/refusal.ts'
import { acceptedOf, currentOf, mac, type Secret } from '../secrets/rotating-secret.ts'

/** Truncated HMAC-SHA256, which is also the initial counter: 128 bits. */
const MAC_BYTES = 16
const CIPHER = 'aes-256-ctr'

/** Hashes what a cursor is valid for: list, filters and order. */
export function hashOfFilters(filters: unknown): string {
  return hash('sha256', JSON.stringify(filters), 'base64url')
}

/**
 * Encrypts the position of the next page, authenticated together with the filters. Equal positions have equal cursors, since the
 * counter is derived from the text.
 *
 * @see RFC 5297: the construction is that of SIV
 */
export function sealCursor(rotating: Secret, filtersHash: string, keys: unknown): string {
  const secret = currentOf(rotating)
  const text = JSON.stringify(keys)
  const seal = macOf(secret, filtersHash, text)
  const cipher = createCipheriv(CIPHER, encryptionKey(secret), seal)
  return Buffer.concat([seal, cipher.update(text), cipher.final()]).toString('base64url')
}

/**
 * Decodes a cursor of `sealCursor`. Refuses `invalid_cursor` if it was modified or belongs to another list, other filters
 * or another order.
 *
 * @see docs/reference/rules.md#lists
 */
export function openCursor(secret: Secret, filtersHash: string, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url')
  const seal = bytes.subarray(0, MAC_BYTES)
  // Base64url can encode the same bytes in several ways. Only the canonical one is accepted.
  const isWhole = seal.length === MAC_BYTES && bytes.toString('base64url') === cursor
  for (const each of isWhole ? acceptedOf(secret) : []) {
    const text = decrypt(each, seal, bytes.subarray(MAC_BYTES))
    if (timingSafeEqual(seal, macOf(each, filtersHash, text))) return JSON.parse(text)
  }
  return refuseCursor('invalid', 'The cursor does not belong to this list with these filters and this order.')
}

function decrypt(secret: Buffer, counter: Buffer, bytes: Buffer): string {
  const cipher = createDecipheriv(CIPHER, encryptionKey(secret), counter)
  return Buffer.concat([cipher.update(bytes), cipher.final()]).toString()
}

const encryptionKeys = new WeakMap<Buffer, Buffer>()

function encryptionKey(secret: Buffer): Buffer {
  const key = encryptionKeys.get(secret) ?? mac(secret, 'cursor encryption')
  encryptionKeys.set(secret, key)
  return key
}

/** Refuses a cursor. */
export function refuseCursor(code: 'invalid' | 'expired', message: string): never {
  refuse('invalid_cursor', { details: [{ in: 'query', pointer: '/cursor', code, message }] })
}

function macOf(secret: Secret, filtersHash: string, text: string): Buffer {
  return mac(secret, `${filtersHash}\n${text}`).subarray(0, MAC_BYTES)
}
