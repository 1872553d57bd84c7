import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { priceCuts } from './price-cuts.ts'

const amount = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 2 ** 31 }), fc.maxSafeNat())

/** As `percentile_disc` defines it: the lowest price that at least this share of the prices does not exceed. */
function chosenBySorting(prices: readonly number[]): number[] {
  const sorted = prices.toSorted((a, b) => a - b)
  return [0.2, 0.4, 0.6, 0.8].map((share) => sorted[Math.ceil(share * sorted.length) - 1]!)
}

/** At least so many prices: some, repeated with small differences. */
const pricesOf = (least: number) =>
  fc
    .array(amount, { minLength: 1, maxLength: 60, size: 'max' })
    .map((some) =>
      Array.from({ length: Math.ceil(least / some.length) }, (_, nth) =>
        some.map((price) => price - (price % 97 > nth ? 0 : 1) * Math.min(price, nth)),
      ).flat(),
    )

for (const [how, least] of [
  ['sorted', 1],
  ['counted, because there are more than 4096,', 4097],
] as const) {
  test(`the cuts of prices that are ${how} are the same as by sorting, for any spread`, () =>
    fc.assert(
      fc.property(pricesOf(least), (all) => {
        assert.deepEqual(priceCuts(all, Uint32Array.from(all.keys())), chosenBySorting(all))
      }),
      { numRuns: 40 },
    ))
}

test('only the prices at the given places count', () => {
  assert.deepEqual(priceCuts([5, 1, 9, 7], Uint32Array.of(0, 2)), [5, 5, 9, 9])
  assert.deepEqual(priceCuts([5, 1, 9, 7], new Uint32Array(0)), [])
})
