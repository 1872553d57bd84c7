import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  admits,
  DECLINE_REASON,
  fulfillableUnits,
  lineOf,
  lockOrderById,
  notifyShopper,
  type Order,
  policiesNamed,
  refuseInvalidText,
  refuseUnknownOutcome,
} from '../orders/index.ts'
import { type Cancellation, completeCancellation, declineCancellation, refuseDecided } from './cancellation.ts'
import { type Canceled, type CancellationDeps, cancelUnits } from './effects.ts'
import { publishCancellationEvent } from './events.ts'
import { cancellationMail } from './mails.ts'
import { refuseCancellation } from './request.ts'
import { findCancellation, orderIdOfCancellation, saveCancellation } from './store.ts'

/** An operator's decision on a request. */
export type CancellationDecision =
  | { readonly approve: true }
  /** Shown to the shopper: 1 to 500 characters. */
  | { readonly approve: false; readonly declineReason: string }

/** A cancellation with its order. */
export interface CancellationOfOrder {
  readonly order: Order
  readonly cancellation: Cancellation
}

/**
 * Decides a cancellation request as an operator. An approval takes effect at once; if it refunds something, the cancellation is
 * completed once the refund is paid. Evaluates the current goods under the policy versions of the request.
 *
 * Refusals: `validation_failed`, `not_found`, `version_conflict` if the request is decided already, `payment_outcome_unknown`,
 * `order_not_cancelable`.
 */
export async function decideCancellation(
  tx: Transaction,
  cancellationId: string,
  decision: CancellationDecision,
  deps: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  if (!decision.approve) refuseInvalidText(decision.declineReason, DECLINE_REASON)
  const before = await lockCancellation(tx, cancellationId)
  const after = decision.approve ? await approved(tx, before, deps) : declined(before, decision.declineReason, deps.now)

  saveCancellation(tx, before.cancellation, after.cancellation)
  publishCancellationEvent(tx, 'order.cancellation.decided', after, deps)
  if (!decision.approve) {
    await notifyShopper(tx, after.order, [cancellationMail(after.cancellation, decision.declineReason)], deps)
  }
  return after
}

async function approved(
  tx: Transaction,
  { order: before, cancellation: requested }: CancellationOfOrder,
  deps: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  refuseDecided(requested)
  refuseUnknownOutcome(before)
  refuseGone(before, requested)
  const policies = await policiesNamed(tx, requested.policyVersions)
  const { order, cancellation } = await cancelUnits(
    tx,
    before,
    { cancellation: requested, policies, actor: 'operator' },
    deps,
  )
  return { order, cancellation: completedIfSettled({ order, cancellation }, deps.now) }
}

function declined({ order, cancellation }: CancellationOfOrder, declineReason: string, now: Date): CancellationOfOrder {
  return { order, cancellation: declineCancellation(cancellation, { declineReason, now }) }
}

/** Completes an approved cancellation at once if it refunds nothing. */
function completedIfSettled({ cancellation }: Canceled, now: Date): Cancellation {
  return cancellation.refundAmount === 0n ? completeCancellation(cancellation, now) : cancellation
}

/** Refuses `order_not_cancelable` if units have shipped since the request, or the order is on hold. */
function refuseGone(order: Order, { lines }: Cancellation): void {
  const left = lines.map(({ lineId }) => ({ lineId, quantity: fulfillableUnits(lineOf(order, lineId).units) }))
  const isGone = lines.some(({ quantity }, index) => quantity > (left[index]?.quantity ?? 0))
  if (isGone) refuseCancellation(order, ['already_shipped'], left)
  if (!admits(order, 'recordCanceled')) refuseCancellation(order, ['order_on_hold'])
}

/** Locks the order of a cancellation, and the cancellation with it. Refuses `not_found`. */
async function lockCancellation(tx: Transaction, cancellationId: string): Promise<CancellationOfOrder> {
  const orderId = (await orderIdOfCancellation(tx, cancellationId)) ?? refuse('not_found')
  const order = await lockOrderById(tx, orderId)
  const cancellation = (await findCancellation(tx, cancellationId)) ?? refuse('not_found')
  return { order, cancellation }
}
