import type { Randomness } from '../../../kernel/randomness.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** A newly created secret. */
export interface NewSecret {
  readonly bytes: Buffer
  /** Shown to its owner once. @see Standard Webhooks 1.0, Symmetric */
  readonly text: string
  /** The last characters before the padding, so that people can distinguish secrets. */
  readonly hint: string
}

export function newSecret(randomness: Randomness): NewSecret {
  return secretOf(randomness.bytes(SECRET_BYTES))
}

export function secretOf(bytes: Buffer): NewSecret {
  const text = PREFIX + bytes.toString('base64')
  return { bytes, text, hint: text.slice(-5, -1) }
}
