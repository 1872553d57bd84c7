import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { moneyOfCancellation } from '../effects.ts'
import { judgeCancellation } from '../eligibility.ts'
import { answeredBy, situationOf, termsNow } from '../../orders/eligibility/terms.ts'
import { sealEligibility } from '../../orders/eligibility/token.ts'
import { presentCancellationEligibility } from '../../orders/eligibility/view.ts'
import { findOrder } from '../../orders/order/store.ts'

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
