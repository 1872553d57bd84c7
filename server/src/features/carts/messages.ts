import type { AddressState, CartMessage } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { SellableSku } from '../catalog/index.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import type { PricedCart, PricedMessage } from '../pricing/index.ts'
import { addressFaults } from './address/address.ts'
import type { Cart, CartLine } from './cart.ts'
import { type LoadedCart, skuOf } from './load-cart.ts'
import { offerOf } from './skus.ts'

/**
 * Messages about a cart, in the order of its lines. `blocking` ones prevent checkout.
 *
 * @see docs/reference/rules.md#errors
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
    return [message('cart', 'sku_unavailable', 'blocking', path, 'This item is no longer available.')]
  }
  if (offer.price === null) {
    return [message('price', 'currency_mismatch', 'blocking', path, `This item is not available in ${cart.currency}.`)]
  }
  return [
    ...priceMessages(line, offer.price, path),
    ...quantityMessages(line, sku, path),
    ...stockMessages(line, sku, path),
  ]
}

function priceMessages({ priceAtAdd }: CartLine, price: bigint, path: string): CartMessage[] {
  if (price === priceAtAdd) return []
  const [severity, change] = price > priceAtAdd ? (['warning', 'gone up'] as const) : (['info', 'gone down'] as const)
  return [
    message(
      'price',
      'price_changed',
      severity,
      `${path}/unitPrice`,
      `The price has ${change} since this item was added.`,
    ),
  ]
}

function quantityMessages({ quantity }: CartLine, { minQuantity, maxQuantity, step }: SellableSku, path: string) {
  if (quantity > maxQuantity) {
    const text = `You can buy at most ${maxQuantity} of this item.`
    return [message('cart', 'quantity_exceeded', 'blocking', `${path}/quantity`, text)]
  }
  if (quantity < minQuantity || (quantity - minQuantity) % step !== 0) {
    const text = `The minimum quantity is ${minQuantity}, in steps of ${step}.`
    return [message('cart', 'quantity_invalid', 'blocking', `${path}/quantity`, text)]
  }
  return []
}

function stockMessages({ quantity }: CartLine, { availability, availableQuantity }: SellableSku, path: string) {
  const stock = (code: string, severity: CartMessage['severity'], text: string) => [
    message('stock', code, severity, `${path}/availability`, text),
  ]
  if (availability === 'out_of_stock') return stock('out_of_stock', 'blocking', 'This item is out of stock.')
  if (availableQuantity !== null && quantity > availableQuantity) {
    const isShown = availableQuantity <= QUANTITY_SHOWN_MAX
    return stock('insufficient_stock', 'blocking', isShown ? left(availableQuantity) : 'Not enough in stock.')
  }
  if (availability === 'low_stock' && availableQuantity !== null)
    return stock('low_stock', 'info', left(availableQuantity))
  if (availability === 'backorder') return stock('backorder', 'info', 'On backorder: ships when back in stock.')
  if (availability === 'preorder') return stock('preorder', 'info', 'Preorder: ships when released.')
  return []
}

function left(units: number): string {
  return `Only ${units} left.`
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
        `The shipping address is missing its ${field}.`,
      ),
    ),
    ...invalid.map((field) =>
      message(
        'address',
        'address_invalid',
        'blocking',
        `/shippingAddress/${field}`,
        `The ${field} is not valid for the country.`,
      ),
    ),
  ]
}

/** Whether the shipping address is complete, and which fields are missing or invalid. */
export function addressStateOf({ shippingAddress }: Cart): Static<typeof AddressState> {
  if (!shippingAddress) return { status: 'absent', missing: [], invalid: [] }
  const { missing, invalid } = addressFaults(shippingAddress)
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
