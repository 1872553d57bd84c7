import type { InputOf, operations, SetPublicCartAddressRequest } from '@vitrine/contract'
import type { Static } from 'typebox'
import { type Handler, type PreparationContext, prepared } from '../../../platform/http/handler.ts'
import { refuseInvalidAddress, tidyAddress } from '../address/address.ts'
import { type AddressChanges, setAddress } from '../cart.ts'
import type { CartDeps } from '../deps.ts'
import { recordCartEvent } from '../events.ts'
import { lockCartWithSkus, priceNow } from '../load-cart.ts'
import { refuseCustomerToken } from '../open-new-cart.ts'
import { refuseUnofferedShipping } from '../shipping-choice.ts'
import { saveCart } from '../store.ts'
import { presentCart } from '../view.ts'

type Input = InputOf<typeof operations.setPublicCartAddress>

/** PUT /api/v1/open/storefront/carts/{cartId}/address. VAT numbers are looked up before the transaction. */
export function setPublicCartAddress({
  rules,
  findCustomer,
  checkVatIds,
}: CartDeps): Handler<typeof operations.setPublicCartAddress> {
  const ask = async ({ body: { shipping, billing } }: Input, { now }: PreparationContext) =>
    checkVatIds([shipping, billing], now)
  return prepared(ask, async ({ params, body }, context) => {
    const { tx, now } = context
    const { shippingOptionId, customerToken, expectedVersion } = body
    const [{ cart, skus }, customerId] = await Promise.all([
      lockCartWithSkus(context, params.cartId),
      customerToken === undefined ? null : findCustomer(tx, customerToken, context),
    ])

    const changes = changesIn(body, customerId)
    const changed = setAddress(cart, changes, { now, expectedVersion })
    if (customerToken !== undefined && customerId === null) refuseCustomerToken()
    if (changes.shippingAddress) refuseInvalidAddress(changes.shippingAddress, 'shipping')
    if (changes.billingAddress) refuseInvalidAddress(changes.billingAddress, 'billing')
    const priced = await priceNow(tx, rules, { cart: changed, skus }, context)
    if (shippingOptionId !== undefined) refuseUnofferedShipping(shippingOptionId, priced, 'validation_failed')

    saveCart(tx, cart, changed)
    recordCartEvent(context, 'cart.updated', changed)
    return presentCart({ cart: changed, skus }, priced)
  })
}

/** Absent fields stay absent, so the cart keeps its values. */
function changesIn(
  { shipping, billing, contact, shippingOptionId, metadata }: Static<typeof SetPublicCartAddressRequest>,
  customerId: string | null,
) {
  const changes: AddressChanges = {
    ...(shipping !== undefined && { shippingAddress: shipping && tidyAddress(shipping) }),
    ...(billing !== undefined && { billingAddress: billing && tidyAddress(billing) }),
    ...(contact !== undefined && { contact }),
    ...(shippingOptionId !== undefined && { shippingOptionId }),
    ...(metadata !== undefined && { metadata }),
    ...(customerId !== null && { customerId }),
  }
  return changes
}
