import type { AfterSales as Resource } from '@vitrine/contract'
import { wireMoney } from '../../kernel/money.ts'
import type { AfterSales } from './after-sales.ts'
import type { Order } from '../orders/order/order.ts'

/** A request as the contract shows it. @see CONTRACT, Resources, AfterSales */
export function presentAfterSales({ currency }: Order, request: AfterSales): Resource {
  const { id, orderId, status, kind, reasonCode, description, approval, version } = request
  const instructions = approval?.instructions ?? null
  return {
    id,
    orderId,
    status,
    kind,
    reasonCode,
    lines: request.lines.map((line) => ({ ...line })),
    ...(description !== null && { description }),
    evidence: request.evidence.map((each) => ({ ...each })),
    refundEstimate: wireMoney(request.refundAmount ?? request.refundEstimate, currency),
    ...(instructions !== null && { instructions }),
    deadlines: deadlinesOf(request),
    timeline: request.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    version,
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
  }
}

function deadlinesOf({ status, approval, decideBy }: AfterSales): Resource['deadlines'] {
  const isUndecided = status === 'requested' || status === 'under_review'
  const returnBy = approval?.returnBy ?? null
  return {
    ...(returnBy !== null && { returnBy: returnBy.toISOString() }),
    ...(isUndecided && { decideBy: decideBy.toISOString() }),
  }
}
