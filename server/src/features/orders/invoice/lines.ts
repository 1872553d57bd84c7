import { assert } from '../../../kernel/assert.ts'
import { allocate, refundOfUnits, smallest, sum } from '../../../kernel/money.ts'
import type { TaxLine } from '../../pricing/index.ts'
import type { Adjustment, Order } from '../order/order.ts'
import { refundOf, shippingRefundOf } from '../order/refund-amounts.ts'

/** A line of an invoice or of a credit note. Amounts are minor units. */
export interface InvoiceLine {
  /** The order line, or `shipping:` and the store. The same in an invoice and its credit notes. */
  readonly key: string
  readonly storeId: string
  readonly kind: 'item' | 'shipping'
  /** `null`: shipping without a name. */
  readonly name: string | null
  readonly code: string | null
  readonly options: readonly { readonly name: string; readonly value: string }[]
  /** `null`: a credit without units. */
  readonly quantity: number | null
  readonly unitPrice: bigint | null
  readonly discounts: readonly { readonly title: string; readonly amount: bigint }[]
  readonly taxLines: readonly TaxLine[]
  readonly total: bigint
}

/** The total of a line without tax. */
export function netOf({ total, taxLines }: Pick<InvoiceLine, 'total' | 'taxLines'>): bigint {
  return total - sum(taxLines.map(({ amount }) => amount))
}

/** The lines of an order's invoices: the order lines, then the shipping of each store. */
export function invoiceLinesOf({ lines, shipping }: Pick<Order, 'lines' | 'shipping'>): readonly InvoiceLine[] {
  const items = lines.map((line) => ({
    key: line.id,
    storeId: line.storeId,
    kind: 'item' as const,
    name: line.name,
    code: line.code,
    options: line.optionLabels,
    quantity: line.units.ordered,
    unitPrice: line.unitPrice,
    discounts: line.discountAllocations.map(({ title, amount }) => ({ title, amount })),
    taxLines: line.taxLines,
    total: line.total,
  }))
  const shipped = shipping
    .filter(({ amount }) => amount > 0n)
    .map((each) => ({
      key: shippingKey(each.storeId),
      storeId: each.storeId,
      kind: 'shipping' as const,
      name: each.name,
      code: null,
      options: [],
      quantity: 1,
      unitPrice: each.amount,
      discounts: each.discountAllocations.map(({ title, amount }) => ({ title, amount })),
      taxLines: each.taxLines,
      total: each.total,
    }))
  return [...items, ...shipped]
}

/**
 * The credit lines of a refund. Refunded units and shipping are credited first, up to what their line has left. The rest of the
 * amount is a price reduction: it is spread over everything that was not credited yet. So no line is ever credited with more than
 * was invoiced, and all refunds together credit exactly the refunded money.
 *
 * @returns also lines of sellers that issued no invoice
 */
export function creditLinesOf(
  { before, after, adjustment }: { readonly before: Order; readonly after: Order; readonly adjustment: Adjustment },
  earlier: { readonly invoiced: readonly InvoiceLine[]; readonly credited: readonly InvoiceLine[] },
): readonly InvoiceLine[] {
  const sold = invoiceLinesOf(before)
  const parts = partsOf(before, after)
  const open = sold.map((line) => openOf(line, before, earlier))
  const given = open.map(() => 0n)

  const give = (amount: bigint, indexes: readonly number[], weights: readonly bigint[]) => {
    const shared = allocate(smallest(amount, sum(weights)), weights)
    for (const [at, index] of indexes.entries()) given[index]! += shared[at]!
    return amount - sum(shared)
  }
  const spread = (amount: bigint, indexes: readonly number[]) =>
    give(
      amount,
      indexes,
      indexes.map((index) => open[index]!.total - given[index]!),
    )
  const everywhere = open.map((_, index) => index)
  const shares = adjustment.byStore === null ? null : Object.entries(adjustment.byStore)
  const targets = shares?.map(([storeId, amount]) => {
    return { amount, indexes: everywhere.filter((index) => sold[index]!.storeId === storeId) }
  }) ?? [{ amount: adjustment.amount, indexes: everywhere }]
  let left = 0n
  for (const { amount, indexes } of targets) {
    const wanted = indexes.map((index) => smallest(parts.get(sold[index]!.key)?.total ?? 0n, open[index]!.total))
    left += spread(give(amount, indexes, wanted), indexes)
  }
  assert(spread(left, everywhere) === 0n, 'no more is credited than was invoiced')

  return open.flatMap((line, index) => {
    const amount = given[index]!
    return amount === 0n ? [] : [creditOf(line, amount, parts.get(line.key))]
  })
}

