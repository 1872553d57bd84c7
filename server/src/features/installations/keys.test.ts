import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../test/support/catalog.ts'
import { type Client, client, proofKey } from '../../../../test/support/client.ts'
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
    const held = await lockInstallation(tx, installationId, now)
    assert(held)
    changeInstallation(tx, held, { status }, now)
  })

let world: World
let other: World
before(async () => {
  world = await startWorld()
  other = await startWorld({ beside: world })
  await world.import([storeLine('ceramics')])
})

const IDENTITY = '/api/v1/open/identity'
const CARTS = '/api/v1/open/storefront/carts'
const WISH = { currency: 'EUR', country: 'DE', locale: 'en' }

/** The same caller, with another key or on another node. */
function as(parts: Partial<Parameters<typeof client>[0]>): Client {
  return client({ origin: world.origin, publicUrl: world.publicUrl, clock: world.clock, ...parts })
}
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

describe('a key that is rotated', () => {
  test('works beside its successor for 24 hours and not longer, on every node; the successor has its scopes', async () => {
    const old = await world.client({ scopes: ['catalog:read'] })
    assert(old.key && old.proof)
    const made = await rotate(old.keyId)
    const successor = as({ key: made.key, proof: old.proof })
    const { body } = await successor.get(IDENTITY)
    assert.deepEqual(
      [body.data.keyId, body.data.installation.id, body.data.scopes, body.data.jkt, body.data.expiresAt],
      [made.keyId, old.installationId, ['catalog:read'], old.proof.jkt, undefined],
    )
    const olds = [old, as({ key: old.key, proof: old.proof, origin: other.origin })]
    world.clock.advance(24 * HOUR_MS - 1)
    for (const each of olds) assert.equal((await each.get(IDENTITY)).status, 200)
    world.clock.advance(1)
    for (const each of olds) assert.deepEqual(codeOf(await each.get(IDENTITY)), [401, 'credential_expired'])
    assert.equal((await successor.get(IDENTITY)).status, 200)
  })

  test('may have a successor with another key pair, each proven by its own alone', async () => {
    const old = await world.client()
    assert(old.key && old.proof)
    const proof = await proofKey()
    const made = await rotate(old.keyId, proof.jkt)
    assert.equal(made.jkt, proof.jkt)
    assert.equal((await as({ key: made.key, proof }).get(IDENTITY)).status, 200)
    assert.equal((await old.get(IDENTITY)).status, 200)
    for (const crossed of [as({ key: made.key, proof: old.proof }), as({ key: old.key, proof })]) {
      assert.deepEqual(codeOf(await crossed.get(IDENTITY)), [401, 'invalid_dpop_proof'])
    }
  })

  test('becomes bound where it was not, and never loses its binding', async () => {
    const unbound = await world.client({ bound: false })
    const proof = await proofKey()
    const bound = await rotate(unbound.keyId, proof.jkt)
    const successor = as({ key: bound.key, proof })
    assert.equal((await successor.post(CARTS, WISH)).status, 200)
    assert.equal((await rotate(bound.keyId)).jkt, proof.jkt)
  })

  test('keeps the idempotency keys of its installation: a retry with the successor finds the first answer', async () => {
    const old = await world.client()
    assert(old.proof)
    const first = await old.post(CARTS, WISH, { key: 'before-and-after' })
    const proof = await proofKey()
    const made = await rotate(old.keyId, proof.jkt)
    const retry = await as({ key: made.key, proof, origin: other.origin }).post(CARTS, WISH, {
      key: 'before-and-after',
    })
    assert.deepEqual([retry.status, retry.text], [200, first.text])
    assert.equal(retry.headers.get('idempotent-replayed'), 'true')
  })

  test('with an end gives its successor the same time to live, and itself no more than it had', async () => {
    const soon = new Date(world.clock.now().getTime() + 2 * HOUR_MS)
    const { keyId, installationId } = await world.client({ expiresAt: soon })
    world.clock.advance(HOUR_MS)
    const made = await rotate(keyId)
    assert.deepEqual(made.oldKeyExpiresAt, soon)
    const [, successor] = await listKeys(world.database.reader, installationId)
    assert.deepEqual(successor?.expires_at, new Date(world.clock.now().getTime() + 2 * HOUR_MS))
  })

  test('is not rotated once it works no more', async () => {
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

  test('has one successor, also where two rotate it at once, and whoever comes second is told which', async () => {
    const old = await world.client()
    const ended = await Promise.allSettled([rotate(old.keyId), rotate(old.keyId)])
    const [made] = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const [refused] = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert(made && refused instanceof Refusal)
    assert.deepEqual([refused.code, refused.facts.params], ['state_conflict', { replacedBy: made.keyId }])
    const keys = await listKeys(world.database.reader, old.installationId)
    const now = world.clock.now()
    assert.deepEqual(Object.fromEntries(keys.map((key) => [key.id, [keyStatus(key, now), key.replaced_by]])), {
      [old.keyId]: ['expiring', made.keyId],
      [made.keyId]: ['active', null],
    })
  })
})

describe('a key that is revoked', () => {
  test('is refused at the next request, on every node', async () => {
    const mine = await world.client()
    assert(mine.key && mine.proof)
    const elsewhere = as({ key: mine.key, proof: mine.proof, origin: other.origin })
    assert.equal((await mine.get(IDENTITY)).status, 200)
    assert.equal((await elsewhere.get(IDENTITY)).status, 200)
    await revoke(mine.keyId)
    for (const each of [elsewhere, mine]) {
      assert.deepEqual(codeOf(await each.get(IDENTITY)), [401, 'credential_revoked'])
      assert.deepEqual(codeOf(await each.post(CARTS, WISH)), [401, 'credential_revoked'])
    }
  })

  test('stays revoked since the first time, though it is revoked again or its overlap has not ended', async () => {
    const mine = await world.client()
    await rotate(mine.keyId)
    const first = await revoke(mine.keyId)
    world.clock.advance(HOUR_MS)
    assert.deepEqual(await revoke(mine.keyId), first)
    assert.deepEqual(codeOf(await mine.get(IDENTITY)), [401, 'credential_revoked'])
    await assert.rejects(revoke('key_none'), { code: 'not_found' })
  })
})

describe('an installation that is suspended', () => {
  test('is refused with every key, on every node, until it may go on', async () => {
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
  test('is noted off the request, with the next minute', async () => {
    const mine = await world.client()
    const used = world.clock.now()
    await mine.get(IDENTITY)
    const noted = async () => (await listKeys(world.database.reader, mine.installationId))[0]?.last_used_at
    assert.equal(await noted(), null)
    world.clock.advance(HOUR_MS)
    await world.app.stop()
    assert.deepEqual(await noted(), used)
  })
})
