import { assert } from '../../../kernel/assert.ts'
import { allocate, divideRoundHalfUp, refundOfUnits, smallest, sum } from '../../../kernel/money.ts'
import type { DiscountAllocation, TaxLine } from '../../pricing/index.ts'
import {
  type AmountByStore,
  currentUnits,
  isRelease,
  type LineQuantity,
  lineOf,
  moneyLeft,
  type Order,
  type OrderLine,
  type OrderShipping,
} from './order.ts'

/** The refund of part of a line or of shipping, with its tax and discounts. */
export interface RefundPart {
  readonly total: bigint
  /** The frozen tax lines, with the amounts of the part. */
  readonly taxLines: readonly TaxLine[]
  readonly discountAllocations: readonly DiscountAllocation[]
}

/** The amounts of a refund. */
export interface Refund {
  readonly amount: bigint
  readonly lines: readonly (LineQuantity & RefundPart)[]
  readonly shipping: readonly ({ readonly storeId: string } & RefundPart)[]
}

/** The units and the shipping to refund. */
export interface RefundRequest {
  readonly units: readonly LineQuantity[]
  /** Stores whose remaining shipping is refunded. */
  readonly shippingOf: readonly string[]
  /** Whether the units are canceled, and not returned: a release is used up first. */
  readonly isCanceled?: boolean
}

/**
 * The refund of further units of a line: `round(A(f+k)/n) − round(A·f/n)` of its total, of each tax and of each discount.
 * However the units are split, all parts add up to exactly what was charged.
 *
 * @see docs/reference/rules.md#refunds
 */
export function refundOf(
  line: Pick<OrderLine, 'total' | 'taxLines' | 'discountAllocations' | 'units'>,
  units: number,
): RefundPart {
  const { ordered: quantity, refunded: before } = line.units
  const part = (charged: bigint) => refundOfUnits({ charged, quantity, before, units })
  return partOf(line, part)
}

/** The refund of an amount of a store's shipping, with its tax and discounts. Minor units. */
export function shippingRefundOf(shipping: OrderShipping, amount: bigint): RefundPart {
  const { total, refunded } = shipping
  assert(amount >= 0n && refunded + amount <= total, 'no more shipping is refunded than was charged')
  const upTo = (charged: bigint, given: bigint) => (total === 0n ? 0n : divideRoundHalfUp(charged * given, total))
  return partOf(shipping, (charged) => upTo(charged, refunded + amount) - upTo(charged, refunded))
}

/** The refund of a request: the sum of its parts, less a release if they are canceled, capped at what is left of the charge. */
export function refundFor(order: Order, { units, shippingOf, isCanceled = false }: RefundRequest): Refund {
  const lines = units.map(({ lineId, quantity }) => {
    return { lineId, quantity, ...refundOf(lineOf(order, lineId), quantity) }
  })
  const shipping = order.shipping
    .filter(({ storeId }) => shippingOf.includes(storeId))
    .map((each) => ({ storeId: each.storeId, ...shippingRefundOf(each, each.total - each.refunded) }))
  const whole = sum([...lines, ...shipping].map(({ total }) => total))
  const owed = isCanceled ? whole - smallest(whole, openRelease(order)) : whole
  return { amount: smallest(owed, moneyLeft(order.money)), lines, shipping }
}

/**
 * The part of a release that is not used up by canceled units and their shipping. It was never charged, so canceling further units
 * pays nothing back for it.
 *
 * @see docs/decisions/0171-cancel-what-was-released-first.md
 */
function openRelease({ adjustments, lines, shipping }: Order): bigint {
  const released = sum(adjustments.filter(isRelease).map(({ amount }) => amount))
  const goods = lines.map(({ total: charged, units: { ordered: quantity, canceled: units } }) => {
    return refundOfUnits({ charged, quantity, before: 0, units })
  })
  const kept = new Set(lines.filter(({ units }) => currentUnits(units) > 0).map(({ storeId }) => storeId))
  const carriage = shipping.filter(({ storeId }) => !kept.has(storeId)).map(({ refunded }) => refunded)
  return released - smallest(released, sum([...goods, ...carriage]))
}

/**
 * The amount of a refund per store. A refund below the sum of its parts is split in proportion to them.
 *
 * @returns `null` if the order has one store, or the refund is more than its parts: one without parts, or one of another system
 */
export function refundByStore(order: Order, { amount, lines, shipping }: Refund): AmountByStore | null {
  const parts = [...lines.map((line) => ({ ...line, storeId: lineOf(order, line.lineId).storeId })), ...shipping]
  if (order.storeId !== null || amount > sum(parts.map(({ total }) => total))) return null
  const totals = [...Map.groupBy(parts, ({ storeId }) => storeId)].map(([storeId, own]) => {
    return [storeId, sum(own.map(({ total }) => total))] as const
  })
  const amounts = allocate(
    amount,
    totals.map(([, total]) => total),
  )
  return Object.fromEntries(totals.map(([storeId], index) => [storeId, amounts[index] ?? 0n]))
}

/** The stores whose last units are refunded by these units. Their shipping is refunded too. */
export function storesWithoutUnits(order: Order, units: readonly LineQuantity[]): readonly string[] {
  const claimed = new Map(units.map(({ lineId, quantity }) => [lineId, quantity]))
  const isKept = ({ id, units: { ordered, canceled, refunded } }: OrderLine) =>
    // Canceled units are refunded as well, unless nothing had been paid.
    ordered - Math.max(canceled, refunded) - (claimed.get(id) ?? 0) > 0
  const kept = new Set(order.lines.filter(isKept).map(({ storeId }) => storeId))
  const own = new Set(units.map(({ lineId }) => lineOf(order, lineId).storeId))
  return order.shipping.map(({ storeId }) => storeId).filter((storeId) => own.has(storeId) && !kept.has(storeId))
}

function partOf(
  frozen: Pick<OrderLine, 'total' | 'taxLines' | 'discountAllocations'>,
  part: (charged: bigint) => bigint,
): RefundPart {
  return {
    total: part(frozen.total),
    taxLines: frozen.taxLines.map((tax) => ({ ...tax, taxable: part(tax.taxable), amount: part(tax.amount) })),
    discountAllocations: frozen.discountAllocations.map((each) => ({ ...each, amount: part(each.amount) })),
  }
}
