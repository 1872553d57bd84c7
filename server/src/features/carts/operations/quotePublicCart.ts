import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { readyToQuote, refuseUnquotable } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent, recordQuoteEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { presentQuote, refuseIncomplete, signQuote } from '../quote.ts'
import { insertQuote } from '../quote-store.ts'
import { quoteContent } from '../quote-view.ts'
import { refuseUnofferedShipping } from '../shipping-choice.ts'
import { offerOf } from '../skus.ts'
import { saveCart } from '../store.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/quote */
export function quotePublicCart({ rules, signers }: CartDeps): Handler<typeof operations.quotePublicCart> {
  return async ({ params, body }, context) => {
    const { tx, ids, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changed = readyToQuote(cart, body.shippingOptionId, { now, expectedVersion: body.expectedVersion })
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    if (body.shippingOptionId !== undefined) refuseUnofferedShipping(body.shippingOptionId, priced, 'cart_incomplete')
    refuseIncomplete({ cart: changed, skus }, priced)
    refuseUnquotable(changed, (skuId) => offerOf(skus.get(skuId), changed))
    const quote = signQuote(quoteContent(ids.next('quo'), { cart: changed, skus }, priced, context), signers.current)

    insertQuote(tx, quote)
    recordQuoteEvent(context, changed, quote)
    if (changed !== cart) {
      saveCart(tx, cart, changed)
      recordCartEvent(context, 'cart.updated', changed)
    }
    return presentQuote(quote, 'in_force')
  }
}
