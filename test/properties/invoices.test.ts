import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  moneyLeft,
  type Order,
  refundableUnits,
  refundBegun,
  refundFor,
} from '../../server/src/features/orders/index.ts'
import {
  creditLinesOf,
  type InvoiceLine,
  invoiceLinesOf,
  netOf,
} from '../../server/src/features/orders/invoice/lines.ts'
import { priceCart } from '../../server/src/features/pricing/index.ts'
import { sum } from '../../server/src/kernel/money.ts'
import { orderOfPrices } from '../support/commerce/orders.ts'
import { runsOf } from '../support/runs.ts'
import { pricingInputs } from './arbitrary-carts.ts'

const NOW = { now: new Date('2026-05-05T12:00:00.000Z'), actor: 'operator' } as const
const RUNS = { numRuns: runsOf({ full: 1000, short: 150 }) }

const orders = pricingInputs
  .map((input) => priceCart(input))
  .filter(({ lines }) => lines.length > 0)
  .map((priced) => orderOfPrices(priced))

/** Units of a line, with or without shipping, or an amount in hundredths of the remaining amount. */
const refunds = fc.array(
  fc.record({
    line: fc.nat(),
    units: fc.integer({ min: 1, max: 7 }),
    withShipping: fc.boolean(),
    percent: fc.option(fc.integer({ min: 1, max: 100 })),
  }),
  { maxLength: 12 },
)
type Refund = typeof refunds extends fc.Arbitrary<readonly (infer Value)[]> ? Value : never

/** The order after the next refund. */
function refunded(order: Order, { line, units, withShipping, percent }: Refund, reference: string): Order {
  const left = moneyLeft(order.money)
  if (percent !== null) {
    const amount = (left * BigInt(percent)) / 100n
    if (amount === 0n) return order
    const refund = { amount, lines: [], shipping: [] }
    return refundBegun(order, { reference, kind: 'correction', refund }, NOW)
  }
  const open = order.lines.filter((each) => refundableUnits(each.units) > 0)
  const chosen = open[line % Math.max(open.length, 1)]
  if (!chosen) return order
  const quantity = Math.min(units, refundableUnits(chosen.units))
  const shippingOf = withShipping ? [chosen.storeId] : []
  const refund = refundFor(order, { units: [{ lineId: chosen.id, quantity }], shippingOf })
  return refundBegun(order, { reference, kind: 'refund', refund }, NOW)
}

/** All credit notes of a series of refunds, and the order after them. Each note adds up to its refund. */
function credited(begin: Order, series: readonly Refund[], isInvoiced = true) {
  const invoiced = isInvoiced ? invoiceLinesOf(begin) : []
  const notes: (readonly InvoiceLine[])[] = []
  let order = begin
  for (const [index, each] of series.entries()) {
    const after = refunded(order, each, `ref_${index}`)
    for (const adjustment of after.adjustments.slice(order.adjustments.length)) {
      const note = creditLinesOf(
        { before: order, after, adjustment },
        { invoiced, credited: isInvoiced ? notes.flat() : [] },
      )
      assert.equal(sum(note.map(({ total }) => total)), adjustment.amount)
      notes.push(note)
    }
    order = after
  }
  return { order, invoiced, notes }
}

describe('invoices minus credit notes', () => {
  test('equal the money kept: in total, and by line and rate, each with its share of the tax and never below zero', () => {
    const property = fc.property(orders, refunds, (begin, series) => {
      const { order, invoiced, notes } = credited(begin, series)
      const credits = notes.flat()
      assert.equal(
        sum(invoiced.map(({ total }) => total)) - sum(credits.map(({ total }) => total)),
        moneyLeft(order.money),
      )
      for (const line of invoiced) {
        const own = credits.filter(({ key }) => key === line.key)
        const total = line.total - sum(own.map((each) => each.total))
        const net = netOf(line) - sum(own.map(netOf))
        assert.ok(total >= 0n && net >= 0n, `${line.key}: ${total} with ${net} net`)
        for (const [index, { amount, rate }] of line.taxLines.entries()) {
          const tax = amount - sum(own.map((each) => each.taxLines[index]!.amount))
          assert.ok(tax >= 0n)
          // The kept amount has the tax of its rate, because each credit note rounds by less than a minor unit.
          const off = tax * line.total - amount * total
          const most = line.total * BigInt(own.length)
          assert.ok(
            off <= most && -off <= most,
            `${line.key} at ${rate}: ${tax} of ${amount}, ${total} of ${line.total}`,
          )
        }
        // The taxes of a line share one base: its total without taxes.
        for (const each of own) {
          assert.ok(netOf(each) >= 0n, `${line.key}: ${each.total} with ${netOf(each)} net`)
          for (const { taxable } of each.taxLines) assert.equal(taxable, netOf(each))
        }
      }
    })
    fc.assert(property, RUNS)
  })

  test('are zero, line by line and rate by rate, once all money is refunded', () => {
    const property = fc.property(orders, refunds, (begin, series) => {
      const all: Refund = { line: 0, units: 1, withShipping: false, percent: 100 }
      const { invoiced, notes } = credited(begin, [...series, all])
      const rates = (lines: readonly InvoiceLine[]) => {
        const taxes = lines.flatMap(({ key, taxLines }) =>
          taxLines.map((tax) => [`${key} ${tax.name} ${tax.rate}`, tax.amount]),
        )
        const byLine = lines.map((line) => [line.key, line.total] as const)
        return Map.groupBy([...byLine, ...(taxes as [string, bigint][])], ([key]) => key)
      }
      const given = rates(notes.flat())
      for (const [key, amounts] of rates(invoiced)) {
        assert.equal(
          sum((given.get(key) ?? []).map(([, amount]) => amount)),
          sum(amounts.map(([, amount]) => amount)),
          key,
        )
      }
    })
    fc.assert(property, RUNS)
  })

  test('credit exactly the refunded money where no invoice was issued, and no net amount below zero', () => {
    const property = fc.property(orders, refunds, (begin, series) => {
      const { notes } = credited(begin, series, false)
      assert.ok(notes.flat().every((line) => netOf(line) >= 0n))
    })
    fc.assert(property, RUNS)
  })

  test('spread taxes that would round up together over several refunds, so that no net amount is negative', () => {
    const amounts = { taxable: 1n, amount: 1n, rate: '1', category: 'standard', included: true, country: 'CA' } as const
    const taxLines = ['A', 'B', 'C'].map((name) => ({ ...amounts, name }))
    const [some] = fc.sample(orders, { numRuns: 1, seed: 1 })
    const line = { ...some!.lines[0]!, unitPrice: 4n, subtotal: 4n, total: 4n, discountAllocations: [], taxLines }
    const units = { ordered: 1, canceled: 0, fulfilled: 0, returned: 0, refunded: 0 }
    const money = {
      charge: 'captured',
      charged: 4n,
      refunded: 0n,
      refundPending: 0n,
      unknown: 0n,
      disputed: 0n,
    } as const
    const begin = { ...some!, lines: [{ ...line, units }], shipping: [], money }
    const parts = [25, 34, 100].map((percent) => ({ line: 0, units: 1, withShipping: false, percent }))

    const { notes } = credited(begin, parts)

    const credits = notes.flat()
    assert.deepEqual(
      credits.map(({ total }) => total),
      [1n, 1n, 2n],
    )
    assert.ok(credits.every((each) => netOf(each) >= 0n))
    assert.equal(sum(credits.map(netOf)), 1n)
  })
})
