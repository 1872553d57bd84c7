import type { Randomness } from '../../../kernel/randomness.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A secret that was just made. */
export interface NewSecret {
  readonly bytes: Buffer
  /** As its owner is shown it, this once. @see Standard Webhooks 1.0, Symmetric */
  readonly text: string
  /** The last letters before the padding, by which people tell secrets apart. */
  readonly hint: string
}

export function newSecret(randomness: Randomness): NewSecret {
  return secretOf(randomness.bytes(SECRET_BYTES))
}

export function secretOf(bytes: Buffer): NewSecret {
  const text = PREFIX + bytes.toString('base64')
  return { bytes, text, hint: text.slice(-5, -1) }
}
