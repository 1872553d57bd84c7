import type { Environment } from '../../kernel/environment.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { displayOfToken, hashOfToken, isOpaqueToken, opaqueToken } from './opaque-token.ts'

/** Creates an API key from 32 random bytes. */
export function makeApiKey(environment: Environment, randomness: Randomness): string {
  return opaqueToken(`sfk_${environment}_`, randomness.bytes(32))
}

/** Whether a text has the format and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  return isOpaqueToken('sfk_test_', text) || isOpaqueToken('sfk_live_', text)
}

/** The displayable part of a key: `sfk_live_Ab12…wXyZ`. */
export function displayOfApiKey(key: string): string {
  return displayOfToken('sfk_test_', key)
}

export { hashOfToken }
