import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { answerFrom, findOrder, sealEligibilityToken } from '../../orders/index.ts'
import { afterSalesAnswer } from '../change.ts'
import { presentAfterSalesEligibility } from '../view.ts'

type Row = typeof operations.getStorefrontOrderAfterSalesEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/after-sales-eligibility */
export function getStorefrontOrderAfterSalesEligibility(secret: Secret): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const { eligibility, terms, preview } = await afterSalesAnswer(reader, order, now)
    const answered = answerFrom(order, terms, { question: 'after_sales', decision: eligibility.decision })
    return presentAfterSalesEligibility(order, eligibility, {
      preview,
      evaluatedAt: now,
      eligibilityToken: sealEligibilityToken(secret, answered),
    })
  }
}
