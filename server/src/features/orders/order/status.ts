import type { Order as OrderResource } from '@vitrine/contract'
import type { LineUnits, Order, OrderMoney, Parcel } from './order.ts'

type LineStatus = OrderResource['lines'][number]['status']

/** Derives the payment status from the amounts. @see docs/reference/rules.md#orderpaymentstatus */
export function paymentStatusOf({ charge, charged, refunded, unknown }: OrderMoney): OrderResource['paymentStatus'] {
  if (unknown > 0n) return 'unknown'
  if (charge !== 'captured') return charge
  if (refunded === 0n) return 'paid'
  return refunded === charged ? 'refunded' : 'partially_refunded'
}

/** Derives the fulfillment status from units and parcels. @see docs/reference/rules.md#orderfulfillmentstatus */
function fulfillmentStatusOf({ lines, parcels }: Pick<Order, 'lines' | 'parcels'>): OrderResource['fulfillmentStatus'] {
  const current = total(lines.map(({ units }) => units.ordered - units.canceled))
  const fulfilled = total(lines.map(({ units }) => units.fulfilled))
  if (current === 0) return 'canceled'
  if (fulfilled === 0) return 'unfulfilled'
  if (fulfilled < current) return 'partially_fulfilled'
  return parcels.every(isDelivered) ? 'delivered' : 'fulfilled'
}

export type Statuses = Pick<OrderResource, 'status' | 'paymentStatus' | 'fulfillmentStatus'>

/** The three statuses of an order; two of them are derived from money and units. */
export function statusesOf(order: Order): Statuses {
  return {
    status: order.status,
    paymentStatus: paymentStatusOf(order.money),
    fulfillmentStatus: fulfillmentStatusOf(order),
  }
}

/** Derives the status of a line. */
export function lineStatusOf({ ordered, canceled, fulfilled, returned }: LineUnits): LineStatus {
  const current = ordered - canceled
  if (current === 0) return 'canceled'
  if (returned === current) return 'returned'
  if (fulfilled === current) return 'fulfilled'
  return fulfilled > 0 ? 'partially_fulfilled' : 'open'
}

function isDelivered({ status }: Parcel): boolean {
  return status === 'delivered'
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
