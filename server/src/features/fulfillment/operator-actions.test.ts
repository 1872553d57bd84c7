import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bought } from '../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../test/support/commerce/checkout.ts'
import { lineOfSku, paidBy, shownIntents } from '../../../../test/support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { listStockLevels } from '../inventory/index.ts'
import { findOrderById, hold, lockOrderById, type Order, saveOrder, statusesOf } from '../orders/index.ts'
import {
  correctParcel,
  intentsOf,
  listIntents,
  markDelivered,
  markFailed,
  markLost,
  type ParcelRequest,
  sendAgain,
  ship,
  stopFulfillment,
} from './index.ts'

let shop: Shop
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let client: InstallationClient
before(async () => {
  shop = await startShop()
  ;({ database, ids, clock } = shop)
  client = await shop.client()
})

const context = () => ({ ids, now: clock.now() })

const shipping = (request: ParcelRequest) => database.transaction((tx) => ship(tx, request, context()))
type Change = typeof markDelivered
const doing = (change: Change, id: string) => database.transaction((tx) => change(tx, id, context()))
const now = (id: string) => findOrderById(database.reader, id)
const three = async (order: Order) => Object.values(statusesOf(await now(order.id)))
const stopping = (order: Order, units: Parameters<typeof stopFulfillment>[2]) =>
  database.transaction(async (tx) => {
    await lockOrderById(tx, order.id)
    return stopFulfillment(tx, order.id, units, context())
  })

/** Asserts a refusal by the code of its fault, or by its own code if it has no fault, and returns its message. */
async function faults(code: string, work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail(`not refused, expected ${code}`),
    (reason: unknown) => reason,
  )
  assert(error instanceof Refusal, `${error}`)
  const [fault] = error.facts.faults ?? []
  assert.equal(fault?.code ?? error.code, code)
  return fault?.message ?? ''
}

