import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../test/support/commerce/orders.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { Decision, ReasonCode, Situation, Terms } from '../orders/eligibility/eligibility.ts'
import {
  recordCanceled,
  recordDelivered,
  recordParcel,
  recordParcelChanged,
  recordReturned,
} from '../orders/order/goods.ts'
import { refundBegun, refundSettled } from '../orders/order/money.ts'
import type { LineQuantity, Order } from '../orders/order/order.ts'
import { refundFor } from '../orders/order/refund-amounts.ts'
import { type AfterSalesRules, DEFAULT_POLICY, type KindRules } from '../orders/policy/policy.ts'
import { evaluateAfterSales, evaluateKind } from './eligibility.ts'
import { admitAfterSales, refuseMisplacedExchange } from './request.ts'

const DAY_MS = 86_400_000
const SENT_AT = new Date('2026-05-04T12:00:00.000Z')
const day = (count: number) => new Date(SENT_AT.getTime() + count * DAY_MS)
const on = (count: number) => ({ now: day(count), actor: 'system' }) as const
const units = (line: number, quantity: number): LineQuantity => ({ lineId: `oli_${line}`, quantity })
const nameless = { carrier: null, trackingNumber: null, trackingUrl: null }

const sent = (order: Order, ...lines: LineQuantity[]) => recordParcel(order, { id: 'ful_1', lines, ...nameless }, on(0))
const arrived = (order: Order, ...lines: LineQuantity[]) => recordDelivered(sent(order, ...lines), 'ful_1', on(2))
const refunded = (order: Order, line: number, quantity: number) => {
  const refund = refundFor(order, { units: [units(line, quantity)], shippingOf: [] })
  return refundBegun(order, { reference: `asr_${line}`, kind: 'refund', refund }, on(3))
}

function situation(order: Order, openRequests: Situation['openRequests'] = new Map()): Situation {
  return { order, openCancellation: null, openRequests }
}

interface TermsChange {
  readonly at?: Date
  readonly finalSale?: readonly string[]
  readonly kind?: Partial<KindRules>
  readonly rules?: Partial<AfterSalesRules>
}

/** Terms on the third day, with other rules for returns. */
function terms({ at = day(3), finalSale = [], kind = {}, rules = {} }: TermsChange = {}): Terms {
  const { kinds } = DEFAULT_POLICY.afterSales
  const changed = { ...kinds, return: { ...kinds.return, ...kind } }
  const policy = { ...DEFAULT_POLICY, afterSales: { ...DEFAULT_POLICY.afterSales, ...rules, kinds: changed } }
  return {
    at,
    policies: new Map([['store_1', { storeId: 'store_1', version: 1, policy }]]),
    finalSale: new Set(finalSale),
  }
}

