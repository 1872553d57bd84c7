import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderOfUnits } from '../../../../../test/support/commerce/orders.ts'
import { recordCanceled, recordParcel } from './goods.ts'
import { chargeCaptured, chargeDisputed, chargeVoided, refundBegun, refundSettled, refundTriedAgain } from './money.ts'
import { type CommandContext, moneyLeft, type Order, type OrderMoney, type RefundOutcome } from './order.ts'
import { refundFor, storesWithoutUnits } from './refund-amounts.ts'
import { paymentStatusOf, statusesOf } from './status.ts'

const context: CommandContext = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'system' }
const reference = 'can_1'

/** Two units for 1,000 each and shipping for 490, with a refund of one unit requested. */
function asked(order: Order = orderOfUnits([2]), name = reference): Order {
  const refund = refundFor(order, { units: [{ lineId: 'oli_1', quantity: 1 }], shippingOf: [] })
  return refundBegun(order, { reference: name, kind: 'cancellation', refund }, context)
}
const settle = (order: Order, outcome: RefundOutcome) => refundSettled(order, { reference, outcome }, context)
const again = (order: Order) => refundTriedAgain(order, reference, context)
const sums = ({ money }: Order) => [money.charged, money.refunded, money.refundPending, money.unknown]

describe('a refund', () => {
  const IN = {
    pending: () => asked(),
    unknown: () => settle(asked(), 'unknown'),
    failed: () => settle(asked(), 'failed'),
    succeeded: () => settle(asked(), 'succeeded'),
  }
  type State = keyof typeof IN
  const TABLE: Readonly<Record<string, readonly [(order: Order) => Order, Partial<Record<State, State>>]>> = {
    begin: [(order) => asked(order), {}],
    'settle succeeded': [
      (order) => settle(order, 'succeeded'),
      { pending: 'succeeded', unknown: 'succeeded', failed: 'succeeded', succeeded: 'succeeded' },
    ],
    // Of a refund that was paid: its bank has returned the money.
    'settle failed': [
      (order) => settle(order, 'failed'),
      { pending: 'failed', unknown: 'failed', failed: 'failed', succeeded: 'failed' },
    ],
    'settle unknown': [
      (order) => settle(order, 'unknown'),
      { pending: 'unknown', unknown: 'unknown', failed: 'unknown' },
    ],
    'try again': [again, { failed: 'pending' }],
  }
  for (const [command, [run, row]] of Object.entries(TABLE)) {
    for (const state of Object.keys(IN) as State[]) {
      const to = row[state]
      test(`${state} × ${command} → ${to ?? 'never'}`, () => {
        const order = IN[state]()
        if (to === undefined) {
          assert.throws(() => run(order), { name: 'AssertionError' })
          return
        }
        const made = run(order)
        assert.equal(made.adjustments[0]?.state, to)
        assert.deepEqual(made === order, state === to, 'a repeated outcome changes nothing')
        const reserved = to === 'pending' || to === 'failed' ? 1000n : 0n
        const [refunded, unknown] = [to === 'succeeded' ? 1000n : 0n, to === 'unknown' ? 1000n : 0n]
        assert.deepEqual(sums(made), [2490n, refunded, reserved, unknown])
        assert.equal(moneyLeft(made.money), 1490n, 'whatever its outcome, the amount cannot be refunded twice')
      })
    }
  }

  test('counts its units once, also if it failed and is retried', () => {
    const order = again(settle(asked(), 'failed'))
    assert.equal(order.lines[0]?.units.refunded, 1)
    assert.deepEqual(
      order.timeline.map(({ code }) => code),
      ['confirmed', 'refund_begun', 'refund_failed', 'refund_begun'],
    )
  })

  test('of all units is the whole charge, with shipping', () => {
    const order = orderOfUnits([2])
    const units = [{ lineId: 'oli_1', quantity: 2 }]
    const refund = refundFor(order, { units, shippingOf: storesWithoutUnits(order, units) })
    assert.equal(refund.amount, 2490n)
    const refunded = settle(refundBegun(order, { reference, kind: 'cancellation', refund }, context), 'succeeded')
    assert.deepEqual(sums(refunded), [2490n, 2490n, 0n, 0n])
    assert.equal(statusesOf(refunded).paymentStatus, 'refunded')
  })

  test('of an order that was not charged is zero: its units count as refunded, without an adjustment', () => {
    const order = orderOfUnits([2], { charge: 'pending' })
    const refund = refundFor(order, { units: [{ lineId: 'oli_1', quantity: 2 }], shippingOf: ['store_1'] })
    assert.equal(refund.amount, 0n)
    const noted = refundBegun(order, { reference, kind: 'cancellation', refund }, context)
    assert.deepEqual([noted.adjustments, noted.lines[0]?.units.refunded], [[], 2])
  })

  test('includes the shipping of stores without units left, and of no other', () => {
    const order = orderOfUnits([1, 1, 1], { stores: ['store_1', 'store_2', 'store_1'] })
    const of = (lineId: string) => ({ lineId, quantity: 1 })
    assert.deepEqual(storesWithoutUnits(order, [of('oli_1')]), [])
    assert.deepEqual(storesWithoutUnits(order, [of('oli_2')]), ['store_2'])
    assert.deepEqual(storesWithoutUnits(order, [of('oli_1'), of('oli_3')]), ['store_1'])
    const given = asked(order)
    assert.deepEqual(storesWithoutUnits(given, [of('oli_3')]), ['store_1'], 'counts earlier refunds')
    const without = recordCanceled(order, [of('oli_1')], context)
    assert.deepEqual(storesWithoutUnits(without, [of('oli_3')]), ['store_1'])
    const sent = recordParcel(order, { id: 'ful_1', lines: [of('oli_1')], ...nameless }, context)
    assert.deepEqual(storesWithoutUnits(sent, [of('oli_3')]), [])
  })
})

