import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  assertRefusedWhenClosed,
  assertRefusedWhenStale,
  CARTS,
  type CartBody,
  cartOf,
  manyProducts,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({ more: manyProducts(101) })
  client = await shop.client()
})

function add(who: Client, cart: CartBody, code: string, quantity: number, more: object = {}, options = {}) {
  return who.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku(code), quantity, ...more }, options)
}

describe('addPublicCartItem', () => {
  test('200 adds a line for a new SKU', async () => {
    const cart = await cartOf(shop, client)
    const { body } = await add(client, cart, 'MUG', 2)
    assert.equal(body.data.version, 2)
    assert.deepEqual(body.data.counts, { lines: 1, units: 2 })
    assert.deepEqual(body.data.totals.itemsSubtotal, { amount: 2508, currency: 'EUR' })
    assert.deepEqual(body.data.lines[0].priceAtAdd, { amount: 1254, currency: 'EUR' })
  })

  test('200 adds to an existing line at the current price', async () => {
    const cart = await cartOf(shop, client, { BOWL: 1, MUG: 1 })
    await shop.setPrice('BOWL', 2300)
    const { body } = await add(client, cart, 'BOWL', 2)
    await shop.setPrice('BOWL', 2200)
    const [bowl, mug] = body.data.lines
    assert.equal(bowl.quantity, 3)
    assert.equal(bowl.lineId, cart.lines[0].lineId)
    assert.equal(bowl.priceAtAdd.amount, 2300)
    assert.equal(mug.quantity, 1)
    assert.deepEqual(body.data.messages, [])
  })

  test('200 replays the first response for a repeated key and adds nothing', async () => {
    const cart = await cartOf(shop, client)
    const first = await add(client, cart, 'MUG', 1, {}, { key: 'twice' })
    const second = await add(client, cart, 'MUG', 1, {}, { key: 'twice' })
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.equal(body.data.counts.units, 1)
  })

  test('200 records an event whose sequence is the version', async () => {
    const cart = await cartOf(shop, client)
    await add(client, cart, 'MUG', 1)
    await add(client, cart, 'MUG', 1)
    const events = await shop.query('select kind, sequence, data from events where subject_id = $1 order by sequence', [
      cart.id,
    ])
    assert.deepEqual(
      events.map((event) => [event.kind, Number(event.sequence)]),
      [
        ['cart.created', 1],
        ['cart.updated', 2],
        ['cart.updated', 3],
      ],
    )
    assert.deepEqual(events[2]!.data, { status: 'active' })
  })

  test('200 allows more than the stock of a SKU on backorder', async () => {
    const { body } = await add(client, await cartOf(shop, client), 'PLAN', 5)
    assert.equal(body.data.lines[0].availability, 'backorder')
    assert.deepEqual(
      body.data.messages.map((message: CartBody) => [message.code, message.severity]),
      [['backorder', 'info']],
    )
  })

  test('200 takes at most 3 round trips and one commit', async () => {
    const cost = await costOfAdding(await cartOf(shop, client, { MUG: 1 }), 'MUG')
    assert.ok(cost.roundTrips <= 3, `${cost.roundTrips} round trips`)
    assert.equal(cost.transactions, 1)
  })

  test('200 takes the same number of queries for 99 lines as for one', async () => {
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`ITEM-${index + 1}`, 1]))
    const small = await costOfAdding(await cartOf(shop, client, { MUG: 1 }), 'BOWL')
    const large = await costOfAdding(await cartOf(shop, client, many), 'BOWL')
    assert.equal(large.queries, small.queries)
    assert.ok(large.roundTrips <= 3)
  })

  test('400 quantity_invalid: outside 1 to 999 units or the steps of the SKU', async () => {
    const cart = await cartOf(shop, client)
    for (const quantity of [0, 1000]) {
      const answer = await add(client, cart, 'MUG', quantity)
      assertRefused(answer, 400, 'quantity_invalid')
      assert.deepEqual(answer.body.details[0].params, { min: 1, max: 999 })
      assert.equal(answer.body.details[0].pointer, '/quantity')
    }
    const answer = await add(client, cart, 'CUP', 3)
    assertRefused(answer, 400, 'quantity_invalid')
    assert.deepEqual(answer.body.details[0].params, { skuId: shop.sku('CUP'), requested: 3, min: 2, step: 2 })
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => add(who, cart, 'MUG', 1)))

  test('404 not_found: a live key cannot read a test cart', async () => {
    await shop.activateProduction()
    const live = await shop.client({ environment: 'live' })
    assertRefused(await add(live, await cartOf(shop, client), 'MUG', 1), 404, 'not_found')
  })

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => add(client, cart, 'MUG', 1)))

  test('409 cart_expired: idle for 30 days, even before the worker runs', async () => {
    const cart = await cartOf(shop, client)
    shop.clock.advance(30 * 86_400_000)
    assertRefused(await add(client, cart, 'MUG', 1), 409, 'cart_expired')
  })

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => add(client, cart, 'MUG', 1, { expectedVersion })))

  test("409 sku_unavailable: an unknown SKU or another store's", async () => {
    const own = await shop.client({ storeSlug: 'ceramics' })
    const cart = await cartOf(shop, own)
    const foreign = await add(own, cart, 'NOVEL', 1)
    assertRefused(foreign, 409, 'sku_unavailable')
    const unknownId = shop.ids.next('sku')
    const unknown = await own.post(`${CARTS}/${cart.id}/items`, { skuId: unknownId, quantity: 1 })
    assertRefused(unknown, 409, 'sku_unavailable')
    const shape = (answer: CartBody, skuId: string) => JSON.stringify(answer.body.details).replaceAll(skuId, '')
    assert.equal(shape(foreign, shop.sku('NOVEL')), shape(unknown, unknownId))
    assert.equal(foreign.body.details[0].pointer, '/skuId')
  })

  test('409 sku_unavailable: withdrawn, unpublished, or of a suspended or restricted store', async () => {
    const cart = await cartOf(shop, client)
    const product = 'id = (select product_id from skus where id = $1)'
    const store = `id = (select store_id from products where ${product})`
    const changes = [
      [`update skus set status = 'withdrawn' where id = $1`, `update skus set status = 'offered' where id = $1`],
      [
        `update products set status = 'draft' where ${product}`,
        `update products set status = 'published' where ${product}`,
      ],
      [`update stores set status = 'suspended' where ${store}`, `update stores set status = 'active' where ${store}`],
      [
        `update stores set access_mode = 'password' where ${store}`,
        `update stores set access_mode = 'open' where ${store}`,
      ],
    ] as const
    for (const [close, open] of changes) {
      await shop.run(close, [shop.sku('MUG')])
      assertRefused(await add(client, cart, 'MUG', 1), 409, 'sku_unavailable')
      await shop.run(open, [shop.sku('MUG')])
    }
    assert.equal((await add(client, cart, 'MUG', 1)).status, 200)
  })

  test("409 currency_mismatch: no price in the cart's currency", async () => {
    const cart = await cartOf(shop, client, { MUG: 1 }, { currency: 'USD', country: 'US' })
    assertRefused(await add(client, cart, 'BOWL', 1), 409, 'currency_mismatch')
  })

  test('409 quantity_exceeded: more than 999 units or the limit of the SKU', async () => {
    await shop.setStock('MUG', 5000)
    const cart = await cartOf(shop, client, { MUG: 998, CUP: 10 })
    assert.equal((await add(client, cart, 'MUG', 1)).status, 200)
    const thousandth = await add(client, cart, 'MUG', 1)
    assertRefused(thousandth, 409, 'quantity_exceeded')
    assert.deepEqual(thousandth.body.details[0].params, { skuId: shop.sku('MUG'), requested: 1000, max: 999 })
    assertRefused(await add(client, cart, 'CUP', 2), 409, 'quantity_exceeded')
  })

  test('409 quantity_exceeded: more than 100 lines', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`ITEM-${index + 1}`, 1]))
    const cart = await cartOf(shop, client, many)
    assertRefused(await add(client, cart, 'ITEM-101', 1), 409, 'quantity_exceeded')
    assert.equal((await add(client, cart, 'ITEM-100', 1)).status, 200)
  })

  test('409 out_of_stock: reveals the stock level up to 50', async () => {
    const cart = await cartOf(shop, client, { VASE: 2 })
    const answer = await add(client, cart, 'VASE', 2)
    assertRefused(answer, 409, 'out_of_stock')
    assert.deepEqual(answer.body.conflict.lines, [
      { skuId: shop.sku('VASE'), requestedQuantity: 4, availableQuantity: 3 },
    ])
    await shop.setStock('VASE', 70)
    const beyond = await add(client, cart, 'VASE', 80)
    await shop.setStock('VASE', 3)
    assert.equal(beyond.body.conflict.lines[0].availableQuantity, 50)
  })

  test('400 money_overflow: a total beyond what JSON carries exactly', async () => {
    const cart = await cartOf(shop, client, { GOLD: 1 })
    assertRefused(await add(client, cart, 'GOLD', 1), 400, 'money_overflow')
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.equal(body.data.counts.units, 1)
  })

  test('400 names the invalid field', async () => {
    const cart = await cartOf(shop, client)
    const answer = await add(client, cart, 'MUG', 1, { color: 'blue' })
    assertRefused(answer, 400, 'unknown_field')
    assert.equal(answer.body.details[0].pointer, '/color')
  })
})

/** Counts the queries of an add: the minimum of several, because the server also polls for changes. */
async function costOfAdding(cart: CartBody, code: string) {
  const costs: { queries: number; roundTrips: number; transactions: number }[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    const before = shop.database.counters()
    assert.equal((await add(client, cart, code, 1)).status, 200)
    const after = shop.database.counters()
    costs.push({
      queries: after.queries - before.queries,
      roundTrips: after.roundTrips - before.roundTrips,
      transactions: after.transactions - before.transactions,
    })
  }
  return costs.reduce((least, cost) => (cost.queries < least.queries ? cost : least))
}
