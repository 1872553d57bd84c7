import type { Environment } from '../../kernel/environment.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { displayOfToken, hashOfToken, isOpaqueToken, opaqueToken } from './opaque-token.ts'

/** Makes an API key out of 32 random bytes. */
export function makeApiKey(environment: Environment, randomness: Randomness): string {
  return opaqueToken(`sfk_${environment}_`, randomness.bytes(32))
}

/** Whether a text has the form and the checksum of one of our keys. */
export function isApiKey(text: string): boolean {
  return isOpaqueToken('sfk_test_', text) || isOpaqueToken('sfk_live_', text)
}

/** What may be shown of a key: `sfk_live_Ab12…wXyZ`. */
export function displayOfApiKey(key: string): string {
  return displayOfToken('sfk_test_', key)
}

export { hashOfToken }
