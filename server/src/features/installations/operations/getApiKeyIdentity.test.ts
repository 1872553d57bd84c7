import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWorld, type World } from '../../../../../test/support/world.ts'

describe('getApiKeyIdentity', async () => {
  let world: World
  test.before(async () => {
    world = await startWorld()
  })

  test('200 returns the installation, scopes and binding of the key', async () => {
    const client = await world.client({ scopes: ['checkout:quote', 'catalog:read'] })

    const { status, body } = await client.get('/api/v1/open/identity')

    assert.equal(status, 200)
    assert.deepEqual(body.data, {
      keyId: client.keyId,
      display: `${client.key?.slice(0, 13)}…${client.key?.slice(-4)}`,
      installation: { id: client.installationId, name: 'A test installation' },
      environment: 'test',
      scopes: ['checkout:quote', 'catalog:read'],
      senderConstrained: true,
      jkt: client.proof?.jkt,
      createdAt: world.clock.now().toISOString(),
    })
  })

  test('200 never returns the key itself', async () => {
    const client = await world.client({ bound: false })

    const { text } = await client.get('/api/v1/open/identity')

    assert.ok(!text.includes(client.key as string))
  })

  test('200 needs no scope', async () => {
    const client = await world.client({ scopes: [], bound: false })

    const { status, body } = await client.get('/api/v1/open/identity')

    assert.equal(status, 200)
    assert.deepEqual(body.data.scopes, [])
  })

  test('200 returns the expiry of the key', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000)
    const client = await world.client({ expiresAt, bound: false })

    const { body } = await client.get('/api/v1/open/identity')

    assert.equal(body.data.expiresAt, expiresAt.toISOString())
  })
})
