import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const path = '/api/v1/open/installation/readiness'

describe('getInstallationReadiness', async () => {
  let world: World
  test.before(async () => {
    world = await startWorld()
  })

  test('200 blocks writing for a key that is not bound, and says how to bind one', async () => {
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

  test('200 lifts the block on production only when every proof is recorded', async () => {
    const client = await world.client()
    const production = async () =>
      (await client.get(path)).body.data.capabilities.find(
        (each: { id: string }) => each.id === 'production_activation',
      )

    assert.equal((await production()).blocker, 'external_readiness_not_proven')
    await world.activateProduction()

    assert.deepEqual(await production(), { id: 'production_activation', available: true })
  })
})
