import type { operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import {
  lockOrder,
  notifyShopper,
  openOptionalToken,
  refundByStore,
  refuseInvalidLines,
  refuseStaleVersion,
  refuseTooMany,
  refuseUnknownLines,
  situationOf,
  termsOf,
  versionsOf,
  wholeOf,
} from '../../orders/index.ts'
import { approve, requestAfterSales, review, shownIn } from '../after-sales.ts'
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
    const shown = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(shown, lines)
    refuseStaleVersion(shown, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, shown), termsOf(tx, shown, { answered, now })])
    const order = wholeOf(shown)
    const { policies } = terms

    const eligibility = admitAfterSales(situation, terms, body)
    await refuseUnavailable(tx, shown, lines)
    refuseTooMany(lines, eligibility)
    const refund = isRefunded(kind) ? refundOfRequest(order, { lines }, { policies }) : null
    const estimate = { refundEstimate: refund?.amount ?? 0n, refundByStore: refund && refundByStore(order, refund) }
    const input = { kind, reasonCode, lines, description, evidence, ...estimate, decideBy: decideBy(policies, now) }
    const content = { ...input, id: ids.next('asr'), orderId, policyVersions: versionsOf(terms) }
    const requested = requestAfterSales(content, { now, actor: 'installation' })
    const itself = { now, actor: 'system' } as const
    const isApproved = eligibility.decision === 'eligible'
    const request = isApproved
      ? approve(review(requested, itself), approvalOf(shown, requested, { policies, now }), itself)
      : requested

    insertAfterSales(tx, request)
    publishAfterSalesEvent(tx, 'after_sales.requested', { order, request: requested }, { ids, now })
    if (isApproved) publishAfterSalesEvent(tx, 'after_sales.updated', { order, request }, { ids, now })
    await notifyShopper(tx, order, mailsOfRequest(null, request), { ids, now })
    return presentAfterSales(shown, present(shownIn(shown, [request])[0], 'a request for lines of its own'))
  }
}