describe('shipping', () => {
  test('ends what is owed of units that were sold beyond the stock, so that a later count is not reduced by them', async () => {
    const { id } = await bought(shop, await checkoutClient(shop), { PLAN: 3 })
    const order = await now(id)
    const owed = async () => {
      const levels = await listStockLevels(database.reader, [shop.sku('PLAN')])
      return levels.find(({ environment }) => environment === order.environment)?.owed
    }
    assert.equal(await owed(), 3)
    const lines = [{ lineId: lineOfSku(shop, order, 'PLAN'), quantity: 2 }]
    await shipping({ orderId: order.id, reference: 'OWED-1', lines })
    assert.equal(await owed(), 1)
    await shipping({ orderId: order.id, reference: 'OWED-2' })
    assert.equal(await owed(), 0)
  })

  test('ships everything that is left, and completes the order', async () => {
    const order = await paidBy(shop, client, { MUG: 2, BOWL: 1 })
    const parcel = await shipping({
      orderId: order.id,
      reference: 'P-1',
      carrier: 'DHL',
      trackingNumber: '00340',
      trackingUrl: 'https://dhl.example/00340',
    })
    assert.equal(parcel.status, 'dispatched')
    assert.deepEqual(await three(order), ['completed', 'paid', 'fulfilled'])
    const [recorded] = (await now(order.id)).parcels
    assert.deepEqual(
      [recorded?.id, recorded?.carrier, recorded?.trackingNumber, recorded?.trackingUrl],
      [parcel.id, 'DHL', '00340', 'https://dhl.example/00340'],
    )
    await doing(markDelivered, parcel.id)
    assert.deepEqual(await three(order), ['completed', 'paid', 'delivered'])
  })

  test('ships a part, and the parts add up to the order', async () => {
    const order = await paidBy(shop, client, { MUG: 5, BOWL: 2 })
    const [mug, bowl] = [lineOfSku(shop, order, 'MUG'), lineOfSku(shop, order, 'BOWL')]
    const part = (reference: string, lines: ParcelRequest['lines']) => shipping({ orderId: order.id, reference, lines })
    await part('P-1', [{ lineId: mug, quantity: 2 }])
    assert.deepEqual(await three(order), ['processing', 'paid', 'partially_fulfilled'])
    await part('P-2', [
      { lineId: mug, quantity: 1 },
      { lineId: bowl, quantity: 2 },
    ])
    assert.match(
      await faults('too_many', part('P-3', [{ lineId: mug, quantity: 3 }])),
      /^Line oli_\w+ has 2 units left, not 3\.$/,
    )
    await faults('too_many', part('P-3', [{ lineId: bowl, quantity: 1 }]))
    await shipping({ orderId: order.id, reference: 'P-3' })
    assert.deepEqual(await shownIntents(shop, order.id), [
      'manual dispatched 2',
      'manual dispatched 2',
      'manual dispatched 3',
    ])
    assert.deepEqual(
      (await now(order.id)).lines.map(({ units }) => units.fulfilled),
      order.lines.map(({ units }) => units.ordered),
    )
    await faults('too_many', shipping({ orderId: order.id, reference: 'P-4' }))
  })

  test('with a known reference returns its parcel and ships nothing', async () => {
    const order = await paidBy(shop, client, { MUG: 3 })
    const mug = lineOfSku(shop, order, 'MUG')
    const request = { orderId: order.id, reference: 'P-1', lines: [{ lineId: mug, quantity: 1 }] }
    const [first, ...again] = await Promise.all([shipping(request), shipping(request), shipping(request)])
    assert.deepEqual(again, [first, first])
    await doing(markDelivered, first!.id)
    assert.equal((await shipping(request)).status, 'confirmed')
    assert.equal((await shipping({ orderId: order.id, reference: 'P-1' })).id, first!.id)
    await faults('reference_taken', shipping({ ...request, lines: [{ lineId: mug, quantity: 2 }] }))
    assert.deepEqual(await shownIntents(shop, order.id), ['manual confirmed 1', 'manual pending 2'])
  })

  test('with a known reference compares the units of each line, however its lines are divided', async () => {
    const order = await paidBy(shop, client, { MUG: 2, BOWL: 1 })
    const [mug, bowl] = [lineOfSku(shop, order, 'MUG'), lineOfSku(shop, order, 'BOWL')]
    const one = (lineId: string) => ({ lineId, quantity: 1 })
    const part = (lines: readonly { readonly lineId: string; readonly quantity: number }[]) =>
      shipping({ orderId: order.id, reference: 'P-1', lines })
    const first = await part([one(mug), one(bowl)])
    await faults('reference_taken', part([one(mug), one(mug)]))
    assert.equal((await part([one(bowl), one(mug)])).id, first.id)

    const other = await paidBy(shop, client, { MUG: 3 })
    const mugs = one(lineOfSku(shop, other, 'MUG'))
    const two = { orderId: other.id, reference: 'P-1', lines: [mugs, mugs] }
    assert.equal((await shipping(two)).id, (await shipping(two)).id)
  })

  test('concurrently under many references ships no more than is pending', async () => {
    const order = await paidBy(shop, client, { MUG: 5 })
    const mug = lineOfSku(shop, order, 'MUG')
    const requests = Array.from({ length: 8 }, (_, index) =>
      shipping({ orderId: order.id, reference: `P-${index}`, lines: [{ lineId: mug, quantity: 2 }] }),
    )
    const done = await Promise.allSettled(requests)
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.deepEqual(await shownIntents(shop, order.id), [
      'manual dispatched 2',
      'manual dispatched 2',
      'manual pending 1',
    ])
  })

  test('is for one store at a time', async () => {
    const order = await paidBy(shop, client, { MUG: 1, NOVEL: 1 })
    await faults('ambiguous', shipping({ orderId: order.id, reference: 'P-1' }))
    const parcel = await shipping({ orderId: order.id, reference: 'P-1', storeId: shop.storeId('books') })
    assert.deepEqual(parcel.lines, [{ lineId: lineOfSku(shop, order, 'NOVEL'), quantity: 1 }])
    assert.deepEqual(await three(order), ['processing', 'paid', 'partially_fulfilled'])
  })

  test('is refused for an order on hold, and for an unknown one', async () => {
    const order = await paidBy(shop, client, { MUG: 1 })
    await database.transaction(async (tx) => {
      const before = await lockOrderById(tx, order.id)
      await saveOrder(tx, before, hold(before, null, { now: clock.now(), actor: 'operator' }), context())
    })
    assert.match(await faults('on_hold', shipping({ orderId: order.id, reference: 'P-1' })), /is on hold/)
    await faults('not_found', shipping({ orderId: 'ord_none', reference: 'P-1' }))
    await faults('not_found', doing(markDelivered, 'ful_none'))
  })

  test('more units than a line has is rejected by the database too', async () => {
    const order = await paidBy(shop, client, { MUG: 1 })
    const [intent] = await intentsOf(database.reader, order.id)
    await assert.rejects(
      shop.run('update fulfilment_units set quantity = quantity - 2 where intent_id = $1', [intent!.id]),
      /fulfilment_units_quantity_check/,
    )
  })
})

