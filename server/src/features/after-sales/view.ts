import type { OrderEligibility, AfterSales as Resource } from '@vitrine/contract'
import { wireMoney } from '../../kernel/money.ts'
import {
  type EligibilityFacts,
  type Order,
  presentEligibility,
  presentReasons,
  presentTimeline,
} from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'
import type { AfterSalesEligibility } from './eligibility.ts'

/**
 * Presents a request that `shownIn` has narrowed. @see docs/reference/rules.md#resources
 *
 * @param locale the locale of the reader, if that is not the shopper
 */
export function presentAfterSales(order: Order, request: AfterSales, locale = order.locale): Resource {
  const { id, orderId, status, kind, reasonCode, description, approval, declineReason, version } = request
  const { instructions = null, returnAddress = null } = approval ?? {}
  return {
    id,
    orderId,
    status,
    kind,
    reasonCode,
    lines: request.lines.map((line) => ({ ...line })),
    ...(description !== null && { description }),
    evidence: request.evidence.map((each) => ({ ...each })),
    refundEstimate: wireMoney(request.refundAmount ?? request.refundEstimate, order.currency),
    ...(instructions !== null && { instructions }),
    ...(returnAddress !== null && { returnAddress }),
    ...(declineReason !== null && { declineReason }),
    ...refundOf(order, request),
    deadlines: deadlinesOf(request),
    timeline: presentTimeline('afterSalesTimeline', request.timeline, locale),
    version,
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  }
}

/** The refund's status according to the order, which is updated first. */
function refundOf({ adjustments, currency }: Order, { id, refundAmount }: AfterSales): Pick<Resource, 'refund'> {
  if (refundAmount === null) return {}
  const state = adjustments.find(({ reference }) => reference === id)?.state ?? 'pending'
  return { refund: { status: refundAmount === 0n ? 'not_needed' : state, amount: wireMoney(refundAmount, currency) } }
}

function deadlinesOf({ status, approval, decideBy }: AfterSales): Resource['deadlines'] {
  const isUndecided = status === 'requested' || status === 'under_review'
  const returnBy = approval?.returnBy ?? null
  return {
    ...(returnBy !== null && { returnBy: returnBy.toISOString() }),
    ...(isUndecided && { decideBy: decideBy.toISOString() }),
  }
}

/** Presents the after-sales eligibility of an order, per kind. */
export function presentAfterSalesEligibility(
  order: Order,
  eligibility: AfterSalesEligibility,
  facts: EligibilityFacts,
): OrderEligibility {
  return {
    ...presentEligibility(order, eligibility, facts),
    kinds: eligibility.kinds.map(({ kind, decision, reasons, until, max }) => ({
      kind,
      decision,
      reasons: presentReasons(reasons, order.locale),
      ...(until && { windowEndsAt: until.toISOString() }),
      maxByLine: Object.fromEntries(max.map(({ lineId, quantity }) => [lineId, quantity])),
    })),
  }
}
