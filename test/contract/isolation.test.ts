import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Operation } from '@vitrine/contract'
import { exampleOf } from '@vitrine/contract'
import { CANCEL_URL, RETURN_URL } from '../support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { logged, opened, WEBHOOKS } from '../support/commerce/webhook-endpoints.ts'
import { askerOf, assertCode, type Credential, isGuarded, propertiesOf, type RowAnswer, rows } from '../support/rows.ts'

/** Allowed for each of them, so that only the cart is refused. */
const returnUrls = [RETURN_URL, CANCEL_URL]
type Client = Awaited<ReturnType<Shop['client']>>

let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
let owner: Client
/** Clients without access: another installation, the other environment, another store. */
let outsiders: Readonly<Record<string, Client>>

before(async () => {
  shop = await startShop()
  ;({ ask } = askerOf(shop))
  await shop.activateProduction()
  owner = await shop.client({ returnUrls })
  outsiders = {
    'another installation': await shop.client({ returnUrls }),
    'a live installation': await shop.client({ environment: 'live', returnUrls }),
    'an installation of one store': await shop.client({ storeSlug: 'ceramics', returnUrls }),
  }
})

const as = ({ key, proof }: Client): { as: Credential } => ({ as: { key: String(key), proof } })
const ofCarts = rows.filter(([, row]) => row.path.includes('{cartId}'))

/** A response without its request id. */
function contentOf({ status, body }: RowAnswer): unknown {
  const { requestId: _, ...rest } = body
  return { status, ...rest }
}

function bodyOf(row: Operation): unknown {
  if (!row.body) return null
  const { expectedVersion: _, shippingOptionId: __, ...body } = exampleOf(row.body) as Record<string, unknown>
  return 'skuId' in body ? { ...body, skuId: shop.sku('MUG') } : body
}

describe('a cart of one installation', () => {
  for (const [id, row] of ofCarts) {
    test(`${id}: answers others exactly like an unknown cart, and changes nothing`, async () => {
      const cart = await cartOf(shop, owner, { MUG: 2 })
      const skuId = shop.sku('MUG')
      const unknown = { cartId: String(exampleOf(propertiesOf(row.params).cartId as never)), skuId }
      for (const [who, outsider] of Object.entries(outsiders)) {
        const asking = { ...as(outsider), body: bodyOf(row) }
        const theirs = await ask(row, { ...asking, params: { cartId: cart.id, skuId } })
        assertCode(theirs, 404, 'not_found')
        assert.deepEqual(contentOf(theirs), contentOf(await ask(row, { ...asking, params: unknown })), who)
      }
      const { body } = await owner.get(`${CARTS}/${cart.id}`)
      assert.deepEqual(body.data, cart)
    })
  }
})

describe('a webhook endpoint of one installation, and its deliveries', () => {
  for (const [id, row] of rows.filter(([, each]) => /\/webhooks\/.*\{id\}/.test(each.path))) {
    test(`${id}: answers others exactly like an unknown endpoint, and changes nothing`, async () => {
      const endpoint = await opened(owner)
      const delivery = await logged(shop, { installationId: owner.installationId, endpointId: endpoint.id })
      const theirs = { id: row.path.includes('/endpoints/') ? endpoint.id : delivery.id }
      for (const [who, outsider] of Object.entries(outsiders)) {
        const asking = { ...as(outsider), body: bodyOf(row) }
        const answer = await ask(row, { ...asking, params: theirs })
        assertCode(answer, 404, 'not_found')
        assert.deepEqual(contentOf(answer), contentOf(await ask(row, asking)), who)
      }
      const { endpoints } = (await owner.get(WEBHOOKS.endpoints)).body.data.result
      const { secret: _, secretState: __, ...shown } = endpoint
      assert.deepEqual({ ...endpoints[0], stats: shown.stats }, shown)
      const { deliveries } = (await owner.get(`${WEBHOOKS.deliveries}?endpointId=${endpoint.id}`)).body.data
      assert.deepEqual(
        deliveries.map((each: { id: string }) => each.id),
        [delivery.id],
      )
    })
  }

  test('are not listed for others', async () => {
    for (const outsider of Object.values(outsiders)) {
      assert.deepEqual((await outsider.get(WEBHOOKS.endpoints)).body.data.result.endpoints, [])
      assert.deepEqual((await outsider.get(WEBHOOKS.deliveries)).body.data.deliveries, [])
    }
  })
})

