import type { OrderEligibility } from '@vitrine/contract'
import { wireMoney } from '../../../kernel/money.ts'
import type { AfterSalesJudgement } from '../../after-sales/eligibility.ts'
import { type Judgement, REASONS, type Reason } from './eligibility.ts'
import type { MoneyPreview } from './preview.ts'
import type { Order } from '../order/order.ts'

/** What is answered, beside the judgement. */
interface Answer {
  readonly preview: MoneyPreview
  readonly evaluatedAt: Date
  readonly eligibilityToken: string
}

/** An answer about canceling, as the contract shows it. @see CONTRACT, Resources, OrderEligibility */
export function presentCancellationEligibility(
  order: Order,
  { decision, reasons, until }: Judgement,
  answer: Answer,
): OrderEligibility {
  return {
    decision,
    reasons: reasons.map(showReason),
    ...(until && { until: until.toISOString() }),
    ...shown(order, answer),
  }
}

/** An answer about after-sales, kind by kind. */
export function presentAfterSalesEligibility(
  order: Order,
  { decision, reasons, until, kinds }: AfterSalesJudgement,
  answer: Answer,
): OrderEligibility {
  return {
    decision,
    reasons: reasons.map(showReason),
    ...(until && { until: until.toISOString() }),
    kinds: kinds.map((each) => ({
      kind: each.kind,
      decision: each.decision,
      reasons: each.reasons.map(showReason),
      ...(each.until && { windowEndsAt: each.until.toISOString() }),
      maxByLine: Object.fromEntries(each.max.map(({ lineId, quantity }) => [lineId, quantity])),
    })),
    ...shown(order, answer),
  }
}

function shown({ currency, version }: Order, { preview, evaluatedAt, eligibilityToken }: Answer) {
  return {
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

function showReason({ code, lineId }: Reason): OrderEligibility['reasons'][number] {
  return { code, message: REASONS[code], ...(lineId !== undefined && { lineId }) }
}