describe('a return', () => {
  const two = arrived(orderOfUnits([2, 1]), units(1, 2), units(2, 1))
  const unknown = refundSettled(refunded(two, 1, 1), { reference: 'asr_1', outcome: 'unknown' }, on(3))
  const CASES: readonly (readonly [
    what: string,
    situation: Situation,
    terms: Terms,
    decision: Decision,
    reasons: readonly `${ReasonCode}${'' | ` of oli_${number}`}`[],
    max: readonly number[],
  ])[] = [
    ['of delivered units', situation(two), terms(), 'manual_review', ['approval_required'], [2, 1]],
    [
      'of a store with automatic approval',
      situation(two),
      terms({ kind: { automatic: true } }),
      'eligible',
      [],
      [2, 1],
    ],
    [
      'of units that shipped, without a delivery report',
      situation(sent(orderOfUnits([1]), units(1, 1))),
      terms(),
      'manual_review',
      ['approval_required'],
      [1],
    ],
    [
      'of the shipped part',
      situation(sent(orderOfUnits([2, 1]), units(1, 1))),
      terms({ kind: { automatic: true } }),
      'eligible',
      ['not_shipped of oli_2'],
      [1, 0],
    ],
    ['before anything has shipped', situation(orderOfUnits([1])), terms(), 'ineligible', ['order_not_completed'], []],
    [
      'of a canceled order',
      situation(recordCanceled(orderOfUnits([1]), [units(1, 1)], on(0))),
      terms(),
      'ineligible',
      ['order_canceled'],
      [],
    ],
    [
      'of an unpaid order',
      situation(sent(orderOfUnits([1], { charge: 'pending' }), units(1, 1))),
      terms(),
      'ineligible',
      ['payment_not_settled'],
      [],
    ],
    ['while a refund is unknown', situation(unknown), terms(), 'ineligible', ['payment_outcome_unknown'], []],
    [
      'that the store does not offer',
      situation(two),
      terms({ kind: { offered: false } }),
      'ineligible',
      ['kind_not_offered'],
      [],
    ],
    ['after its window', situation(two), terms({ at: day(32) }), 'ineligible', ['window_closed'], []],
    [
      'on the last day of its window',
      situation(two),
      terms({ at: new Date(day(32).getTime() - 1) }),
      'manual_review',
      ['approval_required'],
      [2, 1],
    ],
    ['of a final sale', situation(two), terms({ finalSale: ['oli_1', 'oli_2'] }), 'ineligible', ['final_sale'], []],
    [
      'of one line if the other is final sale',
      situation(two),
      terms({ finalSale: ['oli_2'], kind: { automatic: true } }),
      'eligible',
      ['final_sale of oli_2'],
      [2, 0],
    ],
    [
      'of a line with an open request',
      situation(two, new Map([['oli_1', 'asr_9']])),
      terms({ kind: { automatic: true } }),
      'eligible',
      ['open_request_exists of oli_1'],
      [0, 1],
    ],
    [
      'of refunded units',
      situation(refunded(refunded(two, 1, 2), 2, 1)),
      terms(),
      'ineligible',
      ['already_reimbursed'],
      [],
    ],
    [
      'of the unit that was not refunded',
      situation(refunded(two, 1, 1)),
      terms({ kind: { automatic: true } }),
      'eligible',
      [],
      [1, 1],
    ],
    [
      'of returned units',
      situation(recordReturned(two, [units(1, 2)], on(3))),
      terms({ kind: { automatic: true } }),
      'eligible',
      ['already_reimbursed of oli_1'],
      [0, 1],
    ],
    [
      'for different reasons, line by line',
      situation(two, new Map([['oli_2', 'asr_9']])),
      terms({ finalSale: ['oli_1'] }),
      'ineligible',
      ['final_sale of oli_1', 'open_request_exists of oli_2'],
      [],
    ],
  ]

  for (const [what, of, by, decision, reasons, max] of CASES) {
    test(`${what}: ${[decision, ...reasons].join(', ')}`, () => {
      const judged = evaluateKind(of, by, 'return')
      assert.equal(judged.decision, decision)
      assert.deepEqual(
        judged.reasons.map(({ code, lineId }) => (lineId === undefined ? code : `${code} of ${lineId}`)),
        reasons,
      )
      const expected = max.map((quantity, index) => units(index + 1, quantity)).filter(({ quantity }) => quantity > 0)
      assert.deepEqual(judged.max, expected)
    })
  }

  test('has a window from delivery, or from some days after dispatch', () => {
    const endOf = (order: Order, change: TermsChange = {}) =>
      evaluateKind(situation(order), terms(change), 'return').until
    assert.deepEqual(endOf(two), day(2 + 30))
    assert.deepEqual(endOf(sent(orderOfUnits([1]), units(1, 1))), day(14 + 30))
    assert.deepEqual(endOf(two, { kind: { windowDays: 10 } }), day(12))
  })

  test('has a window from the last dispatch of a parcel that came back and was sent again', () => {
    const first = sent(orderOfUnits([1]), units(1, 1))
    const failed = recordParcelChanged(first, { id: 'ful_1', ...nameless, status: 'failed' }, on(15))
    const again = recordParcelChanged(failed, { id: 'ful_1', ...nameless, status: 'dispatched' }, on(20))
    const corrected = recordParcelChanged(again, { id: 'ful_1', ...nameless, status: 'dispatched' }, on(25))
    const { until } = evaluateKind(situation(corrected), terms({ at: day(26) }), 'return')
    assert.deepEqual(until, day(20 + 14 + 30))
  })

  test('covers units in parcels with an open window', () => {
    const first = arrived(orderOfUnits([3]), units(1, 2))
    const second = recordParcel(first, { id: 'ful_2', lines: [units(1, 1)], ...nameless }, on(20))
    const both = recordDelivered(second, 'ful_2', on(21))
    const maxOn = (count: number) => evaluateKind(situation(both), terms({ at: day(count) }), 'return').max
    assert.deepEqual([maxOn(31), maxOn(32), maxOn(51)], [[units(1, 3)], [units(1, 1)], []])
  })

  test('counts units without a known parcel from the date of the order', () => {
    const order = sent(orderOfUnits([1]), units(1, 1))
    const judged = evaluateKind(situation({ ...order, parcels: [] }), terms(), 'return')
    assert.deepEqual([judged.max, judged.until], [[units(1, 1)], day(44)])
  })
})

