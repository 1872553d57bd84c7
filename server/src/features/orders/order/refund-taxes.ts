import { divideRoundHalfUp, smallest, sum } from '../../../kernel/money.ts'
import type { TaxLine } from '../../pricing/index.ts'
import { lineOf, moneyLeft, type Order, type RefundedTax } from './order.ts'
import type { Refund } from './refund-amounts.ts'

type Taxed = { readonly storeId: string; readonly taxLines: readonly TaxLine[] }

/**
 * The taxes in a refund: those of its units and shipping, in proportion if the refund is below their total. An amount without units
 * is split over all taxes in proportion. The refund of the last money takes the rest of each tax, so that all refunds together refund
 * exactly the tax that was charged.
 */
export function taxesOfRefund(order: Order, { amount, lines, shipping }: Refund): readonly RefundedTax[] {
  const given = grouped(order.adjustments.flatMap(({ taxes }) => taxes))
  const left = [...grouped([...order.lines, ...order.shipping].flatMap(taxesOf))].map(([key, tax]) => {
    return [key, minus(tax, given.get(key))] as const
  })
  // Disputed money is part of the charge: a won dispute makes it refundable again, with its tax.
  const money = moneyLeft({ ...order.money, disputed: 0n })
  const parts = [...lines.map((line) => ({ ...line, storeId: lineOf(order, line.lineId).storeId })), ...shipping]
  const wanted = parts.length > 0 ? grouped(parts.flatMap(taxesOf)) : new Map(left)
  const whole = parts.length > 0 ? sum(parts.map(({ total }) => total)) : money
  const part = (of: bigint) => (whole === 0n ? 0n : divideRoundHalfUp(of * amount, whole))
  return left.flatMap(([key, most]) => {
    const { taxable, amount: tax } = wanted.get(key) ?? { taxable: 0n, amount: 0n }
    const taken =
      amount === money
        ? most
        : { ...most, taxable: smallest(part(taxable), most.taxable), amount: smallest(part(tax), most.amount) }
    return taken.taxable === 0n && taken.amount === 0n ? [] : [taken]
  })
}

function taxesOf({ storeId, taxLines }: Taxed): readonly RefundedTax[] {
  return taxLines.map(({ name, rate, category, taxable, amount, country, exemption, source }) => {
    return {
      storeId,
      name,
      rate,
      category,
      taxable,
      amount,
      ...(country && { country }),
      ...(exemption && { exemption }),
      ...(source && { source }),
    }
  })
}

/** Sums taxes with the same store, country, rate, category, name, exemption and source. */
function grouped(taxes: readonly RefundedTax[]): ReadonlyMap<string, RefundedTax> {
  const groups = Map.groupBy(taxes, ({ storeId, name, rate, category, country, exemption, source }) => {
    return JSON.stringify([storeId, country, rate, category, name, exemption, source])
  })
  return new Map(
    [...groups].map(([key, own]) => {
      const [taxable, amount] = [sum(own.map((tax) => tax.taxable)), sum(own.map((tax) => tax.amount))]
      return [key, { ...own[0]!, taxable, amount }]
    }),
  )
}

function minus(tax: RefundedTax, given: RefundedTax | undefined): RefundedTax {
  return { ...tax, taxable: tax.taxable - (given?.taxable ?? 0n), amount: tax.amount - (given?.amount ?? 0n) }
}
