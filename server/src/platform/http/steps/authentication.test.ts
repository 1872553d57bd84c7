import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import { CARTS, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'

let shop: Shop
before(async () => {
  shop = await startShop()
})

const CART = { currency: 'EUR', country: 'DE' }

/** A client whose credential this process has seen by a write. */
async function knownClient() {
  const client = await shop.client()
  assert.equal((await client.post(CARTS, CART)).status, 200)
  return client
}

async function cartsOf({ installationId }: { readonly installationId: string }): Promise<number> {
  return (await shop.query('select id from carts where installation_id = $1', [installationId])).length
}

const codeOf = async (client: Client, body: unknown) => (await client.post(CARTS, body)).body.code

describe('a write with an outdated cached credential', () => {
  const changes: readonly (readonly [string, string, string])[] = [
    ['credential_revoked', 'update api_keys set revoked_at = $2 where id = $1', 'a revoked credential'],
    ['credential_expired', 'update api_keys set expires_at = $2 where id = $1', 'an expired credential'],
    [
      'insufficient_scope',
      "update api_keys set scopes = '{webhooks:read}', last_used_at = $2 where id = $1",
      'a credential with fewer scopes',
    ],
    [
      'invalid_dpop_proof',
      "update api_keys set jkt = repeat('x', 43), last_used_at = $2 where id = $1",
      'a credential bound to another key',
    ],
    [
      'installation_suspended',
      `update installations set status = 'suspended', updated_at = $2
       where id = (select installation_id from api_keys where id = $1)`,
      'a credential of a suspended installation',
    ],
  ]
  for (const [code, change, what] of changes) {
    test(`${what} is refused at once and has no effect: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, CART), code)
      assert.equal(await codeOf(client, CART), code)
      assert.equal(await cartsOf(client), 1)
    })

    test(`${what} is refused for that before its body: ${code}`, async () => {
      const client = await knownClient()
      await shop.run(change, [client.keyId, shop.clock.now()])

      assert.equal(await codeOf(client, { nonsense: true }), code)
    })
  }

  test('succeeds once if the change does not matter', async () => {
    const client = await knownClient()
    await shop.run("update installations set origins = '{https://shop.example}' where id = $1", [client.installationId])

    const answer = await client.post(CARTS, CART, { headers: { origin: 'https://shop.example' } })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example')
    assert.equal(await cartsOf(client), 2)
  })

  test('succeeds if the change permits it', async () => {
    const client = await knownClient()
    await shop.run("update api_keys set scopes = '{webhooks:read}' where id = $1", [client.keyId])
    assert.equal(await codeOf(client, CART), 'insufficient_scope')
    await shop.run("update api_keys set scopes = '{catalog:read,checkout:quote}' where id = $1", [client.keyId])

    assert.equal((await client.post(CARTS, CART)).status, 200)
  })
})

describe('a write with a current cached credential', () => {
  test('is refused for its own fault', async () => {
    const client = await knownClient()

    assert.equal(await codeOf(client, { nonsense: true }), 'unknown_field')
    assert.equal(await codeOf(client, { currency: 'XXX', country: 'DE' }), 'unsupported_currency')
  })

  test('takes three round trips: begin, load, commit', async () => {
    const client = await knownClient()
    const { body } = await client.post(CARTS, CART)
    const add = () => client.post(`${CARTS}/${body.data.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    // The first takes leases of the limits, and reads the rules of the store.
    await add()
    const before = shop.database.counters()

    assert.equal((await add()).status, 200)

    assert.equal(shop.database.counters().roundTrips - before.roundTrips, 3)
  })
})
