import { refuse } from '../../kernel/refusal.ts'
import type { PricedCart } from '../pricing/index.ts'

/** Refuse a shipping choice that is not offered for this cart and destination: one option per store, joined by `+`. */
export function refuseUnofferedShipping(
  shippingOptionId: string,
  { shipping }: Pick<PricedCart, 'shipping'>,
  code: 'validation_failed' | 'cart_incomplete',
): void {
  if (isOfferedShipping(shippingOptionId, { shipping })) return
  refuse(code, {
    faults: [
      {
        field: 'shippingOptionId',
        code: 'not_offered',
        message: 'Must be one of the cart\'s shippingOptions for each store that ships, joined by "+".',
      },
    ],
  })
}

/** Whether each option is offered, with at most one per store. */
export function isOfferedShipping(shippingOptionId: string, { shipping }: Pick<PricedCart, 'shipping'>): boolean {
  const chosen = shippingOptionId.split('+').map((id) => shipping.options.find((option) => option.id === id))
  const stores = new Set(chosen.map((option) => option?.storeId))
  return chosen.every(Boolean) && stores.size === chosen.length
}
