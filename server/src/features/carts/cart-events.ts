import type { WriteContext } from '../../platform/http/handler.ts'
import { append } from '../../platform/outbox/outbox.ts'
import type { Cart } from './cart.ts'
import type { Quote } from './quote.ts'

export type CartEventKind = 'cart.created' | 'cart.updated' | 'cart.revoked' | 'cart.expired'

/** Tells that a cart has changed. The version is the sequence: both grow by one with each change. */
export function tellCart(
  { tx, ids, now }: Pick<WriteContext, 'tx' | 'ids' | 'now'>,
  kind: CartEventKind,
  {
    id,
    environment,
    installationId,
    storeId,
    version,
    status,
  }: Pick<Cart, 'id' | 'environment' | 'installationId' | 'storeId' | 'version' | 'status'>,
): void {
  const data = { cartId: id, version, status }
  append(tx, { kind, environment, installationId, storeId, subjectId: id, sequence: version, data }, { ids, now })
}

/** Tells that a quote was given. It never changes, so its first event is its last. */
export function tellQuote({ tx, ids, now }: Pick<WriteContext, 'tx' | 'ids' | 'now'>, cart: Cart, quote: Quote): void {
  const { environment, installationId, storeId } = cart
  const data = {
    quoteId: quote.id,
    cartId: cart.id,
    cartVersion: cart.version,
    expiresAt: quote.expiresAt.toISOString(),
  }
  append(
    tx,
    { kind: 'cart.quoted', environment, installationId, storeId, subjectId: quote.id, sequence: 1, data },
    { ids, now },
  )
}
