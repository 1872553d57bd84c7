import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type AfterSales, goodsDispatched, goodsReceived, type Inspection, inspect } from './after-sales.ts'
import { type AfterSalesOfOrder, changeAfterSales } from './after-sales-change.ts'
import { rulesOf } from './eligibility.ts'
import { DECLINE_REASON, refuseWordless } from './eligibility-guards.ts'
import { type LineQuantity, lineOf, type Occasion, type Order } from './order.ts'
import { recordReturned } from './order-goods.ts'
import { policiesNamed } from './policy-store.ts'
import { restock } from './restock.ts'

/*
 * What becomes of the goods of a request. Each function refuses `not_found`, and `version_conflict` with where the request
 * stands and what it allows.
 */

/** The goods are on their way back. */
export function markInTransit(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => ({ order, request: goodsDispatched(request, by(context)) })
  return changeAfterSales(tx, id, decide, context)
}

/** The goods have come back, whether or not anybody told that they were on their way. */
export function markReceived(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => {
    const sent = request.status === 'awaiting_return' ? goodsDispatched(request, by(context)) : request
    return { order, request: goodsReceived(sent, by(context)) }
  }
  return changeAfterSales(tx, id, decide, context)
}

/** What an operator found. */
export type Findings =
  /** `restocks`: whether the goods can be sold again; absent: as the stores' policies have it. */
  | { readonly accepted: true; readonly restocks?: boolean | undefined }
  /** Why not, in words that the shopper is shown: 1 to 500 characters. The goods go back to them. */
  | { readonly accepted: false; readonly declineReason: string }

/**
 * Says what was found. Goods that are kept for their money count as returned; those that can be sold again go on the
 * shelf. What was sent in for repair is never sold: `validation_failed`.
 */
export async function inspectAfterSales(
  tx: Transaction,
  id: string,
  findings: Findings,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = async ({ order, request }: AfterSalesOfOrder) => {
    if (!findings.accepted) refuseWordless(findings.declineReason, DECLINE_REASON)
    const inspection = await inspectionOf(tx, order, { request, findings })
    const declineReason = findings.accepted ? null : findings.declineReason
    const inspected = inspect(request, { ...inspection, declineReason }, by(context))
    const isReturned = findings.accepted && request.kind === 'return'
    return { order: isReturned ? recordReturned(order, unitsOf(request), by(context)) : order, request: inspected }
  }
  const after = await changeAfterSales(tx, id, decide, context)
  if (after.request.inspection?.restocks === true) {
    await restock(tx, after.order, unitsOf(after.request), { from: 'buyer', now: context.now })
  }
  return after
}

async function inspectionOf(
  tx: Transaction,
  order: Order,
  { request, findings }: { readonly request: AfterSales; readonly findings: Findings },
): Promise<Inspection> {
  if (!findings.accepted) return { accepted: false, restocks: false }
  if (request.kind === 'repair') {
    if (findings.restocks === true) refuse('validation_failed', REPAIRED)
    return { accepted: true, restocks: false }
  }
  const policies = await policiesNamed(tx, request.policyVersions)
  const usual = request.lines.every(({ lineId }) => {
    return rulesOf({ policies }, lineOf(order, lineId).storeId).afterSales.restocks
  })
  return { accepted: true, restocks: findings.restocks ?? usual }
}

const REPAIRED = {
  details: [
    {
      in: 'body',
      pointer: '/restocks',
      code: 'not_allowed',
      message: 'What was sent in for repair goes back to its owner.',
    },
  ],
} as const

/** Units of a request, without what was said of them. */
export function unitsOf({ lines }: Pick<AfterSales, 'lines'>): readonly LineQuantity[] {
  return lines.map(({ lineId, quantity }) => ({ lineId, quantity }))
}

function by({ now }: EventContext): Occasion {
  return { now, actor: 'operator' }
}
