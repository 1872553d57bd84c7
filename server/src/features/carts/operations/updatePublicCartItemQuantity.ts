import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { setQuantity } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { lineInput } from '../skus.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** PATCH /api/v1/open/storefront/carts/{cartId}/items/{skuId} */
export function updatePublicCartItemQuantity({
  rules,
}: CartDeps): Handler<typeof operations.updatePublicCartItemQuantity> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const input = lineInput({ skuId: params.skuId, quantity: body.quantity }, skus, cart)
    const changed = setQuantity(cart, input, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
