import { refuse } from '../../kernel/refusal.ts'
import type { PricedCart } from '../pricing/index.ts'

/**
 * Refuses a choice of shipping that is not offered for this cart, to this place, now: one option of each store that is
 * named, joined by `+`.
 */
export function refuseUnofferedShipping(
  shippingOptionId: string,
  { shipping }: Pick<PricedCart, 'shipping'>,
  code: 'validation_failed' | 'cart_incomplete',
): void {
  if (isOfferedShipping(shippingOptionId, { shipping })) return
  refuse(code, {
    details: [
      {
        in: 'body',
        pointer: '/shippingOptionId',
        code: 'not_offered',
        message: 'One of the shippingOptions of the cart for each store that ships, joined by "+".',
      },
    ],
  })
}

/** Whether each part of the choice is offered, one for each store that it names. */
export function isOfferedShipping(shippingOptionId: string, { shipping }: Pick<PricedCart, 'shipping'>): boolean {
  const chosen = shippingOptionId.split('+').map((id) => shipping.options.find((option) => option.id === id))
  const stores = new Set(chosen.map((option) => option?.storeId))
  return chosen.every(Boolean) && stores.size === chosen.length
}
