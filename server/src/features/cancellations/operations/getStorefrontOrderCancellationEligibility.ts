import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import {
  answerFrom,
  findOrder,
  presentEligibility,
  sealEligibilityToken,
  situationOf,
  termsNow,
} from '../../orders/index.ts'
import { previewOfCancellation } from '../effects.ts'
import { evaluateCancellation } from '../eligibility.ts'

type Row = typeof operations.getStorefrontOrderCancellationEligibility

/** GET /api/v1/open/storefront/orders/{orderId}/cancellation-eligibility */
export function getStorefrontOrderCancellationEligibility(secret: Buffer): Handler<Row> {
  return async ({ params }, { reader, principal, now }) => {
    const order = await findOrder(reader, principal, params.orderId)
    const [situation, terms] = await Promise.all([situationOf(reader, order), termsNow(reader, order, now)])

    const eligibility = evaluateCancellation(situation, terms)

    const { decision, max } = eligibility
    const answered = answerFrom(order, terms, { question: 'cancellation', decision })
    return presentEligibility(order, eligibility, {
      preview: previewOfCancellation(order, max, terms.policies),
      evaluatedAt: now,
      eligibilityToken: sealEligibilityToken(secret, answered),
    })
  }
}
