import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import {
  bought,
  decide,
  markArrived,
  postAfterSales,
  postCancellation,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import {
  approveAfterSales,
  completeAfterSales,
  inspectAfterSales,
  markReceived,
  resolveAfterSales,
} from '../../../features/after-sales/index.ts'

const DAY_MS = 86_400_000

let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

const read = async (path: string) => (await operator.get(path)).body.data

describe('the open tasks of an operator', () => {
  test('are none in a new marketplace, which opens in the live environment', async () => {
    const { environment, toShip, returns, cancellations, parcels } = await read('/work')
    assert.deepEqual([environment, toShip, returns, cancellations, parcels], ['live', 0, 0, 0, 0])
  })

  test('are counted in the environment with orders, and not in the other one', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    await bought(shop, client, { BOWL: 1 })
    await postCancellation(client, order.id)
    await shop.setStock('VASE', 2)
    const waiting = await read('/work')
    assert.equal(waiting.environment, 'test', 'live has no orders')
    assert.ok(waiting.toShip > 0)
    const live = await read('/work?environment=live')
    assert.deepEqual([live.toShip, live.cancellations, live.returns], [0, 0, 0])
    assert.equal(live.lowStock, waiting.lowStock)
    assert.ok(waiting.lowStock > 0)
    assert.deepEqual((await read('/fulfilments?environment=live')).items, [])
    assert.equal((await read('/fulfilments?environment=test')).items.length, waiting.toShip)
  })

  test('include requests that need a decision', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    for (const queue of ['after-sales', 'cancellations']) {
      assert.deepEqual((await read(`/${queue}?environment=live`)).items, [])
    }
    assert.equal((await read('/after-sales?environment=test')).items.length, (await read('/work')).returns)
  })
})

describe('the sales of a period', () => {
  test('are by day, next to the period before, with what was sold most and what runs out', async () => {
    shop.clock.advance(3 * DAY_MS)
    await bought(shop, client, { BOWL: 3 })
    const { current, before, products, lowStock } = await read('/sales?environment=test&days=2')
    const count = (period: { orders: { orders: number }[] }) => period.orders.reduce((sum, day) => sum + day.orders, 0)
    assert.deepEqual([count(current), count(before)], [1, 3])
    assert.equal(Date.parse(current.since) - Date.parse(before.since), 2 * DAY_MS)
    assert.equal(products[0].units, 3)
    assert.match(products[0].name, /bowl/i)
    assert.equal(products[0].total.amount, current.orders[0].charged.amount > 0 ? 6600 : 0)
    assert.ok(
      lowStock.some(({ code, available }: { code: string; available: number }) => code === 'VASE' && available === 2),
    )
    assert.deepEqual((await read('/sales?environment=live')).current.orders, [])
  })
})

describe('the open returns of an operator', () => {
  test('include a refund to pay and an exchange to ship, until nothing is left for an operator to do', async () => {
    const counted = async () => (await read('/work?environment=test')).returns
    const before = await counted()
    const order = await bought(shop, client, { MUG: 1, BOWL: 1 })
    await markArrived(shop, order)
    const opened = async (code: string, request: object, more: object = {}) => {
      const { id } = order.lines.find(({ skuId }) => skuId === shop.sku(code))!
      return dataOf(
        await postAfterSales(client, order.id, {
          ...request,
          lines: [{ lineId: id, quantity: 1, ...more }],
        }),
      ).id as string
    }
    const refund = await opened('MUG', { kind: 'refund_only' })
    const exchange = await opened('BOWL', { kind: 'exchange' }, { exchangeSkuId: shop.sku('MUG') })
    assert.equal(await counted(), before + 2)
    await decide(shop, (tx, by) => approveAfterSales(tx, refund, {}, by))
    await decide(shop, (tx, by) => approveAfterSales(tx, exchange, {}, by))
    assert.equal(await counted(), before + 1, 'the exchanged bowl has not arrived')
    await decide(shop, (tx, by) => resolveAfterSales(tx, refund, {}, by))
    await decide(shop, (tx, by) => markReceived(tx, exchange, by))
    await decide(shop, (tx, by) => inspectAfterSales(tx, exchange, { accepted: true }, by))
    await decide(shop, (tx, by) => resolveAfterSales(tx, exchange, {}, by))
    assert.equal(await counted(), before + 1, 'the payment completes the refund')
    const carriage = { carrier: null, trackingNumber: null, trackingUrl: null }
    await decide(shop, (tx, by) => completeAfterSales(tx, exchange, carriage, by))
    assert.equal(await counted(), before)
  })
})

describe('the steps before a launch', () => {
  const left = async (): Promise<string[]> =>
    (await read('/launch')).steps
      .filter(({ isDone }: { isDone: boolean }) => !isDone)
      .map(({ code, missing }: { code: string; missing: string[] }) => [code, ...missing].join(' '))

  test('name what is missing, store by store, and are done once the data is there', async () => {
    const open = await left()
    assert.deepEqual(open.slice(0, 3), [
      'seller books ceramics',
      'legal imprint terms_of_use privacy_policy return_policy',
      'product',
    ])
    assert.ok(open.includes('policies books ceramics'))
    assert.ok(!open.includes('test_order'), 'the orders above are of a checkout of the test environment')
    const now = shop.clock.now()
    await shop.run(
      `insert into seller_records (seller_id, legal_name, address, country, email, created_at, updated_at)
       values ('marketplace', 'Harbor GmbH', '{}', 'DE', 'office@harbor.example', $1, $1)`,
      [now],
    )
    await shop.run(
      `insert into legal_documents (id, store_id, type, version, effective_at, published_at)
       select 'leg_' || type || coalesce(slug, ''), stores.id, type, '1', $1, $1
       from unnest(array['imprint', 'terms_of_use']) as type left join stores on type = 'imprint' and slug = 'books'`,
      [now],
    )
    await shop.run(`delete from shipping_zones where store_id = $1`, [shop.storeId('books')])
    const after = await left()
    assert.deepEqual(after.slice(0, 3), ['legal imprint privacy_policy return_policy', 'product', 'shipping books'])
    await shop.run(`update stores set status = 'suspended' where slug = 'ceramics'`)
    assert.equal((await left())[0], 'legal privacy_policy return_policy', 'the only store has an imprint of its own')
  })
})
