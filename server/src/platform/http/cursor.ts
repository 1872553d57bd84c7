import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../../kernel/refusal.ts'
import { mac } from '../secrets/server-secrets.ts'

/** Bytes of HMAC-SHA256 that are kept: 2^128 guesses, in 22 characters. */
const MAC_BYTES = 16

/** What a cursor belongs to, as a hash: which list, with which filters, in which order. */
export function hashOfFilters(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url')
}

/** Where the next page begins, readable by us alone: sealed together with the filters that it belongs to. */
export function sealCursor(secret: Buffer, filtersHash: string, keys: unknown): string {
  const payload = Buffer.from(JSON.stringify(keys)).toString('base64url')
  return `${payload}.${macOf(secret, filtersHash, payload).toString('base64url')}`
}

/**
 * What `sealCursor` sealed. Refuses `invalid_cursor` where the cursor was changed or comes from another list, with other
 * filters or in another order.
 *
 * @see CONTRACT, Conventions, Lists
 */
export function openCursor(secret: Buffer, filtersHash: string, cursor: string): unknown {
  const [payload = '', seal = ''] = cursor.split('.')
  const given = Buffer.from(seal, 'base64url')
  const expected = macOf(secret, filtersHash, payload)
  // The text is compared too: base64url has several spellings of the same bytes.
  const genuine =
    given.length === MAC_BYTES &&
    timingSafeEqual(given, expected) &&
    `${payload}.${expected.toString('base64url')}` === cursor
  if (!genuine) refuseCursor('invalid', 'It was not given for this list with these filters in this order.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** Says why a cursor cannot be followed. */
export function refuseCursor(code: 'invalid' | 'expired', message: string): never {
  refuse('invalid_cursor', { details: [{ in: 'query', pointer: '/cursor', code, message }] })
}

function macOf(secret: Buffer, filtersHash: string, payload: string): Buffer {
  return mac(secret, `${filtersHash}\n${payload}`).subarray(0, MAC_BYTES)
}
