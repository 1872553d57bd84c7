import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { answerFrom, findOrder, sealEligibilityToken, situationOf, termsNow } from '../../orders/index.ts'
import { evaluateAfterSales } from '../eligibility.ts'
import { largestRefund } from '../money.ts'
import { presentAfterSalesEligibility } from '../view.ts'

type Row = typeof operations.getStorefrontOrderAfterSalesEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/after-sales-eligibility */
export function getStorefrontOrderAfterSalesEligibility(secret: Buffer): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])

    const eligibility = evaluateAfterSales(situation, terms)

    const answered = answerFrom(order, terms, { question: 'after_sales', decision: eligibility.decision })
    return presentAfterSalesEligibility(order, eligibility, {
      preview: largestRefund(order, eligibility, terms.policies),
      evaluatedAt: now,
      eligibilityToken: sealEligibilityToken(secret, answered),
    })
  }
}
