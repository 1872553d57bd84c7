import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { systemRandomness } from '../../kernel/randomness.ts'
import { displayOfApiKey, hashOfToken, isApiKey, makeApiKey } from './api-key.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const fixed = (byte: number) => ({ bytes: (length: number) => Buffer.alloc(length, byte) })

describe('an API key', () => {
  test('is sfk_, its environment, 43 characters of secret and 6 of checksum', () => {
    for (const environment of ['test', 'live'] as const) {
      const key = makeApiKey(environment, systemRandomness())
      assert.match(key, new RegExp(`^sfk_${environment}_[0-9A-Za-z]{49}$`))
      assert(isApiKey(key))
    }
  })

  test('holds all 32 bytes: the largest number fits 43 characters and zero is padded to them', () => {
    const largest = makeApiKey('test', fixed(0xff))
    const smallest = makeApiKey('test', fixed(0))
    assert(isApiKey(largest) && isApiKey(smallest))
    assert.equal(smallest.slice(9, 52), '0'.repeat(43))
    let value = 0n
    for (const character of largest.slice(9, 52)) value = value * 62n + BigInt(ALPHABET.indexOf(character))
    assert.equal(value, 2n ** 256n - 1n)
  })

  test('ends with the CRC-32 of the rest, in base 62', () => {
    const key = makeApiKey('live', fixed(7))
    let value = 0
    for (const character of key.slice(-6)) value = value * 62 + ALPHABET.indexOf(character)
    assert.equal(value, crc32(key.slice(0, -6)))
  })

  test('is rejected if one character differs', () => {
    const key = makeApiKey('test', systemRandomness())
    const character = fc.constantFrom(...ALPHABET)
    fc.assert(
      fc.property(fc.nat(key.length - 1), character, (at, other) => {
        fc.pre(key[at] !== other)
        assert(!isApiKey(key.slice(0, at) + other + key.slice(at + 1)))
      }),
      { numRuns: 500 },
    )
  })

  test('requires its prefix, environment, length and alphabet', () => {
    const key = makeApiKey('test', fixed(1))
    for (const text of ['', 'sfk_test_', key.slice(1), `${key}0`, key.slice(0, -1), key.replace('test', 'prod')]) {
      assert(!isApiKey(text), text)
    }
    assert(!isApiKey(key.replace('test', 'live')), 'the checksum covers the environment')
    assert(!isApiKey(`${key}\n`))
    assert(!isApiKey('ſ'.repeat(58)))
  })

  test('is displayed as four characters at each end of its secret', () => {
    const key = makeApiKey('live', systemRandomness())
    assert.equal(displayOfApiKey(key), `sfk_live_${key.slice(9, 13)}…${key.slice(-4)}`)
  })

  test('is stored as its SHA-256', () => {
    assert.equal(hashOfToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
