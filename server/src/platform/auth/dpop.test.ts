import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { before, describe, test } from 'node:test'
import * as dpop from 'dpop'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { refuses } from '../../../../test/support/refuses.ts'
import { dpopVerifier, type ProofRequest, thumbprintOf } from './dpop.ts'
import { dpopNonces } from './nonce.ts'

const URL_OF_CARTS = 'https://shop.example/api/v1/open/storefront/carts'
const TOKEN = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU'
/** RFC 9449 §7.1, Figure 12. */
const ATH = 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo'
const NOW = new Date('2026-05-04T12:00:00.000Z')
const NOW_SECONDS = NOW.getTime() / 1000
const nonces = dpopNonces(Buffer.alloc(32, 9))
const verify = dpopVerifier(nonces)

interface Pair {
  readonly privateKey: KeyObject
  readonly jwk: JWK
  readonly alg: string
}
let p256: Pair
let ed25519: Pair

before(() => {
  const pairOf = ({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }, alg: string): Pair => ({
    privateKey,
    jwk: publicKey.export({ format: 'jwk' }) as JWK,
    alg,
  })
  p256 = pairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256')
  ed25519 = pairOf(generateKeyPairSync('ed25519'), 'EdDSA')
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A valid proof, except for the given members. An `undefined` member is omitted. */
function proof(header: object = {}, claims: object = {}, pair = p256): string {
  const parts = [
    encode({ typ: 'dpop+jwt', alg: pair.alg, jwk: pair.jwk, ...header }),
    encode({ jti: 'e1j3V_bKic8-LAEB', htm: 'POST', htu: URL_OF_CARTS, iat: NOW_SECONDS, ath: ATH, ...claims }),
  ].join('.')
  const digest = pair.alg === 'ES256' ? 'sha256' : null
  const signature = sign(digest, Buffer.from(parts), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${parts}.${signature.toString('base64url')}`
}

function request(proofs: string | readonly string[], more: Partial<ProofRequest> = {}): ProofRequest {
  const list = typeof proofs === 'string' ? [proofs] : proofs
  return { proofs: list, method: 'POST', url: URL_OF_CARTS, token: TOKEN, now: NOW, nonceRequired: false, ...more }
}

describe('a DPoP proof', () => {
  test('passes, and identifies the key by its thumbprint', async () => {
    const { jkt } = await verify(request(proof()))
    assert.equal(jkt, await calculateJwkThumbprint(p256.jwk))
  })

  test('passes with an Ed25519 key, under both names of its algorithm', async () => {
    for (const alg of ['EdDSA', 'Ed25519']) await verify(request(proof({}, {}, { ...ed25519, alg })))
  })

  test('passes with every signature of its key, even if r or s begins with zeros or a high bit', async () => {
    const seen = new Set<string>()
    for (let nth = 0; seen.size < 4; nth += 1) {
      const signed = proof({}, { jti: `proof ${nth}` })
      const signature = Buffer.from(signed.slice(signed.lastIndexOf('.') + 1), 'base64url')
      const kinds = [0, 32].flatMap((at) => {
        const first = signature[at]!
        return first === 0 ? [`zero at ${at}`] : first >= 0x80 ? [`high at ${at}`] : []
      })
      if (kinds.every((kind) => seen.has(kind))) continue
      await verify(request(signed))
      for (const kind of kinds) seen.add(kind)
    }
  })

  test('is refused with a signature of zeros, and one of another length', async () => {
    const signed = proof()
    const head = signed.slice(0, signed.lastIndexOf('.'))
    for (const bytes of [1, 63, 64, 65, 72]) {
      const forged = `${head}.${Buffer.alloc(bytes).toString('base64url')}`
      await refuses('invalid_dpop_proof', () => verify(request(forged)))
    }
  })

  test('passes with the same key again, distinguished by its jti', async () => {
    const [one, same, other] = await Promise.all(
      [proof(), proof(), proof({}, { jti: 'another' })].map((each) => verify(request(each))),
    )
    assert(one && same && other)
    assert(one.proofHash.equals(same.proofHash))
    assert(!one.proofHash.equals(other.proofHash))
  })

  test('of two keys with one jti are two proofs', async () => {
    const [one, other] = [await verify(request(proof())), await verify(request(proof({}, {}, ed25519)))]
    assert(!one.proofHash.equals(other.proofHash))
  })

  const wrongHeaders: readonly (readonly [string, () => object, RegExp])[] = [
    ['without typ', () => ({ typ: undefined }), /typ/],
    ['with another typ', () => ({ typ: 'JWT' }), /typ/],
    ['without alg', () => ({ alg: undefined }), /alg/],
    ['with alg none', () => ({ alg: 'none' }), /alg/],
    ['with a symmetric alg', () => ({ alg: 'HS256' }), /alg/],
    ['with an unsupported alg', () => ({ alg: 'RS256' }), /alg/],
    ['with an alg that is not a string', () => ({ alg: ['ES256'] }), /alg/],
    ['with an alg of another key', () => ({ alg: 'EdDSA' }), /jwk does not match/],
    ['without jwk', () => ({ jwk: undefined }), /jwk/],
    ['with a jwk that is not an object', () => ({ jwk: 'key' }), /jwk/],
    ['with a list as jwk', () => ({ jwk: [] }), /jwk/],
    ['with a symmetric jwk', () => ({ jwk: { kty: 'oct', k: 'AAAA' } }), /private/],
    ['with an unsupported curve', () => ({ jwk: { ...p256.jwk, crv: 'P-384' } }), /jwk does not match/],
    [
      'with a point that is not on the curve',
      () => ({ jwk: { ...p256.jwk, x: p256.jwk.y } }),
      /not a valid public key/,
    ],
    ['with a jwk that lacks a coordinate', () => ({ jwk: { ...p256.jwk, y: undefined } }), /not a valid public key/],
    ['with its private key', () => ({ jwk: p256.privateKey.export({ format: 'jwk' }) }), /private/],
    ['with critical extensions', () => ({ crit: ['b64'], b64: false }), /crit/],
  ]
  for (const [what, header, message] of wrongHeaders) {
    test(`${what} is refused`, async () => {
      const { facts } = await refuses('invalid_dpop_proof', () => verify(request(proof(header()))))
      assert.match(facts.details?.[0]?.message ?? '', message)
      assert.deepEqual([facts.details?.[0]?.in, facts.details?.[0]?.pointer], ['header', 'DPoP'])
    })
  }

  const wrongClaims: readonly (readonly [string, object, RegExp])[] = [
    ['without jti', { jti: undefined }, /jti/],
    ['with an empty jti', { jti: '' }, /jti/],
    ['with a jti of 256 characters', { jti: 'j'.repeat(256) }, /jti/],
    ['with a jti that is not a string', { jti: 7 }, /jti/],
    ['without htm', { htm: undefined }, /htm/],
    ['with another htm', { htm: 'GET' }, /htm/],
    ['with htm in lower case', { htm: 'post' }, /htm/],
    ['without htu', { htu: undefined }, /htu/],
    ['with an htu that is not a string', { htu: [URL_OF_CARTS] }, /htu/],
    ['with an htu that is not an absolute URL', { htu: '/api/v1/open/storefront/carts' }, /htu/],
    ['with the htu of another path', { htu: `${URL_OF_CARTS}/clear` }, /htu/],
    ['with the htu of another host', { htu: URL_OF_CARTS.replace('shop', 'evil') }, /htu/],
    ['with the htu of another scheme', { htu: URL_OF_CARTS.replace('https', 'http') }, /htu/],
    ['with the htu of another port', { htu: URL_OF_CARTS.replace('example', 'example:8443') }, /htu/],
    ['with an htu whose path differs in case', { htu: URL_OF_CARTS.replace('carts', 'Carts') }, /htu/],
    ['without ath', { ath: undefined }, /ath/],
    ['with the ath of another credential', { ath: ATH.replace('f', 'g') }, /ath/],
    ['without iat', { iat: undefined }, /iat/],
    ['with an iat that is not a number', { iat: String(NOW_SECONDS) }, /iat/],
    ['61 s old', { iat: NOW_SECONDS - 61 }, /iat/],
    ['11 s ahead', { iat: NOW_SECONDS + 11 }, /iat/],
    ['with a huge iat', { iat: 1e308 }, /iat/],
    ['with a nonce that is not a string', { nonce: 5 }, /nonce/],
  ]
  for (const [what, claims, message] of wrongClaims) {
    test(`${what} is refused`, async () => {
      const { facts } = await refuses('invalid_dpop_proof', () => verify(request(proof({}, claims))))
      assert.match(facts.details?.[0]?.message ?? '', message)
    })
  }

  test('60 s old or 10 s ahead passes, and a fraction of a second counts', async () => {
    for (const iat of [NOW_SECONDS - 60, NOW_SECONDS + 10, NOW_SECONDS - 0.5]) await verify(request(proof({}, { iat })))
    await refuses('invalid_dpop_proof', () => verify(request(proof({}, { iat: NOW_SECONDS - 60.5 }))))
  })

  test('passes with query and fragment in htu, which RFC 9449 §4.3 ignores', async () => {
    await verify(request(proof({}, { htu: `${URL_OF_CARTS}?cursor=a#b` })))
  })

  test('passes with an equivalent scheme, host and port', async () => {
    await verify(request(proof({}, { htu: URL_OF_CARTS.replace('https://shop.example', 'HTTPS://Shop.Example:443') })))
    const url = URL_OF_CARTS.replace('https://shop.example', 'https://Shop.Example:443')
    await verify(request(proof(), { url }))
  })

  test('needs no ath without a credential, as at the token endpoint', async () => {
    await verify(request(proof({}, { ath: undefined }), { token: null }))
  })

  test('is required', async () => void (await refuses('dpop_proof_required', () => verify(request([])))))

  test('is refused if sent twice', async () => {
    const one = proof()
    await refuses('invalid_dpop_proof', () => verify(request([one, one])))
    await refuses('invalid_dpop_proof', () => verify(request([one, proof({}, { jti: 'b' })])))
  })

  test('is refused beyond 8 KiB, before it is parsed', async () => {
    await refuses('invalid_dpop_proof', () => verify(request(proof({ padding: 'x'.repeat(8192) }))))
  })

  test('is refused unless it is three parts of base64url', async () => {
    const [header, payload, signature] = proof().split('.') as [string, string, string]
    const forms = ['', 'x', `${header}.${payload}`, `${header}.${payload}.`, `${header}..${signature}`]
    const more = [`${header}.${payload}.${signature}.x`, `${header}.${payload}.${signature}=`, ` ${proof()}`]
    const joined = [`${proof()}, ${proof()}`, JSON.stringify({ payload, signature, protected: header })]
    for (const text of [...forms, ...more, ...joined]) await refuses('invalid_dpop_proof', () => verify(request(text)))
  })

  test('is refused if a part is not a JSON object', async () => {
    for (const part of ['bnVsbA', 'W10', 'IjEi', '_____w', 'e30x']) {
      const [header, payload, signature] = proof().split('.')
      await refuses('invalid_dpop_proof', () => verify(request([part, payload, signature].join('.'))))
      const signed = `${header}.${part}`
      const own = sign('sha256', Buffer.from(signed), { key: p256.privateKey, dsaEncoding: 'ieee-p1363' })
      await refuses('invalid_dpop_proof', () => verify(request(`${signed}.${own.toString('base64url')}`)))
    }
  })

  test('is refused with a modified payload or signature, even with a cached key', async () => {
    await verify(request(proof()))
    const [header, , signature] = proof().split('.')
    const [, other] = proof({}, { jti: 'other' }).split('.')
    await refuses('invalid_dpop_proof', () => verify(request([header, other, signature].join('.'))))
    const flipped = Buffer.from(signature ?? '', 'base64url')
    flipped[5]! ^= 1
    const [, payload] = proof().split('.')
    const changed = [header, payload, flipped.toString('base64url')].join('.')
    await refuses('invalid_dpop_proof', () => verify(request(changed)))
  })

  test('signed with a key other than its jwk is refused', async () => {
    const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    await refuses('invalid_dpop_proof', () => verify(request(proof({}, {}, { ...p256, privateKey: otherKey }))))
  })
})

