import {
  type CartPromotionState,
  type Cart as CartResource,
  type CartLine as LineResource,
  limits,
  type QuoteLine,
} from '@vitrine/contract'
import { wireMoney } from '../../kernel/money.ts'
import type { SellableSku } from '../catalog/index.ts'
import { QUANTITY_SHOWN_MAX } from '../inventory/index.ts'
import type { PricedCart, PricedLine, SelectedShipping, TaxLine, Totals } from '../pricing/index.ts'
import type { Cart, CartLine } from './cart.ts'
import { type LoadedCart, type Skus, skuOf } from './load-cart.ts'
import { addressStateOf, messagesOf } from './messages.ts'
import { offerOf } from './skus.ts'

/** A cart as the contract shows it. @see CONTRACT, Resources, Cart */
export function presentCart(loaded: LoadedCart, priced: PricedCart): CartResource {
  const { cart, skus } = loaded
  const { contact, shippingAddress, billingAddress } = cart
  return {
    id: cart.id,
    status: cart.status,
    version: cart.version,
    currency: cart.currency,
    locale: cart.locale,
    country: cart.country,
    ...(cart.customerId !== null && { customer: { id: cart.customerId } }),
    ...(contact && { contact }),
    lines: cart.lines.map((line, index) => showLine(cart, line, skuOf(skus, line.skuId), priced.lines[index]!)),
    ...presentPrices(cart, priced),
    ...(shippingAddress && { shippingAddress }),
    ...(billingAddress && { billingAddress }),
    addressState: addressStateOf(cart),
    shippingOptions: presentShippingOptions(priced),
    messages: messagesOf(loaded, priced),
    counts: { lines: cart.lines.length, units: cart.lines.reduce((units, line) => units + line.quantity, 0) },
    ...('checkoutSessionId' in cart && { checkoutSessionId: cart.checkoutSessionId }),
    ...('orderId' in cart && { orderId: cart.orderId }),
    metadata: { ...cart.metadata },
    expiresAt: cart.expiresAt.toISOString(),
    createdAt: cart.createdAt.toISOString(),
    updatedAt: cart.updatedAt.toISOString(),
  }
}

/** What promotions do to a cart. @see INTERFACE.md, Resources, Cart promotion state */
export function presentPromotionState(loaded: LoadedCart, priced: PricedCart): CartPromotionState {
  const { promotion, automaticPromotions, totals } = presentPrices(loaded.cart, priced)
  return {
    cartId: loaded.cart.id,
    cartVersion: loaded.cart.version,
    promotion,
    automaticPromotions,
    totals,
    messages: messagesOf(loaded, priced).filter((message) => message.type === 'promotion'),
  }
}

/** What a quote says of the lines. */
export function presentQuoteLines(skus: Skus, priced: PricedCart): QuoteLine[] {
  return priced.lines.map((line) => showPricedLine(skuOf(skus, line.skuId), line, priced.currency))
}

/** The part that is the same wherever a price is shown. */
export function presentPrices(cart: Cart, priced: PricedCart) {
  const { currency } = priced
  return {
    promotion: showSlot(priced),
    automaticPromotions: priced.automaticPromotions.map(({ promotionId, title, phase, amount }) => {
      return { promotionId, title, phase, amount: wireMoney(amount, currency) }
    }),
    ...(cart.shippingOptionId !== null && { shippingOptionId: cart.shippingOptionId }),
    selectedShipping: priced.shipping.selected.map((shipping) => showShipping(shipping, currency)),
    totals: {
      ...showTotals(priced.totals, currency),
      byStore: priced.totals.byStore.map(({ storeId, ...totals }) => ({ storeId, ...showTotals(totals, currency) })),
      rounding: { mode: 'half_away_from_zero' as const, level: 'line' as const },
    },
  }
}

export function presentShippingOptions({ shipping, currency }: PricedCart) {
  return shipping.options.map(({ id, storeId, name, amount, minDays, maxDays }) => {
    return { id, storeId, name, price: wireMoney(amount, currency), delivery: { minDays, maxDays } }
  })
}

