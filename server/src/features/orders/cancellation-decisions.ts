import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type Cancellation, completeCancellation, declineCancellation, refuseDecided } from './cancellation.ts'
import { type Canceled, type CancellationDeps, cancelUnits } from './cancellation-effects.ts'
import { announceCancellation } from './cancellation-events.ts'
import { refuseCancellation } from './cancellation-request.ts'
import { findCancellation, orderIdOfCancellation, saveCancellation } from './cancellation-store.ts'
import { DECLINE_REASON, refuseUnknownOutcome, refuseWordless } from './eligibility-guards.ts'
import { admits, fulfillableUnits, lineOf, type Order } from './order.ts'
import { lockOrderById } from './order-store.ts'
import { policiesNamed } from './policy-store.ts'

/** What an operator says to a request. */
export type CancellationVerdict =
  | { readonly approve: true }
  /** Why not, in words that the shopper is shown: 1 to 500 characters. */
  | { readonly approve: false; readonly declineReason: string }

/** A cancellation with its order. */
export interface CancellationOfOrder {
  readonly order: Order
  readonly cancellation: Cancellation
}

/**
 * Decides a request that waits for an operator. What is approved is done at once, but for the money, which ends it where
 * some goes back. It is judged by the goods as they are now, and the rules of the request.
 *
 * Refusals: `validation_failed`, `not_found`, `version_conflict` where it was decided before, `payment_outcome_unknown`, `order_not_cancelable`.
 */
export async function decideCancellation(
  tx: Transaction,
  cancellationId: string,
  verdict: CancellationVerdict,
  parts: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  if (!verdict.approve) refuseWordless(verdict.declineReason, DECLINE_REASON)
  const before = await lockCancellation(tx, cancellationId)
  const after = verdict.approve ? await approved(tx, before, parts) : declined(before, verdict.declineReason, parts.now)

  saveCancellation(tx, before.cancellation, after.cancellation)
  announceCancellation(tx, 'order.cancellation.decided', after, parts)
  return after
}

async function approved(
  tx: Transaction,
  { order: before, cancellation: requested }: CancellationOfOrder,
  parts: CancellationDeps & EventContext,
): Promise<CancellationOfOrder> {
  refuseDecided(requested)
  refuseUnknownOutcome(before)
  refuseGone(before, requested)
  const policies = await policiesNamed(tx, requested.policyVersions)
  const { order, cancellation } = await cancelUnits(
    tx,
    before,
    { cancellation: requested, policies, actor: 'operator' },
    parts,
  )
  return { order, cancellation: completedWhereSettled({ order, cancellation }, parts.now) }
}

function declined({ order, cancellation }: CancellationOfOrder, declineReason: string, now: Date): CancellationOfOrder {
  return { order, cancellation: declineCancellation(cancellation, { declineReason, now }) }
}

/** Where no money goes back, nothing is left to wait for. */
function completedWhereSettled({ cancellation }: Canceled, now: Date): Cancellation {
  return cancellation.refundAmount === 0n ? completeCancellation(cancellation, now) : cancellation
}

/** Since the request, units may have left, and the order may be on hold. */
function refuseGone(order: Order, { lines }: Cancellation): void {
  const left = lines.map(({ lineId }) => ({ lineId, quantity: fulfillableUnits(lineOf(order, lineId).units) }))
  const isGone = lines.some(({ quantity }, index) => quantity > (left[index]?.quantity ?? 0))
  if (isGone) refuseCancellation(order, ['already_shipped'], left)
  if (!admits(order, 'recordCancelled')) refuseCancellation(order, ['order_on_hold'])
}

/** Locks the order of a cancellation, which keeps the cancellation from changing as well. Refuses `not_found`. */
async function lockCancellation(tx: Transaction, cancellationId: string): Promise<CancellationOfOrder> {
  const orderId = (await orderIdOfCancellation(tx, cancellationId)) ?? refuse('not_found')
  const order = await lockOrderById(tx, orderId)
  const cancellation = (await findCancellation(tx, cancellationId)) ?? refuse('not_found')
  return { order, cancellation }
}