describe('a DPoP proof that needs a nonce', () => {
  const needed = { nonceRequired: true }
  const asks = async (text: string, more: Partial<ProofRequest> = needed) => {
    const { facts } = await refuses('use_dpop_nonce', () => verify(request(text, more)))
    assert.equal(facts.headers?.['dpop-nonce'], nonces.current(NOW))
  }

  test('is refused with use_dpop_nonce without one, with the nonce to use', () => asks(proof()))
  test('is refused with use_dpop_nonce for an old nonce', () =>
    asks(proof({}, { nonce: nonces.current(new Date(NOW.getTime() - 180_000)) })))
  test('is refused with use_dpop_nonce for an invented nonce', () => asks(proof({}, { nonce: 'made-up' })))
  test('is refused with use_dpop_nonce for a stale optional nonce', () => asks(proof({}, { nonce: 'old' }), {}))

  test('passes with a nonce of this step or the two before', async () => {
    for (const ago of [0, 60_000, 120_000]) {
      const nonce = nonces.current(new Date(NOW.getTime() - ago))
      await verify(request(proof({}, { nonce }), needed))
    }
  })

  test('passes with a fresh nonce and a clock that is up to an hour off', async () => {
    const nonce = nonces.current(NOW)
    for (const off of [-3600, 3600]) await verify(request(proof({}, { nonce, iat: NOW_SECONDS + off })))
    for (const iat of [0, NOW_SECONDS - 3601, NOW_SECONDS + 3601]) {
      await refuses('invalid_dpop_proof', () => verify(request(proof({}, { nonce, iat }))))
    }
  })
})

