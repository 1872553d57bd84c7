import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { READINESS_PROOFS, recordReadinessProof } from '../index.ts'

const path = '/api/v1/open/installation/readiness'

describe('getInstallationReadiness', async () => {
  let world: World
  test.before(async () => {
    world = await startWorld()
  })

  test('200 blocks writes with an unbound key, and explains how to bind one', async () => {
    const client = await world.client({ bound: false })

    const { status, body } = await client.get(path)

    assert.equal(status, 200)
    assert.equal(body.data.status, 'not_ready')
    const capability = body.data.capabilities.find((each: { id: string }) => each.id === 'installation_write')
    assert.deepEqual(capability, {
      id: 'installation_write',
      available: false,
      blocker: 'sender_constrained_credential_required',
    })
    assert.match(body.data.checks[0].remedy, /vitrine key create --generate-key/)
  })

  test('200 always blocks the creation of final orders: no reviewed public contract for it exists', async () => {
    const client = await world.client()

    const { body } = await client.get(path)

    assert.deepEqual(
      body.data.capabilities.find((each: { id: string }) => each.id === 'final_order_creation'),
      { id: 'final_order_creation', available: false, blocker: 'reviewed_public_contract_required' },
    )
  })

  test('200 unblocks production only after every proof is recorded', async () => {
    const client = await world.client()
    const production = async () =>
      (await client.get(path)).body.data.capabilities.find(
        (each: { id: string }) => each.id === 'production_activation',
      )

    assert.equal((await production()).blocker, 'external_readiness_not_proven')
    await world.activateProduction()

    assert.deepEqual(await production(), { id: 'production_activation', available: true })
  })

  test('403 capability_blocked for a live key until the last proof is recorded; the next request works', async () => {
    const other = await startWorld()
    const { database, clock } = other
    const live = await other.client({ environment: 'live' })
    const blocker = { capability: 'production_activation', blocker: 'external_readiness_not_proven' }
    for (const { code } of READINESS_PROOFS) {
      const { status, body } = await live.get(path)
      assert.deepEqual([status, body.code, body.params], [403, 'capability_blocked', blocker])
      await database.transaction(async (tx) => recordReadinessProof(tx, code, 'seen in a test', clock.now()))
    }
    const { status, body } = await live.get(path)
    assert.deepEqual([status, body.data.status], [200, 'ready'])
  })

  test('200 names the same blocker as a refused write', async () => {
    const unbound = await world.client({ bound: false })
    const { body } = await unbound.get(path)
    const refused = await unbound.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE' })
    const { capability, blocker } = refused.body.params
    assert.equal(refused.body.code, 'sender_constraint_required')
    assert.equal(body.data.capabilities.find((each: { id: string }) => each.id === capability).blocker, blocker)
  })
})
