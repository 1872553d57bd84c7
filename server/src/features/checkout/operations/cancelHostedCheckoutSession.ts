import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { CheckoutDeps } from '../deps.ts'
import { cancelSession } from '../end-session.ts'
import { lockSession } from '../session-store.ts'
import { presentSession } from '../session-view.ts'

/** POST /api/v1/open/hosted/checkout/sessions/{sessionId}/cancel */
export function cancelHostedCheckoutSession(
  deps: CheckoutDeps,
): Handler<typeof operations.cancelHostedCheckoutSession> {
  return async ({ params, body }, context) => {
    const { tx, principal, ids, now } = context
    const { reason = null, note = null, expectedVersion } = body
    const loaded = (await lockSession(tx, principal, params.sessionId, now)) ?? refuse('not_found')

    const cancellation = { cancelReason: reason, cancelNote: note }
    const ended = await cancelSession(tx, loaded, cancellation, { ids, now, expectedVersion })

    return presentSession(ended, deps)
  }
}
