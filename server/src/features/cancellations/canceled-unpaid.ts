import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Order } from '../orders/index.ts'
import { approveCancellation, completeCancellation } from './cancellation.ts'
import { publishCancellationEvent } from './events.ts'
import { cancellationsOf, saveCancellation } from './store.ts'

/**
 * Completes the open cancellation requests of a locked order that is canceled because its payment failed: there is nothing left to
 * decide, and nothing was charged.
 */
export async function completeRequestsOfUnpaid(tx: Transaction, order: Order, context: EventContext): Promise<void> {
  const nothing = { refundAmount: 0n, refundByStore: null, now: context.now }
  for (const requested of await cancellationsOf(tx, order.id)) {
    if (requested.status !== 'requested') continue
    const cancellation = completeCancellation(approveCancellation(requested, nothing), context.now)
    saveCancellation(tx, requested, cancellation)
    publishCancellationEvent(tx, 'order.cancellation.decided', { order, cancellation }, context)
  }
}
