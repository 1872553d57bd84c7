import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { PublicKey } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { canonicalJson } from '../../kernel/json.ts'
import { acceptedOf, currentOf, type Secret } from '../../platform/secrets/rotating-secret.ts'

/** Signs quotes. getRuntimeConfig publishes the public key. */
export interface QuoteSigner {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string
  readonly publicJwk: PublicKey
  /** Ed25519, 64 bytes. */
  sign(bytes: Buffer): Buffer
}

/** The current keys. A key is published before it signs its first quote, and for as long as its quotes may be verified. */
export interface QuoteSigners {
  readonly current: QuoteSigner
  readonly publicJwks: readonly PublicKey[]
}

export function quoteSigners(secret: Secret): QuoteSigners {
  const known = new Map<Buffer, QuoteSigner>()
  const signerOf = (seed: Buffer) => {
    const signer = known.get(seed) ?? quoteSigner(seed)
    known.set(seed, signer)
    return signer
  }
  return {
    get current() {
      return signerOf(currentOf(secret))
    },
    get publicJwks() {
      return acceptedOf(secret).map((seed) => signerOf(seed).publicJwk)
    },
  }
}

/** PKCS #8 header of a 32-byte Ed25519 private key. @see RFC 8410 §7 */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param seed 32 random bytes, the same on all nodes */
export function quoteSigner(seed: Buffer): QuoteSigner {
  assert(seed.length === 32, 'an Ed25519 seed has 32 bytes')
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string }
  // The required members of an OKP key (RFC 8037 §2) in the order of RFC 7638 §3.2.
  const kid = createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return {
    kid,
    publicJwk: { kid, kty: 'OKP', crv: 'Ed25519', x, alg: 'EdDSA', use: 'sig' },
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}
