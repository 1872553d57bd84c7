import type { AddressState, CartMessage } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { SellableSku } from '../catalog/index.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import type { PricedCart, PricedMessage } from '../pricing/index.ts'
import { faultsOf } from './address/address.ts'
import type { Cart, CartLine } from './cart.ts'
import { type LoadedCart, skuOf } from './load-cart.ts'
import { offerOf } from './skus.ts'

/**
 * What to tell about a cart that is healthy all the same, in the order of its lines. A `blocking` one stands in the way of
 * checkout. @see CONTRACT, Errors: "A healthy cart with a problem … is a 200 with messages"
 */
export function messagesOf({ cart, skus }: LoadedCart, priced: PricedCart): CartMessage[] {
  return [
    ...cart.lines.flatMap((line, index) => lineMessages(cart, line, skuOf(skus, line.skuId), `/lines/${index}`)),
    ...priced.messages.map(pricedMessage),
    ...addressMessages(cart),
  ]
}

function lineMessages(cart: Cart, line: CartLine, sku: SellableSku, path: string): CartMessage[] {
  const offer = offerOf(sku, cart)
  if (!offer || (offer.status !== 'purchasable' && offer.status !== 'no_price')) {
    return [message('cart', 'sku_unavailable', 'blocking', path, 'This is no longer for sale.')]
  }
  if (offer.price === null) {
    return [message('price', 'currency_mismatch', 'blocking', path, `This has no price in ${cart.currency} now.`)]
  }
  return [
    ...priceMessages(line, offer.price, path),
    ...quantityMessages(line, sku, path),
    ...stockMessages(line, sku, path),
  ]
}

function priceMessages({ priceAtAdd }: CartLine, price: bigint, path: string): CartMessage[] {
  if (price === priceAtAdd) return []
  const [severity, word] = price > priceAtAdd ? (['warning', 'risen'] as const) : (['info', 'fallen'] as const)
  return [
    message('price', 'price_changed', severity, `${path}/unitPrice`, `The price has ${word} since this was added.`),
  ]
}

function quantityMessages({ quantity }: CartLine, { minQuantity, maxQuantity, step }: SellableSku, path: string) {
  if (quantity > maxQuantity) {
    const text = `At most ${maxQuantity} can be bought at once now.`
    return [message('cart', 'quantity_exceeded', 'blocking', `${path}/quantity`, text)]
  }
  if (quantity < minQuantity || (quantity - minQuantity) % step !== 0) {
    const text = `This is sold from ${minQuantity} units on, in steps of ${step}.`
    return [message('cart', 'quantity_invalid', 'blocking', `${path}/quantity`, text)]
  }
  return []
}

function stockMessages({ quantity }: CartLine, { availability, availableQuantity }: SellableSku, path: string) {
  const stock = (code: string, severity: CartMessage['severity'], text: string) => [
    message('stock', code, severity, `${path}/availability`, text),
  ]
  if (availability === 'out_of_stock') return stock('out_of_stock', 'blocking', 'This is out of stock.')
  if (availableQuantity !== null && quantity > availableQuantity) {
    const known = availableQuantity <= QUANTITY_SHOWN_MAX
    return stock('insufficient_stock', 'blocking', known ? left(availableQuantity) : 'There are not as many left.')
  }
  if (availability === 'low_stock' && availableQuantity !== null)
    return stock('low_stock', 'info', left(availableQuantity))
  if (availability === 'backorder') return stock('backorder', 'info', 'This is sent when it is in stock again.')
  if (availability === 'preorder') return stock('preorder', 'info', 'This is sent when it comes out.')
  return []
}

function left(units: number): string {
  return units === 1 ? 'Only 1 is left.' : `Only ${units} are left.`
}

const PRICED_TYPES: Readonly<Record<PricedMessage['code'], CartMessage['type']>> = {
  promotion_inapplicable: 'promotion',
  shipping_unavailable: 'shipping',
  shipping_option_unavailable: 'shipping',
}

function pricedMessage({ code, severity, path, text }: PricedMessage): CartMessage {
  return message(PRICED_TYPES[code], code, severity, path, text)
}

function addressMessages(cart: Cart): CartMessage[] {
  const { missing, invalid } = addressStateOf(cart)
  return [
    ...missing.map((field) =>
      message(
        'address',
        'address_incomplete',
        'blocking',
        `/shippingAddress/${field}`,
        `The address needs a ${field}.`,
      ),
    ),
    ...invalid.map((field) =>
      message(
        'address',
        'address_invalid',
        'blocking',
        `/shippingAddress/${field}`,
        `The ${field} is not one of the country.`,
      ),
    ),
  ]
}

/** What the shipping address still needs. */
export function addressStateOf({ shippingAddress }: Cart): Static<typeof AddressState> {
  if (!shippingAddress) return { status: 'absent', missing: [], invalid: [] }
  const { missing, invalid } = faultsOf(shippingAddress)
  const status = invalid.length > 0 ? 'invalid' : missing.length > 0 ? 'incomplete' : 'complete'
  return { status, missing: [...missing], invalid: [...invalid] }
}

function message(
  type: CartMessage['type'],
  code: string,
  severity: CartMessage['severity'],
  path: string,
  text: string,
): CartMessage {
  return { type, code, severity, path, text }
}
