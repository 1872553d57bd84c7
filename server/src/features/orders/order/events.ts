import { json } from '../../../kernel/json.ts'
import type { PublicEvent } from '../../../platform/outbox/event.ts'
import { type EventContext, publishEvent, publishShare } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { type LineQuantity, lineOf, type Order, storesOf } from './order.ts'
import { shareOf } from './share.ts'
import { statusesOf } from './status.ts'

type OrderEvent = 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled'

/** The kind, subject and data of an event about an order. */
type EventOfOrder = PublicEvent extends infer Event
  ? Event extends PublicEvent
    ? Pick<Event, 'kind' | 'subjectId' | 'data'>
    : never
  : never

/**
 * Publishes the events of a whole order, and the events of each store's share to the endpoints narrowed to that store.
 *
 * @param eventsOf the events of the whole order or of a share; empty if there are none
 */
export function publishOfOrder(
  tx: Transaction,
  order: Order,
  eventsOf: (shown: Order) => readonly EventOfOrder[],
  context: EventContext,
): void {
  const { environment, installationId, storeId } = order
  for (const event of eventsOf(order)) {
    publishEvent(tx, { ...event, environment, installationId, storeId } as PublicEvent, context)
  }
  if (storeId !== null) return
  for (const of of storesOf(order)) {
    for (const event of eventsOf(shareOf(order, of))) {
      const owned = { ...event, environment, installationId, storeId: of }
      publishShare(tx, owned as PublicEvent & { readonly storeId: string }, context)
    }
  }
}

/** The order facts of an event: ids, number, customer and stores. */
export function eventFactsOf(order: Order, units?: readonly LineQuantity[]) {
  const { id: orderId, number, customerId, clientReferenceId } = order
  const lines = units === undefined ? order.lines : units.map(({ lineId }) => lineOf(order, lineId))
  return {
    orderId,
    number,
    ...(customerId !== null && { customerId }),
    ...(clientReferenceId !== null && { clientReferenceId }),
    storeIds: [...storesOf({ lines })],
  }
}

/** Publishes that an order was created. */
export function publishOrderCreated(tx: Transaction, order: Order, context: EventContext): void {
  publishOfOrder(tx, order, (shown) => [stateOf('order.created', shown)], context)
}

/** Publishes `order.updated`, and `order.canceled` or `order.fulfilled` if the order became so. */
export function publishOrderChange(tx: Transaction, before: Order, after: Order, context: EventContext): void {
  const eventsOf = (shown: Order) => {
    const earlier = shown.share === null ? before : shareOf(before, shown.share.storeId)
    return kindsOf(earlier, shown).map((kind) => stateOf(kind, shown))
  }
  publishOfOrder(tx, after, eventsOf, context)
}

function stateOf(kind: OrderEvent, order: Order): EventOfOrder {
  const { id: subjectId, version } = order
  const data = { ...eventFactsOf(order), ...statusesOf(order), total: order.totals.total, version }
  return { kind, subjectId, data }
}

function kindsOf(before: Order, after: Order): readonly OrderEvent[] {
  if (after.share !== null && contentOf(before) === contentOf(after)) return []
  const isCanceled = after.status === 'canceled' && before.status !== 'canceled'
  return [
    'order.updated',
    ...(isCanceled ? (['order.canceled'] as const) : []),
    ...(isFulfilled(after) && !isFulfilled(before) ? (['order.fulfilled'] as const) : []),
  ]
}

/** The content of a share. It is unchanged if a change is only about other stores. */
function contentOf(order: Order): string {
  const { lines, shipping, money, parcels, adjustments, timeline } = order
  return json([statusesOf(order), lines, shipping, money, parcels, adjustments, timeline])
}

function isFulfilled(order: Order): boolean {
  return ['fulfilled', 'delivered'].includes(statusesOf(order).fulfillmentStatus)
}
