import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import { CARTS, startShop } from '../../../../../test/support/shop.ts'

const shop = await startShop()
const WISH = { currency: 'EUR', country: 'DE' }

/** A client whose credential this process has seen by a write. */
async function knownClient() {
  const client = await shop.client()
  assert.equal((await client.post(CARTS, WISH)).status, 200)
  return client
}

async function cartsOf({ installationId }: { readonly installationId: string }): Promise<number> {
  return (await shop.query('select id from carts where installation_id = $1', [installationId])).length
}

const codeOf = async (client: Client, body: unknown) => (await client.post(CARTS, body)).body.code

describe('a write by a credential that has changed since this process saw it', () => {
  const changes: readonly (readonly [string, string, string])[] = [
    ['credential_revoked', 'update api_keys set revoked_at = $2 where id = $1', 'is revoked'],
    ['credential_expired', 'update api_keys set expires_at = $2 where id = $1', 'has an end'],
    [
      'insufficient_scope',
      "update api_keys set scopes = '{webhooks:read}', last_used_at = $2 where id = $1",
      'may less',
    ],
    [
      'invalid_dpop_proof',
      "update api_keys set jkt = repeat('x', 43), last_used_at = $2 where id = $1",
      'is bound anew',
    ],
    [
      'installation_suspended',
      `update installations set status = 'suspended', updated_at = $2
       where id = (select installation_id from api_keys where id = $1)`,
      'is of an installation that is suspended',
    ],
  ]
  for (const [code, change, what] of changes) {
    test(`and ${what} is refused at once, and does nothing: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, WISH), code)
      assert.equal(await codeOf(client, WISH), code)
      assert.equal(await cartsOf(client), 1)
    })

    test(`and ${what} is refused for that before its body is: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, { nonsense: true }), code)
    })
  }

  test('and is as good as before is done, once', async () => {
    const client = await knownClient()
    await shop.run("update installations set origins = '{https://shop.example}' where id = $1", [client.installationId])

    const answer = await client.post(CARTS, WISH, { headers: { origin: 'https://shop.example' } })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example')
    assert.equal(await cartsOf(client), 2)
  })

  test('and may what it could not is done', async () => {
    const client = await knownClient()
    await shop.run("update api_keys set scopes = '{webhooks:read}' where id = $1", [client.keyId])
    assert.equal(await codeOf(client, WISH), 'insufficient_scope')
    await shop.run("update api_keys set scopes = '{catalog:read,checkout:quote}' where id = $1", [client.keyId])

    assert.equal((await client.post(CARTS, WISH)).status, 200)
  })
})

describe('a write by a credential that is as it was', () => {
  test('is refused for what is wrong with it', async () => {
    const client = await knownClient()

    assert.equal(await codeOf(client, { nonsense: true }), 'unknown_field')
    assert.equal(await codeOf(client, { currency: 'XXX', country: 'DE' }), 'unsupported_currency')
  })

  test('waits for PostgreSQL three times: to begin, to load, and to end', async () => {
    const client = await knownClient()
    const { body } = await client.post(CARTS, WISH)
    const add = () => client.post(`${CARTS}/${body.data.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    // The first takes leases of the limits, and reads the rules of the store.
    await add()
    const before = shop.database.counters()

    assert.equal((await add()).status, 200)

    assert.equal(shop.database.counters().roundTrips - before.roundTrips, 3)
  })
})
