import type { operations, SetPublicCartAddressRequest } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { Handler } from '../../../platform/http/handler.ts'
import { refuseInvalidAddress, tidyAddress } from '../address/address.ts'
import { type GivenAddress, setAddress } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { tellCart } from '../events.ts'
import { loadForChange, priceNow } from '../load-cart.ts'
import { refuseUnofferedShipping } from '../shipping-choice.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** PUT /api/v1/open/storefront/carts/{cartId}/address */
export function setPublicCartAddress({ rules }: CartDeps): Handler<typeof operations.setPublicCartAddress> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { shippingOptionId, expectedVersion } = body
    const { cart, skus } = await loadForChange(context, params.cartId)

    const given = givenBy(body)
    const changed = setAddress(cart, given, { now, expectedVersion })
    if (given.shippingAddress) refuseInvalidAddress(given.shippingAddress, '/shipping')
    if (given.billingAddress) refuseInvalidAddress(given.billingAddress, '/billing')
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    if (shippingOptionId !== undefined) refuseUnofferedShipping(shippingOptionId, priced, 'validation_failed')

    saveCart(tx, cart, changed)
    tellCart(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, priced)
  }
}

/** What is absent stays absent, so that it stays as it is in the cart. */
function givenBy({ shipping, billing, contact, shippingOptionId }: Static<typeof SetPublicCartAddressRequest>) {
  const given: GivenAddress = {
    ...(shipping !== undefined && { shippingAddress: shipping && tidyAddress(shipping) }),
    ...(billing !== undefined && { billingAddress: billing && tidyAddress(billing) }),
    ...(contact !== undefined && { contact }),
    ...(shippingOptionId !== undefined && { shippingOptionId }),
  }
  return given
}
