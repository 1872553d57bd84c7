import type { Randomness } from '../../kernel/randomness.ts'
import { displayOfToken, isOpaqueToken, opaqueToken } from './opaque-token.ts'

const PREFIX = 'sfat_'

/** Makes an access token out of 32 random bytes. */
export function makeAccessToken(randomness: Randomness): string {
  return opaqueToken(PREFIX, randomness.bytes(32))
}

/** Whether a text has the form and the checksum of one of our access tokens. */
export function isAccessToken(text: string): boolean {
  return isOpaqueToken(PREFIX, text)
}

/** What may be shown of an access token: `sfat_Ab12…wXyZ`. */
export function displayOfAccessToken(token: string): string {
  return displayOfToken(PREFIX, token)
}
