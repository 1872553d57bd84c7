import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  type CommandContext,
  DECLINE_REASON,
  type LineQuantity,
  lineOf,
  type Order,
  policiesNamed,
  recordReturned,
  refuseInvalidText,
  restock,
  rulesOf,
  situationOf,
} from '../orders/index.ts'
import { type AfterSales, goodsDispatched, goodsReceived, type Inspection, inspect } from './after-sales.ts'
import { type AfterSalesOfOrder, changeAfterSales } from './change.ts'
import { unreimbursedUnits } from './eligibility.ts'

/*
 * Goods of a request. Each function refuses `not_found`, and `version_conflict` with the current state and what it allows.
 */

/** Marks the goods as sent by the shopper. */
export function markInTransit(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const decide = ({ order, request }: AfterSalesOfOrder) => ({ order, request: goodsDispatched(request, by(context)) })
  return changeAfterSales(tx, id, decide, context)
}

/**
 * Marks the goods as received, even if they were never marked as in transit. Goods that arrive late reopen an expired request, unless
 * their units have another open request or were refunded meanwhile: `version_conflict`.
 */
export function markReceived(tx: Transaction, id: string, context: EventContext): Promise<AfterSalesOfOrder> {
  const decide = async ({ order, request }: AfterSalesOfOrder) => {
    if (request.status === 'expired') await refuseTaken(tx, order, request)
    const sent = request.status === 'awaiting_return' ? goodsDispatched(request, by(context)) : request
    return { order, request: goodsReceived(sent, by(context)) }
  }
  return changeAfterSales(tx, id, decide, context)
}

/** Refuses to reopen a request for units that are taken. */
async function refuseTaken(tx: Transaction, order: Order, { lines, status, version }: AfterSales): Promise<void> {
  const { openRequests } = await situationOf(tx, order)
  const taken = lines.filter(({ lineId, quantity }) => {
    return openRequests.has(lineId) || quantity > unreimbursedUnits(lineOf(order, lineId))
  })
  const [first] = taken
  if (first === undefined) return
  const heldBy = openRequests.get(first.lineId)
  refuse('version_conflict', {
    conflict: {
      currentState: status,
      currentVersion: version,
      allowed: [],
      lines: taken.map(({ lineId }) => ({ lineId })),
      ...(heldBy !== undefined && { heldBy }),
    },
  })
}

/** The result of an inspection. */
export type InspectionResult =
  /** `restocks`: whether the goods go back to stock; absent: as the stores' policies say. */
  | { readonly accepted: true; readonly restocks?: boolean | undefined }
  /** Shown to the shopper: 1 to 500 characters. The goods go back to them. */
  | { readonly accepted: false; readonly declineReason: string }

/**
 * Records the result of an inspection. Accepted goods of a return count as returned units, and go back to stock if they can be
 * sold again. Repaired goods cannot: `validation_failed`.
 */
export async function inspectAfterSales(
  tx: Transaction,
  id: string,
  findings: InspectionResult,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const decide = async ({ order, request }: AfterSalesOfOrder) => {
    if (!findings.accepted) refuseInvalidText(findings.declineReason, DECLINE_REASON)
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
  { request, findings }: { readonly request: AfterSales; readonly findings: InspectionResult },
): Promise<Inspection> {
  if (!findings.accepted) return { accepted: false, restocks: false }
  if (request.kind === 'repair') {
    if (findings.restocks === true) refuseField('restocks', 'not_allowed', 'Repaired goods go back to their owner.')
    return { accepted: true, restocks: false }
  }
  const policies = await policiesNamed(tx, request.policyVersions)
  const usual = request.lines.every(({ lineId }) => {
    return rulesOf({ policies }, lineOf(order, lineId).storeId).afterSales.restocks
  })
  return { accepted: true, restocks: findings.restocks ?? usual }
}

/** The units of a request. */
export function unitsOf({ lines }: Pick<AfterSales, 'lines'>): readonly LineQuantity[] {
  return lines.map(({ lineId, quantity }) => ({ lineId, quantity }))
}

function by({ now }: EventContext): CommandContext {
  return { now, actor: 'operator' }
}
