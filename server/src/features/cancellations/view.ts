import type { Cancellation as Resource } from '@vitrine/contract'
import { wireMoney } from '../../kernel/money.ts'
import type { Order } from '../orders/index.ts'
import type { Cancellation } from './cancellation.ts'
import { amountOf } from './events.ts'

/** Presents a cancellation that `shownIn` has narrowed. @see docs/reference/rules.md#resources */
export function presentCancellation(order: Order, cancellation: Cancellation): Resource {
  const { id, orderId, status, scope, reason, lines, version, createdAt, updatedAt } = cancellation
  return {
    id,
    orderId,
    status,
    scope,
    reason,
    lines: lines.map(({ lineId, quantity }) => ({ lineId, quantity })),
    refund: { status: refundStatusOf(order, cancellation), amount: wireMoney(amountOf(cancellation), order.currency) },
    order: { status: order.status, version: order.version },
    ...(cancellation.status !== 'requested' && { decidedAt: cancellation.decidedAt.toISOString() }),
    ...(cancellation.status === 'declined' && { declineReason: cancellation.declineReason }),
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** The refund's status according to the order, which is updated first. */
function refundStatusOf({ adjustments }: Order, cancellation: Cancellation): Resource['refund']['status'] {
  if (amountOf(cancellation) === 0n) return 'not_needed'
  return adjustments.find(({ reference }) => reference === cancellation.id)?.state ?? 'pending'
}
