import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { changeOrder, draftOf, orderedBy, PAGES_URL } from '../../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type Asked, noting } from '../../../../../test/support/plans.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { isUniqueViolation } from '../../../platform/postgres/index.ts'
import {
  beginProcessing,
  findOrderById,
  hold,
  lockOrderById,
  type Order,
  ordersOfSessions,
  placeOrder,
  recordCanceled,
  recordParcel,
  saveOrder,
  searchOrders,
} from '../index.ts'

let shop: Shop
let client: InstallationClient
let database: Shop['database']
let ids: Shop['ids']
before(async () => {
  shop = await startShop()
  client = await shop.client()
  ;({ database, ids } = shop)
})

const context = () => ({ ids, now: shop.clock.now() })
const commandContext = () => ({ now: shop.clock.now(), actor: 'operator' }) as const
const nameless = { carrier: null, trackingNumber: null, trackingUrl: null }
const everything = (order: Order) => order.lines.map((line) => ({ lineId: line.id, quantity: line.units.ordered }))

async function eventKindsOf(orderId: string) {
  const rows = await shop.query('select kind, body from events where subject_id = $1 order by sequence', [orderId])
  return rows.map(({ kind, body }) => ({ kind, data: JSON.parse(String(body)).data }))
}

describe('an order', () => {
  test('reads back exactly as placed', async () => {
    const placed = await orderedBy(shop, client, { MUG: 3, NOVEL: 2 })
    assert.deepEqual(await findOrderById(database.reader, placed.id), placed)
  })

  test('reads back with its changes', async () => {
    const placed = await orderedBy(shop, client, { MUG: 3, NOVEL: 2 })
    const held = await changeOrder(shop, placed.id, (order) => {
      const parcel = { id: ids.next('ful'), ...nameless, lines: [{ lineId: order.lines[0]!.id, quantity: 2 }] }
      return hold(recordParcel(order, parcel, commandContext()), 'The address looks odd.', commandContext())
    })
    assert.equal(held.heldFrom, 'processing')
    assert.deepEqual(await findOrderById(database.reader, placed.id), held)
  })

  test('is unique per checkout session', async () => {
    const draft = await draftOf(shop, client, { MUG: 1 })
    const place = () => database.transaction((tx) => placeOrder(tx, draft, { ...context(), pagesUrl: PAGES_URL }))
    const both = await Promise.allSettled([place(), place()])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [failed] = both.filter((each) => each.status === 'rejected')
    assert.ok(isUniqueViolation(failed?.reason))
    const found = await ordersOfSessions(database.reader, [draft.sessionId!, ids.next('cks')])
    assert.deepEqual([...found.keys()], [draft.sessionId])
    assert.match(found.get(draft.sessionId!)!.id, /^ord_/)
    assert.match(found.get(draft.sessionId!)!.number, /^T-/)
  })

  test('has a number that distinguishes test from live', async () => {
    await shop.activateProduction()
    const live = await shop.client({ environment: 'live' })
    const { number } = await orderedBy(shop, live, { MUG: 1 }, { environment: 'live' })
    assert.equal(number, 'V-10001')
    assert.match((await orderedBy(shop, client, { MUG: 1 })).number, /^T-/)
  })

  test('is changed by one transaction at a time, each on the result of the last', async () => {
    const { id, lines } = await orderedBy(shop, client, { MUG: 40 })
    const cancelOne = () =>
      changeOrder(shop, id, (order) => recordCanceled(order, [{ lineId: lines[0]!.id, quantity: 1 }], commandContext()))
    await Promise.all(Array.from({ length: 20 }, cancelOne))
    const order = await findOrderById(database.reader, id)
    assert.deepEqual([order.lines[0]!.units.canceled, order.version, order.timeline.length], [20, 21, 21])
  })

  test('is not saved over a concurrent change', async () => {
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    const stale = await findOrderById(database.reader, id)
    await changeOrder(shop, id, (order) => beginProcessing(order, commandContext()))
    const late = database.transaction(async (tx) => {
      await saveOrder(tx, stale, beginProcessing(stale, commandContext()), context())
    })
    await assert.rejects(late)
    assert.equal((await findOrderById(database.reader, id)).version, 2)
  })
})

