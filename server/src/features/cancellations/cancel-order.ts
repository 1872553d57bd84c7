import { present } from '../../kernel/assert.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  type Actor,
  asShown,
  type Eligibility,
  type EligibilityAnswer,
  type LineQuantity,
  type MoneyPreview,
  notifyShopper,
  type Order,
  refundByStore,
  refuseStaleVersion,
  refuseUnknownLines,
  situationOf,
  type Terms,
  termsNow,
  termsOf,
  versionsOf,
  wholeOf,
} from '../orders/index.ts'
import { type Cancellation, completeCancellation, requestCancellation, shownIn } from './cancellation.ts'
import { type CancellationDeps, cancelUnits, previewOfCancellation } from './effects.ts'
import { evaluateCancellation } from './eligibility.ts'
import { publishCancellationEvent } from './events.ts'
import { cancellationMail } from './mails.ts'
import { planCancellation } from './request.ts'
import { insertCancellation } from './store.ts'

/** Whether an order can be canceled now, under which terms, and a preview of the refund. */
interface CancellationAnswer {
  readonly eligibility: Eligibility
  readonly terms: Terms
  readonly preview: MoneyPreview
}

/** @param wanted the units to preview, instead of all that can be canceled */
export async function cancellationAnswer(
  reader: Reader,
  order: Order,
  now: Date,
  wanted?: readonly LineQuantity[],
): Promise<CancellationAnswer> {
  const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])
  const eligibility = evaluateCancellation(situation, terms)
  return { eligibility, terms, preview: previewOfCancellation(order, wanted ?? eligibility.max, terms.policies) }
}

/** A request to cancel units of an order. */
interface CancellationRequest {
  /** Absent: all that can be canceled. */
  readonly lines?: readonly LineQuantity[] | undefined
  readonly reason: Cancellation['reason']
  readonly note?: string | undefined
  /** The version that was shown. */
  readonly expectedVersion?: number | undefined
  /** The answer that the sender relies on; `null`: the rules in force now. */
  readonly answered: EligibilityAnswer | null
  readonly actor: Actor
}

/**
 * Cancels units of a locked order at once, or leaves the request to an operator, as the policies of its stores say.
 *
 * Refusals: `validation_failed`, `version_conflict`, `payment_outcome_unknown`, `order_not_cancelable`, `cancellation_exists`,
 * `quantity_exceeded`.
 *
 * @returns the order and the cancellation, narrowed to the share of `shown`
 */
export async function cancelOrder(
  tx: Transaction,
  shown: Order,
  request: CancellationRequest,
  { stopFulfillment, ...context }: CancellationDeps & EventContext,
): Promise<{ readonly order: Order; readonly cancellation: Cancellation }> {
  const { ids, now } = context
  const { answered, reason, note = null, actor } = request
  refuseUnknownLines(shown, request.lines ?? [])
  refuseStaleVersion(shown, request.expectedVersion)
  const [situation, terms] = await Promise.all([situationOf(tx, shown), termsOf(tx, shown, { answered, now })])
  const before = wholeOf(shown)

  const { decision, units: lines, scope } = planCancellation(situation, terms, request.lines)
  const { refund } = previewOfCancellation(before, lines, terms.policies)
  const parts = { refundAmount: refund.amount, refundByStore: refundByStore(before, refund) }
  const content = { orderId: before.id, lines, scope, reason, note, ...parts, policyVersions: versionsOf(terms) }
  const requested = requestCancellation({ id: ids.next('can'), ...content, now })

  publishCancellationEvent(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
  if (decision === 'manual_review') {
    insertCancellation(tx, requested)
    await notifyShopper(tx, before, [cancellationMail(requested, null)], context)
    return { order: shown, cancellation: partShown(shown, requested) }
  }
  const facts = { cancellation: requested, policies: terms.policies, actor }
  const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { stopFulfillment, ...context })
  const cancellation = completeCancellation(approved, now)
  insertCancellation(tx, cancellation)
  publishCancellationEvent(tx, 'order.cancellation.decided', { order, cancellation }, context)
  const after = asShown(shown, order)
  return { order: after, cancellation: partShown(after, cancellation) }
}

/** The part of a cancellation that its order or share shows: it was requested for lines of it. */
function partShown(shown: Order, cancellation: Cancellation): Cancellation {
  return present(shownIn(shown, [cancellation])[0], 'a cancellation of shown lines')
}
