import { wireMoney } from '../../kernel/money.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Cancellation } from './cancellation.ts'
import type { Order } from './order.ts'

/** Tells everybody who listens that a cancellation was asked for, or decided. */
export function announceCancellation(
  tx: Transaction,
  kind: 'order.cancellation.requested' | 'order.cancellation.decided',
  { order, cancellation }: { readonly order: Order; readonly cancellation: Cancellation },
  context: EventContext,
): void {
  const { environment, installationId, storeId, currency } = order
  const { id, orderId, status, scope, version } = cancellation
  const refund = wireMoney(amountOf(cancellation), currency)
  const data = { orderId, cancellationId: id, status, scope, refund, version }
  publishEvent(tx, { kind, environment, installationId, storeId, subjectId: id, data }, context)
}

/** What a cancellation gives back; one that was declined gives nothing. Minor units. */
export function amountOf({ status, refundAmount }: Cancellation): bigint {
  return status === 'declined' ? 0n : refundAmount
}
