import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { removeLine } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** DELETE /api/v1/open/storefront/carts/{cartId}/items/{skuId} */
export function removePublicCartItem({ rules }: CartDeps): Handler<typeof operations.removePublicCartItem> {
  return async ({ params }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changed = removeLine(cart, params.skuId, { now })

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
