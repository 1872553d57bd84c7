import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { type OrderAction, orderActionsOf } from './actions.ts'
import type { Order } from './order.ts'

const ACTIONS: Readonly<Record<Order['status'], readonly OrderAction[]>> = {
  confirmed: ['begin', 'hold', 'cancel', 'refund'],
  processing: ['hold', 'cancel', 'refund'],
  on_hold: ['release', 'refund'],
  completed: ['refund'],
  canceled: ['refund'],
}

describe('what an operator can do with an order', () => {
  const order = orderOfUnits([2])

  for (const [status, steps] of Object.entries(ACTIONS)) {
    test(`that is ${status}: ${steps.join(', ')}`, () => {
      assert.deepEqual(orderActionsOf({ ...order, status: status as Order['status'] }), steps)
    })
  }

  test('that has a payment of unknown outcome can be neither canceled nor refunded', () => {
    const money = { ...order.money, unknown: 1n }
    assert.deepEqual(orderActionsOf({ ...order, money }), ['begin', 'hold'])
  })

  test('that is refunded and shipped can be neither refunded nor canceled', () => {
    const money = { ...order.money, refunded: order.money.charged }
    const lines = order.lines.map((line) => ({ ...line, units: { ...line.units, fulfilled: line.units.ordered } }))
    assert.deepEqual(orderActionsOf({ ...order, money, lines, status: 'processing' }), ['hold'])
  })
})
