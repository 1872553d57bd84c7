import type { Money, Product, ProductSummary, Sku } from '@vitrine/contract'
import { bestAvailability, QUANTITY_SHOWN_MAX, stockShown } from '../../inventory/index.ts'
import { presentPicture, type StoredAttribute, type TextPicker, textIn } from '../stored-json.ts'
import type { Market, StoreRow } from './market-context.ts'
import type {
  HydratedProducts,
  HydratedSummaries,
  ProductRow,
  SkuDetailRow,
  SkuRow,
  TextDetailRow,
  TextRow,
} from './product-store.ts'
import { presentPolicies, storeReference } from './store-view.ts'

/** The maximum number of attributes in a response. */
const ATTRIBUTES_SHOWN_MAX = 500

/** Presents products for a list, without those that are not visible. */
export function presentSummaries(hydrated: HydratedSummaries, market: Market): ProductSummary[] {
  return hydrated.products.flatMap((product) => {
    const visible = visibleProduct(product, hydrated, market, market.currency)
    return visible === null ? [] : [presentSummary(visible)]
  })
}

/** A visible product with its texts and SKUs for the market. */
interface VisibleProduct<Row extends ProductRow, Text extends TextRow, SkuOf extends SkuRow> {
  readonly product: Row
  readonly store: StoreRow
  readonly locale: string
  readonly text: TextPicker
  readonly texts: Text | undefined
  readonly skus: readonly SkuOf[]
}

/** `null` if the product is not published, not in this market, or has no price in the currency. */
function visibleProduct<Row extends ProductRow, Text extends TextRow, SkuOf extends SkuRow>(
  product: Row,
  hydrated: {
    readonly textsByProduct: ReadonlyMap<string, readonly Text[]>
    readonly skusByProduct: ReadonlyMap<string, readonly SkuOf[]>
  },
  market: Market,
  currency: string,
): VisibleProduct<Row, Text, SkuOf> | null {
  const store = market.storesById.get(product.store_id)
  const locale = market.localeByStore.get(product.store_id)
  const skus = (hydrated.skusByProduct.get(product.id) ?? []).filter((sku) => sku.currency === currency)
  if (store === undefined || locale === undefined || product.status !== 'published' || skus.length === 0) return null
  const text: TextPicker = (texts) => textIn(texts, locale, store.locales[0]!)
  const available = hydrated.textsByProduct.get(product.id) ?? []
  const inLocale = (locale: string | undefined) => available.find((each) => each.locale === locale)
  const texts = inLocale(locale) ?? inLocale(store.locales[0]) ?? available[0]
  return { product, store, locale, text, texts, skus }
}

function presentSummary({
  product,
  store,
  locale,
  text,
  texts,
  skus,
}: VisibleProduct<ProductRow, TextRow, SkuRow>): ProductSummary {
  const name = texts?.name ?? product.slug
  const currency = skus[0]!.currency
  const compareAt = skus.flatMap((sku) => sku.compare_at ?? [])
  const thumbnail = presentPicture(product.thumbnail, text, name)
  return {
    id: product.id,
    slug: product.slug,
    name,
    locale: texts?.locale ?? locale,
    ...(texts?.subtitle ? { subtitle: texts.subtitle } : {}),
    ...(product.brand ? { brand: product.brand } : {}),
    store: storeReference(store, text),
    categoryIds: [...product.category_ids],
    ...(thumbnail ? { thumbnail } : {}),
    priceRange: rangeOf(
      skus.map((sku) => sku.amount),
      currency,
    ),
    ...(compareAt.length > 0 ? { compareAtPriceRange: rangeOf(compareAt, currency) } : {}),
    taxIncluded: store.prices_include_tax,
    availability: bestAvailability(skus.map((sku) => stockShown(sku).availability)),
    ...(product.rating_count
      ? { rating: { average: Number(product.rating_average), count: product.rating_count } }
      : {}),
    updatedAt: product.updated_at.toISOString(),
  }
}

function rangeOf(amounts: readonly bigint[], currency: string): { min: Money; max: Money } {
  const numbers = amounts.map(Number)
  return { min: { amount: Math.min(...numbers), currency }, max: { amount: Math.max(...numbers), currency } }
}

/**
 * Presents full products. Without a requested currency, a product that has no price in the market's currency is shown in the first
 * currency of its store that it has a price in.
 */
