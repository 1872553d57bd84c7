import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { calculateJwkThumbprint, EmbeddedJWK, exportJWK, jwtVerify } from 'jose'
import { type PrivateJwk, prover } from './proof.ts'

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}

const accessToken = `sfk_test_${randomUUID()}`
const request = { method: 'POST', url: 'https://shop.example/api/v1/open/storefront/carts', accessToken, nonce: 'n-1' }

for (const [algorithm, { privateKey, publicKey }] of Object.entries(pairs)) {
  const jwk = privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk

  describe(`a proof by an ${algorithm} key`, () => {
    test('verifies with an independent JWT library and the key in its header', async () => {
      const proof = await (await prover(jwk)).prove(request)

      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' })

      assert.equal(protectedHeader.alg, algorithm)
      assert.equal(protectedHeader.jwk && 'd' in protectedHeader.jwk, false, 'the private part is not in the header')
      assert.equal(
        await calculateJwkThumbprint(protectedHeader.jwk!),
        await calculateJwkThumbprint(await exportJWK(publicKey)),
      )
      const { jti, iat, ...claims } = payload
      assert.deepEqual(claims, {
        htm: 'POST',
        htu: request.url,
        ath: createHash('sha256').update(accessToken).digest('base64url'),
        nonce: 'n-1',
      })
      assert.ok(Math.abs(iat! - Date.now() / 1000) < 5)
      assert.match(jti!, /^[0-9a-f-]{36}$/)
    })

    test('differs for each request', async () => {
      const { prove } = await prover(jwk)
      const [one, other] = await Promise.all([prove(request), prove(request)])
      const jtiOf = async (proof: string) => (await jwtVerify(proof, EmbeddedJWK)).payload.jti
      assert.notEqual(await jtiOf(one), await jtiOf(other))
    })
  })
}

test('a key of an unsupported type throws a readable TypeError', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const jwk = privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
  await assert.rejects(prover(jwk), { name: 'TypeError', message: /P-384 cannot make proofs; use P-256 or Ed25519/ })
})
