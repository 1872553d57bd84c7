import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../test/support/commerce/orders.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { Decision, ReasonCode, Situation, Terms } from '../orders/eligibility/eligibility.ts'
import { beginProcessing, hold, recordCanceled, recordParcel } from '../orders/order/goods.ts'
import { refundBegun, refundSettled } from '../orders/order/money.ts'
import type { CommandContext, Order } from '../orders/order/order.ts'
import { refundFor } from '../orders/order/refund-amounts.ts'
import { type CancellationRules, DEFAULT_POLICY } from '../orders/policy/policy.ts'
import { evaluateCancellation } from './eligibility.ts'
import { planCancellation } from './request.ts'

const PLACED_AT = new Date('2026-05-04T12:00:00.000Z')
const MINUTE_MS = 60_000
const later: CommandContext = { now: new Date(PLACED_AT.getTime() + MINUTE_MS), actor: 'system' }
const units = (line: number, quantity: number) => ({ lineId: `oli_${line}`, quantity })
const minutes = (count: number) => new Date(PLACED_AT.getTime() + count * MINUTE_MS)

function situation(order: Order, openId: string | null = null): Situation {
  const openCancellation = openId === null ? null : { id: openId, lineIds: order.lines.map(({ id }) => id) }
  return { order, openCancellation, openRequests: new Map() }
}

/** Terms a minute after the order, with rules of some stores. */
function terms(rules: Readonly<Record<string, Partial<CancellationRules>>> = {}, at = later.now): Terms {
  const policies = ['store_1', 'store_2'].map((storeId) => {
    const cancellation = { ...DEFAULT_POLICY.cancellation, ...rules[storeId] }
    return [storeId, { storeId, version: 1, policy: { ...DEFAULT_POLICY, cancellation } }] as const
  })
  return { at, policies: new Map(policies), finalSale: new Set() }
}

const parcel = { id: 'ful_1', carrier: null, trackingNumber: null, trackingUrl: null }
const sent = (order: Order, ...lines: ReturnType<typeof units>[]) => recordParcel(order, { ...parcel, lines }, later)
const canceled = (order: Order, ...lines: ReturnType<typeof units>[]) => recordCanceled(order, lines, later)

/** Two units with a refund of unknown outcome. */
function unknown(): Order {
  const order = orderOfUnits([2])
  const refund = refundFor(order, { units: [units(1, 1)], shippingOf: [] })
  const begun = refundBegun(order, { reference: 'can_0', kind: 'cancellation', refund }, later)
  return refundSettled(begun, { reference: 'can_0', outcome: 'unknown' }, later)
}

