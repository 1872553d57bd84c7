import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { recordCanceled } from '../order/goods.ts'
import { chargeCaptured, refundBegun } from '../order/money.ts'
import { moneyLeft, type Order } from '../order/order.ts'
import { partOfRefund, previewOf } from './preview.ts'

const context = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'system' } as const
const generous = () => ({ restocks: true, refundsShipping: true })
const strict = () => ({ restocks: false, refundsShipping: false })
const units = (line: number, quantity: number) => ({ lineId: `oli_${line}`, quantity })

/** Refunds units one after the other, and returns each amount. */
function givenBack(order: Order, steps: readonly (readonly [line: number, quantity: number])[]) {
  let after = order
  const amounts = steps.map(([line, quantity], index) => {
    const { refund } = previewOf(after, [units(line, quantity)], generous)
    after = refundBegun(after, { reference: `can_${index}`, kind: 'refund', refund }, context)
    return refund.amount
  })
  return { after, amounts, total: amounts.reduce((sum, amount) => sum + amount, 0n) }
}

/** All units of the lines, in steps of the given order and sizes. */
function stepsOf(ordered: readonly number[], order: readonly number[], sizes: readonly number[]): [number, number][] {
  const steps: [number, number][] = []
  const left = new Map(ordered.map((quantity, index) => [index + 1, quantity]))
  for (let turn = 0; left.size > 0; turn += 1) {
    const lines = [...left.keys()]
    const line = lines[(order[turn] ?? 0) % lines.length]!
    const held = left.get(line)!
    const quantity = 1 + ((sizes[turn] ?? 0) % held)
    steps.push([line, quantity])
    if (quantity === held) left.delete(line)
    else left.set(line, held - quantity)
  }
  return steps
}

/** Four units for 1,000 each and shipping for 490, captured without the price of one unit. */
function capturedInPart(): Order {
  return chargeCaptured(
    orderOfUnits([4], { charge: 'authorized' }),
    { amount: 3490n, releaseReference: 'rel_1' },
    context,
  )
}

/** Cancels units, and refunds them. */
function canceled(order: Order, line: number, quantity: number, reference = `can_${order.version}`): Order {
  const { refund } = previewOf(order, [units(line, quantity)], generous, { isCanceled: true })
  const after = recordCanceled(order, [units(line, quantity)], context)
  return refundBegun(after, { reference, kind: 'cancellation', refund }, context)
}

describe('the refund of units', () => {
  test('is their amount, plus the shipping of a store with its last unit', () => {
    const order = orderOfUnits([2, 1], { stores: ['store_1', 'store_2'] })
    assert.deepEqual(
      givenBack(order, [
        [1, 1],
        [1, 1],
        [2, 1],
      ]).amounts,
      [1000n, 1490n, 1490n],
    )
    const preview = previewOf(order, [units(2, 1)], generous)
    assert.deepEqual([preview.refund.amount, preview.shippingRefund, preview.restock], [1490n, 490n, [units(2, 1)]])
  })

  test('is their amount only if the store refunds no shipping, and restocks nothing if it does not restock', () => {
    const preview = previewOf(orderOfUnits([1]), [units(1, 1)], strict)
    assert.deepEqual([preview.refund.amount, preview.shippingRefund, preview.restock], [1000n, 0n, []])
  })

  test('is no more than is left of the charge after manual refunds', () => {
    const order = orderOfUnits([1])
    const gift = { amount: 600n, lines: [], shipping: [] }
    const after = refundBegun(order, { reference: 'rfd_1', kind: 'correction', refund: gift }, context)
    const preview = previewOf(after, [units(1, 1)], generous)
    assert.deepEqual([preview.refund.amount, preview.shippingRefund], [890n, 0n])
    assert.equal(moneyLeft(after.money), 890n)
  })

  test('covers goods first, then shipping, if it is partial', () => {
    const order = orderOfUnits([1])
    const preview = previewOf(order, [units(1, 1)], generous)
    assert.deepEqual(partOfRefund(order, preview, 700n).shipping, [])
    assert.equal(partOfRefund(order, preview, 1200n).shipping.length, 1)
  })

  test('adds up to exactly what was charged, in any order and split (property)', () => {
    const seed = Number(process.env.SEED ?? Date.now())
    const quantities = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(quantities, fc.array(fc.nat()), fc.array(fc.nat()), (ordered, order, sizes) => {
        const stores = ordered.map((_, index) => `store_${(index % 2) + 1}`)
        const whole = orderOfUnits(ordered, { stores })
        const { total, after } = givenBack(whole, stepsOf(ordered, order, sizes))
        assert.equal(total, whole.money.charged)
        assert.equal(moneyLeft(after.money), 0n)
      }),
      { seed, numRuns: 500 },
    )
  })
})

describe('the refund of units after a capture in part', () => {
  test('is nothing if the units that were not captured are canceled, and their amount if others are', () => {
    const missing = canceled(capturedInPart(), 1, 1)
    assert.deepEqual([moneyLeft(missing.money), missing.timeline.at(-1)?.code], [3490n, 'refund_not_needed'])
    assert.equal(moneyLeft(canceled(missing, 1, 1).money), 2490n)
  })

  test('is the whole amount if units are returned: they were shipped, so they were captured', () => {
    const { refund } = previewOf(capturedInPart(), [units(1, 1)], generous)
    assert.equal(refund.amount, 1000n)
  })

  test('leaves the money for a manual refund, which an operator decides', () => {
    const gift = { amount: 500n, lines: [], shipping: [] }
    const begun = { reference: 'rfd_1', kind: 'correction', refund: gift } as const
    const after = canceled(refundBegun(capturedInPart(), begun, context), 1, 1)
    assert.equal(moneyLeft(after.money), 2990n)
  })

  test('leaves what the units that are not canceled cost, or all that was captured if that is less (property)', () => {
    const seed = Number(process.env.SEED ?? Date.now())
    const quantities = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
    const property = fc.property(quantities, fc.array(fc.nat()), fc.array(fc.nat()), fc.nat(), (ordered, ...random) => {
      const [order, sizes, part] = random
      const stores = ordered.map((_, index) => `store_${(index % 2) + 1}`)
      const placed = orderOfUnits(ordered, { stores, charge: 'authorized' })
      const captured = 1n + (BigInt(part) % BigInt(placed.totals.total.amount))
      let after = chargeCaptured(placed, { amount: captured, releaseReference: 'rel_1' }, context)
      for (const [line, quantity] of stepsOf(ordered, order, sizes)) {
        after = canceled(after, line, quantity)
        const kept = after.lines.map(({ storeId, units: { ordered, canceled } }) => ({
          storeId,
          count: ordered - canceled,
        }))
        const goods = kept.reduce((total, { count }) => total + 1000n * BigInt(count), 0n)
        const withUnits = new Set(kept.filter(({ count }) => count > 0).map(({ storeId }) => storeId))
        const cost = goods + 490n * BigInt(withUnits.size)
        assert.equal(moneyLeft(after.money), cost < captured ? cost : captured)
      }
    })
    fc.assert(property, { seed, numRuns: 500 })
  })
})
