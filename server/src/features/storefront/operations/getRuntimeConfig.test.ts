import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const path = '/api/v1/runtime-config'

describe('getRuntimeConfig', async () => {
  let world: World
  test.before(async () => {
    world = await startWorld({
      environment: { RATE_LIMITS: '{"public-read":{"limit":777,"windowSeconds":60,"burst":77}}' },
    })
  })

  test('200 returns each limit of the contract as it is enforced', async () => {
    const { status, body } = await world.anonymous.get(path)

    assert.equal(status, 200)
    for (const [name, figures] of Object.entries(limits)) {
      assert.deepEqual({ ...body.data[name], ...figures }, body.data[name], name)
    }
  })

  test('200 returns the configured rate limits, not the defaults', async () => {
    const { body } = await world.anonymous.get(path)

    const policy = body.data.rateLimits.find((each: { name: string }) => each.name === 'public-read')
    assert.deepEqual(policy, { name: 'public-read', limit: 777, windowSeconds: 60, burst: 77, per: policy.per })
  })

  test('200 returns the public key that verifies quotes', async () => {
    const { body } = await world.anonymous.get(path)

    const [key] = body.data.quote.publicKeys
    assert.deepEqual(
      { ...key, kid: '', x: '' },
      { kid: '', kty: 'OKP', crv: 'Ed25519', x: '', alg: 'EdDSA', use: 'sig' },
    )
    assert.equal(Buffer.from(key.x, 'base64url').length, 32)
  })

  test('200 reflects production readiness at once, although the response is cached', async () => {
    const capability = async () =>
      (await world.anonymous.get(path)).body.data.capabilities.find(
        (each: { id: string }) => each.id === 'production_activation',
      )
    assert.equal((await capability()).available, false)

    await world.activateProduction()
    await world.refresh()

    assert.deepEqual(await capability(), { id: 'production_activation', available: true })
  })
})
