import type { operations, SetPublicCartAddressRequest } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { Handler } from '../../../platform/http/handler.ts'
import { refuseInvalidAddress, tidyAddress } from '../address/address.ts'
import { type AddressChanges, setAddress } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { refuseUnofferedShipping } from '../shipping-choice.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

/** PUT /api/v1/open/storefront/carts/{cartId}/address */
export function setPublicCartAddress({ rules }: CartDeps): Handler<typeof operations.setPublicCartAddress> {
  return async ({ params, body }, context) => {
    const { tx, now } = context
    const { shippingOptionId, expectedVersion } = body
    const { cart, skus } = await lockCartWithSkus(context, params.cartId)

    const changes = changesIn(body)
    const changed = setAddress(cart, changes, { now, expectedVersion })
    if (changes.shippingAddress) refuseInvalidAddress(changes.shippingAddress, 'shipping')
    if (changes.billingAddress) refuseInvalidAddress(changes.billingAddress, 'billing')
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    if (shippingOptionId !== undefined) refuseUnofferedShipping(shippingOptionId, priced, 'validation_failed')

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, priced)
  }
}

/** Absent fields stay absent, so the cart keeps its values. */
function changesIn({ shipping, billing, contact, shippingOptionId }: Static<typeof SetPublicCartAddressRequest>) {
  const changes: AddressChanges = {
    ...(shipping !== undefined && { shippingAddress: shipping && tidyAddress(shipping) }),
    ...(billing !== undefined && { billingAddress: billing && tidyAddress(billing) }),
    ...(contact !== undefined && { contact }),
    ...(shippingOptionId !== undefined && { shippingOptionId }),
  }
  return changes
}