describe('vectors', () => {
  /** RFC 9449 §4.1, Figure 1: the proof of a token request. */
  const TOKEN_PROOF =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCR' +
    'nMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiw' +
    'iaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igi' +
    'MLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg'
  /** RFC 9449 §7.1, Figure 12: the proof of a protected resource request. */
  const RESOURCE_PROOF =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCR' +
    'nMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiw' +
    'iaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8' +
    'ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxS' +
    'YoMxhAJpLjA'
  /** RFC 9449 §6.1, Figure 9: the thumbprint of both. */
  const JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'

  test('RFC 9449 §4.1: the proof of a token request passes', async () => {
    const { jkt } = await verify({
      proofs: [TOKEN_PROOF],
      method: 'POST',
      url: 'https://server.example.com/token',
      token: null,
      now: new Date(1562262616_000),
      nonceRequired: false,
    })
    assert.equal(jkt, JKT)
  })

  test('RFC 9449 §7.1: the proof of a resource request passes with its credential', async () => {
    const seen: ProofRequest = {
      proofs: [RESOURCE_PROOF],
      method: 'GET',
      url: 'https://resource.example.org/protectedresource',
      token: TOKEN,
      now: new Date(1562262618_000),
      nonceRequired: false,
    }
    assert.equal((await verify(seen)).jkt, JKT)
    await refuses('invalid_dpop_proof', () => verify({ ...seen, token: `${TOKEN}x` }))
  })

  test('RFC 7638 §3.1: the thumbprint ignores optional members', async () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W' +
      '-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08q' +
      'NLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
    const jwk = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' }
    assert.equal(await thumbprintOf(jwk), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
  })

  test('RFC 8037, appendix A.3: the thumbprint of an Ed25519 key', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
    assert.equal(await thumbprintOf(jwk), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })
})

describe('proofs of the dpop package', () => {
  for (const algorithm of ['ES256', 'Ed25519'] as const) {
    test(`pass with a key for ${algorithm}, with and without a nonce`, async () => {
      const pair = await dpop.generateKeyPair(algorithm)
      const now = new Date()
      const nonce = nonces.current(now)
      const plain = await dpop.generateProof(pair, URL_OF_CARTS, 'POST', undefined, TOKEN)
      const withNonce = await dpop.generateProof(pair, URL_OF_CARTS, 'POST', nonce, TOKEN)

      const { jkt } = await verify(request(plain, { now }))
      await verify(request(withNonce, { now, nonceRequired: true }))
      assert.equal(jkt, await dpop.calculateThumbprint(pair.publicKey))
    })
  }
})
