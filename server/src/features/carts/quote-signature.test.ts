import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { calculateJwkThumbprint } from 'jose'
import { quoteSigner } from './quote-signature.ts'

describe('a quote signer', () => {
  test('matches RFC 8032 §7.1 test 2', () => {
    const signer = quoteSigner(Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex'))
    const { x } = signer.publicJwk
    assert.equal(
      Buffer.from(x, 'base64url').toString('hex'),
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    )
    assert.equal(
      signer.sign(Buffer.from('72', 'hex')).toString('hex'),
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    )
  })

  test('uses the RFC 7638 thumbprint as kid', async () => {
    const { kid, publicJwk } = quoteSigner(Buffer.alloc(32, 7))
    assert.equal(kid, await calculateJwkThumbprint({ ...publicJwk }))
  })

  test('signs so that only the exact bytes verify', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        fc.nat(),
        (seed, content, place) => {
          const { sign, publicJwk } = quoteSigner(Buffer.from(seed))
          const bytes = Buffer.from(content)
          const signature = sign(bytes)
          const key = createPublicKey({ key: publicJwk, format: 'jwk' })
          assert.ok(verify(null, bytes, key, signature))
          bytes[place % bytes.length]! ^= 1
          assert.ok(!verify(null, bytes, key, signature))
        },
      ),
      { numRuns: 200 },
    )
  })
})
