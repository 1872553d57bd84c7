import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { moneyOfCancellation } from '../cancellation-effects.ts'
import { judgeCancellation } from '../cancellation-eligibility.ts'
import { answeredBy, situationOf, termsNow } from '../eligibility-terms.ts'
import { sealEligibility } from '../eligibility-token.ts'
import { presentCancellationEligibility } from '../eligibility-view.ts'
import { findOrder } from '../order-store.ts'

type Row = typeof operations.getStorefrontOrderCancellationEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/cancellation-eligibility */
export function getStorefrontOrderCancellationEligibility(secret: Buffer): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])

    const judgement = judgeCancellation(situation, terms)

    const { decision, max } = judgement
    const answered = answeredBy(order, terms, { question: 'cancellation', decision })
    return presentCancellationEligibility(order, judgement, {
      preview: moneyOfCancellation(order, max, terms.policies),
      evaluatedAt: now,
      eligibilityToken: sealEligibility(secret, answered),
    })
  }
}