describe('all kinds together', () => {
  const order = arrived(orderOfUnits([1]), units(1, 1))

  test('have the best decision of any kind', () => {
    assert.equal(evaluateAfterSales(situation(order), terms()).decision, 'manual_review')
    const judged = evaluateAfterSales(situation(order), terms({ kind: { automatic: true } }))
    assert.deepEqual([judged.decision, judged.reasons, judged.until], ['eligible', [], day(732)])
    assert.deepEqual(
      judged.kinds.map(({ kind, decision }) => `${kind} ${decision}`),
      ['refund_only manual_review', 'return eligible', 'exchange manual_review', 'repair manual_review'],
    )
  })

  test('report a shared reason once', () => {
    const judged = evaluateAfterSales(situation(orderOfUnits([1])), terms())
    assert.deepEqual([judged.decision, judged.reasons], ['ineligible', [{ code: 'order_not_completed' }]])
  })

  test('allow only a repair when the other windows have closed', () => {
    const judged = evaluateAfterSales(situation(order), terms({ at: day(40) }))
    assert.deepEqual(
      judged.kinds.map(({ decision }) => decision),
      ['ineligible', 'ineligible', 'ineligible', 'manual_review'],
    )
  })
})

describe('an after-sales request', () => {
  const order = arrived(orderOfUnits([2, 1]), units(1, 2), units(2, 1))
  const admit = (of: Situation, by: Terms, ...lines: LineQuantity[]) =>
    admitAfterSales(of, by, { kind: 'return', lines })

  test('is refused for the reasons of its own lines only', async () => {
    const by = terms({ finalSale: ['oli_2'] })
    assert.equal(admit(situation(order), by, units(1, 1)).decision, 'manual_review')
    const { facts } = await refuses('after_sales_ineligible', () =>
      admit(situation(order), by, units(1, 1), units(2, 1)),
    )
    assert.deepEqual(facts.conflict, {
      currentState: 'completed',
      currentVersion: 3,
      reasons: ['final_sale'],
      lines: [{ lineId: 'oli_2' }],
    })
  })

  test('is refused as a duplicate only if nothing else excludes it', async () => {
    const of = situation(order, new Map([['oli_1', 'asr_9']]))
    const { facts } = await refuses('after_sales_exists', () => admit(of, terms(), units(1, 1)))
    assert.equal(facts.conflict?.heldBy, 'asr_9')
    const by = terms({ finalSale: ['oli_2'] })
    await refuses('after_sales_ineligible', () => admit(of, by, units(1, 1), units(2, 1)))
  })

  test('names an exchange SKU for an exchange only', async () => {
    const exchange = { ...units(1, 1), exchangeSkuId: 'sku_2' }
    refuseMisplacedExchange({ kind: 'exchange', lines: [exchange] })
    refuseMisplacedExchange({ kind: 'return', lines: [units(1, 1)] })
    for (const [kind, line, code] of [
      ['exchange', units(1, 1), 'required'],
      ['return', exchange, 'not_allowed'],
    ] as const) {
      const { facts } = await refuses('validation_failed', () => refuseMisplacedExchange({ kind, lines: [line] }))
      assert.deepEqual([facts.faults?.[0]?.field, facts.faults?.[0]?.code], ['lines/0/exchangeSkuId', code])
    }
  })
})
