/** Private key of a bound credential, as written by `vitrine key create --generate-key`. */
export interface PrivateJwk {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y?: string
  readonly d: string
}

/** Creates the DPoP proof of a request. */
export interface Prover {
  prove(request: ProofRequest): Promise<string>
}

export interface ProofRequest {
  readonly method: string
  /** Without query and fragment. */
  readonly url: string
  readonly accessToken: string
  readonly nonce: string | undefined
}

const encoder = new TextEncoder()

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const json = (value: unknown) => base64url(encoder.encode(JSON.stringify(value)))

/**
 * Creates a prover with Web Cryptography alone: it runs in Node and in browsers.
 *
 * @param jwk an ES256 (P-256) or EdDSA (Ed25519) private key
 * @throws TypeError if the key has another type
 * @see RFC 9449 §4.2
 */
export async function prover(jwk: PrivateJwk): Promise<Prover> {
  const { d, ...publicJwk } = {
    kty: jwk.kty,
    crv: jwk.crv,
    x: jwk.x,
    ...(jwk.y !== undefined && { y: jwk.y }),
    d: jwk.d,
  }
  const algorithm =
    jwk.crv === 'P-256'
      ? { name: 'ES256', key: { name: 'ECDSA', namedCurve: 'P-256' }, sign: { name: 'ECDSA', hash: 'SHA-256' } }
      : jwk.crv === 'Ed25519'
        ? { name: 'EdDSA', key: { name: 'Ed25519' }, sign: { name: 'Ed25519' } }
        : null
  if (!algorithm) throw new TypeError(`A key on ${jwk.crv} cannot make proofs; use P-256 or Ed25519.`)
  const key = await crypto.subtle.importKey('jwk', { ...publicJwk, d }, algorithm.key, false, ['sign'])
  const header = json({ typ: 'dpop+jwt', alg: algorithm.name, jwk: publicJwk })
  return {
    async prove({ method, url, accessToken, nonce }) {
      const hash = await crypto.subtle.digest('SHA-256', encoder.encode(accessToken))
      const claims = {
        htm: method,
        htu: url,
        jti: crypto.randomUUID(),
        iat: Math.floor(Date.now() / 1000),
        ath: base64url(new Uint8Array(hash)),
        ...(nonce !== undefined && { nonce }),
      }
      const signed = `${header}.${json(claims)}`
      const signature = await crypto.subtle.sign(algorithm.sign, key, encoder.encode(signed))
      return `${signed}.${base64url(new Uint8Array(signature))}`
    },
  }
}
