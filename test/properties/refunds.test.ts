import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type CommandContext,
  moneyLeft,
  type Order,
  type RefundPart,
  refundableUnits,
  refundBegun,
  refundFor,
  refundSettled,
  refundTriedAgain,
} from '../../server/src/features/orders/index.ts'
import { priceCart } from '../../server/src/features/pricing/index.ts'
import { sum } from '../../server/src/kernel/money.ts'
import { orderOfPrices } from '../support/commerce/orders.ts'
import { runsOf } from '../support/runs.ts'
import { pricingInputs } from './arbitrary-carts.ts'

/** Orders per property, in EUR, JPY and KWD. A failure prints its seed. */
const RUNS = { numRuns: runsOf({ full: 1000, short: 200 }) }
const context: CommandContext = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' }

const orders = pricingInputs
  .map((input) => priceCart(input))
  .filter(({ lines }) => lines.length > 0)
  .map((priced) => orderOfPrices(priced))

/** The next line, its units, and whether shipping is included, until nothing remains. */
const splits = fc.array(
  fc.record({ line: fc.nat(), units: fc.integer({ min: 1, max: 7 }), shipping: fc.nat({ max: 9 }) }),
  {
    minLength: 1,
    maxLength: 40,
  },
)
type Split = typeof splits extends fc.Arbitrary<infer Value> ? Value : never
type Settling = 'succeeded' | 'failed first' | 'unknown first' | 'unknown, then failed'
const settlings = fc.array(
  fc.constantFrom<Settling>('succeeded', 'failed first', 'unknown first', 'unknown, then failed'),
  { minLength: 1, maxLength: 10 },
)

interface Walk {
  readonly order: Order
  readonly parts: ReadonlyMap<string, readonly RefundPart[]>
  readonly amounts: readonly bigint[]
}

/** Refunds a whole order in the given parts, and the rest at the end. */
function givenBack(begin: Order, split: Split, how: readonly Settling[]): Walk {
  const parts = new Map<string, RefundPart[]>()
  const amounts: bigint[] = []
  let order = begin
  const take = (units: { lineId: string; quantity: number }[], shippingOf: readonly string[]) => {
    const reference = `ref_${amounts.length}`
    const refund = refundFor(order, { units, shippingOf })
    assert.ok(refund.amount <= moneyLeft(order.money))
    amounts.push(refund.amount)
    for (const { lineId, ...part } of refund.lines) parts.set(lineId, [...(parts.get(lineId) ?? []), part])
    for (const { storeId, ...part } of refund.shipping) parts.set(storeId, [...(parts.get(storeId) ?? []), part])
    order = refundBegun(order, { reference, kind: 'refund', refund }, context)
    if (refund.amount > 0n) order = settled(order, reference, how[amounts.length % how.length]!)
  }
  for (const { line, units, shipping } of split) {
    const open = order.lines.filter((each) => refundableUnits(each.units) > 0)
    const chosen = open[line % Math.max(open.length, 1)]
    const store = shipping === 0 ? order.shipping.map(({ storeId }) => storeId).slice(0, 1) : []
    if (chosen) take([{ lineId: chosen.id, quantity: Math.min(units, refundableUnits(chosen.units)) }], store)
  }
  const rest = order.lines.filter((each) => refundableUnits(each.units) > 0)
  take(
    rest.map((each) => ({ lineId: each.id, quantity: refundableUnits(each.units) })),
    order.shipping.map(({ storeId }) => storeId),
  )
  return { order, parts, amounts }
}

function settled(order: Order, reference: string, how: Settling): Order {
  const settle = (each: Order, outcome: 'succeeded' | 'failed' | 'unknown') =>
    refundSettled(each, { reference, outcome }, context)
  if (how === 'succeeded') return settle(order, 'succeeded')
  if (how === 'unknown first') return settle(settle(order, 'unknown'), 'succeeded')
  const failed = settle(how === 'failed first' ? order : settle(order, 'unknown'), 'failed')
  return settle(refundTriedAgain(failed, reference, context), 'succeeded')
}

