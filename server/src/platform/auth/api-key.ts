import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Environment } from '../http/handler.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6
const API_KEY = /^sfk_(?:test|live)_[0-9A-Za-z]{49}$/

/** Writes a non-negative number in base 62, padded on the left. */
function base62(number: bigint, characters: number): string {
  let text = ''
  for (let rest = number; text.length < characters; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)
}

/** Makes an API key: 32 random bytes and a checksum that tells a typing error from a wrong key without a database read. */
export function makeApiKey(environment: Environment, randomness: Randomness): string {
  const secret = base62(BigInt(`0x${randomness.bytes(32).toString('hex')}`), SECRET_CHARACTERS)
  const body = `sfk_${environment}_${secret}`
  return body + checksum(body)
}

/** Whether a text has the form and the checksum of one of our keys. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

/** What is kept of a key. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** What may be shown of a key: `sfk_live_Ab12…wXyZ`. */
export function displayOfApiKey(key: string): string {
  const secretStart = 'sfk_test_'.length
  return `${key.slice(0, secretStart + 4)}…${key.slice(-4)}`
}
