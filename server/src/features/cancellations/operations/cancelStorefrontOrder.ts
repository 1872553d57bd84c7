import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import {
  lockOrder,
  openOptionalToken,
  refuseInvalidLines,
  refuseStaleVersion,
  refuseUnknownLines,
  situationOf,
  termsOf,
  versionsOf,
} from '../../orders/index.ts'
import { completeCancellation, requestCancellation } from '../cancellation.ts'
import { type CancellationDeps, cancelUnits, previewOfCancellation } from '../effects.ts'
import { publishCancellationEvent } from '../events.ts'
import { planCancellation } from '../request.ts'
import { insertCancellation } from '../store.ts'
import { presentCancellation } from '../view.ts'

type Row = typeof operations.cancelStorefrontOrder

/** POST /api/v1/open/storefront/orders/{orderId}/cancellations */
export function cancelStorefrontOrder(secret: Buffer, ports: CancellationDeps): Handler<Row> {
  return async ({ params: { orderId }, body }, { tx, principal, ids, now }) => {
    const answered = openOptionalToken(secret, body.eligibilityToken, { question: 'cancellation', orderId, now })
    if (body.lines) refuseInvalidLines(body.lines)
    const before = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(before, body.lines ?? [])
    refuseStaleVersion(before, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, before), termsOf(tx, before, { answered, now })])

    const { decision, units: lines, scope } = planCancellation(situation, terms, body.lines)
    const { reason, note = null } = body
    const { amount: refundAmount } = previewOfCancellation(before, lines, terms.policies).refund
    const content = { orderId, lines, scope, reason, note, refundAmount, policyVersions: versionsOf(terms) }
    const requested = requestCancellation({ id: ids.next('can'), ...content, now })

    const context = { ids, now }
    publishCancellationEvent(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
    if (decision === 'manual_review') {
      insertCancellation(tx, requested)
      return presentCancellation(before, requested)
    }
    const facts = { cancellation: requested, policies: terms.policies, actor: 'installation' } as const
    const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { ...ports, ...context })
    const cancellation = completeCancellation(approved, now)
    insertCancellation(tx, cancellation)
    publishCancellationEvent(tx, 'order.cancellation.decided', { order, cancellation }, context)
    return presentCancellation(order, cancellation)
  }
}