function showLine(cart: Cart, line: CartLine, sku: SellableSku, priced: PricedLine): LineResource {
  const { currency } = cart
  const isForSale = offerOf(sku, cart)?.status === 'purchasable'
  return {
    ...showPricedLine(sku, priced, currency),
    ...(sku.compareAt !== null && { compareAtUnitPrice: wireMoney(sku.compareAt, currency) }),
    priceAtAdd: wireMoney(line.priceAtAdd, currency),
    availability: isForSale ? sku.availability : 'unavailable',
    maxQuantity: isForSale ? maxQuantityOf(sku) : 0,
  }
}

/** Stock limits it only as far as stock is told. */
function maxQuantityOf({ maxQuantity, availableQuantity }: SellableSku): number {
  const max = Math.min(maxQuantity, limits.cart.lineQuantityMax)
  if (availableQuantity === null || availableQuantity > QUANTITY_SHOWN_MAX) return max
  return Math.max(0, Math.min(max, availableQuantity))
}

function showPricedLine(sku: SellableSku, line: PricedLine, currency: string): QuoteLine {
  return {
    lineId: line.lineId,
    skuId: line.skuId,
    productId: sku.productId,
    storeId: line.storeId,
    name: sku.productName,
    ...(sku.image && { image: { ...sku.image } }),
    optionLabels: sku.optionLabels.map(({ name, value }) => ({ name, value })),
    quantity: line.quantity,
    unitPrice: wireMoney(line.unitPrice, currency),
    subtotal: wireMoney(line.subtotal, currency),
    discountAllocations: showAllocations(line, currency),
    taxLines: showTaxLines(line.taxLines, currency),
    total: wireMoney(line.total, currency),
  }
}

function showAllocations({ discountAllocations }: Pick<PricedLine, 'discountAllocations'>, currency: string) {
  return discountAllocations.map(({ promotionId, code, title, amount }) => {
    return { promotionId, ...(code !== null && { code }), title, amount: wireMoney(amount, currency) }
  })
}

function showTaxLines(lines: readonly TaxLine[], currency: string) {
  return lines.map((line) => {
    return { ...line, taxable: wireMoney(line.taxable, currency), amount: wireMoney(line.amount, currency) }
  })
}

function showShipping(shipping: SelectedShipping, currency: string) {
  const { storeId, optionId, chosen, amount, taxLines, total } = shipping
  return {
    storeId,
    optionId,
    chosen,
    amount: wireMoney(amount, currency),
    discountAllocations: showAllocations(shipping, currency),
    taxLines: showTaxLines(taxLines, currency),
    total: wireMoney(total, currency),
  }
}

function showSlot({ promotion, currency }: PricedCart): CartPromotionState['promotion'] {
  if (promotion.status === 'none') return { status: 'none' }
  if (promotion.status === 'applied') return { ...promotion, amount: wireMoney(promotion.amount, currency) }
  const { status, code, promotionId, title, reasonCode, requirement } = promotion
  return {
    status,
    code,
    ...(promotionId !== null && { promotionId }),
    ...(title !== null && { title }),
    reasonCode,
    ...(requirement && { requirement: { missing: wireMoney(requirement.missing, currency) } }),
  }
}

function showTotals(
  { itemsSubtotal, itemsDiscount, shipping, shippingDiscount, tax, total }: Totals,
  currency: string,
) {
  return {
    itemsSubtotal: wireMoney(itemsSubtotal, currency),
    itemsDiscount: wireMoney(itemsDiscount, currency),
    ...(shipping !== null && { shipping: wireMoney(shipping, currency) }),
    ...(shippingDiscount !== null && { shippingDiscount: wireMoney(shippingDiscount, currency) }),
    tax: {
      amount: wireMoney(tax.amount, currency),
      added: wireMoney(tax.added, currency),
      included: tax.included,
      status: tax.status,
    },
    total: wireMoney(total, currency),
  }
}