describe('a parcel', () => {
  const parcelOf = async () => {
    const order = await paidBy(shop, client, { MUG: 1 })
    return { order, parcel: await shipping({ orderId: order.id, reference: 'P-1', carrier: 'DHL' }) }
  }
  const shownParcelOf = async (order: Order) => {
    const [parcel] = (await now(order.id)).parcels
    return [parcel?.status, parcel?.carrier]
  }

  test('that failed is shown as failed, and can be sent again', async () => {
    const { order, parcel } = await parcelOf()
    await doing((tx, id, each) => markFailed(tx, id, 'It came back.', each), parcel.id)
    assert.deepEqual(await shownParcelOf(order), ['failed', 'DHL'])
    const again = await doing((tx, id, each) => sendAgain(tx, id, { carrier: 'UPS' }, each), parcel.id)
    assert.deepEqual([again.status, again.note, again.shipment.carrier], ['dispatched', null, 'UPS'])
    assert.deepEqual(await shownParcelOf(order), ['dispatched', 'UPS'])
    await doing(markDelivered, parcel.id)
    assert.deepEqual(await three(order), ['completed', 'paid', 'delivered'])
    await faults('state_conflict', doing(markDelivered, parcel.id))
  })

  test('that is sent again is dispatched at that time for the shopper as for the operator', async () => {
    const { order, parcel } = await parcelOf()
    clock.advance(20 * 86_400_000)
    await doing((tx, id, each) => markFailed(tx, id, 'It came back.', each), parcel.id)
    assert.deepEqual((await now(order.id)).parcels[0]?.dispatchedAt, parcel.dispatchedAt)
    const again = await doing((tx, id, each) => sendAgain(tx, id, {}, each), parcel.id)
    assert.deepEqual([again.dispatchedAt, (await now(order.id)).parcels[0]?.dispatchedAt], [clock.now(), clock.now()])
  })

  test('that is lost stays in transit for the shopper until the result is known', async () => {
    const { order, parcel } = await parcelOf()
    await doing((tx, id, each) => markLost(tx, id, 'No scan for a week.', each), parcel.id)
    assert.deepEqual(await shownParcelOf(order), ['dispatched', 'DHL'])
    const listed = await listIntents(database.reader, 'unknown', {
      limit: 100,
      after: null,
      environment: null,
      storeId: null,
    })
    assert.deepEqual(
      listed.map(({ intent, orderNumber }) => [intent.id, intent.storeId, orderNumber]),
      [[parcel.id, shop.storeId('ceramics'), order.number]],
    )
    assert.equal((await doing(markDelivered, parcel.id)).status, 'reconciled')
    assert.deepEqual(await shownParcelOf(order), ['delivered', 'DHL'])
  })

  test('is corrected without being sent again', async () => {
    const { order, parcel } = await parcelOf()
    const change: Change = (tx, id, each) => correctParcel(tx, id, { carrier: 'UPS', trackingNumber: '1Z' }, each)
    assert.equal((await doing(change, parcel.id)).status, 'dispatched')
    assert.deepEqual(await shownParcelOf(order), ['dispatched', 'UPS'])
    const codes = (await now(order.id)).timeline.map(({ code }) => code)
    assert.deepEqual(codes, ['confirmed', 'parcel_dispatched', 'completed', 'parcel_changed'])
  })
})

describe('stopping', () => {
  test('stops units that have not shipped, as a whole or in part', async () => {
    const order = await paidBy(shop, client, { MUG: 3, BOWL: 1 })
    const [mug, bowl] = [lineOfSku(shop, order, 'MUG'), lineOfSku(shop, order, 'BOWL')]
    assert.deepEqual(await stopping(order, [{ lineId: mug, quantity: 1 }]), { stopped: true })
    assert.deepEqual(await shownIntents(shop, order.id), ['manual pending 3', 'manual stopped 1'])
    const rest = [
      { lineId: mug, quantity: 2 },
      { lineId: bowl, quantity: 1 },
    ]
    assert.deepEqual(await stopping(order, rest), { stopped: true })
    assert.deepEqual(await shownIntents(shop, order.id), ['manual stopped 1', 'manual stopped 3'])
  })

  test('is too late if some units have shipped, and then stops none', async () => {
    const order = await paidBy(shop, client, { MUG: 3 })
    const mug = lineOfSku(shop, order, 'MUG')
    await shipping({ orderId: order.id, reference: 'P-1', lines: [{ lineId: mug, quantity: 2 }] })
    assert.deepEqual(await stopping(order, [{ lineId: mug, quantity: 2 }]), {
      stopped: false,
      stoppable: [{ lineId: mug, quantity: 1 }],
    })
    assert.deepEqual(await shownIntents(shop, order.id), ['manual dispatched 2', 'manual pending 1'])
  })

  test('covers the units of every store', async () => {
    const order = await paidBy(shop, client, { MUG: 2, NOVEL: 1 })
    const units = order.lines.map(({ id, units: { ordered } }) => ({ lineId: id, quantity: ordered }))
    assert.deepEqual(await stopping(order, units), { stopped: true })
    assert.deepEqual(await shownIntents(shop, order.id), ['manual stopped 1', 'manual stopped 2'])
  })
})
