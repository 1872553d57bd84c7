import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { approve, requestAfterSales, review } from '../after-sales.ts'
import { approvalOf, decideBy } from '../approval.ts'
import { announceAfterSales } from '../events.ts'
import { refuseUnavailable } from '../exchange.ts'
import { isRefunded, refundOfRequest } from '../money.ts'
import { admitAfterSales, refuseMisplacedExchange } from '../request.ts'
import { insertAfterSales } from '../store.ts'
import { presentAfterSales } from '../view.ts'
import { versionsOf } from '../../orders/eligibility/eligibility.ts'
import { refuseMuddledLines, refuseStale, refuseTooMany, refuseUnknownLines } from '../../orders/eligibility/guards.ts'
import { situationOf, termsOf } from '../../orders/eligibility/terms.ts'
import { openGiven } from '../../orders/eligibility/token.ts'
import { newsOfRequest } from '../../orders/mail/notifications.ts'
import { lockOrder } from '../../orders/order/store.ts'
import { tellShopper } from '../../orders/mail/send.ts'

type Row = typeof operations.requestStorefrontOrderAfterSales

/** POST /api/v1/open/storefront/orders/{orderId}/after-sales */
export function requestStorefrontOrderAfterSales(secret: Buffer): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const { kind, reasonCode, lines, description = null, evidence = [] } = body
    const answered = openGiven(secret, body.eligibilityToken, { question: 'after_sales', orderId, now })
    refuseMisplacedExchange(body)
    refuseMuddledLines(lines)
    const order = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(order, lines)
    refuseStale(order, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, order), termsOf(tx, order, { answered, now })])
    const { policies } = terms

    const judgement = admitAfterSales(situation, terms, body)
    await refuseUnavailable(tx, order, lines)
    refuseTooMany(lines, judgement)
    const refundEstimate = isRefunded(kind) ? refundOfRequest(order, { lines }, { policies }).amount : 0n
    const wish = { kind, reasonCode, lines, description, evidence, refundEstimate, decideBy: decideBy(policies, now) }
    const content = { ...wish, id: ids.next('asr'), orderId, policyVersions: versionsOf(terms) }
    const requested = requestAfterSales(content, { now, actor: 'installation' })
    const itself = { now, actor: 'system' } as const
    const isApproved = judgement.decision === 'eligible'
    const request = isApproved
      ? approve(review(requested, itself), approvalOf(order, requested, { policies, now }), itself)
      : requested

    insertAfterSales(tx, request)
    announceAfterSales(tx, 'after_sales.requested', { order, request: requested }, { ids, now })
    if (isApproved) announceAfterSales(tx, 'after_sales.updated', { order, request }, { ids, now })
    await tellShopper(tx, order, newsOfRequest(null, request), { ids, now })
    return presentAfterSales(order, request)
  }
}
