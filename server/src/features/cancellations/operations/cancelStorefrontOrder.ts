import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { completeCancellation, requestCancellation } from '../cancellation.ts'
import { type CancellationDeps, cancelUnits, moneyOfCancellation } from '../effects.ts'
import { announceCancellation } from '../events.ts'
import { planCancellation } from '../request.ts'
import { insertCancellation } from '../store.ts'
import { presentCancellation } from '../view.ts'
import { versionsOf } from '../../orders/eligibility/eligibility.ts'
import { refuseMuddledLines, refuseStale, refuseUnknownLines } from '../../orders/eligibility/guards.ts'
import { situationOf, termsOf } from '../../orders/eligibility/terms.ts'
import { openGiven } from '../../orders/eligibility/token.ts'
import { lockOrder } from '../../orders/order/store.ts'

type Row = typeof operations.cancelStorefrontOrder

/** POST /api/v1/open/storefront/orders/{orderId}/cancellations */
export function cancelStorefrontOrder(secret: Buffer, ports: CancellationDeps): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const answered = openGiven(secret, body.eligibilityToken, { question: 'cancellation', orderId, now })
    if (body.lines) refuseMuddledLines(body.lines)
    const before = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(before, body.lines ?? [])
    refuseStale(before, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, before), termsOf(tx, before, { answered, now })])

    const { decision, units: lines, scope } = planCancellation(situation, terms, body.lines)
    const { reason, note = null } = body
    const { amount: refundAmount } = moneyOfCancellation(before, lines, terms.policies).refund
    const content = { orderId, lines, scope, reason, note, refundAmount, policyVersions: versionsOf(terms) }
    const requested = requestCancellation({ id: ids.next('can'), ...content, now })

    const context = { ids, now }
    announceCancellation(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
    if (decision === 'manual_review') {
      insertCancellation(tx, requested)
      return presentCancellation(before, requested)
    }
    const facts = { cancellation: requested, policies: terms.policies, actor: 'installation' } as const
    const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { ...ports, ...context })
    const cancellation = completeCancellation(approved, now)
    insertCancellation(tx, cancellation)
    announceCancellation(tx, 'order.cancellation.decided', { order, cancellation }, context)
    return presentCancellation(order, cancellation)
  }
}
