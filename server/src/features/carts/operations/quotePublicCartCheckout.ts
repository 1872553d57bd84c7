import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { messagesOf } from '../cart-messages.ts'
import { loadForReading, priceNow } from '../load-cart.ts'
import type { CartParts } from '../parts.ts'
import { blockersOf, showQuote, statusOf } from '../quote.ts'
import { latestQuote } from '../quote-store.ts'
import { showPreview } from '../quote-view.ts'

/** GET /api/v1/open/storefront/carts/{cartId}/checkout-quote */
export function quotePublicCartCheckout({ rules }: CartParts): Handler<typeof operations.quotePublicCartCheckout> {
  return async ({ params }, context) => {
    const loaded = await loadForReading(context, params.cartId)
    const [quote, priced] = await Promise.all([
      latestQuote(context.reader, params.cartId),
      priceNow(context.reader, rules, loaded, context),
    ])
    const { cart } = loaded
    const blockers = blockersOf(cart, messagesOf(loaded, priced), priced.totals.tax.status)
    return {
      cartId: cart.id,
      cartVersion: cart.version,
      ready: blockers.length === 0,
      quote: quote && showQuote(quote, statusOf(quote, cart, context.now)),
      current: showPreview(loaded, priced, context),
      blockers,
    }
  }
}
