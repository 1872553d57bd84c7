import { type EventContext, publishEvent } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import type { Order } from './order.ts'
import { statusesOf } from './status.ts'

type OrderEvent = 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled'

/** Publishes the state of an order. */
export function publishOrderEvent(tx: Transaction, kind: OrderEvent, order: Order, context: EventContext): void {
  const { id, number, environment, installationId, storeId, version } = order
  const data = { orderId: id, number, ...statusesOf(order), total: order.totals.total, version }
  publishEvent(tx, { kind, environment, installationId, storeId, subjectId: id, data }, context)
}

/** Publishes `order.updated`, and `order.canceled` or `order.fulfilled` when the change is one. */
export function publishOrderChange(tx: Transaction, before: Order, after: Order, context: EventContext): void {
  publishOrderEvent(tx, 'order.updated', after, context)
  if (after.status === 'canceled' && before.status !== 'canceled')
    publishOrderEvent(tx, 'order.canceled', after, context)
  if (isFulfilled(after) && !isFulfilled(before)) publishOrderEvent(tx, 'order.fulfilled', after, context)
}

function isFulfilled(order: Order): boolean {
  return ['fulfilled', 'delivered'].includes(statusesOf(order).fulfillmentStatus)
}
