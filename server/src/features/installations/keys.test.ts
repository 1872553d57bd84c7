import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Client, client, proofKey } from '../../../../test/support/client.ts'
import { storeLine } from '../../../../test/support/commerce/catalog.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { startWorld, type World } from '../../../../test/support/world.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { keyStatus, listKeys, revokeKey, rotateKey } from './index.ts'
import { changeInstallation, lockInstallation } from './operator.ts'

const HOUR_MS = 3_600_000
const randomness = testRandomness()

const rotate = (keyId: string, jkt?: string) =>
  world.database.transaction((tx) =>
    rotateKey(tx, { keyId, jkt }, { ids: world.ids, now: world.clock.now(), randomness }),
  )
const revoke = (keyId: string) => world.database.transaction((tx) => revokeKey(tx, keyId, world.clock.now()))
const setStatus = (installationId: string, status: 'active' | 'suspended') =>
  world.database.transaction(async (tx) => {
    const now = world.clock.now()
    const locked = await lockInstallation(tx, installationId, now)
    assert(locked)
    changeInstallation(tx, locked, { status }, now)
  })

let world: World
let other: World
before(async () => {
  world = await startWorld()
  other = await startWorld({ sharedWith: world })
  await world.import([storeLine('ceramics')])
})

const IDENTITY = '/api/v1/open/identity'
const CARTS = '/api/v1/open/storefront/carts'
const CART = { currency: 'EUR', country: 'DE', locale: 'en' }

/** The same client with another key or on another node. */
function as(connection: Partial<Parameters<typeof client>[0]>): Client {
  return client({ origin: world.origin, publicUrl: world.publicUrl, clock: world.clock, ...connection })
}
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

describe('key rotation', () => {
  test('keeps the old key working for 24 hours on every node, and gives the new key its scopes', async () => {
    const old = await world.client({ scopes: ['catalog:read'] })
    assert(old.key && old.proof)
    const rotated = await rotate(old.keyId)
    const successor = as({ key: rotated.key, proof: old.proof })
    const { body } = await successor.get(IDENTITY)
    assert.deepEqual(
      [body.data.keyId, body.data.installation.id, body.data.scopes, body.data.jkt, body.data.expiresAt],
      [rotated.keyId, old.installationId, ['catalog:read'], old.proof.jkt, undefined],
    )
    const oldClients = [old, as({ key: old.key, proof: old.proof, origin: other.origin })]
    world.clock.advance(24 * HOUR_MS - 1)
    for (const each of oldClients) assert.equal((await each.get(IDENTITY)).status, 200)
    world.clock.advance(1)
    for (const each of oldClients) assert.deepEqual(codeOf(await each.get(IDENTITY)), [401, 'credential_expired'])
    assert.equal((await successor.get(IDENTITY)).status, 200)
  })

  test('can bind the new key to another key pair; each key needs its own proof', async () => {
    const old = await world.client()
    assert(old.key && old.proof)
    const proof = await proofKey()
    const rotated = await rotate(old.keyId, proof.jkt)
    assert.equal(rotated.jkt, proof.jkt)
    assert.equal((await as({ key: rotated.key, proof }).get(IDENTITY)).status, 200)
    assert.equal((await old.get(IDENTITY)).status, 200)
    for (const mismatched of [as({ key: rotated.key, proof: old.proof }), as({ key: old.key, proof })]) {
      assert.deepEqual(codeOf(await mismatched.get(IDENTITY)), [401, 'invalid_dpop_proof'])
    }
  })

  test('can bind an unbound key, and never unbinds a key', async () => {
    const unbound = await world.client({ bound: false })
    const proof = await proofKey()
    const bound = await rotate(unbound.keyId, proof.jkt)
    const successor = as({ key: bound.key, proof })
    assert.equal((await successor.post(CARTS, CART)).status, 200)
    assert.equal((await rotate(bound.keyId)).jkt, proof.jkt)
  })

  test('keeps idempotency keys: a retry with the new key gets the first response', async () => {
    const old = await world.client()
    assert(old.proof)
    const first = await old.post(CARTS, CART, { key: 'before-and-after' })
    const proof = await proofKey()
    const rotated = await rotate(old.keyId, proof.jkt)
    const retry = await as({ key: rotated.key, proof, origin: other.origin }).post(CARTS, CART, {
      key: 'before-and-after',
    })
    assert.deepEqual([retry.status, retry.text], [200, first.text])
    assert.equal(retry.headers.get('idempotent-replayed'), 'true')
  })

  test('gives the successor of an expiring key the same lifetime, and does not extend the old key', async () => {
    const soon = new Date(world.clock.now().getTime() + 2 * HOUR_MS)
    const { keyId, installationId } = await world.client({ expiresAt: soon })
    world.clock.advance(HOUR_MS)
    const rotated = await rotate(keyId)
    assert.deepEqual(rotated.oldKeyExpiresAt, soon)
    const [, successor] = await listKeys(world.database.reader, installationId)
    assert.deepEqual(successor?.expires_at, new Date(world.clock.now().getTime() + 2 * HOUR_MS))
  })

  test('refuses an expired or revoked key', async () => {
    const expired = await world.client({ expiresAt: world.clock.now() })
    const revoked = await world.client()
    await revoke(revoked.keyId)
    for (const [keyId, code, currentState] of [
      [expired.keyId, 'state_conflict', 'expired'],
      [revoked.keyId, 'state_conflict', 'revoked'],
      ['key_none', 'not_found', undefined],
    ] as const) {
      await assert.rejects(rotate(keyId), (refused: Refusal) => {
        assert.deepEqual([refused.code, refused.facts.conflict?.currentState], [code, currentState])
        return true
      })
    }
  })

  test('gives a key one successor: of two concurrent rotations, the second is refused and names the successor', async () => {
    const old = await world.client()
    const ended = await Promise.allSettled([rotate(old.keyId), rotate(old.keyId)])
    const [rotated] = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const [refused] = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert(rotated && refused instanceof Refusal)
    assert.deepEqual([refused.code, refused.facts.params], ['state_conflict', { replacedBy: rotated.keyId }])
    const keys = await listKeys(world.database.reader, old.installationId)
    const now = world.clock.now()
    assert.deepEqual(Object.fromEntries(keys.map((key) => [key.id, [keyStatus(key, now), key.replaced_by]])), {
      [old.keyId]: ['expiring', rotated.keyId],
      [rotated.keyId]: ['active', null],
    })
  })
})

