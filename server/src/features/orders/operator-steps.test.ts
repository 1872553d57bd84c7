import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../test/support/orders.ts'
import { type AfterSalesStatus, type AfterSalesStep, stepsOf } from '../after-sales/after-sales.ts'
import type { Order } from './order/order.ts'
import { type StepByHand, stepsByHand } from './operator-actions.ts'
import type { AfterSalesKind } from './policy/policy.ts'

const STEPS: Readonly<Record<'refund_only' | 'return', Partial<Record<AfterSalesStatus, readonly AfterSalesStep[]>>>> =
  {
    refund_only: {
      requested: ['review', 'approve', 'decline', 'withdraw'],
      under_review: ['approve', 'decline', 'withdraw'],
      approved: ['resolve', 'withdraw'],
      resolving: [],
      completed: [],
      declined: [],
      withdrawn: [],
    },
    return: {
      requested: ['review', 'approve', 'decline', 'withdraw'],
      under_review: ['approve', 'decline', 'withdraw'],
      awaiting_return: ['mark_in_transit', 'mark_received', 'withdraw'],
      in_transit: ['mark_received'],
      received: ['inspect'],
      inspecting: ['decline', 'resolve'],
      resolving: [],
      completed: [],
      declined: [],
      withdrawn: [],
      expired: [],
    },
  }

describe('what an operator can do with a request', () => {
  for (const [kind, byStatus] of Object.entries(STEPS)) {
    for (const [status, steps] of Object.entries(byStatus)) {
      test(`${kind} that is ${status}: ${steps.join(', ') || 'nothing'}`, () => {
        const request = { kind: kind as AfterSalesKind, status: status as AfterSalesStatus }
        assert.deepEqual(stepsOf(request), steps)
      })
    }
  }

  test('is completed by hand where goods leave, and by the money where some goes back', () => {
    const kinds: readonly AfterSalesKind[] = ['refund_only', 'return', 'exchange', 'repair']
    const byHand = kinds.filter((kind) => stepsOf({ kind, status: 'resolving' }).includes('complete'))
    assert.deepEqual(byHand, ['exchange', 'repair'])
  })
})

const BY_HAND: Readonly<Record<Order['status'], readonly StepByHand[]>> = {
  confirmed: ['begin', 'hold', 'cancel', 'refund'],
  processing: ['hold', 'cancel', 'refund'],
  on_hold: ['release', 'refund'],
  completed: ['refund'],
  canceled: ['refund'],
}

describe('what an operator can do with an order', () => {
  const order = orderOfUnits([2])

  for (const [status, steps] of Object.entries(BY_HAND)) {
    test(`that is ${status}: ${steps.join(', ')}`, () => {
      assert.deepEqual(stepsByHand({ ...order, status: status as Order['status'] }), steps)
    })
  }

  test('is neither to cancel nor to refund while nobody knows what became of money', () => {
    const money = { ...order.money, unknown: 1n }
    assert.deepEqual(stepsByHand({ ...order, money }), ['begin', 'hold'])
  })

  test('is not to refund what has gone back, nor to cancel what has left', () => {
    const money = { ...order.money, refunded: order.money.charged }
    const lines = order.lines.map((line) => ({ ...line, units: { ...line.units, fulfilled: line.units.ordered } }))
    assert.deepEqual(stepsByHand({ ...order, money, lines, status: 'processing' }), ['hold'])
  })
})
