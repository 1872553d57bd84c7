import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  allocate,
  divideRoundHalfUp,
  MONEY_MAX,
  portion,
  rationalOf,
  refundOfUnits,
  shortestDecimal,
  taxFromGross,
  taxFromNet,
  wireMoney,
  withinMoney,
} from './money.ts'
import { Refusal } from './refusal.ts'

describe('rounding', () => {
  test('is half away from zero', () => {
    assert.equal(divideRoundHalfUp(5n, 10n), 1n)
    assert.equal(divideRoundHalfUp(-5n, 10n), -1n)
    assert.equal(divideRoundHalfUp(4n, 10n), 0n)
    assert.equal(divideRoundHalfUp(-4n, 10n), 0n)
    assert.equal(divideRoundHalfUp(25n, 10n), 3n)
  })

  test('requires a positive denominator', () => assert.throws(() => divideRoundHalfUp(1n, 0n), /positive denominator/))
})

describe('a rate', () => {
  test('is parsed exactly: 0.1 and 0.2 add up to 0.3', () => {
    assert.equal(portion(1000n, rationalOf('0.1')) + portion(1000n, rationalOf('0.2')), 300n)
    assert.deepEqual(rationalOf('0.19'), { numerator: 19n, denominator: 100n })
    assert.deepEqual(rationalOf('1'), { numerator: 1n, denominator: 1n })
    assert.deepEqual(rationalOf('-1.50'), { numerator: -150n, denominator: 100n })
  })

  test('accepts plain decimal text only', () => {
    for (const wrong of ['', '.5', '1.', '1e3', ' 1', '+1', 'NaN', '1,5']) assert.throws(() => rationalOf(wrong))
  })

  test('is written without trailing zeros', () => {
    assert.equal(shortestDecimal('0.19000000'), '0.19')
    assert.equal(shortestDecimal('1.00000000'), '1')
    assert.equal(shortestDecimal('100'), '100')
  })
})

describe('an allocation', () => {
  test('gives the odd unit to the largest remainder', () => assert.deepEqual(allocate(10n, [1n, 1n, 5n]), [2n, 1n, 7n]))

  test('gives it to the larger weight in a tie', () => {
    // 6 of 12 over 3 and 9: the exact parts are 1.5 and 4.5.
    assert.deepEqual(allocate(6n, [3n, 9n]), [1n, 5n])
    assert.deepEqual(allocate(6n, [9n, 3n]), [5n, 1n])
  })

  test('gives it to the earlier of equal weights', () => {
    assert.deepEqual(allocate(100n, [1n, 1n, 1n]), [34n, 33n, 33n])
    assert.deepEqual(allocate(5n, [2n, 2n, 2n]), [2n, 2n, 1n])
  })

  test('gives nothing to a weight of zero', () => assert.deepEqual(allocate(7n, [0n, 3n, 0n]), [0n, 7n, 0n]))

  test('of zero is zero, even without weights', () => assert.deepEqual(allocate(0n, [0n, 0n]), [0n, 0n]))

  test('of an amount over no weight is a bug', () =>
    assert.throws(() => allocate(1n, [0n]), /something to allocate over/))

  test('of a negative amount mirrors that of the positive one', () =>
    assert.deepEqual(allocate(-100n, [1n, 1n, 1n]), [-34n, -33n, -33n]))
})

describe('tax', () => {
  const vat = [rationalOf('0.19')]
  const gstAndPst = [rationalOf('0.05'), rationalOf('0.09975')]

  test('is extracted from a price that includes it', () => assert.deepEqual(taxFromGross(1190n, vat), [190n]))

  test('is added to a price that excludes it', () => assert.deepEqual(taxFromNet(1000n, vat), [190n]))

  test('of several rates is rounded once and then split: 14.975 % of 10.01 is 1.50, not 0.50 + 1.00 + a cent', () => {
    assert.deepEqual(taxFromNet(1001n, gstAndPst), [50n, 100n])
    assert.deepEqual(taxFromGross(1151n, gstAndPst), [50n, 100n])
  })

  test('at rate 0 is 0 either way', () => {
    assert.deepEqual(taxFromGross(999n, [rationalOf('0')]), [0n])
    assert.deepEqual(taxFromNet(999n, [rationalOf('0')]), [0n])
  })

  test('of no rate is no tax line', () => assert.deepEqual(taxFromNet(999n, []), []))
})

describe('a refund', () => {
  test('of one unit after another gives back exactly what was charged', () => {
    const line = { charged: 1000n, quantity: 3 }
    const refunds = [0, 1, 2].map((before) => refundOfUnits({ ...line, before, units: 1 }))
    assert.deepEqual(refunds, [333n, 334n, 333n])
  })

  test('of more units than were sold is a bug', () =>
    assert.throws(() => refundOfUnits({ charged: 1000n, quantity: 3, before: 2, units: 2 }), /no more units/))
})

describe('money on the wire', () => {
  test('is an exact integer', () => {
    for (const [money, amount] of [
      [MONEY_MAX, Number.MAX_SAFE_INTEGER],
      [-MONEY_MAX, Number.MIN_SAFE_INTEGER],
    ] as const)
      assert.deepEqual(wireMoney(money, 'EUR'), { amount, currency: 'EUR' })
  })

  test('is refused as money_overflow past 2^53 − 1', () => {
    const overflows = (error: unknown) => error instanceof Refusal && error.code === 'money_overflow'
    assert.throws(() => wireMoney(MONEY_MAX + 1n, 'EUR'), overflows)
    assert.throws(() => withinMoney(-MONEY_MAX - 1n), overflows)
  })
})
