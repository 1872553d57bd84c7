import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { transition } from '../../../kernel/state-machine.ts'
import {
  beginProcessing,
  hold,
  recordCanceled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  recordReturned,
  release,
} from './goods.ts'
import { ORDER_COMMANDS, type OrderCommand, type OrderStatus, orderMachine } from './machine.ts'
import type { CommandContext, Order } from './order.ts'
import { lineStatusOf, statusesOf } from './status.ts'

const LATER = new Date('2026-05-05T12:00:00.000Z')
const context: CommandContext = { now: LATER, actor: 'operator' }
const of = (quantity: number, lineId = 'oli_1') => ({ lineId, quantity })
const nameless = { carrier: null, trackingNumber: null, trackingUrl: null }

const begin = (order: Order) => beginProcessing(order, context)
const ships =
  (id: string, ...lines: { lineId: string; quantity: number }[]) =>
  (order: Order) =>
    recordParcel(order, { id, ...nameless, lines }, context)
const arrives = (id: string) => (order: Order) => recordDelivered(order, id, context)
const cancels =
  (...lines: { lineId: string; quantity: number }[]) =>
  (order: Order) =>
    recordCanceled(order, lines, context)
const returns =
  (...lines: { lineId: string; quantity: number }[]) =>
  (order: Order) =>
    recordReturned(order, lines, context)
const holds = (order: Order) => hold(order, null, context)
const releases = (order: Order) => release(order, context)

function after(order: Order, ...steps: ((order: Order) => Order)[]): Order {
  return steps.reduce((each, step) => step(each), order)
}

/** Two units in a state, reached by commands only. */
const IN: Readonly<Record<OrderStatus, () => Order>> = {
  confirmed: () => orderOfUnits([2]),
  processing: () => after(orderOfUnits([2]), begin),
  on_hold: () => after(orderOfUnits([2]), holds),
  completed: () => after(orderOfUnits([2]), ships('ful_1', of(2))),
  canceled: () => after(orderOfUnits([2]), cancels(of(2))),
}
const STATES = Object.keys(IN) as OrderStatus[]

describe('the order state machine', () => {
  const DRAWN: Readonly<Record<OrderStatus, Partial<Record<OrderCommand, OrderStatus>>>> = {
    confirmed: { begin: 'processing', cancel: 'canceled', hold: 'on_hold' },
    processing: { complete: 'completed', cancel: 'canceled', hold: 'on_hold' },
    on_hold: { release: 'confirmed', resume: 'processing' },
    completed: {},
    canceled: {},
  }
  for (const state of STATES) {
    for (const command of ORDER_COMMANDS) {
      const to = DRAWN[state][command]
      test(`${state} × ${command} → ${to ?? 'refused'}`, () => {
        const step = transition(orderMachine, state, command)
        assert.equal(step.moved ? step.to : undefined, to)
        if (!step.moved) assert.deepEqual(step.conflict.allowed, Object.keys(DRAWN[state]))
      })
    }
  }
})

