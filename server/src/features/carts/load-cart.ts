import { present } from '../../kernel/assert.ts'
import type { KeyReadContext, RequestFacts, WriteContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type SellableSku, sellableSkusOf } from '../catalog/index.ts'
import { type PricedCart, type PricingInput, priceCart, type RuleSnapshots } from '../pricing/index.ts'
import { faultsOf } from './address/address.ts'
import type { Cart } from './cart.ts'
import { readNamedSkus, readSkusOfCart } from './cart-skus.ts'
import { findCart, lockCart } from './cart-store.ts'

/** SKUs by their id. It has every SKU that the cart holds. */
export type Skus = ReadonlyMap<string, SellableSku>

/** A cart, and what is true of its SKUs now. */
export interface LoadedCart {
  readonly cart: Cart
  readonly skus: Skus
}

/** A cart to be changed, locked, with the SKUs that are about to be added. One round trip. Refusals: `not_found`. */
export async function loadForChange(
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

/** A cart to be shown. Refusals: `not_found`. */
export async function loadForReading({ reader, principal, now }: KeyReadContext, cartId: string): Promise<LoadedCart> {
  const cart = await findCart(reader, principal, cartId, now)
  const skuIds = cart.lines.map((line) => line.skuId)
  const rows = await readNamedSkus(reader, principal, { skuIds, held: true, currency: cart.currency })
  return { cart, skus: sellableSkusOf(rows, [cart.locale]) }
}

/** The facts of a request that a price depends on. */
export type PricingContext = Pick<RequestFacts, 'now'> & { revisionOf(subject: string): string }

/** What a cart costs now. Costs no query while the stores' rules are known. Refusals: `money_overflow`. */
export async function priceNow(
  reader: Reader,
  rules: RuleSnapshots,
  { cart, skus }: LoadedCart,
  { now, revisionOf }: PricingContext,
): Promise<PricedCart> {
  return priceCart(await pricingInputOf(reader, rules, { cart, skus }, { now, revisionOf }))
}

/** Everything that the price of a cart depends on. */
export async function pricingInputOf(
  reader: Reader,
  rules: RuleSnapshots,
  { cart, skus }: LoadedCart,
  { now, revisionOf }: PricingContext,
): Promise<PricingInput> {
  const { code, environment, customerId } = cart
  const storeIds = [...new Set(cart.lines.map((line) => skuOf(skus, line.skuId).storeId))]
  const facts = await rules.load(reader, { storeIds, code, environment, customerId, revisionOf })
  return { ...facts, ...pricingInput(cart, skus), now }
}

/** A cart as pricing sees it: without knowing what a cart is. */
function pricingInput(cart: Cart, skus: Skus): Omit<PricingInput, 'promotions' | 'rules' | 'usage' | 'now'> {
  const held = cart.lines.map((line) => ({ line, sku: skuOf(skus, line.skuId) }))
  const stores = new Map(held.map(({ sku }) => [sku.storeId, sku.store]))
  return {
    currency: cart.currency,
    locale: cart.locale,
    code: cart.code,
    customer: cart.customerId === null ? null : { id: cart.customerId },
    shippingOptionId: cart.shippingOptionId,
    ...placeOf(cart),
    stores: [...stores.values()].map(({ id, pricesIncludeTax }) => ({ storeId: id, pricesIncludeTax })),
    lines: held.map(({ line, sku }) => ({
      lineId: line.lineId,
      skuId: line.skuId,
      productId: sku.productId,
      storeId: sku.storeId,
      categoryIds: sku.categoryIds,
      quantity: line.quantity,
      // A SKU that has lost its price keeps the one it was added at, and a message that blocks checkout.
      unitPrice: sku.price ?? line.priceAtAdd,
      weightGrams: sku.weightGrams ?? 0,
      taxCategory: sku.taxCategory,
    })),
  }
}

/** Where it goes: an address that still lacks something is no more than a better guess of the country. */
function placeOf({ country, shippingAddress }: Cart): Pick<PricingInput, 'country' | 'region' | 'shippingAddress'> {
  if (!shippingAddress) return { country }
  const place = { country: shippingAddress.countryCode, region: shippingAddress.region ?? null }
  const { missing, invalid } = faultsOf(shippingAddress)
  return missing.length + invalid.length > 0 ? place : { ...place, shippingAddress: place }
}

/** The SKU of a line: a foreign key keeps it as long as the line. */
export function skuOf(skus: Skus, skuId: string): SellableSku {
  return present(skus.get(skuId), `no facts of ${skuId}`)
}
