import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allocate as allocateTheirs, dinero, halfAwayFromZero, toSnapshot, transformScale } from 'dinero.js/bigint'
import fc from 'fast-check'
import {
  allocate,
  divideRoundHalfUp,
  MONEY_MAX,
  refundOfUnits,
  sum,
  taxFromGross,
  taxFromNet,
} from '../../server/src/kernel/money.ts'

/** A thousand runs per property. A failure prints its seed. */
const RUNS = { numRuns: 1000 }

const amounts = fc.bigInt({ min: 0n, max: MONEY_MAX })
const weights = fc
  .array(fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 10_000_000n })), { minLength: 1 })
  .filter((each) => sum(each) > 0n)
const rates = fc.array(
  fc.integer({ min: 0, max: 500_000 }).map((digits) => ({ numerator: BigInt(digits), denominator: 1_000_000n })),
  { maxLength: 4 },
)

describe('an allocation', () => {
  test('sums to the amount', () =>
    fc.assert(
      fc.property(amounts, weights, (amount, over) => assert.equal(sum(allocate(amount, over)), amount)),
      RUNS,
    ))

  test('rounds each exact share down or up', () =>
    fc.assert(
      fc.property(amounts, weights, (amount, over) => {
        const whole = sum(over)
        for (const [index, share] of allocate(amount, over).entries()) {
          const exact = amount * over[index]!
          assert.ok(share * whole > exact - whole && share * whole < exact + whole)
        }
      }),
      RUNS,
    ))

  test('never exceeds a weight if the amount does not exceed their sum', () =>
    fc.assert(
      fc.property(weights, fc.nat({ max: 1000 }), (over, perMille) => {
        const amount = (sum(over) * BigInt(perMille)) / 1000n
        for (const [index, share] of allocate(amount, over).entries()) assert.ok(share <= over[index]!)
      }),
      RUNS,
    ))

  test('gives a larger weight at least as much', () =>
    fc.assert(
      fc.property(amounts, weights, (amount, over) => {
        const shares = allocate(amount, over)
        for (const i of over.keys()) {
          for (const j of over.keys()) if (over[i]! > over[j]!) assert.ok(shares[i]! >= shares[j]!)
        }
      }),
      RUNS,
    ))
})

/**
 * Both round every exact share down first. dinero.js gives the remaining units to the largest weights, we to the largest
 * remainders, then to the larger weight. So they agree if both orders are the same, which includes equal weights, and
 * otherwise differ only in where the last units go.
 */
describe('an allocation compared with dinero.js', () => {
  const EUR = { code: 'EUR', base: 10n, exponent: 2n }
  const theirs = (amount: bigint, over: readonly bigint[]) =>
    allocateTheirs(dinero({ amount, currency: EUR }), [...over]).map((share) => toSnapshot(share).amount)

  test('is the same for equal weights', () =>
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 1000n }), fc.integer({ min: 1, max: 50 }), (amount, weight, n) => {
        const over = Array.from({ length: n }, () => weight)
        assert.deepEqual(allocate(amount, over), theirs(amount, over))
      }),
      RUNS,
    ))

  test('is the same if the larger weight has the larger remainder, and within one unit otherwise', () => {
    let same = 0
    const few = fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(amounts, few, (amount, over) => {
        const [our, their] = [allocate(amount, over), theirs(amount, over)]
        assert.equal(sum(our), sum(their))
        for (const index of over.keys()) assert.ok(Math.abs(Number(our[index]! - their[index]!)) <= 1)
        if (!claimsFollowWeights(amount, over)) return
        same += 1
        assert.deepEqual(our, their)
      }),
      { numRuns: 5000 },
    )
    assert.ok(same >= 1000, `compared ${same}`)
  })

  test('differs if another weight has the larger remainder', () => {
    // The exact shares of 11 are 3.3, 3.3 and 4.4: the largest remainder has the largest weight.
    assert.deepEqual(allocate(11n, [3n, 3n, 4n]), theirs(11n, [3n, 3n, 4n]))
    // The exact shares of 8 are 2.4, 2.4 and 3.2: here it does not.
    assert.deepEqual(allocate(8n, [3n, 3n, 4n]), [3n, 2n, 3n])
    assert.deepEqual(theirs(8n, [3n, 3n, 4n]), [2n, 2n, 4n])
  })

  test('rounds half away from zero like dinero.js', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -MONEY_MAX, max: MONEY_MAX }), (thousandths) => {
        const exact = dinero({ amount: thousandths, currency: EUR, scale: 3n })
        const rounded = toSnapshot(transformScale(exact, 2n, halfAwayFromZero)).amount
        assert.equal(divideRoundHalfUp(thousandths, 10n), rounded)
      }),
      RUNS,
    ))

  /** Whether remainders sorted by weight are sorted by size too. */
  function claimsFollowWeights(amount: bigint, over: readonly bigint[]): boolean {
    const whole = sum(over)
    const byWeight = over.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1)).map((weight) => (amount * weight) % whole)
    return byWeight.every((remainder, index) => index === 0 || remainder <= byWeight[index - 1]!)
  }
})

describe('tax', () => {
  test('of several rates is rounded once, within half a unit of the exact amount', () =>
    fc.assert(
      fc.property(amounts, rates, (net, each) => {
        const together = sum(each.map(({ numerator }) => numerator))
        const error = 2n * (sum(taxFromNet(net, each)) * 1_000_000n - net * together)
        assert.ok(error >= -1_000_000n && error <= 1_000_000n)
      }),
      RUNS,
    ))

  test('added and then extracted is the same', () =>
    fc.assert(
      fc.property(amounts, rates, (net, each) => {
        const added = sum(taxFromNet(net, each))
        assert.equal(sum(taxFromGross(net + added, each)), added)
      }),
      RUNS,
    ))

  test('never exceeds the price that includes it', () =>
    fc.assert(
      fc.property(amounts, rates, (gross, each) => {
        const tax = sum(taxFromGross(gross, each))
        assert.ok(tax >= 0n && tax <= gross)
      }),
      RUNS,
    ))
})

describe('refunds', () => {
  test('of a line in any number of parts sum exactly to the charge, none negative', () =>
    fc.assert(
      fc.property(
        amounts,
        fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 10 }),
        (charged, parts) => {
          const quantity = parts.reduce((units, part) => units + part, 0)
          let before = 0
          const refunds = parts.map((units) => {
            const refund = refundOfUnits({ charged, quantity, before, units })
            before += units
            return refund
          })
          assert.equal(sum(refunds), charged)
          assert.ok(refunds.every((refund) => refund >= 0n))
        },
      ),
      RUNS,
    ))
})
