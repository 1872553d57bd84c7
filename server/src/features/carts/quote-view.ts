import { type CheckoutPreview, limits } from '@vitrine/contract'
import type { PricedCart } from '../pricing/index.ts'
import type { Cart } from './cart.ts'
import type { LoadedCart, PricingContext } from './load-cart.ts'
import type { QuoteContent } from './quote.ts'
import { presentPrices, presentQuoteLines, presentShippingOptions } from './view.ts'

/** The content of a quote before it is signed. */
export function quoteContent(
  id: string,
  { cart, skus }: LoadedCart,
  priced: PricedCart,
  context: PricingContext,
): QuoteContent {
  return {
    id,
    cartId: cart.id,
    cartVersion: cart.version,
    currency: cart.currency,
    country: cart.country,
    locale: cart.locale,
    lines: presentQuoteLines(skus, priced),
    ...presentPrices(cart, priced),
    catalogRevision: catalogRevisionOf(cart, context),
    createdAt: context.now.toISOString(),
    expiresAt: new Date(context.now.getTime() + limits.quote.ttlSeconds * 1000).toISOString(),
  }
}

/** Present the content that a quote would have now. Not binding. */
export function presentPreview(
  { cart, skus }: LoadedCart,
  priced: PricedCart,
  context: PricingContext,
): CheckoutPreview {
  return {
    currency: cart.currency,
    country: cart.country,
    locale: cart.locale,
    lines: presentQuoteLines(skus, priced),
    ...presentPrices(cart, priced),
    shippingOptions: presentShippingOptions(priced),
    catalogRevision: catalogRevisionOf(cart, context),
    evaluatedAt: context.now.toISOString(),
  }
}

/** The revision of the installation's catalog: its store's, or the marketplace's. */
function catalogRevisionOf({ storeId }: Cart, { revisionOf }: PricingContext): string {
  return revisionOf(storeId === null ? 'catalog' : `catalog/${storeId}`)
}
