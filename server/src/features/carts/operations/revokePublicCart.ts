import type { operations } from '@vitrine/contract'
import { storeOfAll } from '../../../kernel/owner.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { revoke } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { publishRevoked } from '../events.ts'
import { lockCartWithSkus, priceNow, skuOf } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/revoke */
export function revokePublicCart({ rules, cancelCheckout }: CartDeps): Handler<typeof operations.revokePublicCart> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const revoked = revoke(cart, body.reason ?? null, { now, expectedVersion: body.expectedVersion })
    if (cart.status === 'locked') await cancelCheckout(cart, context)

    saveCart(tx, cart, revoked)
    publishRevoked(
      context,
      revoked,
      revoked.storeId ?? storeOfAll(revoked.lines.map(({ skuId }) => skuOf(skus, skuId))),
    )
    return presentCart({ cart: revoked, skus }, await priceNow(tx, rules, { cart: revoked, skus }, context))
  }
}
