import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import {
  lockOrder,
  notifyShopper,
  openOptionalToken,
  refuseInvalidLines,
  refuseStaleVersion,
  refuseTooMany,
  refuseUnknownLines,
  situationOf,
  termsOf,
  versionsOf,
} from '../../orders/index.ts'
import { approve, requestAfterSales, review } from '../after-sales.ts'
import { approvalOf, decideBy } from '../approval.ts'
import { publishAfterSalesEvent } from '../events.ts'
import { refuseUnavailable } from '../exchange.ts'
import { mailsOfRequest } from '../mails.ts'
import { isRefunded, refundOfRequest } from '../money.ts'
import { admitAfterSales, refuseMisplacedExchange } from '../request.ts'
import { insertAfterSales } from '../store.ts'
import { presentAfterSales } from '../view.ts'

type Row = typeof operations.requestStorefrontOrderAfterSales

/** POST /api/v1/open/storefront/orders/{orderId}/after-sales */
export function requestStorefrontOrderAfterSales(secret: Buffer): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const { kind, reasonCode, lines, description = null, evidence = [] } = body
    const answered = openOptionalToken(secret, body.eligibilityToken, { question: 'after_sales', orderId, now })
    refuseMisplacedExchange(body)
    refuseInvalidLines(lines)
    const order = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(order, lines)
    refuseStaleVersion(order, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, order), termsOf(tx, order, { answered, now })])
    const { policies } = terms

    const eligibility = admitAfterSales(situation, terms, body)
    await refuseUnavailable(tx, order, lines)
    refuseTooMany(lines, eligibility)
    const refundEstimate = isRefunded(kind) ? refundOfRequest(order, { lines }, { policies }).amount : 0n
    const input = { kind, reasonCode, lines, description, evidence, refundEstimate, decideBy: decideBy(policies, now) }
    const content = { ...input, id: ids.next('asr'), orderId, policyVersions: versionsOf(terms) }
    const requested = requestAfterSales(content, { now, actor: 'installation' })
    const itself = { now, actor: 'system' } as const
    const isApproved = eligibility.decision === 'eligible'
    const request = isApproved
      ? approve(review(requested, itself), approvalOf(order, requested, { policies, now }), itself)
      : requested

    insertAfterSales(tx, request)
    publishAfterSalesEvent(tx, 'after_sales.requested', { order, request: requested }, { ids, now })
    if (isApproved) publishAfterSalesEvent(tx, 'after_sales.updated', { order, request }, { ids, now })
    await notifyShopper(tx, order, mailsOfRequest(null, request), { ids, now })
    return presentAfterSales(order, request)
  }
}
