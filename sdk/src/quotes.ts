import { bytesOf } from './encoding.ts'
import type { CheckoutQuote, PublicKey } from './generated/resources.ts'

/** The signed content of a quote: everything but its current status and its signature. */
export type QuoteContent = Omit<CheckoutQuote, 'status' | 'signature'>

/** Why verification failed. */
export type QuoteRefusal = 'unknown_key' | 'wrong_signature' | 'differs_from_payload'

const MESSAGES: Readonly<Record<QuoteRefusal, string>> = {
  unknown_key: 'None of the public keys has the id that the signature names.',
  wrong_signature: 'The signature does not match the payload.',
  differs_from_payload: 'A member of the quote differs from the signed payload.',
}

/** The quote was not signed by the service, or was changed since. */
export class QuoteVerificationError extends Error {
  override readonly name = 'QuoteVerificationError'
  readonly reason: QuoteRefusal

  constructor(reason: QuoteRefusal) {
    super(MESSAGES[reason])
    this.reason = reason
  }
}

/**
 * Verifies the signature of a quote, and that its members are those that were signed. It does not check whether the
 * quote has expired or its cart has changed since: see `quotePublicCartCheckout`.
 *
 * The signed bytes are those of `signature.payload`, decoded from base64url: the canonical JSON (RFC 8785) of the quote without
 * `status` and `signature`. `signature.value` is the Ed25519 signature over exactly these bytes, in base64url.
 *
 * @param publicKeys `quote.publicKeys` of `getRuntimeConfig`
 * @returns the content, read from the signed bytes
 * @throws QuoteVerificationError if it is not genuine
 */
export async function verifyQuote(quote: CheckoutQuote, publicKeys: readonly PublicKey[]): Promise<QuoteContent> {
  const { status, signature, ...members } = quote
  const published = publicKeys.find(({ kid }) => kid === signature.kid)
  if (!published) throw new QuoteVerificationError('unknown_key')
  const { kty, crv, x } = published
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify'])
  const payload = decoded(signature.payload)
  const isGenuine = await crypto.subtle.verify({ name: 'Ed25519' }, key, decoded(signature.value), payload)
  if (!isGenuine) throw new QuoteVerificationError('wrong_signature')
  const content = JSON.parse(new TextDecoder().decode(payload)) as QuoteContent
  if (!isEqual(members, content)) throw new QuoteVerificationError('differs_from_payload')
  return content
}

/** What is not base64url was not signed. */
function decoded(base64urlText: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOf(base64urlText)
  } catch {
    throw new QuoteVerificationError('wrong_signature')
  }
}

/** Whether two JSON values are equal, whatever the order of their members. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const names = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => isEqual((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]))
  )
}
