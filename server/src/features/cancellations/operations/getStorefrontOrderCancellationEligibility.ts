import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { answerFrom, findOrder, presentEligibility, sealEligibilityToken } from '../../orders/index.ts'
import { cancellationAnswer } from '../cancel-order.ts'

type Row = typeof operations.getStorefrontOrderCancellationEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/cancellation-eligibility */
export function getStorefrontOrderCancellationEligibility(secret: Secret): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const { eligibility, terms, preview } = await cancellationAnswer(reader, order, now)
    const answered = answerFrom(order, terms, { question: 'cancellation', decision: eligibility.decision })
    return presentEligibility(order, eligibility, {
      preview,
      evaluatedAt: now,
      eligibilityToken: sealEligibilityToken(secret, answered),
    })
  }
}
