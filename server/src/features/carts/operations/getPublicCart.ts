import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { CartDeps } from '../deps.ts'
import { loadCartWithSkus, priceNow } from '../load-cart.ts'
import { presentCart } from '../view.ts'

/** GET /api/v1/open/storefront/carts/{cartId} */
export function getPublicCart({ rules }: CartDeps): Handler<typeof operations.getPublicCart> {
  return async ({ params }, context) => {
    const loaded = await loadCartWithSkus(context, params.cartId)
    return presentCart(loaded, await priceNow(context.reader, rules, loaded, context))
  }
}
