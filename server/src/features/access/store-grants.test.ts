import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { AccessPurpose } from './challenge.ts'
import { type StoreAccessState, storeGrants } from './store-grants.ts'

const now = new Date('2026-05-04T12:00:00.000Z')
const end = new Date(now.getTime() + 1_800_000)
const store: StoreAccessState = { id: 'store_01k5b7m2q8e9rtv3w4x5y6z7a8', access_mode: 'password', access_version: 3 }
const grants = storeGrants(Buffer.alloc(32, 1))
const challengeId = 'chl_01k5b7m2q8e9rtv3w4x5y6z7a8'
const token = grants.mint(store, { challengeId, purpose: 'store_access', expiresAt: end })

const opens = (
  shown: string | null,
  at: Date = now,
  to: StoreAccessState = store,
  purpose: AccessPurpose = 'store_access',
) => grants.opens(shown, to, purpose, at)

describe('a grant', () => {
  test('is valid for its store and purpose until it expires, on every node with the secret', () => {
    assert.equal(opens(token), true)
    assert.equal(storeGrants(Buffer.alloc(32, 1)).opens(token, store, 'store_access', now), true)
    assert.equal(opens(token, new Date(end.getTime() - 1)), true)
    assert.equal(opens(token, end), false)
  })

  test('is invalid for another store, another purpose and another secret', () => {
    assert.equal(opens(token, now, { ...store, id: 'store_01k5b7m2q8e9rtv3w4x5y6z7a9' }), false)
    assert.equal(opens(token, now, store, 'register'), false)
    assert.equal(storeGrants(Buffer.alloc(32, 2)).opens(token, store, 'store_access', now), false)
  })

  test("ends when the store's access changes", () => {
    assert.equal(opens(token, now, { ...store, access_version: 4 }), false)
    assert.equal(opens(token, now, { ...store, access_mode: 'challenge' }), false)
  })

  test("matches the contract's format and contains its store and challenge", () => {
    assert.match(token, /^[A-Za-z0-9_.-]{1,1024}$/)
    assert.deepEqual(grants.read(token), { storeId: store.id, challengeId })
    assert.equal(grants.read('sfg_store_x'), null)
  })

  test('is invalid after a change to any character', () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'aZ09_-.'), (at, character) => {
        fc.pre(token[at] !== character)
        // The last of the 43 characters has two unused bits.
        fc.pre(at < token.length - 1)
        assert.equal(opens(token.slice(0, at) + character + token.slice(at + 1)), false)
      }),
    )
  })

  test('cannot be an arbitrary string', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.equal(opens(text), false)))
    for (const text of [null, '', 'sfg_', `${token} `, ` ${token}`, `${token}=`]) assert.equal(opens(text), false)
  })
})
