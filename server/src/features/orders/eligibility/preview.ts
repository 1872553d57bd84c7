import type { LineQuantity, Order } from '../order/order.ts'
import { type Refund, type RefundRequest, refundFor, storesWithoutUnits } from '../order/refund-amounts.ts'
import { wholeOf } from '../order/share.ts'

/** The refund and the restock of canceling or returning units. */
export interface MoneyPreview {
  readonly refund: Refund
  /** Part of `refund.amount`: less than the shipping if the charge has less left. Minor units. */
  readonly shippingRefund: bigint
  /** Units that go back to stock. */
  readonly restock: readonly LineQuantity[]
}

/** A store's rules for shipping refunds and restocking. */
interface StoreRules {
  readonly restocks: boolean
  readonly refundsShipping: boolean
}

/**
 * Computes what units refund: their own amounts, and the shipping of each store whose last unit is among them, if its rules
 * refund shipping. Never more than what is left of the charge.
 */
export function previewOf(
  shown: Order,
  units: readonly LineQuantity[],
  rulesFor: (storeId: string) => StoreRules,
  { isCanceled = false }: Pick<RefundRequest, 'isCanceled'> = {},
): MoneyPreview {
  // The refund is capped at what is left of the whole order's charge.
  const order = wholeOf(shown)
  const shippingOf = storesWithoutUnits(order, units).filter((storeId) => rulesFor(storeId).refundsShipping)
  const refund = refundFor(order, { units, shippingOf, isCanceled })
  const goods = refundFor(order, { units, shippingOf: [], isCanceled })
  const storeOf = new Map(order.lines.map(({ id, storeId }) => [id, storeId]))
  return {
    refund,
    shippingRefund: refund.amount - goods.amount,
    restock: units.filter(({ lineId }) => rulesFor(storeOf.get(lineId) ?? '').restocks),
  }
}

/**
 * A partial refund that an operator decided: goods first, then shipping.
 *
 * @param amount minor units, at most `refund.amount`
 */
export function partOfRefund(order: Order, { refund }: MoneyPreview, amount: bigint): Refund {
  const goods = refundFor(order, { units: refund.lines, shippingOf: [] })
  return { ...(amount <= goods.amount ? goods : refund), amount }
}
