import type { CheckoutOfLinesRequest, CheckoutPublicCartRequest, HostedCheckoutSession } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { storeOfAll } from '../../kernel/owner.ts'
import { type FieldFault, refuse } from '../../kernel/refusal.ts'
import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { Principal, WriteContext } from '../../platform/http/handler.ts'
import {
  assertQuoteUsable,
  type CheckoutCart,
  contentOf,
  createCartForCheckout,
  issueQuote,
  type LockedCart,
  loadForCheckout,
  lockForCheckout,
  type QuoteContent,
  saveLocked,
} from '../carts/index.ts'
import { holdStock } from '../inventory/index.ts'
import { reserveRedemptions } from '../promotions/index.ts'
import type { CheckoutDeps } from './deps.ts'
import { expireSession } from './end-session.ts'
import { invalidateStock } from './release.ts'
import { beginSession, overdue } from './session.ts'
import { publishSessionEvent } from './session-events.ts'
import { insertSession, lockStoredSession } from './session-store.ts'
import { presentSession } from './session-view.ts'

/** What to check out: a cart, at its quote or its current price, or lines to create a cart from. */
export type CheckoutSource =
  | { readonly cartId: string; readonly quoteId: string | null }
  | Pick<CheckoutOfLinesRequest, 'lines' | 'currency' | 'country' | 'locale'>

/** The URLs that the shopper returns to, and the caller's references. */
type CheckoutOptions = Pick<
  CheckoutPublicCartRequest,
  'returnUrl' | 'cancelUrl' | 'clientReferenceId' | 'metadata' | 'expectedVersion'
>

/**
 * Begin a checkout: lock the cart, fix its price in a quote, hold stock and limited promotions. A cart with an active
 * session returns that session.
 *
 * Three round trips: load; hold; all writes with the COMMIT.
 *
 * Refusals: `validation_failed` for an unregistered URL, and those of the rows, in their order.
 */
export async function beginCheckout(
  deps: CheckoutDeps,
  source: CheckoutSource,
  options: CheckoutOptions,
  context: WriteContext,
): Promise<HostedCheckoutSession> {
  const { tx, principal, ids, now } = context
  const { expectedVersion, returnUrl, cancelUrl, clientReferenceId = null, metadata = {} } = options
  refuseUnregistered(principal, options)
  const loaded = await loadSource(source, context)
  const { cart } = loaded
  if (cart.status === 'locked') {
    const active = await activeSessionOf(cart, context)
    return active ? presentSession(active, deps) : beginCheckout(deps, source, options, context)
  }

  const sessionId = ids.next('cks')
  const locked = lockForCheckout(cart, sessionId, { now, expectedVersion })
  const quote = await quoteFor(loaded, deps, context)
  const content = contentOf(quote)
  const holder = { holder: sessionId, environment: principal.environment }
  const promotionIds = promotionsIn(content)
  const [, changedSkuIds] = await Promise.all([
    reserveRedemptions(tx, { ...holder, customerId: cart.customerId, promotionIds }),
    holdStock(tx, holder, content.lines),
  ])
  const session = beginSession({
    id: sessionId,
    installationId: cart.installationId,
    environment: cart.environment,
    storeId: storeOfAll(content.lines),
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
  publishSessionEvent(tx, 'checkout.session.created', { session, quote: content }, context)
  invalidateStock(tx, session.environment, content, changedSkuIds)
  crashPoint('checkout.begun')
  return presentSession({ session, quote: content }, deps)
}

function loadSource(source: CheckoutSource, context: WriteContext): Promise<CheckoutCart> {
  return 'cartId' in source ? loadForCheckout(context, source) : createCartForCheckout(source, context)
}

/** The quote to charge: the named one, which must be usable, or a new one at the current price. */
async function quoteFor(loaded: CheckoutCart, deps: CheckoutDeps, context: WriteContext) {
  const { quote, cart } = loaded
  if (!quote) return issueQuote(context.tx, deps, loaded, context)
  assertQuoteUsable(quote, cart, context.now)
  return quote
}

/** All applied promotions, automatic or by code. */
export function promotionsIn({ automaticPromotions, promotion }: QuoteContent): readonly string[] {
  const automatic = automaticPromotions.map(({ promotionId }) => promotionId)
  if (promotion.status !== 'applied') return automatic
  return [...automatic, present(promotion.promotionId, 'an applied code has a promotion')]
}

/** Load the active session of a locked cart. An overdue session is expired, which unlocks the cart: `null`. */
async function activeSessionOf({ checkoutSessionId }: LockedCart, context: WriteContext) {
  const { tx, now } = context
  const loaded = await lockStoredSession(tx, checkoutSessionId)
  const due = overdue(loaded.session, now)
  if (!due) return loaded
  await expireSession(tx, due, loaded.quote, context)
  return null
}

/** Shoppers are only redirected to URLs registered for the installation, compared exactly. */
function refuseUnregistered({ returnUrls }: Principal, options: CheckoutOptions): void {
  const faults = (['returnUrl', 'cancelUrl'] as const)
    .filter((field) => !returnUrls.includes(options[field]))
    .map(notRegistered)
  if (faults.length > 0) refuse('validation_failed', { faults })
}

function notRegistered(field: string): FieldFault {
  const message = "Must exactly match one of the installation's registered return URLs."
  return { field, code: 'not_registered', message }
}
