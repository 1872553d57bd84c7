import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { CheckoutDeps } from '../deps.ts'
import { findSession } from '../session-store.ts'
import { presentSession } from '../session-view.ts'

/** GET /api/v1/open/hosted/checkout/sessions/{sessionId} */
export function getHostedCheckoutSession(deps: CheckoutDeps): Handler<typeof operations.getHostedCheckoutSession> {
  return async ({ params }, { reader, principal, now }) => {
    const loaded = await findSession(reader, principal, params.sessionId, now)
    return loaded ? presentSession(loaded, deps) : refuse('not_found')
  }
}
