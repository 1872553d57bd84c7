import { wireMoney } from '../../kernel/money.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Order } from '../orders/index.ts'
import type { Cancellation } from './cancellation.ts'

/** Publishes that a cancellation was requested or decided. */
export function publishCancellationEvent(
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

/** The refund of a cancellation; 0 if it was declined. Minor units. */
export function amountOf({ status, refundAmount }: Cancellation): bigint {
  return status === 'declined' ? 0n : refundAmount
}