export function presentProducts(
  hydrated: HydratedProducts,
  market: Market,
  {
    currency,
    catalogRevision,
    inAllCurrencies = false,
  }: {
    readonly currency: string | undefined
    readonly catalogRevision: string
    /** Shows every SKU that has a price, with its prices in all currencies. */
    readonly inAllCurrencies?: boolean
  },
): Product[] {
  return hydrated.products.flatMap((product) => {
    const offered = hydrated.skusByProduct.get(product.id) ?? []
    const priced = new Set(offered.map((sku) => sku.currency))
    const preferred = [market.currency, ...(market.storesById.get(product.store_id)?.currencies ?? [])]
    const shownIn = currency ?? preferred.find((each) => priced.has(each)) ?? market.currency
    const visible = visibleProduct(product, hydrated, market, shownIn)
    if (visible === null) return []
    const { store, text, texts, skus } = visible
    const name = texts?.name ?? product.slug
    return [
      {
        ...presentSummary(visible),
        version: product.version,
        createdAt: product.created_at.toISOString(),
        ...descriptionOf(texts),
        images: product.images.map((image) => presentPicture(image, text, name)),
        options: product.options.map((option) => ({
          id: option.name,
          name: text(option.labels) ?? option.name,
          values: option.values.map(({ value, labels }) => ({ value, label: text(labels) ?? value })),
        })),
        skus: inAllCurrencies
          ? presentInAllCurrencies(offered, [shownIn, ...preferred], text, name)
          : skus.map((sku) => presentSku(sku, text, name)),
        attributes: product.attributes
          .slice(0, ATTRIBUTES_SHOWN_MAX)
          .map((attribute) => presentAttribute(attribute, text)),
        seo: presentSeo(product.seo, text),
        policies: presentPolicies(store, text),
        ...(product.related_product_ids.length > 0 && { relatedProductIds: [...product.related_product_ids] }),
        catalogRevision,
      },
    ]
  })
}

function descriptionOf(texts: TextDetailRow | undefined): Pick<Product, 'description'> {
  if (!texts?.description) return {}
  return { description: { format: texts.description_format ?? 'plain', text: texts.description } }
}

function presentSeo(seo: HydratedProducts['products'][number]['seo'], text: TextPicker): Product['seo'] {
  const title = text(seo?.titles)
  const description = text(seo?.descriptions)
  return { ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

function presentAttribute({ key, labels, value }: StoredAttribute, text: TextPicker): Product['attributes'][number] {
  return { key, label: text(labels) ?? key, value: typeof value === 'object' ? (text(value) ?? '') : value }
}

/** Presents each SKU with its price in the first of the currencies that it has one in, and with its prices in all currencies. */
function presentInAllCurrencies(
  rows: readonly SkuDetailRow[],
  currencies: readonly string[],
  text: TextPicker,
  name: string,
): Sku[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((same) => {
    const sorted = same.toSorted((one, other) => currencies.indexOf(one.currency) - currencies.indexOf(other.currency))
    return { ...presentSku(sorted[0]!, text, name), prices: sorted.map(pricesOf) }
  })
}

function pricesOf({ amount, compare_at, currency }: SkuDetailRow): Pick<Sku, 'price' | 'compareAtPrice'> {
  return {
    price: { amount: Number(amount), currency },
    ...(compare_at === null ? {} : { compareAtPrice: { amount: Number(compare_at), currency } }),
  }
}

function presentSku(sku: SkuDetailRow, text: TextPicker, name: string): Sku {
  const { availability, sellableQuantity } = stockShown(sku)
  const image = presentPicture(sku.image, text, name)
  return {
    id: sku.id,
    code: sku.code,
    ...(sku.barcode === null ? {} : { barcode: sku.barcode }),
    optionValues: { ...sku.option_values },
    ...pricesOf(sku),
    availability,
    ...(sellableQuantity === null ? {} : { availableQuantity: Math.min(sellableQuantity, QUANTITY_SHOWN_MAX) }),
    minQuantity: sku.min_quantity,
    maxQuantity: sku.max_quantity,
    step: sku.step,
    ...(sku.weight_grams === null ? {} : { weightGrams: sku.weight_grams }),
    requiresShipping: sku.requires_shipping,
    taxCategory: sku.tax_category,
    ...(image ? { image } : {}),
  }
}
