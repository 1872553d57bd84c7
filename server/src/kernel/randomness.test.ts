import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemRandomness } from './randomness.ts'

describe('system randomness', () => {
  test('returns each byte once, across refills of its pool', () => {
    const randomness = systemRandomness()
    const drawn = new Set(Array.from({ length: 2000 }, () => randomness.bytes(10).toString('hex')))
    assert.equal(drawn.size, 2000)
  })

  test('returns the requested number of bytes, also more than its pool holds', () => {
    const randomness = systemRandomness()
    for (const length of [0, 1, 4095, 4096, 4097, 10_000]) assert.equal(randomness.bytes(length).length, length)
  })

  test('returns copies: wiping the bytes of one caller does not affect another', () => {
    const randomness = systemRandomness()
    const first = randomness.bytes(8)
    const kept = first.toString('hex')
    randomness.bytes(8).fill(0)
    assert.equal(first.toString('hex'), kept)
  })
})
