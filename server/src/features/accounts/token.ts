import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken } from '../../platform/auth/authenticate.ts'

const TOKEN_BYTES = 32

/** A random single-use token and the hash that is stored. */
interface NewToken {
  readonly token: string
  readonly hash: Buffer
}

export function newToken(randomness: Randomness): NewToken {
  const token = randomness.bytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOfToken(token) }
}