describe('a revoked key', () => {
  test('is refused from the next request, on every node', async () => {
    const mine = await world.client()
    assert(mine.key && mine.proof)
    const elsewhere = as({ key: mine.key, proof: mine.proof, origin: other.origin })
    assert.equal((await mine.get(IDENTITY)).status, 200)
    assert.equal((await elsewhere.get(IDENTITY)).status, 200)
    await revoke(mine.keyId)
    for (const each of [elsewhere, mine]) {
      assert.deepEqual(codeOf(await each.get(IDENTITY)), [401, 'credential_revoked'])
      assert.deepEqual(codeOf(await each.post(CARTS, CART)), [401, 'credential_revoked'])
    }
  })

  test('keeps its first revocation time when revoked again or past its overlap', async () => {
    const mine = await world.client()
    await rotate(mine.keyId)
    const first = await revoke(mine.keyId)
    world.clock.advance(HOUR_MS)
    assert.deepEqual(await revoke(mine.keyId), first)
    assert.deepEqual(codeOf(await mine.get(IDENTITY)), [401, 'credential_revoked'])
    await assert.rejects(revoke('key_none'), { code: 'not_found' })
  })
})

describe('a suspended installation', () => {
  test('is refused with every key, on every node, until it is resumed', async () => {
    const one = await world.client()
    const two = await world.client({ installationId: one.installationId, bound: false })
    assert(one.key && one.proof)
    const clients = [one, two, as({ key: one.key, proof: one.proof, origin: other.origin })]
    await setStatus(one.installationId, 'suspended')
    for (const each of clients) assert.deepEqual(codeOf(await each.get(IDENTITY)), [403, 'installation_suspended'])
    await setStatus(one.installationId, 'active')
    for (const each of clients) assert.equal((await each.get(IDENTITY)).status, 200)
  })
})

describe('the last use of a key', () => {
  test('is written once a minute, outside of requests', async () => {
    const mine = await world.client()
    const used = world.clock.now()
    await mine.get(IDENTITY)
    const lastUse = async () => (await listKeys(world.database.reader, mine.installationId))[0]?.last_used_at
    assert.equal(await lastUse(), null)
    world.clock.advance(HOUR_MS)
    await world.app.stop()
    assert.deepEqual(await lastUse(), used)
  })
})
