import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startWorld, type World } from '../../../../../test/support/world.ts'

describe('getInstallationIdentity', async () => {
  let world: World
  test.before(async () => {
    world = await startWorld()
    await world.import(
      [
        {
          type: 'store',
          slug: 'ceramics',
          names: { en: 'Ceramics' },
          currencies: ['EUR'],
          locales: ['en'],
          countries: ['DE'],
          pricesIncludeTax: true,
        },
      ],
      'ceramics',
    )
  })

  test('200 includes the store of a single-store installation', async () => {
    const client = await world.client({ storeSlug: 'ceramics', bound: false })

    const { status, body } = await client.get('/api/v1/open/installation/identity')

    assert.equal(status, 200)
    assert.equal(body.data.store.slug, 'ceramics')
    assert.deepEqual(body.data.credential, { type: 'api_key', senderConstrained: false })
  })

  test('200 includes no store for a marketplace installation, and returns the binding of the credential', async () => {
    const client = await world.client({ scopes: ['catalog:read'] })

    const { body } = await client.get('/api/v1/open/installation/identity')

    assert.deepEqual(body.data, {
      installationId: client.installationId,
      name: 'A test installation',
      status: 'active',
      environment: 'test',
      credential: { type: 'api_key', senderConstrained: true, jkt: client.proof?.jkt },
      scopes: ['catalog:read'],
    })
  })

  test('400 validation_failed: a query that is not UTF-8', async () => {
    const client = await world.client()

    const { status, body } = await client.get('/api/v1/open/installation/identity?name=%ff')

    assert.deepEqual([status, body.code, body.details[0].code], [400, 'validation_failed', 'wrong_format'])
  })
})
