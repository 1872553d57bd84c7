import { base64url, digest } from './encoding.ts'

/** Private key of a bound credential, as written by `vitrine key create --generate-key`. */
export interface PrivateJwk {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y?: string
  readonly d: string
}

/** A `CryptoKey`, whichever library declares it. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A `CryptoKeyPair`. Its private half need not be extractable, so that no script can copy it. */
export interface KeyPair {
  readonly privateKey: SigningKey
  readonly publicKey: SigningKey
}

/** Creates the DPoP proof of a request. */
export interface Prover {
  /** Identifies the key. @see RFC 7638 */
  readonly thumbprint: string
  prove(request: ProofRequest): Promise<string>
}

export interface ProofRequest {
  readonly method: string
  /** Without query and fragment. */
  readonly url: string
  /** Absent in a request for tokens. */
  readonly accessToken?: string | undefined
  readonly nonce: string | undefined
  /** Milliseconds since 1970. Defaults to the system clock. */
  readonly now?: number
}

const encoder = new TextEncoder()
const json = (value: unknown) => base64url(encoder.encode(JSON.stringify(value)))

const P256 = { name: 'ES256', key: { name: 'ECDSA', namedCurve: 'P-256' }, sign: { name: 'ECDSA', hash: 'SHA-256' } }
const ED25519 = { name: 'EdDSA', key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } }

/** Generates a key pair for proofs whose private half cannot be exported. Keep it, for example in IndexedDB. */
export async function generateKeyPair(): Promise<KeyPair> {
  return (await crypto.subtle.generateKey(P256.key, false, ['sign', 'verify'])) as KeyPair
}

/**
 * Creates a prover with Web Cryptography only: it runs in Node and in browsers.
 *
 * @param key an ES256 (P-256) or EdDSA (Ed25519) private key, or a key pair
 * @throws TypeError if the key has another type
 * @see RFC 9449 §4.2
 */
export async function prover(key: PrivateJwk | KeyPair): Promise<Prover> {
  const exported = 'publicKey' in key ? await crypto.subtle.exportKey('jwk', key.publicKey) : key
  const { kty, crv, x, y } = exported as PrivateJwk
  const algorithm = crv === 'P-256' ? P256 : crv === 'Ed25519' ? ED25519 : null
  if (!algorithm) throw new TypeError(`A key on ${crv} cannot make proofs; use P-256 or Ed25519.`)
  // In the order of a thumbprint.
  const publicJwk = { crv, kty, x, ...(y !== undefined && { y }) }
  const privateKey =
    'publicKey' in key
      ? key.privateKey
      : await crypto.subtle.importKey('jwk', { ...publicJwk, d: key.d }, algorithm.key, false, ['sign'])
  const header = json({ typ: 'dpop+jwt', alg: algorithm.name, jwk: publicJwk })
  return {
    thumbprint: await digest(JSON.stringify(publicJwk)),
    async prove({ method, url, accessToken, nonce, now = Date.now() }) {
      const claims = {
        htm: method,
        htu: url,
        jti: crypto.randomUUID(),
        iat: Math.floor(now / 1000),
        ...(accessToken !== undefined && { ath: await digest(accessToken) }),
        ...(nonce !== undefined && { nonce }),
      }
      const signed = `${header}.${json(claims)}`
      const signature = await crypto.subtle.sign(algorithm.sign, privateKey, encoder.encode(signed))
      return `${signed}.${base64url(new Uint8Array(signature))}`
    },
  }
}
