import type { Address } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { countryOfVatId } from '../../kernel/vat/vat-ids.ts'
import type { KeyReadContext, RequestFacts, WriteContext } from '../../platform/http/handler.ts'
import { askingFirst } from '../../platform/postgres/ask-first.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type SellableRow, type SellableSku, sellableSkusOf } from '../catalog/index.ts'
import {
  type PricedCart,
  type PricingFacts,
  type PricingInput,
  priceCart,
  type RuleSnapshots,
  type TaxAddress,
} from '../pricing/index.ts'
import { addressStateOf, type Destination, destinationOf } from './address/destination.ts'
import type { Cart } from './cart.ts'
import { readHeldSkus, readNamedSkus, readSkusOfCart, type Skus } from './skus.ts'
import { loadCart, lockCart } from './store.ts'

/** A cart with the current facts of its SKUs. */
export interface LoadedCart {
  readonly cart: Cart
  readonly skus: Skus
}

/** Lock a cart for a change and load its SKUs and those to be added. One round trip. Refusals: `not_found`. */
export async function lockCartWithSkus(
  { tx, principal, now }: WriteContext,
  cartId: string,
  addedSkuIds: readonly string[] = [],
): Promise<LoadedCart> {
  const [cart, rows] = await Promise.all([
    lockCart(tx, principal, cartId, now),
    readSkusOfCart(tx, principal, cartId, addedSkuIds),
  ])
  return { cart, skus: sellableSkusOf(rows, [cart.locale]) }
}

/** Load a cart for reading. One round trip. Refusals: `not_found`. */
export async function loadCartWithSkus(
  { reader, principal, now }: KeyReadContext,
  cartId: string,
): Promise<LoadedCart> {
  const [cart, rows] = await Promise.all([
    loadCart(reader, principal, cartId, now),
    readHeldSkus(reader, principal, cartId),
  ])
  return withSkus(reader, cart, rows)
}

/** Combine a cart with its SKUs, and load those that are missing. */
export async function withSkus(reader: Reader, cart: Cart, rows: SellableRow[]): Promise<LoadedCart> {
  // Lines that a concurrent request removed between the two statements.
  const skuIds = cart.lines.map(({ skuId }) => skuId).filter((id) => !rows.some((row) => row.sku_id === id))
  if (skuIds.length > 0) {
    rows.push(...(await readNamedSkus(reader, cart, { skuIds, held: true, currency: cart.currency })))
  }
  return { cart, skus: sellableSkusOf(rows, [cart.locale]) }
}

/** The time and the revisions that a cart is priced with. */
export type PricingContext = Pick<RequestFacts, 'now'> & { revisionOf(subject: string): string }

/**
 * Price a cart. No query while the stores' rules are cached. In a transaction, throws `AskFirst` if a tax provider has to be called
 * first. Refusals: `money_overflow`.
 */
export async function priceNow(
  reader: Reader,
  rules: RuleSnapshots,
  { cart, skus }: LoadedCart,
  { now, revisionOf }: PricingContext,
): Promise<PricedCart> {
  const price = async () => priceCart(await pricingInputOf(reader, rules, { cart, skus }, { now, revisionOf }))
  return 'isTransaction' in reader ? price() : askingFirst(price)
}

/** Collect everything that the price of a cart depends on. */
export async function pricingInputOf(
  reader: Reader,
  rules: RuleSnapshots,
  { cart, skus }: LoadedCart,
  { now, revisionOf }: PricingContext,
): Promise<PricingInput & Pick<PricingFacts, 'isVatIdRefused' | 'providedTax'>> {
  const { code, environment, customerId } = cart
  const storeIds = [...new Set(cart.lines.map((line) => skuOf(skus, line.skuId).storeId))]
  const { country } = placeOf(cart, destinationOfCart({ cart, skus }))
  const vatId = vatIdOf(cart)
  const facts = await rules.load(reader, { storeIds, country, code, environment, customerId, vatId, revisionOf })
  const vatCountry = vatId === null || facts.isVatIdRefused ? null : countryOfVatId(vatId)
  const buyer = facts.providedTax && { buyer: buyerOf(cart, vatCountry === null ? null : vatId) }
  return { ...facts, ...pricingInput(cart, skus), vatCountry, now, ...buyer }
}

/** The buyer's data for a tax provider. */
function buyerOf({ billingAddress, shippingAddress }: Cart, vatId: string | null): NonNullable<PricingInput['buyer']> {
  return { vatId, shipTo: taxAddress(shippingAddress ?? billingAddress), billTo: taxAddress(billingAddress) }
}

function taxAddress(address: Address | null): TaxAddress | null {
  if (!address) return null
  const { line1 = null, line2 = null, city, region = null, postalCode = null, countryCode: country } = address
  return { line1, line2, city, region, postalCode, country }
}

/** Convert a cart to the input of pricing, which does not depend on carts. */
function pricingInput(
  cart: Cart,
  skus: Skus,
): Omit<PricingInput, 'promotions' | 'rules' | 'usage' | 'vatCountry' | 'now'> {
  const lines = cart.lines.map((line) => ({ line, sku: skuOf(skus, line.skuId) }))
  const stores = new Map(lines.map(({ sku }) => [sku.storeId, sku.store]))
  return {
    currency: cart.currency,
    locale: cart.locale,
    code: cart.code,
    customer: cart.customerId === null ? null : { id: cart.customerId },
    shippingOptionId: cart.shippingOptionId,
    ...placeOf(cart, destinationOfCart({ cart, skus })),
    stores: [...stores.values()].map(({ id, pricesIncludeTax }) => ({ storeId: id, pricesIncludeTax })),
    lines: lines.map(({ line, sku }) => ({
      lineId: line.lineId,
      skuId: line.skuId,
      productId: sku.productId,
      storeId: sku.storeId,
      categoryIds: sku.categoryIds,
      quantity: line.quantity,
      // A SKU without a price now keeps its price at add, and a message blocks checkout.
      unitPrice: sku.price ?? line.priceAtAdd,
      weightGrams: sku.weightGrams ?? 0,
      requiresShipping: sku.requiresShipping,
      taxCategory: sku.taxCategory,
    })),
  }
}

/** The VAT number for the invoice; `null` for a consumer. */
export function vatIdOf({ billingAddress, shippingAddress }: Pick<Cart, 'billingAddress' | 'shippingAddress'>) {
  return (billingAddress ?? shippingAddress)?.vatId ?? null
}

/** The place to calculate tax for. It is the `destination` only once the address is complete; until then tax is an estimate. */
function placeOf(
  { country }: Cart,
  destination: Destination,
): Pick<PricingInput, 'country' | 'region' | 'postalCode' | 'destination'> {
  const { address } = destination
  if (!address) return { country }
  const place = { country: address.countryCode, region: address.region ?? null, postalCode: address.postalCode ?? null }
  return addressStateOf(destination).status === 'complete' ? { ...place, destination: place } : place
}

/** The address that a cart's shipping and tax are calculated for. */
export function destinationOfCart({ cart, skus }: LoadedCart): Destination {
  return destinationOf(
    cart,
    cart.lines.map(({ skuId }) => skuOf(skus, skuId)),
  )
}

/** The SKU of a line. A foreign key keeps it from being deleted. */
export function skuOf(skus: Skus, skuId: string): SellableSku {
  return present(skus.get(skuId), `SKU ${skuId} was not loaded`)
}
