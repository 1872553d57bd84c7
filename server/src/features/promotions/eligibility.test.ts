import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { evaluatePromotion, type PromotionContext } from './eligibility.ts'
import { INAPPLICABLE_REASONS, type InapplicableReason, type Promotion } from './promotion.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const LATER = new Date('2026-07-01T00:00:00Z')
const EARLIER = new Date('2026-05-01T00:00:00Z')

/** Everything that can be wrong with a promotion at once. */
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
const occasion: PromotionContext = {
  currency: 'EUR',
  now: NOW,
  customerId: null,
  usage: new Map([['prm_1', { total: 3, byCustomer: 0 }]]),
  lines: [line],
}

/** What takes each obstacle away, in the order in which obstacles are told. */
const remedies: readonly [InapplicableReason, Partial<Promotion>, Partial<PromotionContext>][] = [
  ['invalid', { status: 'active' }, {}],
  ['not_started', { startsAt: NOW }, {}],
  ['expired', { endsAt: LATER }, {}],
  ['customer_required', {}, { customerId: 'cus_2' }],
  ['customer_ineligible', {}, { customerId: 'cus_1' }],
  ['usage_limit_reached', { usageLimit: 4 }, {}],
  ['minimum_not_met', { minimumSubtotal: { EUR: 4000n } }, {}],
]

describe('where more than one thing is wrong with a promotion', () => {
  test('the first is told, in the order of INAPPLICABLE_REASONS', () => {
    let promotion = hopeless
    let now = occasion
    for (const [reason, ofPromotion, ofOccasion] of remedies) {
      const judgement = evaluatePromotion(promotion, now)
      assert.equal(judgement.eligible ? 'eligible' : judgement.reason, reason)
      promotion = { ...promotion, ...ofPromotion }
      now = { ...now, ...ofOccasion }
    }
    assert.deepEqual(evaluatePromotion(promotion, now), { eligible: true })
  })

  test('each reason that concerns the promotion alone is in that order; how it stands beside others comes last', () =>
    assert.deepEqual([...remedies.map(([reason]) => reason), 'combination_disallowed'], INAPPLICABLE_REASONS))
})

describe('a minimum', () => {
  const eligible: Promotion = { ...hopeless, status: 'active', startsAt: null, endsAt: null, usageLimit: null }
  const open: Promotion = { ...eligible, audience: { kind: 'anyone' } }

  test('tells how much is missing, to the unit', () =>
    assert.deepEqual(evaluatePromotion(open, occasion), { eligible: false, reason: 'minimum_not_met', missing: 1000n }))

  test('counts the eligible lines and no others', () => {
    const other = { ...line, productId: 'prod_2', subtotal: 9000n }
    const ofOne = { ...open, lines: { productIds: ['prod_1'], categoryIds: [] } }
    assert.deepEqual(evaluatePromotion(ofOne, { ...occasion, lines: [line, other] }), {
      eligible: false,
      reason: 'minimum_not_met',
      missing: 1000n,
    })
  })

  test('in another currency means that the promotion is not offered in this one', () =>
    assert.deepEqual(evaluatePromotion(open, { ...occasion, currency: 'USD' }), {
      eligible: false,
      reason: 'invalid',
      missing: null,
    }))
})

describe('a promotion of the marketplace', () => {
  test('reaches the stores that take part, and all where none is named', () => {
    const open: Promotion = {
      ...hopeless,
      status: 'active',
      startsAt: null,
      endsAt: null,
      usageLimit: null,
      minimumSubtotal: {},
      audience: { kind: 'anyone' },
    }
    assert.equal(evaluatePromotion({ ...open, storeIds: ['store_2'] }, occasion).eligible, false)
    assert.equal(evaluatePromotion({ ...open, storeIds: ['store_1'] }, occasion).eligible, true)
    assert.equal(evaluatePromotion(open, occasion).eligible, true)
  })
})
