import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOR_EVERYONE, type Promotion } from '../promotions/index.ts'
import { explainPromotions } from './explain-promotions.ts'
import { priceCart } from './price-cart.ts'
import type { PricingInput } from './types.ts'

const off = (id: string, rate: string, more: Partial<Promotion> = {}): Promotion => ({
  ...FOR_EVERYONE,
  id,
  title: { en: id },
  effect: { kind: 'percentage', target: 'order', rate },
  combinesWith: ['line', 'order', 'shipping'],
  ...more,
})

/** The reasons for a mug of €10. */
function reasonsOf(...promotions: readonly Promotion[]) {
  const mug = { lineId: 'a', skuId: 'sku', productId: 'mug', storeId: 'shop', categoryIds: [], quantity: 1 }
  const input: PricingInput = {
    currency: 'EUR',
    locale: 'en',
    country: 'DE',
    now: new Date('2026-06-01T12:00:00Z'),
    lines: [{ ...mug, unitPrice: 1000n, weightGrams: 0, requiresShipping: true, taxCategory: 'standard' }],
    stores: [{ storeId: 'shop', pricesIncludeTax: true }],
    promotions,
    rules: { taxRates: [], shippingZones: [] },
    code: 'Summer',
  }
  return explainPromotions(input, priceCart(input), promotions).map(({ reason }) => reason)
}

test('a promotion that could be combined, but finds nothing left, is not explained as one that cannot be combined', () => {
  const all = off('all', '1')
  assert.deepEqual(reasonsOf(all, off('more', '0.1')), ['applied', 'nothing_to_take_off'])
  assert.deepEqual(reasonsOf(all, off('alone', '0.1', { combinesWith: [] })), ['applied', 'combination_disallowed'])
  assert.deepEqual(reasonsOf({ ...all, stopAfter: true }, off('more', '0.1')), ['applied', 'combination_disallowed'])
})

test('only a promotion that applies earlier excludes another', () => {
  const small = off('small', '0.0001', { combinesWith: [], priority: 1 })
  assert.deepEqual(reasonsOf(small, off('all', '1', { priority: 2 })), ['nothing_to_take_off', 'applied'])
})

test('the second promotion with the same code cannot be combined with the first', () => {
  const byCode = (id: string) => off(id, '0.1', { code: 'SUMMER' })
  assert.deepEqual(reasonsOf(byCode('a'), byCode('b')), ['applied', 'combination_disallowed'])
})
