import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { setCode } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { refuseInapplicable } from '../quoting.ts'
import { saveCart } from '../store.ts'
import { presentPromotionState } from '../view.ts'

/** PUT /api/v1/open/storefront/carts/{cartId}/promotion */
export function applyPublicCartPromotion({ rules }: CartDeps): Handler<typeof operations.applyPublicCartPromotion> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changed = setCode(cart, body.code, { now, expectedVersion: body.expectedVersion })
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    refuseInapplicable(priced)

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentPromotionState({ cart: changed, skus }, priced)
  }
}
