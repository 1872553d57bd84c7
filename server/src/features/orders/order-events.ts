import { announce, type Teller } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/access.ts'
import { type Order, statusesOf } from './order.ts'

type OrderEvent = 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled'

/** Tells everybody who listens how an order stands. */
export function announceOrder(tx: Transaction, kind: OrderEvent, order: Order, teller: Teller): void {
  const { id, number, environment, installationId, storeId, version } = order
  const data = { orderId: id, number, ...statusesOf(order), total: order.totals.total, version }
  announce(tx, { kind, environment, installationId, storeId, subjectId: id, data }, teller)
}

/** Tells each change as `order.updated`, and beside it the two that most listeners wait for. */
export function announceChange(tx: Transaction, before: Order, after: Order, teller: Teller): void {
  announceOrder(tx, 'order.updated', after, teller)
  if (after.status === 'canceled' && before.status !== 'canceled') announceOrder(tx, 'order.canceled', after, teller)
  if (isFulfilled(after) && !isFulfilled(before)) announceOrder(tx, 'order.fulfilled', after, teller)
}

function isFulfilled(order: Order): boolean {
  return ['fulfilled', 'delivered'].includes(statusesOf(order).fulfillmentStatus)
}
