import type { WriteContext } from '../../platform/http/handler.ts'
import { publishEvent, recordEvent } from '../../platform/outbox/outbox.ts'
import type { Cart, RevokedCart } from './cart.ts'
import type { Quote } from './quote.ts'

type CartEventContext = Pick<WriteContext, 'tx' | 'ids' | 'now'>

/** Owner and version of a cart, for an event. */
type Subject = Pick<Cart, 'id' | 'environment' | 'installationId' | 'storeId' | 'version' | 'status'>

/** Record an internal cart event. Its sequence is the cart's version: both grow by one with each change. */
export function recordCartEvent(
  { tx, ids, now }: CartEventContext,
  kind: 'cart.created' | 'cart.updated' | 'cart.expired',
  cart: Subject,
): void {
  const { id: subjectId, environment, installationId, storeId, version: sequence, status } = cart
  const event = { kind, environment, installationId, storeId, subjectId, sequence, data: { status } }
  recordEvent(tx, event, { ids, now })
}

/** Publish `cart.revoked` to webhooks. `storeId`: the store of all its lines. */
export function publishRevoked({ tx, ids, now }: CartEventContext, cart: RevokedCart, storeId: string | null): void {
  const { id: cartId, environment, installationId, version, reason, endedAt } = cart
  const data = { cartId, version, ...(reason !== null && { reason }), revokedAt: endedAt.toISOString() }
  publishEvent(
    tx,
    { kind: 'cart.revoked', environment, installationId, storeId, subjectId: cartId, data },
    { ids, now },
  )
}

/** Record that a quote was issued. Quotes never change, so its sequence is always 1. */
export function recordQuoteEvent({ tx, ids, now }: CartEventContext, cart: Cart, quote: Quote): void {
  const { environment, installationId, storeId } = cart
  const data = {
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
