import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { searchOrders } from '../../server/src/features/orders/index.ts'
import { begunSession, checkoutClient, paid } from '../support/commerce/checkout.ts'
import {
  customerId,
  HISTORY_TABLES,
  LARGE_INSTALLATION,
  orderId,
  SMALL_INSTALLATION,
  writeLargeHistory,
} from '../support/commerce/large-history.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { type Asked, nodesOf, noteAll, type Planned, plansOf, scannedIn } from '../support/plans.ts'
import { runsOf } from '../support/runs.ts'

/** Enough rows for an index to be cheaper than reading the whole table. */
const ORDERS_WRITTEN = runsOf({ full: 1_000_000, short: 4000 })
const CUSTOMERS_WRITTEN = ORDERS_WRITTEN / 2
/** The maximum number of rows of a table that a statement may read and discard. */
const PASSED_OVER_MAX = 1000

/** The rows that a plan reads and discards, by table. */
function passedOver({ text, plan }: Planned): readonly string[] {
  return nodesOf(plan).flatMap((node) => {
    const rows = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
    return rows > PASSED_OVER_MAX ? [`${rows} of ${node['Relation Name']}: ${text}`] : []
  })
}

describe('in a large history', () => {
  let shop: Shop
  let operator: OperatorClient
  let asked: Asked[] = []
  before(async () => {
    shop = await startShop()
    await writeLargeHistory(shop.ownerUrl, { orders: ORDERS_WRITTEN, customers: CUSTOMERS_WRITTEN })
    await shop.activateProduction()
    operator = await operatorClient(shop)
    const effect = { kind: 'percentage', target: 'order', rate: '0.1' }
    await operator.change('POST', '/promotions', { title: { en: 'Sale' }, effect })
    noteAll(shop.database, (each) => asked.push(each))
  })

  const assertByIndex = async (read: () => Promise<{ readonly status: number }>) => {
    asked = []
    assert.equal((await read()).status, 200)
    assert.ok(asked.length > 0)
    const reads = asked.filter(({ text }) => !text.startsWith('insert'))
    const plans = await plansOf(shop.databaseUrl, reads, { executed: true })
    assert.deepEqual([...scannedIn(plans, HISTORY_TABLES), ...plans.flatMap(passedOver)], [])
  }

  const OF_OPERATORS = {
    'the newest orders': '/orders?environment=live',
    'orders that wait': '/orders?status=confirmed',
    'an order by its number': '/orders?q=V-77',
    'the orders of an address': '/orders?q=buyer-77@example.com',
    'the orders of a customer': `/orders?customerId=${customerId(77)}`,
    'the orders of an installation': `/orders?installationId=${SMALL_INSTALLATION}`,
    'the orders with a tag': '/orders?tag=gift',
    'an order': `/orders/${orderId(77)}`,
    'the newest customers': '/customers',
    'a customer by address': '/customers?q=buyer-77@example.com',
    'a customer by name': '/customers?q=Conrad%2077',
    'a customer': `/customers/${customerId(77)}`,
    'orders and customers by the beginning of a text': '/find?q=buyer-77',
    'the open tasks': '/work?environment=live',
    'the latest sales': '/sales?environment=live',
    'parcels to send': '/fulfilments',
    'returns to decide': '/after-sales',
    'cancellations to decide': '/cancellations',
    'promotions, with the orders that they discounted': '/promotions',
  }
  for (const [name, path] of Object.entries(OF_OPERATORS)) {
    test(`${name}: an operator's request reads no whole table`, () => assertByIndex(() => operator.get(path)))
  }

  test('an order of a store is searched without reading all shares of the store', async () => {
    const [share] = (await shop.query('select store_id from order_shares limit 1')) as [{ store_id: string }]
    const search = { number: 'V-0', environment: 'live', storeId: share.store_id } as const
    await assertByIndex(async () => {
      assert.deepEqual(await searchOrders(shop.database.reader, search, null, 25), [])
      return { status: 200 }
    })
  })

  for (const installationId of [LARGE_INSTALLATION, SMALL_INSTALLATION]) {
    test(`the orders of ${installationId} are listed without reading a whole table`, async () => {
      const client = await shop.client({ installationId, environment: 'live' })
      await assertByIndex(() => client.get(ORDERS))
    })
  }
})

/** Tables that may be read completely: those with one row, and the stores, which are all needed. */
const SMALL_TABLES = ['site_settings', 'pages_address', 'stores']

test('a cart is filled, read, quoted and bought by statements that use an index for each lookup', async () => {
  const shop = await startShop({ simulator: true })
  const client = await checkoutClient(shop)
  const asked: Asked[] = []
  noteAll(shop.database, (each) => asked.push(each))

  const { id } = (await client.post(CARTS, { currency: 'EUR', country: 'DE' })).body.data
  await client.post(`${CARTS}/${id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
  await client.patch(`${CARTS}/${id}/items/${shop.sku('MUG')}`, { quantity: 2 })
  await client.get(`${CARTS}/${id}`)
  assert.equal((await paid(shop, client, await begunSession(shop, client))).status, 'completed')

  const statements = [...new Map(asked.map((each) => [each.text, each])).values()]
  assert.ok(statements.length > 40, `${statements.length} statements`)
  // With this, even a small table is read sequentially only if no index can be used.
  const plans = await plansOf(shop.databaseUrl, statements, { before: 'set local enable_seqscan = off' })
  const tables = plans.flatMap(({ plan }) => nodesOf(plan).map((node) => node['Relation Name'] ?? ''))
  assert.deepEqual(
    scannedIn(
      plans,
      tables.filter((table) => !SMALL_TABLES.includes(table)),
    ),
    [],
  )
})
