import type { OrderEligibility } from '@vitrine/contract'
import { wireMoney } from '../../../kernel/money.ts'
import type { Order } from '../order/order.ts'
import { type Eligibility, REASONS, type Reason } from './eligibility.ts'
import type { MoneyPreview } from './preview.ts'

/** Preview, time and token of an eligibility answer. */
export interface EligibilityFacts {
  readonly preview: MoneyPreview
  readonly evaluatedAt: Date
  readonly eligibilityToken: string
}

/** Presents an eligibility answer. @see docs/reference/rules.md#eligibility */
export function presentEligibility(
  { currency, version }: Order,
  { decision, reasons, until }: Omit<Eligibility, 'max'>,
  { preview, evaluatedAt, eligibilityToken }: EligibilityFacts,
): OrderEligibility {
  return {
    decision,
    reasons: reasons.map(presentReason),
    ...(until && { until: until.toISOString() }),
    preview: {
      refund: wireMoney(preview.refund.amount, currency),
      shippingRefund: wireMoney(preview.shippingRefund, currency),
      restock: preview.restock.map(({ lineId, quantity }) => ({ lineId, quantity })),
    },
    evaluatedAt: evaluatedAt.toISOString(),
    orderVersion: version,
    eligibilityToken,
  }
}

export function presentReason({ code, lineId }: Reason): OrderEligibility['reasons'][number] {
  return { code, message: REASONS[code], ...(lineId !== undefined && { lineId }) }
}
