import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INAPPLICABLE_REASONS } from '@vitrine/contract'
import { discountedUnits, evaluatePromotion, type PromotionContext } from './eligibility.ts'
import type { InapplicableReason, Promotion } from './promotion.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const LATER = new Date('2026-07-01T00:00:00Z')
const EARLIER = new Date('2026-05-01T00:00:00Z')

/** A promotion with every reason not to apply. */
const hopeless: Promotion = {
  id: 'prm_1',
  storeId: null,
  code: 'SUMMER',
  title: { en: 'Summer sale' },
  status: 'paused',
  effect: { kind: 'percentage', target: 'order', rate: '0.1' },
  lines: { productIds: [], categoryIds: [] },
  storeIds: [],
  audience: { kind: 'listed_customers', customerIds: ['cus_1'] },
  startsAt: LATER,
  endsAt: EARLIER,
  minimumSubtotal: { EUR: 5000n },
  usageLimit: 3,
  usageLimitPerCustomer: null,
  priority: 0,
  combinesWith: [],
  stopAfter: false,
}

const line = {
  storeId: 'store_1',
  productId: 'prod_1',
  categoryIds: [],
  quantity: 1,
  unitPrice: 4000n,
  subtotal: 4000n,
}
const context: PromotionContext = {
  currency: 'EUR',
  now: NOW,
  customerId: null,
  usage: new Map([['prm_1', { total: 3, byCustomer: 0 }]]),
  lines: [line],
}

/** Changes that remove one reason each, in the order in which reasons are reported. */
const remedies: readonly [InapplicableReason, Partial<Promotion>, Partial<PromotionContext>][] = [
  ['invalid', { status: 'active' }, {}],
  ['not_started', { startsAt: NOW }, {}],
  ['expired', { endsAt: LATER }, {}],
  ['customer_required', {}, { customerId: 'cus_2' }],
  ['customer_ineligible', {}, { customerId: 'cus_1' }],
  ['usage_limit_reached', { usageLimit: 4 }, {}],
  ['minimum_not_met', { minimumSubtotal: { EUR: 4000n } }, {}],
]

describe('a promotion with several reasons not to apply', () => {
  test('reports the first in the order of INAPPLICABLE_REASONS', () => {
    let promotion = hopeless
    let now = context
    for (const [reason, ofPromotion, ofContext] of remedies) {
      const eligibility = evaluatePromotion(promotion, now)
      assert.equal(eligibility.eligible ? 'eligible' : eligibility.reason, reason)
      promotion = { ...promotion, ...ofPromotion }
      now = { ...now, ...ofContext }
    }
    assert.deepEqual(evaluatePromotion(promotion, now), { eligible: true })
  })

  test('covers every reason but combination_disallowed, which is last', () =>
    assert.deepEqual([...remedies.map(([reason]) => reason), 'combination_disallowed'], INAPPLICABLE_REASONS))
})

describe('a minimum', () => {
  const eligible: Promotion = { ...hopeless, status: 'active', startsAt: null, endsAt: null, usageLimit: null }
  const open: Promotion = { ...eligible, audience: { kind: 'anyone' } }

  test('reports exactly what is missing', () =>
    assert.deepEqual(evaluatePromotion(open, context), { eligible: false, reason: 'minimum_not_met', missing: 1000n }))

  test('counts eligible lines only', () => {
    const other = { ...line, productId: 'prod_2', subtotal: 9000n }
    const ofOne = { ...open, lines: { productIds: ['prod_1'], categoryIds: [] } }
    assert.deepEqual(evaluatePromotion(ofOne, { ...context, lines: [line, other] }), {
      eligible: false,
      reason: 'minimum_not_met',
      missing: 1000n,
    })
  })

  test('in another currency makes the promotion unavailable', () =>
    assert.deepEqual(evaluatePromotion(open, { ...context, currency: 'USD' }), {
      eligible: false,
      reason: 'invalid',
      missing: null,
    }))
})

describe('a marketplace promotion', () => {
  test('affects the named stores, or all', () => {
    const open: Promotion = {
      ...hopeless,
      status: 'active',
      startsAt: null,
      endsAt: null,
      usageLimit: null,
      minimumSubtotal: {},
      audience: { kind: 'anyone' },
    }
    assert.equal(evaluatePromotion({ ...open, storeIds: ['store_2'] }, context).eligible, false)
    assert.equal(evaluatePromotion({ ...open, storeIds: ['store_1'] }, context).eligible, true)
    assert.equal(evaluatePromotion(open, context).eligible, true)
  })
})

describe('a limit of uses', () => {
  const limited: Promotion = {
    ...hopeless,
    status: 'active',
    startsAt: null,
    endsAt: null,
    minimumSubtotal: {},
    usageLimit: 1,
    usageLimitPerCustomer: 1,
  }
  const isEligible = (usage: PromotionContext['usage']) =>
    evaluatePromotion(limited, { ...context, customerId: 'cus_1', usage }).eligible

  test('of one allows the first use, also if none was counted yet', () => {
    assert.equal(isEligible(new Map()), true)
    assert.equal(isEligible(new Map([['prm_1', { total: 0, byCustomer: 0 }]])), true)
  })

  test('in total or per customer is reached by that many uses', () => {
    assert.equal(isEligible(new Map([['prm_1', { total: 1, byCustomer: 0 }]])), false)
    assert.equal(isEligible(new Map([['prm_1', { total: 0, byCustomer: 1 }]])), false)
  })
})

describe('buy X get Y', () => {
  const of = (productId: string, quantity: number) => ({ ...line, productId, quantity })
  const units = (gets: string | null, ...lines: readonly (typeof line)[]) => {
    const named = gets === null ? null : { productIds: [gets], categoryIds: [] }
    const effect = {
      kind: 'buy_x_get_y',
      buyQuantity: 2,
      getQuantity: 1,
      rate: '1',
      gets: named,
      setsMax: null,
    } as const
    return discountedUnits({ ...hopeless, effect, lines: { productIds: ['prod_1'], categoryIds: [] } }, lines)
  }

  test('of the same products discounts one of three, and counts no other products', () => {
    assert.equal(units(null, of('prod_1', 2), of('prod_2', 4)), 0)
    assert.equal(units(null, of('prod_1', 3), of('prod_2', 4)), 1)
  })

  test('of other products discounts one for each two that are bought, as far as there are any', () => {
    assert.equal(units('prod_2', of('prod_1', 4), of('prod_2', 3), of('prod_3', 5)), 2)
    assert.equal(units('prod_2', of('prod_1', 4), of('prod_2', 1), of('prod_3', 5)), 1)
    assert.equal(units('prod_2', of('prod_1', 1), of('prod_2', 3), of('prod_3', 5)), 0)
  })
})
