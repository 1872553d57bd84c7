import type { OrderEligibility } from '@vitrine/contract'
import { textsIn } from '../../../kernel/languages/texts.ts'
import { wireMoney } from '../../../kernel/money.ts'
import type { Order } from '../order/order.ts'
import type { Eligibility, Reason } from './eligibility.ts'
import type { MoneyPreview } from './preview.ts'

/** Preview, time and token of an eligibility answer. */
export interface EligibilityFacts {
  readonly preview: MoneyPreview
  readonly evaluatedAt: Date
  readonly eligibilityToken: string
}

/** Presents an eligibility answer. @see docs/reference/rules.md#eligibility */
export function presentEligibility(
  { currency, locale, version }: Order,
  { decision, reasons, until }: Omit<Eligibility, 'max'>,
  { preview, evaluatedAt, eligibilityToken }: EligibilityFacts,
): OrderEligibility {
  return {
    decision,
    reasons: presentReasons(reasons, locale),
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

/** Presents reasons in the language of a locale. */
export function presentReasons(reasons: readonly Reason[], locale: string): OrderEligibility['reasons'] {
  const texts = textsIn(locale).eligibility
  return reasons.map(({ code, lineId }) => {
    return { code, message: texts[code], ...(lineId !== undefined && { lineId }) }
  })
}
