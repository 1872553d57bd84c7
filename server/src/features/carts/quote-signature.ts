import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { PublicKey } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'

/** Signs quotes, with the key that getRuntimeConfig publishes. */
export interface QuoteSigner {
  /** The RFC 7638 thumbprint of the public key: the same on every node, and another one for another key. */
  readonly kid: string
  readonly publicJwk: PublicKey
  /** Ed25519, 64 bytes. */
  sign(bytes: Buffer): Buffer
}

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8. @see RFC 8410 §7 */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** @param seed 32 random bytes that all nodes share */
export function quoteSigner(seed: Buffer): QuoteSigner {
  assert(seed.length === 32, 'an Ed25519 seed has 32 bytes')
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' }) as { x: string }
  // RFC 8037 §2: the required members of an OKP key, in the order that RFC 7638 §3.2 asks for.
  const kid = createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return {
    kid,
    publicJwk: { kid, kty: 'OKP', crv: 'Ed25519', x, alg: 'EdDSA', use: 'sig' },
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}