interface Part {
  readonly total: bigint
  readonly taxLines: readonly TaxLine[]
  readonly quantity: number
}

/** The units and the shipping that a change refunds, by key. */
function partsOf(before: Order, after: Order): ReadonlyMap<string, Part> {
  const items = before.lines.map((line, index) => {
    const quantity = after.lines[index]!.units.refunded - line.units.refunded
    return [line.id, { ...refundOf(line, quantity), quantity }] as const
  })
  const shipping = before.shipping.map((each, index) => {
    const amount = after.shipping[index]!.refunded - each.refunded
    return [shippingKey(each.storeId), { ...shippingRefundOf(each, amount), quantity: 1 }] as const
  })
  return new Map([...items, ...shipping].filter(([, { total }]) => total > 0n))
}

/** The part of a line that earlier refunds have not credited. Without an invoice, it follows from the refunded units. */
function openOf(
  line: InvoiceLine,
  before: Order,
  { invoiced, credited }: Parameters<typeof creditLinesOf>[1],
): InvoiceLine {
  if (!invoiced.some(({ key }) => key === line.key)) {
    const total = line.total - refundedOf(before, line)
    const taxes = taxesOfShare(line, total)
    return { ...line, total, taxLines: line.taxLines.map((tax, index) => ({ ...tax, amount: taxes[index]! })) }
  }
  const credits = credited.filter(({ key }) => key === line.key)
  return {
    ...line,
    total: line.total - sum(credits.map(({ total }) => total)),
    taxLines: line.taxLines.map((tax, index) => {
      return { ...tax, amount: tax.amount - sum(credits.map(({ taxLines }) => taxLines[index]!.amount)) }
    }),
  }
}

function refundedOf({ lines, shipping }: Order, { key, kind, storeId, total }: InvoiceLine): bigint {
  if (kind === 'shipping') return shipping.find((each) => each.storeId === storeId)?.refunded ?? 0n
  const units = lines.find(({ id }) => id === key)?.units
  return units === undefined
    ? 0n
    : refundOfUnits({ charged: total, quantity: units.ordered, before: 0, units: units.refunded })
}

/** The taxes of a part of a line. Rounded one by one, they could add up to more than a small part: they and the net amount are allocated. */
function taxesOfShare(line: InvoiceLine, total: bigint): readonly bigint[] {
  return allocate(total, [...line.taxLines.map(({ amount }) => amount), netOf(line)]).slice(0, -1)
}

/** A credit of part of a line, with its tax. `left` has not been credited yet. */
function creditOf(left: InvoiceLine, total: bigint, part: Part | undefined): InvoiceLine {
  const isOfUnits = part !== undefined && part.total === total
  const ofPart = part?.taxLines.map(({ amount }) => amount) ?? []
  const fits =
    ofPart.every((amount, index) => amount <= left.taxLines[index]!.amount) &&
    sum(ofPart) <= total &&
    total - sum(ofPart) <= netOf(left)
  const taxes = isOfUnits && fits ? ofPart : taxesOfShare(left, total)
  const net = total - sum(taxes)
  return {
    ...left,
    quantity: isOfUnits ? part.quantity : null,
    unitPrice: null,
    discounts: [],
    taxLines: left.taxLines.map((tax, index) => ({ ...tax, taxable: net, amount: taxes[index]! })),
    total,
  }
}

function shippingKey(storeId: string): string {
  return `shipping:${storeId}`
}