describe('canceling an order', () => {
  const window = { store_1: { windowMinutes: 1 } }
  const manual = { store_1: { automatic: false } }
  const CASES: readonly (readonly [
    what: string,
    situation: Situation,
    terms: Terms,
    decision: Decision,
    reasons: readonly ReasonCode[],
    max: readonly number[],
  ])[] = [
    ['one that is not being prepared', situation(orderOfUnits([2, 1])), terms(), 'eligible', [], [2, 1]],
    ['what is left of it', situation(canceled(orderOfUnits([2, 1]), units(1, 1))), terms(), 'eligible', [], [1, 1]],
    ['one that is not paid yet', situation(orderOfUnits([1], { charge: 'pending' })), terms(), 'eligible', [], [1]],
    [
      'one that is being prepared',
      situation(beginProcessing(orderOfUnits([2]), later)),
      terms(),
      'manual_review',
      ['in_fulfillment'],
      [2],
    ],
    [
      'the rest of a partly shipped one',
      situation(sent(orderOfUnits([2, 1]), units(1, 1))),
      terms(),
      'manual_review',
      ['in_fulfillment'],
      [1, 1],
    ],
    ['one on hold', situation(hold(orderOfUnits([1]), null, later)), terms(), 'manual_review', ['order_on_hold'], [1]],
    [
      'one of a store with manual review',
      situation(orderOfUnits([1])),
      terms(manual),
      'manual_review',
      ['approval_required'],
      [1],
    ],
    [
      'one that was paid elsewhere',
      situation(orderOfUnits([1], { chargeId: null })),
      terms(),
      'manual_review',
      ['refund_by_hand'],
      [1],
    ],
    [
      'one that has shipped',
      situation(sent(orderOfUnits([1]), units(1, 1))),
      terms(),
      'ineligible',
      ['already_shipped'],
      [],
    ],
    [
      'one that is canceled',
      situation(canceled(orderOfUnits([1]), units(1, 1))),
      terms(),
      'ineligible',
      ['order_canceled'],
      [],
    ],
    ['one whose window has closed', situation(orderOfUnits([1])), terms(window), 'ineligible', ['window_closed'], []],
    [
      'one of two stores, one with a closed window',
      situation(orderOfUnits([1, 1], { stores: ['store_1', 'store_2'] })),
      terms(window),
      'eligible',
      ['window_closed'],
      [0, 1],
    ],
    [
      'one with an open cancellation',
      situation(orderOfUnits([1]), 'can_1'),
      terms(),
      'ineligible',
      ['open_request_exists'],
      [],
    ],
    [
      'one with a refund of unknown outcome',
      situation(unknown()),
      terms(),
      'ineligible',
      ['payment_outcome_unknown'],
      [],
    ],
    [
      'only the first of several reasons',
      situation(canceled(orderOfUnits([1]), units(1, 1)), 'can_1'),
      terms(window),
      'ineligible',
      ['order_canceled'],
      [],
    ],
  ]

  for (const [what, of, by, decision, reasons, max] of CASES) {
    test(`${what}: ${[decision, ...reasons].join(', ')}`, () => {
      const judged = evaluateCancellation(of, by)
      assert.equal(judged.decision, decision)
      assert.deepEqual(
        judged.reasons.map(({ code }) => code),
        reasons,
      )
      const left = new Map(judged.max.map(({ lineId, quantity }) => [lineId, quantity]))
      const expected = max.map((quantity, index) => [`oli_${index + 1}`, quantity] as const)
      assert.deepEqual(
        [...left],
        expected.filter(([, quantity]) => quantity > 0),
      )
    })
  }

  test('is possible until the window of a store ends, to the millisecond', () => {
    const of = situation(orderOfUnits([1, 1], { stores: ['store_1', 'store_2'] }))
    const rules = { store_1: { windowMinutes: 30 }, store_2: { windowMinutes: 10 } }
    assert.deepEqual(evaluateCancellation(of, terms(rules)).until, minutes(10))
    const last = evaluateCancellation(of, terms(rules, new Date(minutes(10).getTime() - 1)))
    assert.equal(last.max.length, 2)
    const after = evaluateCancellation(of, terms(rules, minutes(10)))
    assert.deepEqual([after.max.length, after.until], [1, minutes(30)])
    assert.equal(evaluateCancellation(of, terms()).until, null)
  })

  test('lists lines with a closed window if others can be canceled', () => {
    const of = situation(orderOfUnits([1, 1], { stores: ['store_1', 'store_2'] }))
    assert.deepEqual(evaluateCancellation(of, terms(window)).reasons, [{ code: 'window_closed', lineId: 'oli_1' }])
  })
})

describe('a request to cancel', () => {
  const plan = (order: Order, wanted?: ReturnType<typeof units>[], open: string | null = null) =>
    planCancellation(situation(order, open), terms(), wanted)

  test('covers all units if it has no lines, and is full if no unit remains', () => {
    assert.deepEqual(plan(orderOfUnits([2, 1])), {
      decision: 'eligible',
      units: [units(1, 2), units(2, 1)],
      scope: 'full',
    })
    const rest = plan(canceled(orderOfUnits([2, 1]), units(1, 1)))
    assert.deepEqual([rest.units, rest.scope], [[units(1, 1), units(2, 1)], 'full'])
    const shipped = plan(sent(orderOfUnits([2, 1]), units(1, 2)))
    assert.deepEqual([shipped.units, shipped.scope], [[units(2, 1)], 'partial'])
  })

  test('is refused with the codes in the order of its row in the contract', async () => {
    const open = 'can_1'
    await refuses('payment_outcome_unknown', () => plan(unknown(), [units(1, 9)], open))
    const gone = await refuses('order_not_cancelable', () =>
      plan(sent(orderOfUnits([1]), units(1, 1)), [units(1, 9)], open),
    )
    assert.deepEqual(gone.facts.conflict, {
      currentState: 'completed',
      currentVersion: 2,
      reasons: ['already_shipped'],
    })
    const other = await refuses('cancellation_exists', () => plan(orderOfUnits([1]), [units(1, 9)], open))
    assert.equal(other.facts.conflict?.heldBy, open)
    const many = await refuses('quantity_exceeded', () => plan(orderOfUnits([1]), [units(1, 9)]))
    assert.deepEqual(many.facts.conflict?.lines, [{ lineId: 'oli_1', requestedQuantity: 9, availableQuantity: 1 }])
  })

  test('covers the whole order or nothing if the payment is only authorized', async () => {
    const reserved = orderOfUnits([2], { charge: 'authorized' })
    assert.equal(plan(reserved).scope, 'full')
    const refused = await refuses('order_not_cancelable', () => plan(reserved, [units(1, 1)]))
    assert.deepEqual(refused.facts.conflict?.reasons, ['payment_not_settled'])
  })
})
