import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type CancellationReason, completeCancellation, requestCancellation } from './cancellation.ts'
import type { CancellationOfOrder } from './cancellation-decisions.ts'
import { type CancellationDeps, cancelUnits, moneyOfCancellation } from './cancellation-effects.ts'
import { announceCancellation } from './cancellation-events.ts'
import { planCancellation, refuseCancellation } from './cancellation-request.ts'
import { insertCancellation } from './cancellation-store.ts'
import { type Terms, versionsOf } from './eligibility.ts'
import { refuseMuddledLines, refuseUnknownLines } from './eligibility-guards.ts'
import { situationOf, termsNow } from './eligibility-terms.ts'
import { admits, type LineQuantity } from './order.ts'
import { lockOrderById } from './order-store.ts'

/** What an operator cancels of their own accord. */
export interface OperatorCancellation {
  readonly orderId: string
  /** Absent: all that is left. */
  readonly lines?: readonly LineQuantity[] | undefined
  readonly reason: CancellationReason
  readonly note?: string | undefined
}

/**
 * Cancels at once what has not left. An operator is bound by goods and money alone, not by the windows that stores give to
 * their shoppers; what goes back on the shelf and of shipping is as the stores' policies have it.
 *
 * Refusals: `not_found`, `validation_failed`, `quantity_invalid`, `quantity_exceeded`, `payment_outcome_unknown`,
 * `order_not_cancelable`, `cancellation_exists`.
 */
export async function cancelByOperator(
  tx: Transaction,
  { orderId, lines: wanted, reason, note }: OperatorCancellation,
  { stopFulfilment, ...context }: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  const { ids, now } = context
  if (wanted) refuseMuddledLines(wanted)
  const before = await lockOrderById(tx, orderId)
  refuseUnknownLines(before, wanted ?? [])
  const [situation, terms] = await Promise.all([situationOf(tx, before), termsNow(tx, before, now)])
  const { units: lines, scope } = planCancellation(situation, withoutWindows(terms), wanted)
  if (!admits(before, 'recordCancelled')) refuseCancellation(before, ['order_on_hold'])

  const { amount: refundAmount } = moneyOfCancellation(before, lines, terms.policies).refund
  const content = { orderId, lines, scope, reason, note: note ?? null, refundAmount, policyVersions: versionsOf(terms) }
  const requested = requestCancellation({ id: ids.next('can'), ...content, now })
  announceCancellation(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
  const facts = { cancellation: requested, policies: terms.policies, actor: 'operator' } as const
  const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { stopFulfilment, ...context })
  const cancellation = completeCancellation(approved, now)

  insertCancellation(tx, cancellation)
  announceCancellation(tx, 'order.cancellation.decided', { order, cancellation }, context)
  return { order, cancellation }
}

/** The same rules, under which an order can be canceled as long as its goods are here. */
function withoutWindows(terms: Terms): Terms {
  const policies = [...terms.policies].map(([storeId, versioned]) => {
    const { policy } = versioned
    const cancellation = { ...policy.cancellation, windowMinutes: null }
    return [storeId, { ...versioned, policy: { ...policy, cancellation } }] as const
  })
  return { ...terms, policies: new Map(policies) }
}
