import type { Environment } from '../../../kernel/environment.ts'
import { lookUpLocale } from '../../../kernel/locale.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type Statement, statement } from '../../../platform/postgres/statement.ts'
import { type Availability, stockShown, type WhenOut } from '../../inventory/index.ts'
import {
  type LocalizedText,
  optionLabels,
  presentImage,
  type ShownImage,
  type StoredImage,
  type StoredOption,
  textIn,
} from '../stored-json.ts'

/** A store, as pricing, carts and checkout need it. */
export interface StoreFacts {
  readonly id: string
  readonly slug: string
  /** In the served locale. */
  readonly name: string
  readonly status: 'active' | 'suspended'
  readonly accessMode: 'open' | 'password' | 'challenge'
  /** In each list, the first is the default. */
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly pricesIncludeTax: boolean
}

/** A SKU for one buyer in one currency, now. Money in minor units. */
export interface SellableSku {
  readonly skuId: string
  readonly code: string
  readonly productId: string
  readonly productSlug: string
  readonly storeId: string
  /** Whether it can be bought, apart from stock: see `availability` and `availableQuantity`. */
  readonly status: 'purchasable' | 'withdrawn' | 'unpublished' | 'store_suspended' | 'no_price'
  /** `null` if it has no price in the currency. */
  readonly price: bigint | null
  /** The former price, always above `price`. */
  readonly compareAt: bigint | null
  /** The locale of the texts. */
  readonly locale: string
  readonly productName: string
  /** Such as `{ name: 'Color', value: 'Blue' }`, in the product's order. */
  readonly optionLabels: readonly { readonly name: string; readonly value: string }[]
  readonly image: ShownImage | null
  /** Its categories and their ancestors. */
  readonly categoryIds: readonly string[]
  readonly weightGrams: number | null
  /** `false`: nothing is shipped, such as a gift card or a download. */
  readonly requiresShipping: boolean
  readonly taxCategory: string
  readonly minQuantity: number
  readonly maxQuantity: number
  readonly step: number
  readonly availability: Availability
  /** Units that can be sold now; `null` if stock is not counted or overselling is allowed. */
  readonly availableQuantity: number | null
  readonly store: StoreFacts
}

/** A row of the statement. Opaque to others: see `sellableSkusOf`. */
export interface SellableRow {
  readonly sku_id: string
  readonly code: string
  readonly option_values: Readonly<Record<string, string>>
  readonly sku_status: 'offered' | 'withdrawn'
  readonly weight_grams: number | null
  readonly requires_shipping: boolean
  readonly tax_category: string
  readonly min_quantity: number
  readonly max_quantity: number
  readonly step: number
  readonly sku_image: StoredImage | null
  readonly product_id: string
  readonly product_slug: string
  readonly product_status: 'published' | 'draft' | 'archived'
  readonly lineage: readonly string[]
  readonly options: readonly StoredOption[]
  readonly product_image: StoredImage | null
  readonly product_names: LocalizedText
  readonly amount: bigint | null
  readonly compare_at: bigint | null
  readonly counted: boolean | null
  readonly available: number | null
  readonly when_out: WhenOut | null
  readonly store_id: string
  readonly store_slug: string
  readonly store_names: LocalizedText
  readonly store_status: StoreFacts['status']
  readonly access_mode: StoreFacts['accessMode']
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly prices_include_tax: boolean
}

/** SQL expressions over the parameters of the containing statement. */
interface SellableSource {
  /** A query of (sku_id, held). A `held` SKU, such as one already in the cart, is returned even if it is not visible. */
  readonly wanted: string
  readonly currency: string
  readonly environment: string
  /** The installation's store; null for the whole marketplace. */
  readonly storeId: string
}

/**
 * One row per SKU, by primary keys only, so that its cost does not grow with the catalog. The SKUs can come from a subquery, so
 * that a cart and its SKUs are read in one round trip.
 */
