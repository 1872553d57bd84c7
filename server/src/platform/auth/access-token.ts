import type { Randomness } from '../../kernel/randomness.ts'
import { displayOfToken, isOpaqueToken, opaqueToken } from './opaque-token.ts'

const PREFIX = 'sfat_'

/** Creates an access token from 32 random bytes. */
export function makeAccessToken(randomness: Randomness): string {
  return opaqueToken(PREFIX, randomness.bytes(32))
}

/** Whether a text has the format and the checksum of an access token. */
export function isAccessToken(text: string): boolean {
  return isOpaqueToken(PREFIX, text)
}

/** The displayable part of an access token: `sfat_Ab12…wXyZ`. */
export function displayOfAccessToken(token: string): string {
  return displayOfToken(PREFIX, token)
}
