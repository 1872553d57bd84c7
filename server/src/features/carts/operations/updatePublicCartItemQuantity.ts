import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { setQuantity } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { tellCart } from '../events.ts'
import { loadForChange, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'
import { wishOf } from '../wishes.ts'

/** PATCH /api/v1/open/storefront/carts/{cartId}/items/{skuId} */
export function updatePublicCartItemQuantity({
  rules,
}: CartDeps): Handler<typeof operations.updatePublicCartItemQuantity> {
  return async ({ params, body }, context) => {
    const { tx, principal, now } = context
    const { cart, skus } = await loadForChange(context, params.cartId)

    const wish = {
      ...wishOf({ skuId: params.skuId, quantity: body.quantity }, skus, principal),
      skuIn: 'path' as const,
    }
    const changed = setQuantity(cart, wish, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    tellCart(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
