import { wireMoney } from '../../kernel/money.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { eventFactsOf, type Order, publishOfOrder } from '../orders/index.ts'
import { type Cancellation, shownIn } from './cancellation.ts'

/** Publishes that a cancellation was requested or decided. */
export function publishCancellationEvent(
  tx: Transaction,
  kind: 'order.cancellation.requested' | 'order.cancellation.decided',
  { order, cancellation }: { readonly order: Order; readonly cancellation: Cancellation },
  context: EventContext,
): void {
  const eventsOf = (shown: Order) =>
    shownIn(shown, [cancellation]).map((part) => {
      const { id, status, scope, lines, version } = part
      const refund = wireMoney(amountOf(part), shown.currency)
      const data = { ...eventFactsOf(shown, lines), cancellationId: id, status, scope, refund, version }
      return { kind, subjectId: id, data }
    })
  publishOfOrder(tx, order, eventsOf, context)
}

/** The refund of a cancellation; 0 if it was declined. Minor units. */
export function amountOf({ status, refundAmount }: Cancellation): bigint {
  return status === 'declined' ? 0n : refundAmount
}
