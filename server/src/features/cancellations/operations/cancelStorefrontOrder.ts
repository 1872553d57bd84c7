import type { operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import {
  asShown,
  lockOrder,
  type Order,
  openOptionalToken,
  refundByStore,
  refuseInvalidLines,
  refuseStaleVersion,
  refuseUnknownLines,
  situationOf,
  termsOf,
  versionsOf,
  wholeOf,
} from '../../orders/index.ts'
import { type Cancellation, completeCancellation, requestCancellation, shownIn } from '../cancellation.ts'
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
    const shown = await lockOrder(tx, principal, orderId)
    refuseUnknownLines(shown, body.lines ?? [])
    refuseStaleVersion(shown, body.expectedVersion)
    const [situation, terms] = await Promise.all([situationOf(tx, shown), termsOf(tx, shown, { answered, now })])
    const before = wholeOf(shown)

    const { decision, units: lines, scope } = planCancellation(situation, terms, body.lines)
    const { reason, note = null } = body
    const { refund } = previewOfCancellation(before, lines, terms.policies)
    const parts = { refundAmount: refund.amount, refundByStore: refundByStore(before, refund) }
    const content = { orderId, lines, scope, reason, note, ...parts, policyVersions: versionsOf(terms) }
    const requested = requestCancellation({ id: ids.next('can'), ...content, now })

    const context = { ids, now }
    publishCancellationEvent(tx, 'order.cancellation.requested', { order: before, cancellation: requested }, context)
    if (decision === 'manual_review') {
      insertCancellation(tx, requested)
      return presented(shown, requested)
    }
    const facts = { cancellation: requested, policies: terms.policies, actor: 'installation' } as const
    const { order, cancellation: approved } = await cancelUnits(tx, before, facts, { ...ports, ...context })
    const cancellation = completeCancellation(approved, now)
    insertCancellation(tx, cancellation)
    publishCancellationEvent(tx, 'order.cancellation.decided', { order, cancellation }, context)
    return presented(asShown(shown, order), cancellation)
  }
}

/** Its lines are of the order or the share it was requested for. */
function presented(shown: Order, cancellation: Cancellation) {
  return presentCancellation(shown, present(shownIn(shown, [cancellation])[0], 'a cancellation of its own lines'))
}