describe('an idempotency key of one installation', () => {
  test('belongs to it alone: others create their own cart with the same key', async () => {
    const key = 'order-4711'
    const ids = new Set<string>()
    for (const client of [owner, ...Object.values(outsiders)]) {
      const { status, body, headers } = await client.post(CARTS, { currency: 'EUR', country: 'DE' }, { key })
      assert.deepEqual([status, headers.get('idempotent-replayed')], [200, null])
      ids.add(body.data.id)
    }
    assert.equal(ids.size, 4)
  })

  test('is shared by its API keys: a rotated key gets the response of the old one', async () => {
    const rotated = await shop.client({ installationId: owner.installationId })
    const body = { currency: 'EUR', country: 'DE' }
    const first = await owner.post(CARTS, body, { key: 'rotation' })
    const again = await rotated.post(CARTS, body, { key: 'rotation' })
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  })

  test('returns nothing to a revoked key', async () => {
    const client = await shop.client()
    const body = { currency: 'EUR', country: 'DE' }
    await client.post(CARTS, body, { key: 'revoked' })
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [client.keyId, shop.clock.now()])
    const answer = await client.post(CARTS, body, { key: 'revoked' })
    assert.deepEqual([answer.status, answer.body.code], [401, 'credential_revoked'])
  })
})

describe('a key', () => {
  test('identifies its own installation only', async () => {
    for (const client of [owner, ...Object.values(outsiders)]) {
      const { body } = await client.get('/api/v1/open/identity')
      assert.deepEqual([body.data.keyId, body.data.installation.id], [client.keyId, client.installationId])
      const identity = await client.get('/api/v1/open/installation/identity')
      assert.equal(identity.body.data.installationId, client.installationId)
    }
  })

  test("of one store sees that store's catalog only", async () => {
    const books = await shop.client({ storeSlug: 'books' })
    const { body } = await books.get('/api/v1/open/catalog/products')
    const stores = new Set(body.data.map((product: { store: { slug: string } }) => product.store.slug))
    assert.deepEqual([...stores], ['books'])
    const [product] = (await shop.client().then((each) => each.get('/api/v1/open/catalog/products'))).body.data.filter(
      (each: { store: { slug: string } }) => each.store.slug === 'ceramics',
    )
    assert.equal((await books.get(`/api/v1/open/catalog/products/${product.slug}`)).status, 404)
  })

  test("of one store cannot add another store's products to its cart", async () => {
    const books = await shop.client({ storeSlug: 'books' })
    const lines = [{ skuId: shop.sku('MUG'), quantity: 1 }]
    const answer = await books.post(CARTS, { currency: 'EUR', country: 'DE', lines })
    assert.deepEqual([answer.status, answer.body.code], [409, 'sku_unavailable'])
  })

  test("accepts proofs of its own key pair only: another installation's is refused", async () => {
    const [, outsider] = Object.entries(outsiders)[0] as [string, Client]
    for (const [, row] of rows.filter(([, each]) => isGuarded(each))) {
      const credential = { key: String(owner.key), proof: outsider.proof }
      const answer = await ask(row, { as: credential })
      assertCode(answer, 401, 'invalid_dpop_proof')
    }
  })
})

describe('a test key', () => {
  test('takes no live stock: its purchases leave stock for others', async () => {
    const live = outsiders['a live installation'] as Client
    await shop.setStock('VASE', 3)
    const { id } = await cartOf(shop, owner, { VASE: 3 })
    assert((await owner.get(`${CARTS}/${id}`)).body.data.lines.length === 1)
    const theirs = await cartOf(shop, live, { VASE: 3 })
    assert.equal(theirs.lines[0].quantity, 3)
  })

  test('writes rows of its own environment only', async () => {
    const live = outsiders['a live installation'] as Client
    await cartOf(shop, owner, { MUG: 1 })
    await cartOf(shop, live, { MUG: 1 })
    for (const table of ['carts', 'idempotency_keys', 'events']) {
      const mixed = await shop.query(
        `select count(*)::int as count from ${table} t join installations i on i.id = t.installation_id
         where t.environment <> i.environment`,
      )
      assert.deepEqual(mixed, [{ count: 0 }], table)
    }
  })
})
