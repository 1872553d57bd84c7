import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoreTotals, Totals } from '@vitrine/contract'
import fc from 'fast-check'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { sum } from '../../../kernel/money.ts'
import { recordCanceled, recordParcel } from './goods.ts'
import { refundBegun, refundSettled } from './money.ts'
import { moneyLeft, type Order, refundableUnits, storesOf } from './order.ts'
import { refundFor } from './refund-amounts.ts'
import { asShown, shareOf, wholeOf } from './share.ts'

const context = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' } as const
const STORES = ['store_1', 'store_2', 'store_3']

/** An order whose lines belong to three stores in turn. */
function mixedOrder(units: readonly number[]): Order {
  const order = orderOfUnits(units, { stores: units.map((_, index) => STORES[index % STORES.length]!) })
  const eur = (amount: bigint) => ({ amount: Number(amount), currency: 'EUR' })
  const byStore = storesOf(order).map((storeId) => {
    const parts = [...order.lines, ...order.shipping].filter((part) => part.storeId === storeId)
    return { storeId, total: eur(sum(parts.map(({ total }) => total))) } as StoreTotals
  })
  return { ...order, totals: { ...order.totals, byStore } as Totals }
}

const sharesOf = (order: Order) => storesOf(order).map((storeId) => shareOf(order, storeId))
const refunded = (order: Order, reference: string, amount: bigint) => {
  const refund = { amount, lines: [], shipping: [] }
  return refundBegun(order, { reference, kind: 'correction', refund }, context)
}

describe('the share of a store', () => {
  test('is the order itself, if all lines are of the store', () => {
    const order = orderOfUnits([1, 2])
    assert.equal(shareOf(order, 'store_1'), order)
    assert.equal(wholeOf(order), order)
  })

  test('has its lines, shipping and totals, and leads back to the whole', () => {
    const order = mixedOrder([2, 3])
    const share = shareOf(order, 'store_2')
    assert.deepEqual([share.lines, share.shipping], [[order.lines[1]], [order.shipping[1]]])
    assert.deepEqual([share.totals.total.amount, share.totals.byStore.length, share.money.charged], [3490, 1, 3490n])
    assert.deepEqual([wholeOf(share), asShown(share, order), asShown(order, order)], [order, share, order])
  })

  test('is canceled or completed if its own units are, and on hold if the order is', () => {
    const order = mixedOrder([1, 1, 1])
    const canceled = recordCanceled(order, [{ lineId: 'oli_1', quantity: 1 }], context)
    const parcel = { id: 'ful_1', carrier: null, trackingNumber: null, trackingUrl: null }
    const sent = recordParcel(canceled, { ...parcel, lines: [{ lineId: 'oli_2', quantity: 1 }] }, context)
    assert.deepEqual(
      sharesOf(sent).map(({ status }) => status),
      ['canceled', 'completed', 'processing'],
    )
    const held = { ...sent, status: 'on_hold', heldFrom: 'processing' } as const
    assert.deepEqual(new Set(sharesOf(held).map(({ status }) => status)), new Set(['on_hold']))
  })

  test('leaves out timeline entries about other stores, and about the end of the whole order', () => {
    const order = mixedOrder([1, 2])
    const parcel = { id: 'ful_1', carrier: null, trackingNumber: null, trackingUrl: null }
    const sent = recordParcel(order, { ...parcel, lines: [{ lineId: 'oli_1', quantity: 1 }] }, context)
    const both = [
      { lineId: 'oli_1', quantity: 1 },
      { lineId: 'oli_2', quantity: 2 },
    ]
    const codes = (each: Order) => sharesOf(each).map(({ timeline }) => timeline.map(({ code }) => code))
    assert.deepEqual(codes(sent), [['confirmed', 'parcel_dispatched'], ['confirmed']])
    assert.deepEqual(codes(recordCanceled(order, both, context)), [['confirmed'], ['confirmed']])
  })

  test('splits a refund by the stores of its units, and one without units by what is left of each charge', () => {
    const order = mixedOrder([1, 3])
    const refund = refundFor(order, { units: [{ lineId: 'oli_1', quantity: 1 }], shippingOf: ['store_1'] })
    const begun = refundBegun(order, { reference: 'can_1', kind: 'cancellation', refund }, context)
    const [one, two] = sharesOf(refunded(begun, 'rfd_1', 100n))
    assert.deepEqual([one?.money.refundPending, two?.money.refundPending], [1490n, 100n])
    assert.deepEqual(
      [one, two].map((share) => share?.adjustments.map(({ reference }) => reference)),
      [['can_1'], ['rfd_1']],
    )
  })

  test('adds up to the whole with the other shares, after any refunds (property)', () => {
    const seed = Number(process.env.SEED ?? Date.now())
    const step = fc.record({ line: fc.nat(5), units: fc.nat(3), free: fc.nat(2000), settles: fc.boolean() })
    const quantities = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(quantities, fc.array(step, { maxLength: 8 }), (units, steps) => {
        let order = mixedOrder(units)
        for (const [index, { line, units: wanted, free, settles }] of steps.entries()) {
          const { id, units: held } = order.lines[line % order.lines.length]!
          const quantity = Math.min(wanted, refundableUnits(held))
          const reference = `ref_${index}`
          const left = moneyLeft(order.money)
          if (quantity > 0) {
            const refund = refundFor(order, { units: [{ lineId: id, quantity }], shippingOf: [] })
            order = refundBegun(order, { reference, kind: 'refund', refund }, context)
          } else if (left > 0n) {
            order = refunded(order, reference, BigInt(free) % left || 1n)
          }
          if (settles && order.adjustments.at(-1)?.reference === reference) {
            order = refundSettled(order, { reference, outcome: 'succeeded' }, context)
          }
        }
        const shares = sharesOf(order)
        for (const name of ['charged', 'refunded', 'refundPending', 'unknown'] as const) {
          assert.equal(sum(shares.map(({ money }) => money[name])), order.money[name], name)
        }
        for (const { money } of shares) assert.ok(moneyLeft(money) >= 0n)
      }),
      { seed, numRuns: 500 },
    )
  })
})
