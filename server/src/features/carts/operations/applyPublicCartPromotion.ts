import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import type { PricedCart } from '../../pricing/index.ts'
import { setCode } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { tellCart } from '../events.ts'
import { loadForChange, priceNow } from '../load-cart.ts'
import { saveCart } from '../store.ts'
import { presentPromotionState } from '../view.ts'

/** PUT /api/v1/open/storefront/carts/{cartId}/promotion */
export function applyPublicCartPromotion({ rules }: CartDeps): Handler<typeof operations.applyPublicCartPromotion> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { cart, skus } = await loadForChange(context, params.cartId)

    const changed = setCode(cart, body.code, { now, expectedVersion: body.expectedVersion })
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    refuseInapplicable(priced)

    saveCart(tx, cart, changed)
    tellCart(context, 'cart.updated', changed)
    return presentPromotionState({ cart: changed, skus }, priced)
  }
}

/** A code goes into the slot only if it gives something now. Why it may stop later, the slot says. */
function refuseInapplicable({ promotion, currency }: PricedCart): void {
  if (promotion.status !== 'inapplicable') return
  const { reasonCode, requirement } = promotion
  refuse('promotion_inapplicable', {
    details: [
      {
        in: 'body',
        pointer: '/code',
        code: reasonCode,
        message: `The code gives nothing now: ${reasonCode}.`,
        ...(requirement && { params: { missingAmount: Number(requirement.missing), currency } }),
      },
    ],
    conflict: { reasons: [reasonCode] },
  })
}
