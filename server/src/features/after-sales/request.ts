import type { StorefrontAfterSalesRequest } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import {
  type AfterSalesKind,
  type Order,
  type ReasonCode,
  refuseUnknownOutcome,
  type Situation,
  type Terms,
} from '../orders/index.ts'
import type { AfterSalesLine } from './after-sales.ts'
import { evaluateKind, type KindEligibility } from './eligibility.ts'

/** Refuses `validation_failed` for an exchange without an exchange SKU, and for another kind with one. */
export function refuseMisplacedExchange({ kind, lines }: Pick<StorefrontAfterSalesRequest, 'kind' | 'lines'>): void {
  const isExchange = kind === 'exchange'
  const faults = lines.flatMap(({ exchangeSkuId }, index) => {
    if ((exchangeSkuId !== undefined) === isExchange) return []
    const [code, message] = isExchange
      ? ['required', 'Set the SKU to exchange for.']
      : ['not_allowed', 'Only an exchange can have an exchange SKU.']
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

/** The reason for excluding a line; `null` if it is not excluded. */
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
