import type { CreateHostedCheckoutSessionRequest, HostedCheckoutSession, PublicErrorDetail } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Principal, WriteContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import {
  type CartToCheckOut,
  contentOf,
  type LockedCart,
  loadForCheckout,
  lockForCheckout,
  openForCheckout,
  promiseNow,
  type QuoteContent,
  refuseBrokenPromise,
  saveLocked,
} from '../carts/index.ts'
import { holdStock } from '../inventory/index.ts'
import { claimUses } from '../promotions/index.ts'
import { endOverdue } from './end-session.ts'
import { announceStock } from './give-back.ts'
import type { CheckoutDeps } from './parts.ts'
import { beginSession, overdue } from './session.ts'
import { tellSession } from './session-events.ts'
import { holdSession, insertSession, readStored } from './session-store.ts'
import { presentSession } from './session-view.ts'

/** What is bought: a cart, by its quote or by what it costs now, or lines of which a cart is made. */
export type Bought =
  | { readonly cartId: string; readonly quoteId: string | null }
  | (Pick<CreateHostedCheckoutSessionRequest, 'locale'> &
      Required<Pick<CreateHostedCheckoutSessionRequest, 'lines' | 'currency' | 'country'>>)

/** How: where the shopper comes back to, and what the caller wants to find again. */
export type CheckoutTerms = Pick<
  CreateHostedCheckoutSessionRequest,
  'returnUrl' | 'cancelUrl' | 'clientReferenceId' | 'metadata' | 'expectedVersion'
>

/**
 * Begins a checkout: the cart is locked, its price is promised, its stock and the uses of its promotions are held. A cart
 * that has a session under way is answered that one.
 *
 * Three round trips: what is there; what can be held; all that is written, with the COMMIT.
 *
 * Refusals: `validation_failed` for a URL that is not registered, and those of the rows, in their order.
 */
export async function beginCheckout(
  parts: CheckoutDeps,
  bought: Bought,
  terms: CheckoutTerms,
  context: WriteContext,
): Promise<HostedCheckoutSession> {
  const { tx, principal, ids, now } = context
  const { expectedVersion, returnUrl, cancelUrl, clientReferenceId = null, metadata = {} } = terms
  const [, loaded] = await Promise.all([refuseUnregistered(tx, principal, terms), loadBought(bought, context)])
  const { cart } = loaded
  if (cart.status === 'locked') {
    const first = await sessionUnderWay(cart, context)
    return first ? presentSession(first, parts) : beginCheckout(parts, bought, terms, context)
  }

  const sessionId = ids.next('cks')
  const locked = lockForCheckout(cart, sessionId, { now, expectedVersion })
  const quote = await promiseFor(loaded, parts, context)
  const content = contentOf(quote)
  const holder = { holder: sessionId, environment: principal.environment }
  const promotionIds = promotionsOf(content)
  const [, shownOtherwise] = await Promise.all([
    claimUses(tx, {
      claimant: sessionId,
      environment: principal.environment,
      customerId: cart.customerId,
      promotionIds,
    }),
    holdStock(tx, holder, content.lines),
  ])
  const session = beginSession({
    id: sessionId,
    installationId: cart.installationId,
    environment: cart.environment,
    storeId: cart.storeId,
    cartId: cart.id,
    quoteId: quote.id,
    returnUrl,
    cancelUrl,
    clientReferenceId,
    metadata,
    contact: cart.contact,
    shippingAddress: cart.shippingAddress,
    billingAddress: cart.billingAddress,
    now,
  })

  saveLocked(context, cart, { cart: locked, quote: loaded.quote ? null : quote })
  insertSession(tx, session)
  tellSession(tx, 'checkout.session.created', { session, quote: content }, context)
  announceStock(tx, session.environment, content, shownOtherwise)
  crashPoint('checkout.begun')
  return presentSession({ session, quote: content }, parts)
}

function loadBought(bought: Bought, context: WriteContext): Promise<CartToCheckOut> {
  return 'cartId' in bought ? loadForCheckout(context, bought) : openForCheckout(bought, context)
}

/** The quote that was named, while it holds; else a promise of what the cart costs now. */
async function promiseFor(loaded: CartToCheckOut, parts: CheckoutDeps, context: WriteContext) {
  const { quote, cart } = loaded
  if (!quote) return promiseNow(context.tx, parts, loaded, context)
  refuseBrokenPromise(quote, cart, context.now)
  return quote
}

/** All that applies, whether by itself or by the code. */
function promotionsOf({ automaticPromotions, promotion }: QuoteContent): readonly string[] {
  const automatic = automaticPromotions.map(({ promotionId }) => promotionId)
  if (promotion.status !== 'applied') return automatic
  return [...automatic, present(promotion.promotionId, 'what applies is a promotion')]
}

/** The session that holds a cart; null where its time is over, after which the cart is free. */
async function sessionUnderWay({ checkoutSessionId }: LockedCart, context: WriteContext) {
  const { tx, now } = context
  holdSession(tx, checkoutSessionId)
  const loaded = await readStored(tx, checkoutSessionId)
  const due = overdue(loaded.session, now)
  if (!due) return loaded
  await endOverdue(tx, due, loaded.quote, context)
  return null
}

const registered = statement<{ return_url: boolean; cancel_url: boolean }>(
  'checkout.registered',
  'select $2 = any(return_urls) as return_url, $3 = any(return_urls) as cancel_url from installations where id = $1',
)

/** Shoppers are sent where the installation has said, character by character, and nowhere else. */
async function refuseUnregistered(
  reader: Reader,
  { installationId }: Principal,
  { returnUrl, cancelUrl }: CheckoutTerms,
): Promise<void> {
  const row = await reader.row(registered, [installationId, returnUrl, cancelUrl])
  const details = [
    ...(row?.return_url ? [] : [notRegistered('/returnUrl')]),
    ...(row?.cancel_url ? [] : [notRegistered('/cancelUrl')]),
  ]
  if (details.length > 0) refuse('validation_failed', { details })
}

function notRegistered(pointer: string): PublicErrorDetail {
  const message = 'It must be one of the return URLs of the installation, character by character.'
  return { in: 'body', pointer, code: 'not_registered', message }
}
