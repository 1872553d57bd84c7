import type { CartMessage } from '@vitrine/contract'
import { type Saying, type ShopperTexts, say, textsIn } from '../../kernel/languages/texts.ts'
import type { SellableSku } from '../catalog/index.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import type { PricedCart, PricedMessage } from '../pricing/index.ts'
import type { AddressField } from './address/address.ts'
import { addressStateOf, type Destination } from './address/destination.ts'
import type { Cart, CartLine } from './cart.ts'
import { destinationOfCart, type LoadedCart, skuOf } from './load-cart.ts'
import { offerOf } from './skus.ts'

/** A message before it is translated. */
export type CartNotice = Pick<CartMessage, 'type' | 'severity' | 'path'> & Saying<ShopperTexts['cart']>

/**
 * The notices about a cart, in the order of its lines. `blocking` notices prevent checkout.
 *
 * @see docs/reference/rules.md#errors
 */
export function noticesOf({ cart, skus }: LoadedCart, priced: PricedCart): CartNotice[] {
  return [
    ...cart.lines.flatMap((line, index) => lineNotices(cart, line, skuOf(skus, line.skuId), `/lines/${index}`)),
    ...priced.messages.map((message) => ({ ...message, type: PRICED_TYPES[message.code] })),
    ...addressNotices(destinationOfCart({ cart, skus })),
  ]
}

/** The messages about a cart, in its language. */
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

function addressNotices(destination: Destination): CartNotice[] {
  const { missing, invalid } = addressStateOf(destination)
  const address = destination.field === 'billingAddress' ? 'billing' : 'shipping'
  const about = (field: AddressField) =>
    ({
      type: 'address',
      severity: 'blocking',
      path: `/${destination.field}/${field}`,
      facts: { address, field },
    }) as const
  return [
    ...missing.map((field): CartNotice => ({ ...about(field), code: 'address_incomplete' })),
    ...invalid.map((field): CartNotice => ({ ...about(field), code: 'address_invalid' })),
  ]
}
