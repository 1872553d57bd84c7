import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { beginCheckout } from '../begin-checkout.ts'
import type { CheckoutDeps } from '../deps.ts'

/** POST /api/v1/open/storefront/carts/{cartId}/checkout */
export function checkoutPublicCart(deps: CheckoutDeps): Handler<typeof operations.checkoutPublicCart> {
  return ({ params: { cartId }, body }, context) =>
    beginCheckout(deps, { cartId, quoteId: body.quoteId ?? null }, body, context)
}
