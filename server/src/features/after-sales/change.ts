import type { StorefrontAfterSalesRequest } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  type Actor,
  type EligibilityAnswer,
  lockOrderById,
  type MoneyPreview,
  notifyShopper,
  type Order,
  refundByStore,
  refuseStaleVersion,
  refuseTooMany,
  refuseUnknownLines,
  saveOrder,
  situationOf,
  type Terms,
  termsNow,
  termsOf,
  versionsOf,
  wholeOf,
} from '../orders/index.ts'
import { type AfterSales, approve, requestAfterSales, review, shownIn } from './after-sales.ts'
import { approvalOf, decideBy } from './approval.ts'
import { type AfterSalesEligibility, evaluateAfterSales } from './eligibility.ts'
import { publishAfterSalesEvent } from './events.ts'
import { isDearer, refuseUnavailable, replacementsOf } from './exchange.ts'
import { mailsOfRequest } from './mails.ts'
import { isRefunded, largestRefund, refundOfRequest } from './money.ts'
import { admitAfterSales } from './request.ts'
import { findAfterSales, insertAfterSales, orderIdOfAfterSales, saveAfterSales } from './store.ts'

/** A request with its order. */
export interface AfterSalesOfOrder {
  readonly order: Order
  readonly request: AfterSales
}

/** Locks the order of a request, and the request with it. Refuses `not_found`. */
export async function lockAfterSales(tx: Transaction, id: string): Promise<AfterSalesOfOrder> {
  const orderId = (await orderIdOfAfterSales(tx, id)) ?? refuse('not_found')
  const order = await lockOrderById(tx, orderId)
  const request = (await findAfterSales(tx, id)) ?? refuse('not_found')
  return { order, request }
}

/** Changes a request, and its order if the decision affects it: load, decide, save, publish. */
export async function changeAfterSales(
  tx: Transaction,
  id: string,
  decide: (held: AfterSalesOfOrder) => AfterSalesOfOrder | Promise<AfterSalesOfOrder>,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const before = await lockAfterSales(tx, id)
  const after = await decide(before)
  await saveChange(tx, before, after, context)
  return after
}

/** Saves a change of a request and its order, publishes it and mails the shopper. */
export async function saveChange(
  tx: Transaction,
  before: AfterSalesOfOrder,
  after: AfterSalesOfOrder,
  context: EventContext,
): Promise<void> {
  await saveOrder(tx, before.order, after.order, context)
  saveAfterSales(tx, before.request, after.request)
  publishAfterSalesEvent(tx, 'after_sales.updated', after, context)
  await notifyShopper(tx, after.order, mailsOfRequest(before.request, after.request), context)
}

/** Which after-sales an order is eligible for now, under which terms, and a preview of the largest refund. */
interface AfterSalesAnswer {
  readonly eligibility: AfterSalesEligibility
  readonly terms: Terms
  readonly preview: MoneyPreview
}

export async function afterSalesAnswer(reader: Reader, order: Order, now: Date): Promise<AfterSalesAnswer> {
  const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])
  const eligibility = evaluateAfterSales(situation, terms)
  return { eligibility, terms, preview: largestRefund(order, eligibility, terms.policies) }
}

/** A shopper's request after the sale. */
interface AfterSalesRequest
  extends Pick<
    StorefrontAfterSalesRequest,
    'kind' | 'reasonCode' | 'lines' | 'description' | 'evidence' | 'expectedVersion'
  > {
  /** The answer that the sender relies on; `null`: the rules in force now. */
  readonly answered: EligibilityAnswer | null
  readonly actor: Actor
}

/**
 * Opens a request about a locked order. It is approved at once, or left to an operator, as the policies of its stores say.
 *
 * Refusals: `validation_failed`, `version_conflict`, `payment_outcome_unknown`, `after_sales_ineligible`, `after_sales_exists`,
 * `sku_unavailable`, `quantity_exceeded`.
 *
 * @returns the request, narrowed to the share of `shown`
 */
export async function openAfterSales(
  tx: Transaction,
  shown: Order,
  asked: AfterSalesRequest,
  context: EventContext,
): Promise<AfterSales> {
  const { ids, now } = context
  const { kind, reasonCode, lines, description = null, evidence = [], answered, actor } = asked
  refuseUnknownLines(shown, lines)
  refuseStaleVersion(shown, asked.expectedVersion)
  const [situation, terms] = await Promise.all([situationOf(tx, shown), termsOf(tx, shown, { answered, now })])
  const order = wholeOf(shown)
  const { policies } = terms

  const eligibility = admitAfterSales(situation, terms, asked)
  const replacements = await replacementsOf(tx, shown, lines)
  refuseUnavailable(lines, replacements)
  refuseTooMany(lines, eligibility)
  const refund = isRefunded(kind) ? refundOfRequest(order, { lines }, { policies }) : null
  const estimate = { refundEstimate: refund?.amount ?? 0n, refundByStore: refund && refundByStore(order, refund) }
  const input = { kind, reasonCode, lines, description, evidence, ...estimate, decideBy: decideBy(policies, now) }
  const content = { ...input, id: ids.next('asr'), orderId: order.id, policyVersions: versionsOf(terms) }
  const requested = requestAfterSales(content, { now, actor })
  const system = { now, actor: 'system' } as const
  const isApproved = eligibility.decision === 'eligible' && !isDearer(order, replacements)
  const request = isApproved
    ? approve(review(requested, system), approvalOf(shown, requested, { policies, now }), system)
    : requested

  insertAfterSales(tx, request)
  publishAfterSalesEvent(tx, 'after_sales.requested', { order, request: requested }, context)
  if (isApproved) publishAfterSalesEvent(tx, 'after_sales.updated', { order, request }, context)
  await notifyShopper(tx, order, mailsOfRequest(null, request), context)
  return present(shownIn(shown, [request])[0], 'a request for shown lines')
}
