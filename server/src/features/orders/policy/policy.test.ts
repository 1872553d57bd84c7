import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../../test/support/refuses.ts'
import { DEFAULT_POLICY, isFinalSale, type OrderPolicy, refusePolicyFaults } from './policy.ts'

const withSales = (change: Partial<OrderPolicy['afterSales']>): OrderPolicy => {
  return { ...DEFAULT_POLICY, afterSales: { ...DEFAULT_POLICY.afterSales, ...change } }
}

describe('a policy', () => {
  test('by default is valid', () => refusePolicyFaults(DEFAULT_POLICY))

  for (const [field, policy] of [
    [
      'cancellation/windowMinutes',
      { ...DEFAULT_POLICY, cancellation: { ...DEFAULT_POLICY.cancellation, windowMinutes: 0 } },
    ],
    ['afterSales/returnWithinDays', withSales({ returnWithinDays: 0 })],
    ['afterSales/decideWithinDays', withSales({ decideWithinDays: 1.5 })],
    ['afterSales/deliveredAfterDays', withSales({ deliveredAfterDays: 3651 })],
    ['afterSales/instructions', withSales({ instructions: '' })],
    ['afterSales/instructions', withSales({ instructions: 'x'.repeat(2001) })],
    ['afterSales/returnAddress', withSales({ returnAddress: 'x'.repeat(501) })],
    [
      'afterSales/kinds/return/windowDays',
      withSales({
        kinds: { ...DEFAULT_POLICY.afterSales.kinds, return: { offered: true, windowDays: -1, automatic: false } },
      }),
    ],
  ] as const) {
    test(`is refused with the field that is out of bounds: ${field}`, async () => {
      const { facts } = await refuses('validation_failed', () => refusePolicyFaults(policy))
      assert.deepEqual(
        facts.faults?.map((fault) => [fault.field, fault.code]),
        [[field, 'out_of_range']],
      )
    })
  }

  test('marks final sale by SKU, by product, and by category with its subcategories', () => {
    const item = { skuId: 'sku_1', productId: 'prod_1', categoryIds: ['cat_shirts', 'cat_clothes'] }
    const selling = (finalSale: Partial<OrderPolicy['finalSale']>) =>
      isFinalSale({ ...DEFAULT_POLICY, finalSale: { ...DEFAULT_POLICY.finalSale, ...finalSale } }, item)
    assert.equal(selling({}), false)
    assert.equal(selling({ skuIds: ['sku_1'] }), true)
    assert.equal(selling({ productIds: ['prod_1'] }), true)
    assert.equal(selling({ categoryIds: ['cat_clothes'] }), true)
    assert.equal(selling({ skuIds: ['sku_2'], productIds: ['prod_2'], categoryIds: ['cat_shoes'] }), false)
  })
})
