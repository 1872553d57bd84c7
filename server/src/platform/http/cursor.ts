import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../kernel/refusal.ts'
import { mac } from '../secrets/server-secrets.ts'

/** Truncated HMAC-SHA256: 128 bits in 22 characters. */
const MAC_BYTES = 16

/** Hashes what a cursor is valid for: list, filters and order. */
export function hashOfFilters(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url')
}

/** Encodes where the next page begins, authenticated together with the filters. */
export function sealCursor(secret: Buffer, filtersHash: string, keys: unknown): string {
  const payload = Buffer.from(JSON.stringify(keys)).toString('base64url')
  return `${payload}.${macOf(secret, filtersHash, payload).toString('base64url')}`
}

/**
 * Decodes a cursor of `sealCursor`. Refuses `invalid_cursor` where it was modified or belongs to another list, other filters
 * or another order.
 *
 * @see docs/reference/rules.md#lists
 */
export function openCursor(secret: Buffer, filtersHash: string, cursor: string): unknown {
  const [payload = '', seal = ''] = cursor.split('.')
  const given = Buffer.from(seal, 'base64url')
  const expected = macOf(secret, filtersHash, payload)
  // The text is compared as well: base64url has several encodings of the same bytes.
  const isGenuine =
    given.length === MAC_BYTES &&
    timingSafeEqual(given, expected) &&
    `${payload}.${expected.toString('base64url')}` === cursor
  if (!isGenuine) refuseCursor('invalid', 'The cursor does not belong to this list with these filters and this order.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** Refuses a cursor. */
export function refuseCursor(code: 'invalid' | 'expired', message: string): never {
  refuse('invalid_cursor', { details: [{ in: 'query', pointer: '/cursor', code, message }] })
}

function macOf(secret: Buffer, filtersHash: string, payload: string): Buffer {
  return mac(secret, `${filtersHash}\n${payload}`).subarray(0, MAC_BYTES)
}
