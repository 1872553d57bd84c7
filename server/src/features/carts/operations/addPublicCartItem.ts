import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { addItem } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { tellCart } from '../events.ts'
import { loadForChange, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'
import { wishOf } from '../wishes.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/items */
export function addPublicCartItem({ rules }: CartDeps): Handler<typeof operations.addPublicCartItem> {
  return async ({ params, body }, context) => {
    const { tx, ids, principal, now } = context
    const { cart, skus } = await loadForChange(context, params.cartId, [body.skuId])

    const wish = { ...wishOf(body, skus, principal), lineId: ids.next('line') }
    const changed = addItem(cart, wish, { now, expectedVersion: body.expectedVersion })

    saveCart(tx, cart, changed)
    tellCart(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, await priceNow(tx, rules, { cart: changed, skus }, context))
  }
}
