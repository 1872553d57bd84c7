import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { CartDeps } from '../deps.ts'
import { loadCartWithSkus, priceNow } from '../load-cart.ts'
import { noticesOf } from '../messages.ts'
import { blockersOf, presentBlockers, presentQuote, statusOf } from '../quote.ts'
import { findLatestQuote } from '../quote-store.ts'
import { presentPreview } from '../quote-view.ts'

/** GET /api/v1/open/storefront/carts/{cartId}/checkout-quote */
export function quotePublicCartCheckout({ rules }: CartDeps): Handler<typeof operations.quotePublicCartCheckout> {
  return async ({ params }, context) => {
    const loaded = await loadCartWithSkus(context, params.cartId)
    const [quote, priced] = await Promise.all([
      findLatestQuote(context.reader, params.cartId),
      priceNow(context.reader, rules, loaded, context),
    ])
    const { cart } = loaded
    const blockers = blockersOf(loaded, noticesOf(loaded, priced), priced.totals.tax.status)
    return {
      cartId: cart.id,
      cartVersion: cart.version,
      ready: blockers.length === 0,
      quote: quote && presentQuote(quote, statusOf(quote, cart, context.now)),
      current: presentPreview(loaded, priced, context),
      blockers: presentBlockers(blockers, cart.locale),
    }
  }
}
