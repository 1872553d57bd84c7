import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import { ORDERS, orderedBy } from '../../../../../test/support/commerce/orders.ts'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { analyze } from '../../../../../test/support/plans.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { listOfInstallation, listOfStore } from '../order/list.ts'

let shop: Shop
before(async () => {
  shop = await startShop()
})

type Client = Awaited<ReturnType<typeof shop.client>>

/** Inserts copies of an order, each a second older than the one before, every third at the same time. */
function copied(orderId: string, count: number): Promise<void> {
  return shop.run(
    `insert into orders (id, number, installation_id, environment, source, status, payment_status, fulfillment_status, version,
       currency, country, locale, email, totals, total, line_count, charge, charged, placed_at, created_at, updated_at)
     select 'ord_' || lpad(n::text, 26, '0'), 'X-' || n, installation_id, environment, 'operator', status, payment_status,
       fulfillment_status, version, currency, country, locale, email, totals, total, line_count, charge, charged,
       placed_at - make_interval(secs => n / 3), created_at, updated_at
     from orders, generate_series(1, $2::int) as n where id = $1`,
    [orderId, count],
  )
}

async function page(client: Client, path: string) {
  return dataOf(await client.get(path))
}

describe('listStorefrontOrders', () => {
  test('200 is empty without orders', async () => {
    assert.deepEqual(await page(await shop.client(), ORDERS), { orders: [], next: null })
  })

  test('200 shows summaries, newest first', async () => {
    const client = await shop.client()
    const first = await orderedBy(shop, client, { MUG: 1 })
    shop.clock.advance(1000)
    const second = await orderedBy(shop, client, { MUG: 2, BOWL: 1 })
    const { orders, next } = await page(client, ORDERS)
    assert.equal(next, null)
    assert.deepEqual(
      orders.map(({ id }: { id: string }) => id),
      [second.id, first.id],
    )
    assert.deepEqual(orders[0], {
      id: second.id,
      number: second.number,
      status: 'confirmed',
      paymentStatus: 'paid',
      fulfillmentStatus: 'unfulfilled',
      placedAt: second.placedAt.toISOString(),
      currency: 'EUR',
      total: second.totals.total,
      storeIds: [shop.storeId('ceramics')],
      counts: { lines: 2, units: 3 },
      open: { cancellations: 0, afterSales: 0 },
      lineCount: 2,
      version: 1,
      updatedAt: second.updatedAt.toISOString(),
    })
  })

  test('200 pages through all orders by `next`, each once, also with equal times', async () => {
    const client = await shop.client()
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    await copied(id, 120)
    const seen: { id: string; placedAt: string }[] = []
    const sizes: number[] = []
    for (let path: string | null = ORDERS; path !== null; ) {
      const { orders, next } = await page(client, path)
      seen.push(...orders)
      sizes.push(orders.length)
      path = next
    }
    assert.deepEqual(sizes, [50, 50, 21])
    assert.equal(new Set(seen.map((order) => order.id)).size, 121)
    const sorted = seen.toSorted((a, b) => b.placedAt.localeCompare(a.placedAt) || b.id.localeCompare(a.id))
    assert.deepEqual(seen, sorted)

    const others = await shop.client()
    assert.deepEqual((await page(others, ORDERS)).orders, [], 'another installation has no orders of this one')
    assertRefused(await others.get((await page(client, ORDERS)).next), 400, 'invalid_cursor')
  })

  test('400 invalid_cursor: a changed or invented cursor', async () => {
    const client = await shop.client()
    for (const cursor of ['x', 'eyJpZCI6IngifQ.AAAAAAAAAAAAAAAAAAAAAA']) {
      assertRefused(await client.get(`${ORDERS}?cursor=${cursor}`), 400, 'invalid_cursor')
    }
  })

  test('reads its index in order on every page, and sorts nothing', async () => {
    const [crowd, quiet] = [await shop.client(), await shop.client()]
    await shop.run(`delete from orders where number like 'X-%'`)
    await copied((await orderedBy(shop, crowd, { MUG: 1 })).id, 20_000)
    await orderedBy(shop, quiet, { MUG: 1 }, { placedAt: new Date('2020-01-01T00:00:00.000Z') })
    await analyze(shop.ownerUrl, 'orders')
    const explain = async (list: Pick<typeof listOfStore, 'name' | 'text'>, values: readonly unknown[]) => {
      const explained = statement<object>(`test.explain ${list.name}`, `explain (format json) ${list.text}`)
      return JSON.stringify(await shop.database.reader.row(explained, [...values, 51]))
    }
    const deep = new Date(shop.clock.now().getTime() - 5_000_000).toISOString()
    for (const [installationId, ...behind] of [
      [crowd.installationId, 'infinity', ''],
      [crowd.installationId, deep, 'ord_5'],
      [quiet.installationId, 'infinity', ''],
    ]) {
      const all = await explain(listOfInstallation, [installationId, 'test', null, ...behind])
      assert.match(all, /"Index Name":"orders_of_installation"/)
      const ofOne = await explain(listOfStore, [installationId, 'test', shop.storeId('ceramics'), ...behind])
      assert.doesNotMatch(all, /Sort|Seq Scan|Bitmap|"Filter"/)
      // The page is merged from both indexes. Only the parts of each order on the page are sorted.
      assert.match(ofOne, /"Merge Append".*"Index Name":"orders_of_store".*"Index Name":"order_shares_of_store"/)
      assert.doesNotMatch(ofOne, /Seq Scan/)
    }
  })
})
