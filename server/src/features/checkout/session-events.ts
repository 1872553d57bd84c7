import type { EventDataOf } from '@vitrine/contract'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { LoadedSession } from './session-store.ts'

type Kind = `checkout.session.${'created' | 'completed' | 'canceled' | 'expired'}`

/** Publish a session event to webhooks, in the transaction that changed the session. */
export function publishSessionEvent(
  tx: Transaction,
  kind: Kind,
  { session, quote }: LoadedSession,
  context: EventContext,
): void {
  const { id: sessionId, environment, installationId, storeId, cartId, quoteId, status, version } = session
  const data: EventDataOf<Kind> = {
    sessionId,
    cartId,
    quoteId,
    status,
    total: quote.totals.total,
    ...(session.status === 'completed' && { orderId: session.orderId }),
    expiresAt: session.expiresAt.toISOString(),
    version,
  }
  publishEvent(tx, { kind, environment, installationId, storeId, subjectId: sessionId, data }, context)
}
