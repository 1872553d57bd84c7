import { createHash } from 'node:crypto'
import type { Randomness } from '../../kernel/randomness.ts'
import { isAccessToken } from '../../platform/auth/access-token.ts'
import { isOpaqueToken, opaqueToken } from '../../platform/auth/opaque-token.ts'
import { mac, type Secret } from '../../platform/secrets/rotating-secret.ts'

const CODE = 'sfac_'
const REFRESH_TOKEN = 'sfrt_'

export function generateCode(randomness: Randomness): string {
  return opaqueToken(CODE, randomness.bytes(32))
}

/** `BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))`. @see RFC 7636 §4.2 */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** The first refresh token of a code, derived like its successors, so that a retry gets the same one. */
export function firstRefreshToken(secret: Secret, code: string): string {
  return opaqueToken(REFRESH_TOKEN, mac(secret, `first of ${code}`))
}

/**
 * The successor of a refresh token. It is derived from that token and a server secret, so a retry on any node gets the same one
 * although only hashes are stored. It cannot be derived from the tables alone.
 */
export function nextRefreshToken(secret: Secret, refreshToken: string): string {
  return opaqueToken(REFRESH_TOKEN, mac(secret, `successor of ${refreshToken}`))
}

/** The type of a token, according to its format. */
export function tokenTypeOf(token: string): 'access' | 'refresh' | 'api_key' | 'unknown' {
  if (isAccessToken(token)) return 'access'
  if (isOpaqueToken(REFRESH_TOKEN, token)) return 'refresh'
  return token.startsWith('sfk_') ? 'api_key' : 'unknown'
}