function always(sentence: string, holds: (order: Order, walk: Walk) => void): void {
  test(sentence, () =>
    fc.assert(
      fc.property(orders, splits, settlings, (order, split, how) => holds(order, givenBack(order, split, how))),
      RUNS,
    ),
  )
}

describe('an order refunded in any parts', () => {
  always('refunds exactly the charge', (begin, { order, amounts }) => {
    assert.equal(sum(amounts), begin.money.charged)
    assert.deepEqual(
      { ...order.money, charge: undefined },
      {
        charge: undefined,
        charged: begin.money.charged,
        refunded: begin.money.charged,
        refundPending: 0n,
        unknown: 0n,
        disputed: 0n,
      },
    )
  })

  always("refunds exactly the total of each line and store's shipping", (begin, { parts }) => {
    for (const { id, total } of begin.lines) assert.equal(sum(parts.get(id)!.map((part) => part.total)), total)
    for (const { storeId, total } of begin.shipping)
      assert.equal(sum(parts.get(storeId)!.map((part) => part.total)), total)
  })

  always('refunds exactly each tax with its base, and each discount', (begin, { parts }) => {
    const frozen = [
      ...begin.lines.map((line) => [line.id, line] as const),
      // Free shipping is never refunded, so its discount is not either.
      ...begin.shipping.filter(({ total }) => total > 0n).map((shipping) => [shipping.storeId, shipping] as const),
    ]
    for (const [key, { taxLines, discountAllocations }] of frozen) {
      const given = parts.get(key)!
      for (const [index, tax] of taxLines.entries()) {
        assert.equal(sum(given.map((part) => part.taxLines[index]!.amount)), tax.amount)
        assert.equal(sum(given.map((part) => part.taxLines[index]!.taxable)), tax.taxable)
      }
      for (const [index, { amount }] of discountAllocations.entries()) {
        assert.equal(sum(given.map((part) => part.discountAllocations[index]!.amount)), amount)
      }
    }
  })

  always('gives back exactly the tax that was charged, also after an amount without units', (begin, { order }) => {
    if (begin.money.charged === 0n) return
    const refund = { amount: (begin.money.charged + 2n) / 3n, lines: [], shipping: [] }
    const corrected = refundBegun(begin, { reference: 'first', kind: 'correction', refund }, context)
    for (const { lines, shipping, adjustments } of [order, givenBack(corrected, [], ['succeeded']).order]) {
      const charged = [...lines, ...shipping].flatMap(({ taxLines }) => taxLines)
      const given = adjustments.flatMap(({ taxes }) => taxes)
      for (const { taxable, amount } of given) assert.ok(taxable >= 0n && amount >= 0n)
      for (const member of ['amount', 'taxable'] as const) {
        assert.equal(sum(given.map((tax) => tax[member])), sum(charged.map((tax) => tax[member])))
      }
    }
  })

  always('never refunds a negative amount, nor more tax than money', ({ lines }, { amounts, parts }) => {
    for (const amount of amounts) assert.ok(amount >= 0n)
    for (const [id, given] of parts) {
      const line = lines.find((each) => each.id === id)
      // Price and tax of units that cost less than a cent each may round up at different units.
      const isBelowACent = line !== undefined && line.total < BigInt(line.units.ordered)
      for (const { total, taxLines } of given) {
        assert.ok(total >= 0n)
        for (const { amount } of taxLines) assert.ok(amount >= 0n && (amount <= total || isBelowACent))
      }
    }
  })
})

test('the generated orders have taxes, discounts, shipping and three currencies', () => {
  const tried = fc.sample(orders, { numRuns: 300, seed: 42 })
  const parts = tried.flatMap((order) => [...order.lines, ...order.shipping])
  assert.ok(parts.some(({ taxLines }) => taxLines.length > 2))
  assert.ok(parts.some(({ discountAllocations }) => discountAllocations.length > 0))
  assert.ok(tried.some(({ shipping }) => shipping.length > 1))
  assert.deepEqual([...new Set(tried.map(({ currency }) => currency))].sort(), ['EUR', 'JPY', 'KWD'])
})
