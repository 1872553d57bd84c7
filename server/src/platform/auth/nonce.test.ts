import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dpopNonces } from './nonce.ts'

const SECRET = Buffer.alloc(32, 5)
const at = (seconds: number) => new Date(Date.UTC(2026, 4, 4, 12) + seconds * 1000)

describe('a DPoP nonce', () => {
  test('is the same on nodes that share the secret, and differs with another secret', () => {
    assert.equal(dpopNonces(SECRET).current(at(0)), dpopNonces(SECRET).current(at(59)))
    assert(dpopNonces(SECRET).isFresh(dpopNonces(SECRET).current(at(0)), at(0)))
    assert(!dpopNonces(SECRET).isFresh(dpopNonces(Buffer.alloc(32, 6)).current(at(0)), at(0)))
  })

  test('changes each minute', () => {
    const nonces = dpopNonces(SECRET)
    assert.notEqual(nonces.current(at(59)), nonces.current(at(60)))
    assert.equal(new Set([0, 60, 120, 180, 240].map((seconds) => nonces.current(at(seconds)))).size, 5)
  })

  test('is fresh for two steps after its own, and no longer', () => {
    const nonces = dpopNonces(SECRET)
    const nonce = nonces.current(at(0))
    for (const seconds of [0, 59, 60, 119, 120, 179]) assert(nonces.isFresh(nonce, at(seconds)), `${seconds} s`)
    for (const seconds of [180, 181, 3600]) assert(!nonces.isFresh(nonce, at(seconds)), `${seconds} s`)
  })

  test('of a node whose clock runs up to two steps ahead is fresh', () => {
    const ahead = dpopNonces(SECRET)
    assert(dpopNonces(SECRET).isFresh(ahead.current(at(120)), at(0)))
    assert(!dpopNonces(SECRET).isFresh(ahead.current(at(180)), at(0)))
  })

  test('is visible ASCII without quotes, as RFC 9449 §8.1 requires', () => {
    assert.match(dpopNonces(SECRET).current(at(0)), /^[\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  test('rejects any other text', () => {
    const nonces = dpopNonces(SECRET)
    const nonce = nonces.current(at(0))
    for (const text of ['', nonce.slice(1), `${nonce}A`, nonce.toLowerCase(), 'é'.repeat(11), '\0'.repeat(22)]) {
      assert(!nonces.isFresh(text, at(0)), text)
    }
  })
})
