import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6
const SECRET_AND_CHECKSUM = /^[0-9A-Za-z]{49}$/

/** Encodes a non-negative number in base 62, padded on the left. */
function base62(number: bigint, characters: number): string {
  let text = ''
  for (let rest = number; text.length < characters; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)
}

/** Encodes 32 secret bytes as a token with a checksum, which detects typing errors without a database read. */
export function opaqueToken(prefix: string, secret: Buffer): string {
  const body = prefix + base62(BigInt(`0x${secret.toString('hex')}`), SECRET_CHARACTERS)
  return body + checksum(body)
}

/** Whether a text has the format and the checksum of a token. */
export function isOpaqueToken(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !SECRET_AND_CHECKSUM.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

/** The displayable part of a token: `sfk_live_Ab12…wXyZ`. */
export function displayOfToken(prefix: string, token: string): string {
  return `${token.slice(0, prefix.length + 4)}…${token.slice(-4)}`
}

/** The hash that is stored instead of a token. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
