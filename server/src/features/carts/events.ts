import type { WriteContext } from '../../platform/http/handler.ts'
import { publishEvent, recordEvent } from '../../platform/outbox/outbox.ts'
import type { Cart, RevokedCart } from './cart.ts'
import type { Quote } from './quote.ts'

type EventContext = Pick<WriteContext, 'tx' | 'ids' | 'now'>
/** Whose cart it is, and which of its versions the event tells. */
type Subject = Pick<Cart, 'id' | 'environment' | 'installationId' | 'storeId' | 'version' | 'status'>

/** Tells ourselves that a cart has changed. The version is the sequence: both grow by one with each change. */
export function tellCart(
  context: EventContext,
  kind: 'cart.created' | 'cart.updated' | 'cart.expired',
  cart: Subject,
): void {
  const { id: cartId, version, status } = cart
  tell(context, kind, cart, { cartId, version, status })
}

/** Tells everybody who listens that a cart has ended for good. */
export function tellRevoked({ tx, ids, now }: EventContext, cart: RevokedCart): void {
  const { id: cartId, environment, installationId, storeId, version, reason, endedAt } = cart
  const data = { cartId, version, ...(reason !== null && { reason }), revokedAt: endedAt.toISOString() }
  publishEvent(
    tx,
    { kind: 'cart.revoked', environment, installationId, storeId, subjectId: cartId, data },
    { ids, now },
  )
}

function tell(
  { tx, ids, now }: EventContext,
  kind: string,
  cart: Subject,
  data: Readonly<Record<string, unknown>>,
): void {
  const { id: subjectId, environment, installationId, storeId, version: sequence } = cart
  recordEvent(tx, { kind, environment, installationId, storeId, subjectId, sequence, data }, { ids, now })
}

/** Tells ourselves that a quote was given. It never changes, so its first event is its last. */
export function tellQuote({ tx, ids, now }: EventContext, cart: Cart, quote: Quote): void {
  const { environment, installationId, storeId } = cart
  const data = {
    quoteId: quote.id,
    cartId: cart.id,
    cartVersion: cart.version,
    expiresAt: quote.expiresAt.toISOString(),
  }
  recordEvent(
    tx,
    { kind: 'cart.quoted', environment, installationId, storeId, subjectId: quote.id, sequence: 1, data },
    { ids, now },
  )
}