describe('commands on an order', () => {
  const sent = (order: Order) => after(order, ships('ful_0', of(1)))
  /** The result of each command on two units in each state. Absent: not allowed. */
  const TABLE: Readonly<Record<string, readonly [(order: Order) => Order, Partial<Record<OrderStatus, OrderStatus>>]>> =
    {
      beginProcessing: [begin, { confirmed: 'processing' }],
      'recordParcel of some': [
        ships('ful_9', of(1)),
        { confirmed: 'processing', processing: 'processing', on_hold: 'on_hold' },
      ],
      'recordParcel of all': [
        ships('ful_9', of(2)),
        { confirmed: 'completed', processing: 'completed', on_hold: 'on_hold' },
      ],
      'recordCanceled of some': [cancels(of(1)), { confirmed: 'confirmed', processing: 'processing' }],
      'recordCanceled of all': [cancels(of(2)), { confirmed: 'canceled', processing: 'canceled' }],
      'recordCanceled of the rest': [
        (order) => after(sent(order), cancels(of(1))),
        { confirmed: 'completed', processing: 'completed' },
      ],
      recordDelivered: [
        (order) =>
          after(order.status === 'completed' ? order : sent(order), (each) => arrives(each.parcels[0]!.id)(each)),
        { confirmed: 'processing', processing: 'processing', on_hold: 'on_hold', completed: 'completed' },
      ],
      recordParcelChanged: [
        (order) =>
          after(order.status === 'completed' ? order : sent(order), (each) =>
            recordParcelChanged(each, { id: each.parcels[0]!.id, ...nameless, status: 'failed' }, context),
          ),
        { confirmed: 'processing', processing: 'processing', on_hold: 'on_hold', completed: 'completed' },
      ],
      recordReturned: [
        (order) => after(order.status === 'completed' ? order : sent(order), returns(of(1))),
        { confirmed: 'processing', processing: 'processing', on_hold: 'on_hold', completed: 'completed' },
      ],
      hold: [holds, { confirmed: 'on_hold', processing: 'on_hold' }],
      release: [releases, { on_hold: 'confirmed' }],
    }
  for (const [command, [run, row]] of Object.entries(TABLE)) {
    for (const state of STATES) {
      const to = row[state]
      test(`${state} × ${command} → ${to ?? 'never'}`, () => {
        const order = IN[state]()
        if (to === undefined) {
          assert.throws(() => run(order), { name: 'AssertionError' })
          return
        }
        const made = run(order)
        assert.equal(made.status, to)
        assert.ok(made.version > order.version)
        assert.deepEqual(made.timeline.slice(0, order.timeline.length), order.timeline, 'earlier entries do not change')
        assert.ok(made.timeline.length > order.timeline.length)
        assert.deepEqual(made.updatedAt, LATER)
      })
    }
  }

  test('an order is released to the state it was held in', () => {
    assert.equal(after(orderOfUnits([2]), holds, releases).status, 'confirmed')
    assert.equal(after(orderOfUnits([2]), begin, holds, releases).status, 'processing')
    assert.equal(after(orderOfUnits([2]), holds, ships('ful_1', of(1)), releases).status, 'processing')
    assert.equal(after(orderOfUnits([2]), holds, ships('ful_1', of(2)), releases).status, 'completed')
  })

  test('an order with a dispatched unit is never canceled, but its other units can be', () => {
    const order = after(orderOfUnits([3]), ships('ful_1', of(1)), cancels(of(2)))
    assert.deepEqual(statusesOf(order), { status: 'completed', paymentStatus: 'paid', fulfillmentStatus: 'fulfilled' })
    assert.throws(() => cancels(of(1))(order), { name: 'AssertionError' })
  })

  test('no unit is dispatched, canceled or returned twice', () => {
    const refused = (order: Order, step: (order: Order) => Order) =>
      assert.throws(() => step(order), { name: 'AssertionError' })
    refused(orderOfUnits([2]), ships('ful_1', of(3)))
    refused(after(orderOfUnits([2]), ships('ful_1', of(1))), ships('ful_1', of(1)))
    refused(after(orderOfUnits([2]), cancels(of(1))), ships('ful_1', of(2)))
    refused(after(orderOfUnits([2]), cancels(of(1))), cancels(of(2)))
    refused(after(orderOfUnits([2]), ships('ful_1', of(1))), returns(of(2)))
    refused(after(orderOfUnits([2]), ships('ful_1', of(2)), returns(of(2))), returns(of(1)))
    refused(orderOfUnits([2]), cancels(of(1), of(1)))
    refused(orderOfUnits([2]), cancels(of(0)))
    refused(orderOfUnits([2]), cancels(of(1, 'oli_9')))
    refused(orderOfUnits([2]), ships('ful_1'))
    refused(after(orderOfUnits([2]), ships('ful_1', of(2)), arrives('ful_1')), arrives('ful_1'))
    refused(orderOfUnits([2]), arrives('ful_9'))
  })

  test('a failed parcel can be delivered after all', () => {
    const order = after(
      orderOfUnits([2]),
      ships('ful_1', of(2)),
      (each) => recordParcelChanged(each, { id: 'ful_1', ...nameless, carrier: 'DHL', status: 'failed' }, context),
      arrives('ful_1'),
    )
    assert.deepEqual([order.parcels[0]?.status, order.parcels[0]?.carrier], ['delivered', 'DHL'])
    assert.deepEqual(
      order.timeline.map(({ code }) => code),
      ['confirmed', 'parcel_dispatched', 'completed', 'parcel_failed', 'parcel_delivered'],
    )
  })

  test('the time of the last update never goes back, even if a later change has an earlier time', () => {
    const before = { now: new Date('2026-01-01T00:00:00.000Z'), actor: 'system' } as const
    assert.deepEqual(beginProcessing(orderOfUnits([1]), before).updatedAt, orderOfUnits([1]).updatedAt)
  })
})

describe('the fulfillment status', () => {
  const statusOf = (...steps: ((order: Order) => Order)[]) =>
    statusesOf(after(orderOfUnits([2, 1]), ...steps)).fulfillmentStatus

  test('is derived from units and parcels', () => {
    assert.equal(statusOf(), 'unfulfilled')
    assert.equal(statusOf(begin), 'unfulfilled')
    assert.equal(statusOf(ships('ful_1', of(2))), 'partially_fulfilled')
    assert.equal(statusOf(ships('ful_1', of(2)), arrives('ful_1')), 'partially_fulfilled')
    assert.equal(statusOf(ships('ful_1', of(2)), cancels(of(1, 'oli_2'))), 'fulfilled')
    assert.equal(statusOf(ships('ful_1', of(2), of(1, 'oli_2'))), 'fulfilled')
    assert.equal(statusOf(ships('ful_1', of(2)), ships('ful_2', of(1, 'oli_2')), arrives('ful_1')), 'fulfilled')
    assert.equal(statusOf(ships('ful_1', of(2), of(1, 'oli_2')), arrives('ful_1')), 'delivered')
    assert.equal(statusOf(cancels(of(2), of(1, 'oli_2'))), 'canceled')
  })

  test('is derived for each line', () => {
    const units = { ordered: 3, canceled: 0, fulfilled: 0, returned: 0, refunded: 0 }
    assert.equal(lineStatusOf(units), 'open')
    assert.equal(lineStatusOf({ ...units, canceled: 1 }), 'open')
    assert.equal(lineStatusOf({ ...units, canceled: 3 }), 'canceled')
    assert.equal(lineStatusOf({ ...units, fulfilled: 1 }), 'partially_fulfilled')
    assert.equal(lineStatusOf({ ...units, fulfilled: 2, canceled: 1 }), 'fulfilled')
    assert.equal(lineStatusOf({ ...units, fulfilled: 3, returned: 2 }), 'fulfilled')
    assert.equal(lineStatusOf({ ...units, fulfilled: 3, returned: 3 }), 'returned')
  })
})
