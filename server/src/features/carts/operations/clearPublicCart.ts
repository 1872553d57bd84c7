import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { clear } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/clear */
export function clearPublicCart({ rules }: CartDeps): Handler<typeof operations.clearPublicCart> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changed = clear(cart, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
