import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type Order, statusesOf } from './order.ts'

type OrderEvent = 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled'

/** Tells everybody who listens how an order stands. */
export function announceOrder(tx: Transaction, kind: OrderEvent, order: Order, context: EventContext): void {
  const { id, number, environment, installationId, storeId, version } = order
  const data = { orderId: id, number, ...statusesOf(order), total: order.totals.total, version }
  publishEvent(tx, { kind, environment, installationId, storeId, subjectId: id, data }, context)
}

/** Tells each change as `order.updated`, and beside it the two that most listeners wait for. */
export function announceChange(tx: Transaction, before: Order, after: Order, context: EventContext): void {
  announceOrder(tx, 'order.updated', after, context)
  if (after.status === 'canceled' && before.status !== 'canceled') announceOrder(tx, 'order.canceled', after, context)
  if (isFulfilled(after) && !isFulfilled(before)) announceOrder(tx, 'order.fulfilled', after, context)
}

function isFulfilled(order: Order): boolean {
  return ['fulfilled', 'delivered'].includes(statusesOf(order).fulfillmentStatus)
}
