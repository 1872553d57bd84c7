import type { StorefrontAfterSalesRequest } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  type Actor,
  type AfterSalesKind,
  type EligibilityAnswer,
  type MoneyPreview,
  notifyShopper,
  type Order,
  type ReasonCode,
  refundByStore,
  refuseStaleVersion,
  refuseTooMany,
  refuseUnknownLines,
  refuseUnknownOutcome,
  type Situation,
  situationOf,
  type Terms,
  termsNow,
  termsOf,
  versionsOf,
  wholeOf,
} from '../orders/index.ts'
import { type AfterSales, type AfterSalesLine, approve, requestAfterSales, review, shownIn } from './after-sales.ts'
import { approvalOf, decideBy } from './approval.ts'
import { type AfterSalesEligibility, evaluateAfterSales, evaluateKind, type KindEligibility } from './eligibility.ts'
import { publishAfterSalesEvent } from './events.ts'
import { refuseUnavailable } from './exchange.ts'
import { mailsOfRequest } from './mails.ts'
import { isRefunded, largestRefund, refundOfRequest } from './money.ts'
import { insertAfterSales } from './store.ts'

/** Which after-sales an order is eligible for now, by which terms, and the most that they refund. */
export interface AfterSalesAnswer {
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
export interface AfterSalesRequest
  extends Pick<
    StorefrontAfterSalesRequest,
    'kind' | 'reasonCode' | 'lines' | 'description' | 'evidence' | 'expectedVersion'
  > {
  /** The answer that the sender relies on; `null`: the rules in force now. */
  readonly answered: EligibilityAnswer | null
  readonly actor: Actor
}

/**
 * Opens a request about a locked order. It is approved at once, or left to an operator, as its policies say.
 *
 * Refusals: `validation_failed`, `version_conflict`, `payment_outcome_unknown`, `after_sales_ineligible`, `after_sales_exists`,
 * `sku_unavailable`, `quantity_exceeded`.
 *
 * @returns the request as far as `shown` shows it
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
  await refuseUnavailable(tx, shown, lines)
  refuseTooMany(lines, eligibility)
  const refund = isRefunded(kind) ? refundOfRequest(order, { lines }, { policies }) : null
  const estimate = { refundEstimate: refund?.amount ?? 0n, refundByStore: refund && refundByStore(order, refund) }
  const input = { kind, reasonCode, lines, description, evidence, ...estimate, decideBy: decideBy(policies, now) }
  const content = { ...input, id: ids.next('asr'), orderId: order.id, policyVersions: versionsOf(terms) }
  const requested = requestAfterSales(content, { now, actor })
  const itself = { now, actor: 'system' } as const
  const isApproved = eligibility.decision === 'eligible'
  const request = isApproved
    ? approve(review(requested, itself), approvalOf(shown, requested, { policies, now }), itself)
    : requested

  insertAfterSales(tx, request)
  publishAfterSalesEvent(tx, 'after_sales.requested', { order, request: requested }, context)
  if (isApproved) publishAfterSalesEvent(tx, 'after_sales.updated', { order, request }, context)
  await notifyShopper(tx, order, mailsOfRequest(null, request), context)
  return present(shownIn(shown, [request])[0], 'a request for lines of its own')
}

/** Refuses `validation_failed` for an exchange without an exchange SKU, and for another kind with one. */
export function refuseMisplacedExchange({ kind, lines }: Pick<StorefrontAfterSalesRequest, 'kind' | 'lines'>): void {
  const isExchange = kind === 'exchange'
  const faults = lines.flatMap(({ exchangeSkuId }, index) => {
    if ((exchangeSkuId !== undefined) === isExchange) return []
    const [code, message] = isExchange
      ? ['required', 'An exchange names the SKU to exchange for.']
      : ['not_allowed', 'Only an exchange can name another SKU.']
    return [{ field: `lines/${index}/exchangeSkuId`, code, message }]
  })
  if (faults.length > 0) refuse('validation_failed', { faults: faults.slice(0, 20) })
}

/**
 * Decides whether a kind can be requested for these lines.
 *
 * Refusals: `payment_outcome_unknown`, `after_sales_ineligible`, `after_sales_exists`.
 *
 * @returns the eligibility of the kind
 */
export function admitAfterSales(
  situation: Situation,
  terms: Terms,
  { kind, lines }: { readonly kind: AfterSalesKind; readonly lines: readonly AfterSalesLine[] },
): KindEligibility {
  refuseUnknownOutcome(situation.order)
  const eligibility = evaluateKind(situation, terms, kind)
  const barred = lines.flatMap(({ lineId }) => {
    const code = reasonAgainst(eligibility, lineId)
    return code === null ? [] : [{ lineId, code }]
  })
  const ineligible = barred.filter(({ code }) => code !== 'open_request_exists')
  if (ineligible.length > 0) refuseLines('after_sales_ineligible', situation.order, ineligible)
  const [open] = barred
  if (open) refuseLines('after_sales_exists', situation.order, barred, situation.openRequests.get(open.lineId))
  return eligibility
}

/** Why a line is excluded; `null` if it is not. */
function reasonAgainst({ max, reasons }: KindEligibility, id: string): ReasonCode | null {
  if (max.some(({ lineId }) => lineId === id)) return null
  const reason =
    reasons.find(({ lineId }) => lineId === id) ??
    reasons.find(({ code, lineId }) => lineId === undefined && code !== 'approval_required')
  return reason?.code ?? 'kind_not_offered'
}

function refuseLines(
  code: 'after_sales_ineligible' | 'after_sales_exists',
  { status: currentState, version: currentVersion }: Order,
  barred: readonly { readonly lineId: string; readonly code: ReasonCode }[],
  heldBy?: string,
): never {
  const reasons = [...new Set(barred.map((each) => each.code))]
  const lines = barred.map(({ lineId }) => ({ lineId }))
  refuse(code, { conflict: { currentState, currentVersion, reasons, lines, ...(heldBy !== undefined && { heldBy }) } })
}
