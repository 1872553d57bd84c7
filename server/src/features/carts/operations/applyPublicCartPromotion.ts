import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { PricedCart } from '../../pricing/index.ts'
import { setCode } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
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

/** Refuse a code that does not apply now. One that stops applying later stays, with its reason. */
function refuseInapplicable({ promotion, currency }: PricedCart): void {
  if (promotion.status !== 'inapplicable') return
  const { reasonCode, requirement } = promotion
  refuse('promotion_inapplicable', {
    faults: [
      {
        field: 'code',
        code: reasonCode,
        message: `The code does not apply: ${reasonCode}.`,
        ...(requirement && { params: { missingAmount: Number(requirement.missing), currency } }),
      },
    ],
    conflict: { reasons: [reasonCode] },
  })
}
