import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allOff, policyNames, rateLimitPolicies } from './policy.ts'

describe('rate limit policies', () => {
  test('default to those of the contract', () => {
    const { 'public-read': read, 'key-write': write, 'cart-write': cart } = rateLimitPolicies()
    assert.deepEqual([read?.limit, read?.windowSeconds, read?.burst], [1200, 60, 300])
    assert.deepEqual([write?.limit, write?.windowSeconds, write?.burst], [3000, 60, 300])
    assert.deepEqual([cart?.limit, cart?.windowSeconds, cart?.burst], [120, 60, 30])
    for (const name of policyNames) assert.equal(rateLimitPolicies()[name]?.name, name)
  })

  test('can be overridden property by property', () => {
    const { 'public-read': read, 'key-read': keyRead } = rateLimitPolicies({ 'public-read': { limit: 600, burst: 50 } })
    assert.deepEqual([read?.limit, read?.windowSeconds, read?.burst], [600, 60, 50])
    assert.equal(keyRead?.limit, 6000)
  })

  test('can be turned off, except those against guessing and unwanted mail', () => {
    const policies = rateLimitPolicies(allOff)
    assert.deepEqual(
      policyNames.filter((name) => policies[name] !== null),
      [
        'auth-fail',
        'register',
        'reset-account',
        'reset-address',
        'sign-in-account',
        'sign-in-address',
        'challenge-verify',
        'challenge-verify-store',
        'grant',
      ],
    )
    const withoutStore = rateLimitPolicies({ store: 'off' })
    assert.deepEqual([withoutStore.store, withoutStore['key-read']?.limit], [null, 6000])
  })

  const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['an unknown policy', { 'public-raed': {} }, /unknown policy "public-raed"\. Known policies: public-read/],
    ['a member of every object', { toString: {} }, /unknown policy "toString"/],
    ['an unknown property', { 'key-read': { limt: 5 } }, /"key-read.limt" is unknown\. Known properties: limit/],
    ['its name', { 'key-read': { name: 'x' } }, /"key-read.name" is unknown/],
    ['zero', { 'key-read': { limit: 0 } }, /"key-read.limit" must be a whole number of at least 1/],
    ['a number that no answer can have', { 'key-read': { limit: 3e9 } }, /"key-read.limit" .* at most 2147483647/],
    ['a fraction', { 'key-read': { burst: 1.5 } }, /"key-read.burst"/],
    ['a text', { 'key-read': { windowSeconds: '60' } }, /"key-read.windowSeconds"/],
    ['no figure', { 'key-read': { limit: null } }, /"key-read.limit"/],
    ['a number for a policy', { 'key-read': 600 }, /"key-read" must be "off" or an object/],
    ['to turn off a limit on guesses', { 'auth-fail': 'off' }, /"auth-fail" limits guessing and cannot be turned off/],
    ['nothing for a policy', { 'key-read': null }, /"key-read" must be "off" or an object/],
    ['a list for a policy', { 'key-read': [] }, /"key-read" must be "off" or an object/],
  ]
  for (const [what, overrides, message] of wrong) {
    test(`refuse ${what} in a sentence that names it`, () =>
      assert.throws(
        () => rateLimitPolicies(overrides),
        (error: Error) => {
          assert.match(error.message, message)
          assert.match(error.message, /RATE_LIMITS/)
          return true
        },
      ))
  }
})
