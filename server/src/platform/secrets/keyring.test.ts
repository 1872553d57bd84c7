import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { keyring } from './keyring.ts'

const randomness = testRandomness('keyring')
const [old, young] = [randomness.bytes(32), randomness.bytes(32)]
const secret = Buffer.from('a secret that signs for an endpoint')

describe('a keyring', () => {
  test('decrypts what it encrypted, which reveals nothing', () => {
    const ring = keyring([old], randomness)
    const sealed = ring.seal(secret, 'whe_a/1')
    assert.deepEqual(ring.open(sealed, 'whe_a/1'), secret)
    assert(!sealed.bytes.includes(secret))
    assert.notDeepEqual(ring.seal(secret, 'whe_a/1').bytes, sealed.bytes)
  })

  test('decrypts nothing that was moved or modified', () => {
    const ring = keyring([old], randomness)
    const sealed = ring.seal(secret, 'whe_a/1')
    assert.throws(() => ring.open(sealed, 'whe_b/1'))
    for (let index = 0; index < sealed.bytes.length; index += 1) {
      const bytes = Buffer.from(sealed.bytes)
      bytes[index] = bytes[index]! ^ 1
      assert.throws(() => ring.open({ ...sealed, bytes }, 'whe_a/1'), `byte ${index}`)
    }
  })

  test('encrypts with its first key and decrypts with all of them', () => {
    const before = keyring([old], randomness)
    const during = keyring([young, old], randomness)
    const after = keyring([young], randomness)
    const first = before.seal(secret, 'whe_a/1')
    const second = during.seal(secret, 'whe_a/1')
    assert.deepEqual(during.open(first, 'whe_a/1'), secret)
    assert.deepEqual(after.open(second, 'whe_a/1'), secret)
    assert.throws(() => after.open(first, 'whe_a/1'), new RegExp(before.keyId))
    assert.deepEqual(during.keyIds, [after.keyId, before.keyId])
  })
})
