import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  admits,
  isUnpaid,
  type LineQuantity,
  lockOrderById,
  type Order,
  type RefundPreview,
  refundByStore,
  refundPreviewOf,
  refuseInvalidLines,
  refuseUnknownLines,
  situationOf,
  type Terms,
  termsNow,
  versionsOf,
} from '../orders/index.ts'
import {
  type Cancellation,
  type CancellationReason,
  completeCancellation,
  requestCancellation,
} from './cancellation.ts'
import type { CancellationOfOrder } from './decisions.ts'
import { type CancellationDeps, cancelUnits, previewOfCancellation } from './effects.ts'
import { publishCancellationEvent } from './events.ts'
import { planCancellation, refuseCancellation } from './request.ts'
import { insertCancellation } from './store.ts'

/** A cancellation by an operator. */
export interface OperatorCancellation {
  readonly orderId: string
  /** Absent: everything that can be canceled. */
  readonly lines?: readonly LineQuantity[] | undefined
  readonly reason: CancellationReason
  readonly note?: string | undefined
}

/**
 * Cancels unshipped units at once. Goods and money limit it, but not the time windows of the policies. Restocking and shipping refunds
 * follow the policies.
 *
 * Refusals: `not_found`, `validation_failed`, `quantity_invalid`, `quantity_exceeded`, `payment_outcome_unknown`,
 * `order_not_cancelable`, `cancellation_exists`.
 */
export async function cancelByOperator(
  tx: Transaction,
  { orderId, lines: wanted, reason, note }: OperatorCancellation,
  { stopFulfillment, ...context }: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  const { ids, now } = context
  if (wanted) refuseInvalidLines(wanted)
  const before = await lockOrderById(tx, orderId)
  const { terms, lines, scope } = await planByOperator(tx, before, wanted, now)

  const { refund } = previewOfCancellation(before, lines, terms.policies)
  const parts = { refundAmount: refund.amount, refundByStore: refundByStore(before, refund) }
  const content = { orderId, lines, scope, reason, note: note ?? null, ...parts, policyVersions: versionsOf(terms) }
  const requested = requestCancellation({ id: ids.next('can'), ...content, now })
  publishCancellationEvent(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
  const facts = { cancellation: requested, policies: terms.policies, actor: 'operator' } as const
  const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { stopFulfillment, ...context })
  const cancellation = completeCancellation(approved, now)

  insertCancellation(tx, cancellation)
  publishCancellationEvent(tx, 'order.cancellation.decided', { order, cancellation }, context)
  return { order, cancellation }
}

/** The refund and the restock of a cancellation. */
interface CancellationMoney extends RefundPreview {
  readonly restock: readonly LineQuantity[]
  /** Whether the payment is voided, because nothing was charged. */
  readonly isVoided: boolean
}

/** Previews a cancellation by an operator. Same refusals as the cancellation itself. */
export async function previewCancellation(
  reader: Reader,
  { order, lines: wanted }: { readonly order: Order; readonly lines?: readonly LineQuantity[] | undefined },
  now: Date,
): Promise<CancellationMoney> {
  if (wanted) refuseInvalidLines(wanted)
  const { terms, lines } = await planByOperator(reader, order, wanted, now)
  const { refund, shippingRefund, restock } = previewOfCancellation(order, lines, terms.policies)
  return { ...refundPreviewOf(order, refund, shippingRefund, now), restock, isVoided: isUnpaid(order) }
}

async function planByOperator(
  reader: Reader,
  order: Order,
  wanted: readonly LineQuantity[] | undefined,
  now: Date,
): Promise<{ readonly terms: Terms; readonly lines: readonly LineQuantity[]; readonly scope: Cancellation['scope'] }> {
  refuseUnknownLines(order, wanted ?? [])
  const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])
  const { units: lines, scope } = planCancellation(situation, withoutWindows(terms), wanted)
  if (!admits(order, 'recordCanceled')) refuseCancellation(order, ['order_on_hold'])
  return { terms, lines, scope }
}

/** The terms without time windows. */
function withoutWindows(terms: Terms): Terms {
  const policies = [...terms.policies].map(([storeId, versioned]) => {
    const { policy } = versioned
    const cancellation = { ...policy.cancellation, windowMinutes: null }
    return [storeId, { ...versioned, policy: { ...policy, cancellation } }] as const
  })
  return { ...terms, policies: new Map(policies) }
}
