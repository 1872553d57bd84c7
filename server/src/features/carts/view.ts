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
import { addressStateOf } from './address/destination.ts'
import type { Cart, CartLine } from './cart.ts'
import { destinationOfCart, type LoadedCart, skuOf } from './load-cart.ts'
import { messagesOf } from './messages.ts'
import type { QuoteContent } from './quote.ts'
import { offerOf, type Skus } from './skus.ts'

/** Present a cart. @see docs/reference/rules.md#resources */
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
    lines: cart.lines.map((line, index) => presentLine(cart, line, skuOf(skus, line.skuId), priced.lines[index]!)),
    ...presentPrices(cart, priced),
    ...(shippingAddress && { shippingAddress }),
    ...(billingAddress && { billingAddress }),
    addressState: addressStateOf(destinationOfCart(loaded)),
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

/**
 * A locked or converted cart with the prices of the quote that its checkout charges, whatever has happened to prices and stock since.
 *
 * @see docs/reference/rules.md#resources
 */
export function withQuotedPrices(cart: CartResource, quoted: QuoteContent): CartResource {
  const { promotion, automaticPromotions, selectedShipping, totals, shippingOptionId } = quoted
  const lines = cart.lines.map((line) => {
    const { unitPrice, subtotal, discountAllocations, taxLines, total } =
      quoted.lines.find(({ lineId }) => lineId === line.lineId) ?? line
    return { ...line, unitPrice, subtotal, discountAllocations, taxLines, total }
  })
  const chosen = shippingOptionId !== undefined && { shippingOptionId }
  return { ...cart, lines, promotion, automaticPromotions, selectedShipping, totals, ...chosen, messages: [] }
}

/** Present the promotions of a cart. @see docs/reference/rules.md#resources promotion state */
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

/** Present the lines of a quote. */
export function presentQuoteLines(skus: Skus, priced: PricedCart): QuoteLine[] {
  return priced.lines.map((line) => presentPricedLine(skuOf(skus, line.skuId), line, priced.currency))
}

/** Present promotions, shipping and totals, which carts and quotes share. */
export function presentPrices(cart: Cart, priced: PricedCart) {
  const { currency } = priced
  return {
    promotion: presentPromotionSlot(priced),
    automaticPromotions: priced.automaticPromotions.map(({ promotionId, title, phase, amount }) => {
      return { promotionId, title, phase, amount: wireMoney(amount, currency) }
    }),
    ...(cart.shippingOptionId !== null && { shippingOptionId: cart.shippingOptionId }),
    selectedShipping: priced.shipping.selected.map((shipping) => presentShipping(shipping, currency)),
    totals: {
      ...presentTotals(priced.totals, currency),
      byStore: priced.totals.byStore.map(({ storeId, ...totals }) => ({ storeId, ...presentTotals(totals, currency) })),
      rounding: { mode: 'half_away_from_zero' as const, level: 'line' as const },
    },
  }
}

export function presentShippingOptions({ shipping, currency }: PricedCart) {
  return shipping.options.map(({ id, storeId, name, amount, minDays, maxDays }) => {
    return { id, storeId, name, price: wireMoney(amount, currency), delivery: { minDays, maxDays } }
  })
}

function presentLine(cart: Cart, line: CartLine, sku: SellableSku, priced: PricedLine): LineResource {
  const { currency } = cart
  const isForSale = offerOf(sku, cart)?.status === 'purchasable'
  return {
    ...presentPricedLine(sku, priced, currency),
    ...(sku.compareAt !== null && { compareAtUnitPrice: wireMoney(sku.compareAt, currency) }),
    priceAtAdd: wireMoney(line.priceAtAdd, currency),
    availability: isForSale ? sku.availability : 'unavailable',
    minQuantity: sku.minQuantity,
    maxQuantity: isForSale ? maxQuantityOf(sku) : 0,
    step: sku.step,
  }
}

/** The quantity that can be bought. Limited by stock only where the stock level is public. */
function maxQuantityOf({ maxQuantity, availableQuantity }: SellableSku): number {
  const max = Math.min(maxQuantity, limits.cart.lineQuantityMax)
  if (availableQuantity === null || availableQuantity > QUANTITY_SHOWN_MAX) return max
  return Math.max(0, Math.min(max, availableQuantity))
}

function presentPricedLine(sku: SellableSku, line: PricedLine, currency: string): QuoteLine {
  return {
    lineId: line.lineId,
    skuId: line.skuId,
    productId: sku.productId,
    storeId: line.storeId,
    name: sku.productName,
    ...(sku.image && { image: { ...sku.image } }),
    optionLabels: sku.optionLabels.map(({ name, value }) => ({ name, value })),
    quantity: line.quantity,
    requiresShipping: sku.requiresShipping,
    unitPrice: wireMoney(line.unitPrice, currency),
    subtotal: wireMoney(line.subtotal, currency),
    discountAllocations: presentAllocations(line, currency),
    taxLines: presentTaxLines(line.taxLines, currency),
    total: wireMoney(line.total, currency),
  }
}

function presentAllocations({ discountAllocations }: Pick<PricedLine, 'discountAllocations'>, currency: string) {
  return discountAllocations.map(({ promotionId, code, title, amount }) => {
    return { promotionId, ...(code !== null && { code }), title, amount: wireMoney(amount, currency) }
  })
}

function presentTaxLines(lines: readonly TaxLine[], currency: string) {
  return lines.map((line) => {
    return { ...line, taxable: wireMoney(line.taxable, currency), amount: wireMoney(line.amount, currency) }
  })
}

function presentShipping(shipping: SelectedShipping, currency: string) {
  const { storeId, optionId, chosen, amount, taxLines, total } = shipping
  return {
    storeId,
    optionId,
    chosen,
    amount: wireMoney(amount, currency),
    discountAllocations: presentAllocations(shipping, currency),
    taxLines: presentTaxLines(taxLines, currency),
    total: wireMoney(total, currency),
  }
}

function presentPromotionSlot({ promotion, currency }: PricedCart): CartPromotionState['promotion'] {
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

function presentTotals(
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
