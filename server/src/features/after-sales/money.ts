import { refuseField } from '../../kernel/refusal.ts'
import {
  type AfterSalesKind,
  type LineQuantity,
  type MoneyPreview,
  type Order,
  type Policies,
  partOfRefund,
  previewOf,
  type Refund,
  rulesOf,
} from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'
import type { AfterSalesEligibility } from './eligibility.ts'

/** Whether the kind refunds money. */
export function isRefunded(kind: AfterSalesKind): boolean {
  return kind === 'refund_only' || kind === 'return'
}

/** Previews the refund of units, under their stores' policies. */
function previewOfAfterSales(order: Order, units: readonly LineQuantity[], policies: Policies): MoneyPreview {
  return previewOf(order, units, (storeId) => rulesOf({ policies }, storeId).afterSales)
}

/** Previews the largest possible refund: for each line, as many units as the best kind allows. */
export function largestRefund(order: Order, { kinds }: AfterSalesEligibility, policies: Policies): MoneyPreview {
  const most = new Map<string, number>()
  for (const { lineId, quantity } of kinds.filter(({ kind }) => isRefunded(kind)).flatMap(({ max }) => max)) {
    most.set(lineId, Math.max(quantity, most.get(lineId) ?? 0))
  }
  const units = order.lines.flatMap(({ id }) => {
    const quantity = most.get(id)
    return quantity === undefined ? [] : [{ lineId: id, quantity }]
  })
  return previewOfAfterSales(order, units, policies)
}

/**
 * The refund of a request: all of its units, or the part that an operator decides.
 *
 * @param amount minor units. Refuses `validation_failed` above the refund of the units.
 */
export function refundOfRequest(
  order: Order,
  request: Pick<AfterSales, 'lines'>,
  { policies, amount }: { readonly policies: Policies; readonly amount?: bigint | undefined },
): Refund {
  const units = request.lines.map(({ lineId, quantity }) => ({ lineId, quantity }))
  const preview = previewOfAfterSales(order, units, policies)
  if (amount === undefined) return preview.refund
  const max = preview.refund.amount
  if (amount < 0n || amount > max) {
    refuseField('amount', 'out_of_range', `0 to ${max}`, { min: 0, max: Number(max) })
  }
  return partOfRefund(order, preview, amount)
}