export function sellableStatement(name: string, source: SellableSource): Statement<SellableRow> {
  return statement(
    name,
    `select sku.id as sku_id, sku.code, sku.option_values, sku.status as sku_status, sku.weight_grams,
     sku.requires_shipping, sku.tax_category, sku.min_quantity, sku.max_quantity, sku.step, sku.image as sku_image,
     product.id as product_id, product.slug as product_slug, product.status as product_status,
     product.lineage, product.options, product.images -> 0 as product_image,
     (select jsonb_object_agg(text.locale, text.name) from product_texts text where text.product_id = product.id)
       as product_names,
     price.amount, price.compare_at, stock.counted, stock.available, stock.when_out,
     store.id as store_id, store.slug as store_slug, store.names as store_names, store.status as store_status,
     store.access_mode, store.currencies, store.locales, store.countries, store.prices_include_tax
   from (${source.wanted}) as wanted (sku_id, held)
   join skus sku on sku.id = wanted.sku_id
   join products product on product.id = sku.product_id
   join stores store on store.id = product.store_id
   left join prices price on price.sku_id = sku.id and price.currency = ${source.currency}
   left join stock_levels stock on stock.sku_id = sku.id and stock.environment = ${source.environment}
   where wanted.held
     or case when ${source.storeId} is null then store.access_mode = 'open' else store.id = ${source.storeId} end`,
  )
}

const readSellable = sellableStatement('catalog.read_sellable_skus', {
  // In a subquery, so that the planner cannot see the array and uses the generic plan. Otherwise few ids look cheaper than the
  // generic plan, and each call spends 1 ms on planning a query that runs in 0.15 ms.
  wanted: 'select unnest((select $1::text[])), false',
  currency: '$2',
  environment: '$3',
  storeId: '$4::text',
})

/** A query for SKUs on behalf of a buyer. */
interface SellableQuery {
  readonly skuIds: readonly string[]
  readonly currency: string
  readonly environment: Environment
  /** The buyer's languages, best first. @see RequestFacts.languages */
  readonly languages: readonly string[]
  /** The installation's store; `null` for the whole marketplace, where only open stores are visible. */
  readonly storeId: string | null
}

/**
 * SKUs by id, in one statement. SKUs that are not visible are absent. A SKU that can no longer be bought is present with its
 * `status`, because a cart may still contain it.
 */
export async function sellableSkus(reader: Reader, query: SellableQuery): Promise<ReadonlyMap<string, SellableSku>> {
  if (query.skuIds.length === 0) return new Map()
  const { skuIds, currency, environment, storeId } = query
  const rows = await reader.rows(readSellable, [skuIds, currency, environment, storeId])
  return sellableSkusOf(rows, query.languages)
}

/** Reads the rows of the statement, with texts in the best of the buyer's languages. */
export function sellableSkusOf(
  rows: readonly SellableRow[],
  languages: readonly string[],
): ReadonlyMap<string, SellableSku> {
  return new Map(rows.map((row) => [row.sku_id, sellableSku(row, languages)]))
}

function sellableSku(row: SellableRow, languages: readonly string[]): SellableSku {
  const fallback = row.locales[0]!
  const locale = lookUpLocale(languages, row.locales, fallback)
  const text = (texts: LocalizedText | null | undefined) => textIn(texts, locale, fallback)
  const productName = text(row.product_names) ?? row.product_slug
  const stock = stockShown(row)
  return {
    skuId: row.sku_id,
    code: row.code,
    productId: row.product_id,
    productSlug: row.product_slug,
    storeId: row.store_id,
    status: statusOf(row),
    price: row.amount,
    compareAt: row.compare_at,
    locale,
    productName,
    optionLabels: optionLabels(row.options, row.option_values, text),
    image: presentImage(row.sku_image ?? row.product_image, text, productName),
    categoryIds: row.lineage,
    weightGrams: row.weight_grams,
    requiresShipping: row.requires_shipping,
    taxCategory: row.tax_category,
    minQuantity: row.min_quantity,
    maxQuantity: row.max_quantity,
    step: row.step,
    availability: stock.availability,
    availableQuantity: stock.sellableQuantity,
    store: {
      id: row.store_id,
      slug: row.store_slug,
      name: text(row.store_names) ?? row.store_slug,
      status: row.store_status,
      accessMode: row.access_mode,
      currencies: row.currencies,
      locales: row.locales,
      countries: row.countries,
      pricesIncludeTax: row.prices_include_tax,
    },
  }
}

function statusOf(row: SellableRow): SellableSku['status'] {
  if (row.store_status !== 'active') return 'store_suspended'
  if (row.product_status !== 'published') return 'unpublished'
  if (row.sku_status !== 'offered') return 'withdrawn'
  if (row.amount === null) return 'no_price'
  return 'purchasable'
}