describe('the events', () => {
  test('report the creation of the order, each change, and its cancellation', async () => {
    const references = { customerId: ids.next('cus'), clientReferenceId: 'A-1044' }
    const { id, number, totals } = await orderedBy(shop, client, { MUG: 2 }, references)
    await changeOrder(shop, id, (order) => beginProcessing(order, commandContext()))
    await changeOrder(shop, id, (order) => recordCanceled(order, everything(order), commandContext()))
    const events = await eventKindsOf(id)
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['order.created', 'order.updated', 'order.updated', 'order.canceled'],
    )
    assert.deepEqual(events.at(-1)?.data, {
      orderId: id,
      number,
      ...references,
      storeIds: [shop.storeId('ceramics')],
      status: 'canceled',
      paymentStatus: 'paid',
      fulfillmentStatus: 'canceled',
      total: totals.total,
      version: 3,
    })
  })

  test('report once that everything is fulfilled', async () => {
    const { id } = await orderedBy(shop, client, { MUG: 2 })
    const [parcelId, parcel] = [ids.next('ful'), { ...nameless }]
    await changeOrder(shop, id, (order) =>
      recordParcel(order, { id: parcelId, ...parcel, lines: everything(order) }, commandContext()),
    )
    const kinds = (await eventKindsOf(id)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['order.created', 'order.updated', 'order.fulfilled'])
  })

  test('report nothing without a change', async () => {
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    await changeOrder(shop, id, (order) => order)
    assert.equal((await eventKindsOf(id)).length, 1)
  })
})

describe('the database', () => {
  const paths: Readonly<Record<string, string>> = {
    'refunds above the charge': 'update orders set refunded = charged, refund_pending = 1 where id = $1',
    'an unknown refund above the charge': 'update orders set unknown = charged + 1 where id = $1',
    'a charged amount of a failed charge': `update orders set charge = 'failed' where id = $1`,
    'an unknown status': `update orders set status = 'shipped' where id = $1`,
    'a hold without the status to return to': `update orders set status = 'on_hold' where id = $1`,
    'more units fulfilled than were not canceled':
      'update order_lines set canceled = 1, fulfilled = ordered where order_id = $1',
    'more units returned than fulfilled': 'update order_lines set returned = 1 where order_id = $1',
    'a unit refunded twice': 'update order_lines set refunded = ordered + 1 where order_id = $1',
    'shipping refunded twice': 'update order_shipping set refunded = total + 1 where order_id = $1',
    'a change of installation': `update orders set installation_id = 'ins_x' where id = $1`,
  }
  for (const [what, sql] of Object.entries(paths)) {
    test(`rejects ${what}`, async () => {
      const { id } = await orderedBy(shop, client, { MUG: 2 })
      await assert.rejects(shop.run(sql, [id]), /violates (check|foreign key) constraint/)
    })
  }
})

describe('the operator', () => {
  test('searches the orders of all installations, page by page', async () => {
    const other = await shop.client()
    const customerId = ids.next('cus')
    const mine = await orderedBy(shop, client, { MUG: 1 }, { email: 'Grace@Example.com', customerId })
    shop.clock.advance(1000)
    const theirs = await orderedBy(shop, other, { MUG: 1 }, { email: 'grace@example.com' })
    await changeOrder(shop, theirs.id, (order) => beginProcessing(order, commandContext()))
    const search = async (what: Parameters<typeof searchOrders>[1]) =>
      (await searchOrders(database.reader, what, null, 100)).map(({ id }) => id)

    assert.deepEqual(await search({ email: 'GRACE@example.com' }), [theirs.id, mine.id])
    assert.deepEqual(await search({ email: 'grace@example.com', status: 'processing' }), [theirs.id])
    assert.deepEqual(await search({ customerId }), [mine.id])
    assert.deepEqual(await search({ installationId: other.installationId }), [theirs.id])
    assert.deepEqual(await search({ installationId: other.installationId, environment: 'live' }), [])
    assert.deepEqual(await search({ number: mine.number }), [mine.id])
    assert.deepEqual(await search({ paymentStatus: 'unknown' }), [])
    assert.ok((await search({ fulfillmentStatus: 'unfulfilled' })).length > 5)

    const all = await searchOrders(database.reader, {}, null, 100)
    const [first] = await searchOrders(database.reader, {}, null, 1)
    const behind = { placedAt: first!.placedAt.toISOString(), id: first!.id }
    assert.deepEqual(await searchOrders(database.reader, {}, behind, 100), all.slice(1))
  })

  test('searches the orders of a store by two statements, however many are shared with other stores', async () => {
    const customerId = ids.next('cus')
    const placed = [await orderedBy(shop, client, { MUG: 2, NOVEL: 1 }, { customerId })]
    placed.push(await orderedBy(shop, client, { MUG: 2, NOVEL: 1 }, { customerId }))
    const storeId = shop.storeId('ceramics')
    const asked: Asked[] = []
    const reader = noting(database.reader, (each) => asked.push(each))
    const found = await searchOrders(reader, { customerId, storeId }, null, 100)
    assert.deepEqual(
      found.map(({ units, lines, storeIds }) => ({ units, lines, storeIds })),
      placed.map(() => ({ units: 2, lines: 1, storeIds: [storeId] })),
    )
    assert.equal(asked.length, 2)
  })

  test('gets not_found for an unknown order', async () => {
    await assert.rejects(
      database.transaction((tx) => lockOrderById(tx, ids.next('ord'))),
      { code: 'not_found' },
    )
  })
})
