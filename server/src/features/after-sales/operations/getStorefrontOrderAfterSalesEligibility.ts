import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { judgeAfterSales } from '../eligibility.ts'
import { mostOfAfterSales } from '../money.ts'
import { answeredBy, situationOf, termsNow } from '../../orders/eligibility/terms.ts'
import { sealEligibility } from '../../orders/eligibility/token.ts'
import { presentAfterSalesEligibility } from '../../orders/eligibility/view.ts'
import { findOrder } from '../../orders/order/store.ts'

type Row = typeof operations.getStorefrontOrderAfterSalesEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/after-sales-eligibility */
export function getStorefrontOrderAfterSalesEligibility(secret: Buffer): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])

    const judgement = judgeAfterSales(situation, terms)

    const answered = answeredBy(order, terms, { question: 'after_sales', decision: judgement.decision })
    return presentAfterSalesEligibility(order, judgement, {
      preview: mostOfAfterSales(order, judgement, terms.policies),
      evaluatedAt: now,
      eligibilityToken: sealEligibility(secret, answered),
    })
  }
}
