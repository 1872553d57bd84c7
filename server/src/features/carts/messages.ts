import type { AddressState, CartMessage } from '@vitrine/contract'
import type { Static } from 'typebox'
import { type Saying, type ShopperTexts, say, textsIn } from '../../kernel/languages/texts.ts'
import type { SellableSku } from '../catalog/index.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import type { PricedCart, PricedMessage } from '../pricing/index.ts'
import { type AddressField, addressFaults } from './address/address.ts'
import type { Cart, CartLine } from './cart.ts'
import { type LoadedCart, skuOf } from './load-cart.ts'
import { offerOf } from './skus.ts'

/** A message without its words. */
export type CartNotice = Pick<CartMessage, 'type' | 'severity' | 'path'> & Saying<ShopperTexts['cart']>

/**
 * What there is to say about a cart, in the order of its lines. `blocking` notices prevent checkout.
 *
 * @see docs/reference/rules.md#errors
 */
export function noticesOf({ cart, skus }: LoadedCart, priced: PricedCart): CartNotice[] {
  return [
    ...cart.lines.flatMap((line, index) => lineNotices(cart, line, skuOf(skus, line.skuId), `/lines/${index}`)),
    ...priced.messages.map((message) => ({ ...message, type: PRICED_TYPES[message.code] })),
    ...addressNotices(cart),
  ]
}

/** The notices in the language of the cart. */
export function messagesOf(loaded: LoadedCart, priced: PricedCart): CartMessage[] {
  const texts = textsIn(loaded.cart.locale).cart
  return noticesOf(loaded, priced).map((notice) => {
    const { type, code, severity, path } = notice
    return { type, code, severity, path, text: say(texts, notice) }
  })
}

function lineNotices(cart: Cart, line: CartLine, sku: SellableSku, path: string): CartNotice[] {
  const offer = offerOf(sku, cart)
  if (!offer || (offer.status !== 'purchasable' && offer.status !== 'no_price')) {
    return [{ type: 'cart', severity: 'blocking', path, code: 'sku_unavailable' }]
  }
  if (offer.price === null) {
    const facts = { currency: cart.currency }
    return [{ type: 'price', severity: 'blocking', path, code: 'currency_mismatch', facts }]
  }
  return [
    ...priceNotices(line, offer.price, `${path}/unitPrice`),
    ...quantityNotices(line, sku, `${path}/quantity`),
    ...stockNotices(line, sku, `${path}/availability`),
  ]
}

function priceNotices({ priceAtAdd }: CartLine, price: bigint, path: string): CartNotice[] {
  if (price === priceAtAdd) return []
  const isHigher = price > priceAtAdd
  return [{ type: 'price', severity: isHigher ? 'warning' : 'info', path, code: 'price_changed', facts: { isHigher } }]
}

function quantityNotices(
  { quantity }: CartLine,
  { minQuantity: min, maxQuantity: max, step }: SellableSku,
  path: string,
): CartNotice[] {
  const blocking = { type: 'cart', severity: 'blocking', path } as const
  if (quantity > max) return [{ ...blocking, code: 'quantity_exceeded', facts: { max } }]
  const isInvalid = quantity < min || (quantity - min) % step !== 0
  return isInvalid ? [{ ...blocking, code: 'quantity_invalid', facts: { min, step } }] : []
}

function stockNotices(
  { quantity }: CartLine,
  { availability, availableQuantity: units }: SellableSku,
  path: string,
): CartNotice[] {
  const blocking = { type: 'stock', severity: 'blocking', path } as const
  const info = { type: 'stock', severity: 'info', path } as const
  if (availability === 'out_of_stock') return [{ ...blocking, code: 'out_of_stock' }]
  if (units !== null && quantity > units) {
    const shown = units <= QUANTITY_SHOWN_MAX ? units : null
    return [{ ...blocking, code: 'insufficient_stock', facts: { units: shown } }]
  }
  if (availability === 'low_stock' && units !== null) return [{ ...info, code: 'low_stock', facts: { units } }]
  return availability === 'backorder' || availability === 'preorder' ? [{ ...info, code: availability }] : []
}

const PRICED_TYPES: Readonly<Record<PricedMessage['code'], CartMessage['type']>> = {
  promotion_inapplicable: 'promotion',
  shipping_unavailable: 'shipping',
  shipping_option_unavailable: 'shipping',
}

function addressNotices({ shippingAddress }: Cart): CartNotice[] {
  if (!shippingAddress) return []
  const { missing, invalid } = addressFaults(shippingAddress)
  const about = (field: AddressField) =>
    ({ type: 'address', severity: 'blocking', path: `/shippingAddress/${field}`, facts: { field } }) as const
  return [
    ...missing.map((field): CartNotice => ({ ...about(field), code: 'address_incomplete' })),
    ...invalid.map((field): CartNotice => ({ ...about(field), code: 'address_invalid' })),
  ]
}

/** Whether the shipping address is complete, and which fields are missing or invalid. */
export function addressStateOf({ shippingAddress }: Cart): Static<typeof AddressState> {
  if (!shippingAddress) return { status: 'absent', missing: [], invalid: [] }
  const { missing, invalid } = addressFaults(shippingAddress)
  const status = invalid.length > 0 ? 'invalid' : missing.length > 0 ? 'incomplete' : 'complete'
  return { status, missing: [...missing], invalid: [...invalid] }
}
