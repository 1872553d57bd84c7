import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { clearCode } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentPromotionState } from '../view.ts'

/** DELETE /api/v1/open/storefront/carts/{cartId}/promotion */
export function removePublicCartPromotion({ rules }: CartDeps): Handler<typeof operations.removePublicCartPromotion> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changed = clearCode(cart, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentPromotionState({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
