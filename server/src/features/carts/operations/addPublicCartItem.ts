import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { addItem } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { lineInput } from '../skus.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/items */
export function addPublicCartItem({ rules }: CartDeps): Handler<typeof operations.addPublicCartItem> {
  return async ({ params, body }, context) => {
    const { tx, ids, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId, [body.skuId])

    const input = { ...lineInput(body, skus, cart), lineId: ids.next('line') }
    const changed = addItem(cart, input, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
