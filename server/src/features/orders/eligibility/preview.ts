import type { LineQuantity, Order } from '../order/order.ts'
import { type Refund, refundFor, storesWithoutUnits } from '../order/refund-amounts.ts'

/** What canceling or taking back units comes to. */
export interface MoneyPreview {
  readonly refund: Refund
  /** Of `refund.amount`; less where not so much is left. Minor units. */
  readonly shippingRefund: bigint
  /** What goes back on the shelf. */
  readonly restock: readonly LineQuantity[]
}

/** What a store does with the money for shipping, and with goods. */
export interface StoreRules {
  readonly restocks: boolean
  readonly refundsShipping: boolean
}

/**
 * What units give back: their own money, and the shipping of each store whose last unit is among them, where its rules say
 * so. All of it together is never more than what is left of the charge.
 */
export function previewOf(
  order: Order,
  units: readonly LineQuantity[],
  rulesFor: (storeId: string) => StoreRules,
): MoneyPreview {
  const shippingOf = storesWithoutUnits(order, units).filter((storeId) => rulesFor(storeId).refundsShipping)
  const refund = refundFor(order, { units, shippingOf })
  const goods = refundFor(order, { units, shippingOf: [] })
  const storeOf = new Map(order.lines.map(({ id, storeId }) => [id, storeId]))
  return {
    refund,
    shippingRefund: refund.amount - goods.amount,
    restock: units.filter(({ lineId }) => rulesFor(storeOf.get(lineId) ?? '').restocks),
  }
}

/**
 * A part of what units give back, as an operator may decide it: the goods' money first, then the shipping's.
 *
 * @param amount minor units, at most `refund.amount`
 */
export function partOfRefund(order: Order, { refund }: MoneyPreview, amount: bigint): Refund {
  const goods = refundFor(order, { units: refund.lines, shippingOf: [] })
  return { ...(amount <= goods.amount ? goods : refund), amount }
}