const nameless = { carrier: null, trackingNumber: null, trackingUrl: null }

describe('the payment status', () => {
  const statusOf = (money: Partial<OrderMoney>) =>
    paymentStatusOf({
      charge: 'captured',
      charged: 100n,
      refunded: 0n,
      refundPending: 0n,
      unknown: 0n,
      disputed: 0n,
      ...money,
    })

  test('is derived from the amounts', () => {
    assert.equal(statusOf({}), 'paid')
    assert.equal(statusOf({ refundPending: 100n }), 'paid', 'until the refund is paid')
    assert.equal(statusOf({ refunded: 1n }), 'partially_refunded')
    assert.equal(statusOf({ refunded: 100n }), 'refunded')
    assert.equal(statusOf({ refunded: 50n, unknown: 1n }), 'unknown')
    assert.equal(statusOf({ charged: 0n }), 'paid', 'an order that costs nothing is paid')
    for (const charge of ['pending', 'authorized', 'voided', 'failed'] as const) {
      assert.equal(statusOf({ charge, charged: 0n }), charge)
    }
  })

  test('is paid after a partial capture: the rest is released, and refunds never exceed the charge', () => {
    const order = orderOfUnits([2], { charge: 'authorized' })
    const owed = BigInt(order.totals.total.amount)
    const paid = chargeCaptured(order, { amount: owed - 1n, releaseReference: 'rel_1' }, context)
    assert.deepEqual(
      [statusesOf(paid).paymentStatus, paid.money.charged, moneyLeft(paid.money)],
      ['paid', owed - 1n, owed - 1n],
    )
    assert.deepEqual(
      paid.adjustments.map(({ kind, amount, state }) => [kind, amount, state]),
      [['release', 1n, 'succeeded']],
    )
    const whole = refundFor(paid, { units: [{ lineId: 'oli_1', quantity: 2 }], shippingOf: [] })
    assert.ok(whole.amount <= owed - 1n)
    assert.throws(() => chargeCaptured(paid, { amount: 1n, releaseReference: 'rel_2' }, context), /charged once/)
  })

  test('a dispute leaves nothing to refund until it is won', () => {
    const order = orderOfUnits([1])
    const disputed = chargeDisputed(order, { disputed: order.money.charged, code: 'payment_disputed' }, context)
    assert.deepEqual([statusesOf(disputed).paymentStatus, moneyLeft(disputed.money)], ['paid', 0n])
    const won = chargeDisputed(disputed, { disputed: 0n, code: 'dispute_won' }, context)
    assert.equal(moneyLeft(won.money), order.money.charged)
  })

  test('a refund of all that a dispute leaves refunds its part of the tax, not all of it', () => {
    const order = orderOfUnits([2])
    const tax = { name: 'VAT', rate: '0.19', category: 'standard', taxable: 1681n, amount: 319n, included: true }
    const taxed = { ...order, lines: order.lines.map((line) => ({ ...line, taxLines: [tax] })) }
    const disputed = chargeDisputed(taxed, { disputed: 1490n, code: 'payment_disputed' }, context)
    const refunded = (from: Order, name: string, amount: bigint) =>
      refundBegun(from, { reference: name, kind: 'correction', refund: { amount, lines: [], shipping: [] } }, context)
    const first = refunded(disputed, 'rfd_1', moneyLeft(disputed.money))
    const won = chargeDisputed(first, { disputed: 0n, code: 'dispute_won' }, context)
    const { adjustments } = refunded(won, 'rfd_2', moneyLeft(won.money))
    assert.deepEqual(
      adjustments.map(({ amount, taxes }) => [amount, taxes.map((each) => each.amount)]),
      [
        [1000n, [128n]],
        [1490n, [191n]],
      ],
    )
  })

  test('a refund of one line has the taxes of that line alone, also an amount that was not taxed', () => {
    const order = orderOfUnits([1, 1])
    const taxOf = (category: string) =>
      category === 'exempt'
        ? { name: 'No VAT', rate: '0', category, taxable: 1n, amount: 0n, included: true }
        : { name: 'VAT', rate: '0.19', category, taxable: 1681n, amount: 319n, included: true }
    const lines = order.lines.map((line, at) => ({
      ...line,
      taxLines: at === 0 ? [taxOf('standard'), taxOf('exempt')] : [taxOf('reduced')],
    }))
    const taxed = { ...order, lines }
    const refund = refundFor(taxed, { units: [{ lineId: lines[0]!.id, quantity: 1 }], shippingOf: [] })
    const { adjustments } = refundBegun(taxed, { reference: 'rfd_1', kind: 'refund', refund }, context)
    assert.deepEqual(
      adjustments[0]!.taxes.map(({ category, taxable, amount }) => [category, taxable, amount]),
      [
        ['standard', 1681n, 319n],
        ['exempt', 1n, 0n],
      ],
    )
  })

  test('is voided from an authorization, and from no other status', () => {
    const order = orderOfUnits([1], { charge: 'authorized' })
    assert.equal(statusesOf(chargeVoided(order, context)).paymentStatus, 'voided')
    assert.throws(() => chargeVoided(orderOfUnits([1]), context), { name: 'AssertionError' })
  })
})
