import { createHash } from 'node:crypto'
import type { Randomness } from '../../kernel/randomness.ts'
import { isAccessToken } from '../../platform/auth/access-token.ts'
import { isOpaqueToken, opaqueToken } from '../../platform/auth/opaque-token.ts'
import { mac } from '../../platform/secrets/server-secrets.ts'

const CODE = 'sfac_'
const REFRESH_TOKEN = 'sfrt_'

export function makeCode(randomness: Randomness): string {
  return opaqueToken(CODE, randomness.bytes(32))
}

/** `BASE64URL-ENCODE(SHA256(ASCII(code_verifier)))`. @see RFC 7636 §4.2 */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function makeRefreshToken(randomness: Randomness): string {
  return opaqueToken(REFRESH_TOKEN, randomness.bytes(32))
}

/**
 * The token that takes the place of another. It follows from the other and a secret of ours, so that a retry, or a second
 * node at the same time, gets the same one, though neither of them is kept: who has only our tables cannot derive it.
 */
export function successorOf(secret: Buffer, refreshToken: string): string {
  return opaqueToken(REFRESH_TOKEN, mac(secret, `successor of ${refreshToken}`))
}

/** What a token that shall be revoked is, by its form. */
export function kindOfToken(text: string): 'access' | 'refresh' | 'api_key' | 'unknown' {
  if (isAccessToken(text)) return 'access'
  if (isOpaqueToken(REFRESH_TOKEN, text)) return 'refresh'
  return text.startsWith('sfk_') ? 'api_key' : 'unknown'
}
