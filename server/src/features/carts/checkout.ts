import type { CreatePublicCartRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../platform/http/handler.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { sellableSkusOf } from '../catalog/index.ts'
import { type Cart, convert, type LockedCart, release } from './cart.ts'
import { recordCartEvent, recordQuoteEvent } from './events.ts'
import type { LoadedCart } from './load-cart.ts'
import { type FindCustomer, openNewCart } from './open-new-cart.ts'
import type { Quote } from './quote.ts'
import { findQuote, insertQuote } from './quote-store.ts'
import { readSkusOfCart } from './skus.ts'
import { insertCart, loadCartById, lockCart, saveCart } from './store.ts'

/** A cart to check out, with the quote that the caller named. */
export interface CheckoutCart extends LoadedCart {
  readonly quote: Quote | null
}

/** Load and lock a cart to check out. One round trip; with a quote, which is charged, no SKUs are read. Refusals: `not_found`. */
export async function loadForCheckout(
  { tx, principal, now }: WriteContext,
  { cartId, quoteId }: { readonly cartId: string; readonly quoteId: string | null },
): Promise<CheckoutCart> {
  const [cart, rows, quote] = await Promise.all([
    lockCart(tx, principal, cartId, now),
    quoteId === null ? readSkusOfCart(tx, principal, cartId, []) : [],
    quoteId === null ? null : findQuote(tx, quoteId, cartId),
  ])
  if (quoteId !== null && quote === null) refuse('not_found')
  return { cart, skus: sellableSkusOf(rows, [cart.locale]), quote }
}

const noCustomer: FindCustomer = async () => null

/** Create and store a cart from lines. Refusals: those of createPublicCart. */
export async function createCartForCheckout(
  request: Pick<CreatePublicCartRequest, 'lines' | 'currency' | 'country' | 'locale'>,
  context: WriteContext,
): Promise<CheckoutCart> {
  const opened = await openNewCart(noCustomer, request, context)
  insertCart(context.tx, opened.cart)
  recordCartEvent(context, 'cart.created', opened.cart)
  return { ...opened, quote: null }
}

/** Save a locked cart, and its quote if checkout has issued one. */
export function saveLocked(
  context: EventContext & { readonly tx: Transaction },
  before: Cart,
  { cart, quote }: { readonly cart: LockedCart; readonly quote: Quote | null },
): void {
  if (quote) {
    insertQuote(context.tx, quote)
    recordQuoteEvent(context, before, quote)
  }
  saveCart(context.tx, before, cart)
  recordCartEvent(context, 'cart.updated', cart)
}

/** Save the recalculated quote of a locked cart. */
export function saveRecalculatedQuote(
  context: EventContext & { readonly tx: Transaction },
  cart: Cart,
  quote: Quote,
): void {
  insertQuote(context.tx, quote)
  recordQuoteEvent(context, cart, quote)
}

/** Release a cart whose session ended without an order. The caller has locked its row. */
export async function releaseCart(tx: Transaction, cartId: string, { ids, now }: EventContext): Promise<Cart> {
  const cart = await loadCartById(tx, cartId)
  assert(cart.status === 'locked', 'the cart of an active session is locked')
  const released = release(cart, now)
  saveCart(tx, cart, released)
  recordCartEvent({ tx, ids, now }, 'cart.updated', released)
  return released
}

/** Convert a locked cart to its order. */
export function convertCart(tx: Transaction, cart: LockedCart, orderId: string, { ids, now }: EventContext): void {
  const converted = convert(cart, orderId, now)
  saveCart(tx, cart, converted)
  recordCartEvent({ tx, ids, now }, 'cart.updated', converted)
}
