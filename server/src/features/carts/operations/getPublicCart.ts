import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { loadVersionedCart } from '../cart-version.ts'
import type { CartDeps } from '../deps.ts'
import { priceNow, withSkus } from '../load-cart.ts'
import { readHeldSkus } from '../skus.ts'
import { presentCart } from '../view.ts'

/** GET /api/v1/open/storefront/carts/{cartId} */
export function getPublicCart({ rules }: CartDeps): Handler<typeof operations.getPublicCart> {
  return async ({ params: { cartId } }, context) => {
    const { reader, principal, isConditional } = context
    const readSkus = () => readHeldSkus(reader, principal, cartId)
    // In the same round trip, unless the client may have the answer.
    const [{ cart, version }, early] = await Promise.all([
      loadVersionedCart(context, rules, cartId),
      isConditional ? null : readSkus(),
    ])
    const unchanged = context.notModified(version)
    if (unchanged) return unchanged
    const loaded = await withSkus(reader, cart, early ?? (await readSkus()))
    return presentCart(loaded, await priceNow(reader, rules, loaded, context))
  }
}
