import type { CreatePublicCartRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../platform/http/handler.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { sellableSkusOf } from '../catalog/index.ts'
import { type Cart, convert, type LockedCart, release } from './cart.ts'
import { tellCart, tellQuote } from './cart-events.ts'
import { readSkusOfCart } from './cart-skus.ts'
import { insertCart, lockCart, readCart, saveCart } from './cart-store.ts'
import type { FindCustomer } from './customer-token.ts'
import type { LoadedCart } from './load-cart.ts'
import { openNewCart } from './open-new-cart.ts'
import type { Quote } from './quote.ts'
import { findQuote, insertQuote } from './quote-store.ts'

/** A cart that is about to be checked out, locked, with the quote that was named, and without facts that nobody needs. */
export interface CartToCheckOut extends LoadedCart {
  readonly quote: Quote | null
}

/** One round trip. With a quote nothing is asked about SKUs: what it says is charged. Refusals: `not_found`. */
export async function loadForCheckout(
  { tx, principal, now }: WriteContext,
  { cartId, quoteId }: { readonly cartId: string; readonly quoteId: string | null },
): Promise<CartToCheckOut> {
  const [cart, rows, quote] = await Promise.all([
    lockCart(tx, principal, cartId, now),
    quoteId === null ? readSkusOfCart(tx, principal, cartId, []) : [],
    quoteId === null ? null : findQuote(tx, quoteId, cartId),
  ])
  if (quoteId !== null && quote === null) refuse('not_found')
  return { cart, skus: sellableSkusOf(rows, [cart.locale]), quote }
}

const nobody: FindCustomer = async () => null

/** A cart of lines alone, stored. Refusals: those of createPublicCart. */
export async function openForCheckout(
  request: Pick<CreatePublicCartRequest, 'lines' | 'currency' | 'country' | 'locale'>,
  context: WriteContext,
): Promise<CartToCheckOut> {
  const opened = await openNewCart(nobody, request, context)
  insertCart(context.tx, opened.cart)
  tellCart(context, 'cart.created', opened.cart)
  return { ...opened, quote: null }
}

/** Stores a cart that was locked, and the promise it is checked out by where that was made just now. */
export function saveLocked(
  context: EventContext & { readonly tx: Transaction },
  before: Cart,
  { cart, quote }: { readonly cart: LockedCart; readonly quote: Quote | null },
): void {
  if (quote) {
    insertQuote(context.tx, quote)
    tellQuote(context, before, quote)
  }
  saveCart(context.tx, before, cart)
  tellCart(context, 'cart.updated', cart)
}

/** Stores a quote that completes the one of a locked cart. */
export function saveCompleted(context: EventContext & { readonly tx: Transaction }, cart: Cart, quote: Quote): void {
  insertQuote(context.tx, quote)
  tellQuote(context, cart, quote)
}

/** Lets go of a cart whose session has ended without an order. Its lock is held. */
export async function releaseCart(tx: Transaction, cartId: string, { ids, now }: EventContext): Promise<Cart> {
  const cart = await readCart(tx, cartId)
  assert(cart.status === 'locked', 'a session that is under way holds its cart')
  const released = release(cart, now)
  saveCart(tx, cart, released)
  tellCart({ tx, ids, now }, 'cart.updated', released)
  return released
}

/** Writes down which order a locked cart became. */
export function convertCart(tx: Transaction, cart: LockedCart, orderId: string, { ids, now }: EventContext): void {
  const converted = convert(cart, orderId, now)
  saveCart(tx, cart, converted)
  tellCart({ tx, ids, now }, 'cart.updated', converted)
}
