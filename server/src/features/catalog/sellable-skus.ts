import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { type Statement, statement } from '../../platform/postgres/statement.ts'
import { type Availability, stockShown, type WhenOut } from '../inventory/index.ts'
import { type LocalisedText, lookUpLocale, textIn } from './locale.ts'
import { optionLabels, presentImage, type ShownImage, type StoredImage, type StoredOption } from './stored.ts'

/** What pricing, carts and checkout need to know of a store. */
export interface StoreFacts {
  readonly id: string
  readonly slug: string
  /** In the served locale. */
  readonly name: string
  readonly status: 'active' | 'suspended'
  readonly accessMode: 'open' | 'password' | 'challenge'
  /** The first of each is the default. */
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly pricesIncludeTax: boolean
}

/** What is true of a SKU for one buyer, in one currency, now. Money in minor units. */
export interface SellableSku {
  readonly skuId: string
  readonly code: string
  readonly productId: string
  readonly productSlug: string
  readonly storeId: string
  /** Why it cannot be bought, or `purchasable`. Stock is told apart, by `availability` and `availableQuantity`. */
  readonly status: 'purchasable' | 'withdrawn' | 'unpublished' | 'store_suspended' | 'no_price'
  /** `null` where the SKU has no price in the currency. */
  readonly price: bigint | null
  /** What it cost before; always more than `price`. */
  readonly compareAt: bigint | null
  /** The locale that the texts are in. */
  readonly locale: string
  readonly productName: string
  /** Such as `{ name: 'Colour', value: 'Blue' }`, in the product's order. */
  readonly optionLabels: readonly { readonly name: string; readonly value: string }[]
  readonly image: ShownImage | null
  /** Its categories and all that stand above them. */
  readonly categoryIds: readonly string[]
  readonly weightGrams: number | null
  readonly taxCategory: string
  readonly minQuantity: number
  readonly maxQuantity: number
  readonly step: number
  readonly availability: Availability
  /** Units that can be sold now; `null` where stock is not counted or more may be sold than there is. */
  readonly availableQuantity: number | null
  readonly store: StoreFacts
}

/** What the statement answers. Opaque to others: `sellableSkusOf` reads it. */
export interface SellableRow {
  readonly sku_id: string
  readonly code: string
  readonly option_values: Readonly<Record<string, string>>
  readonly sku_status: 'offered' | 'withdrawn'
  readonly weight_grams: number | null
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
  readonly product_names: LocalisedText
  readonly amount: bigint | null
  readonly compare_at: bigint | null
  readonly counted: boolean | null
  readonly available: number | null
  readonly when_out: WhenOut | null
  readonly store_id: string
  readonly store_slug: string
  readonly store_names: LocalisedText
  readonly store_status: StoreFacts['status']
  readonly access_mode: StoreFacts['accessMode']
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly prices_include_tax: boolean
}

/** Where a statement finds what is asked: SQL over the parameters of its holder. */
export interface SellableSource {
  /** A query of (sku_id, held). A SKU that is `held` is answered even where the asker would not be shown it. */
  readonly wanted: string
  readonly currency: string
  readonly environment: string
  /** The installation's store, or null for the whole marketplace. */
  readonly storeId: string
}

/**
 * One row for each wanted SKU, by primary keys alone: its cost does not grow with the catalogue. Its holder may say in
 * SQL which SKUs it wants, so that a cart and what is true of its SKUs come in one round trip.
 */
export function sellableStatement(name: string, source: SellableSource): Statement<SellableRow> {
  return statement(
    name,
    `select sku.id as sku_id, sku.code, sku.option_values, sku.status as sku_status, sku.weight_grams, sku.tax_category,
     sku.min_quantity, sku.max_quantity, sku.step, sku.image as sku_image,
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
  // Behind a subquery, so that the planner knows as little of the array now as it ever will: the plan is made once. Seen
  // plainly, few ids look cheaper than the general plan, and each call spends 1 ms on planning what runs in 0.15.
  wanted: 'select unnest((select $1::text[])), false',
  currency: '$2',
  environment: '$3',
  storeId: '$4::text',
})

/** What a cart asks about the SKUs it holds or is about to hold. */
export interface SellableQuestion {
  readonly skuIds: readonly string[]
  readonly currency: string
  readonly environment: Environment
  /** The buyer's languages, best first. @see RequestFacts.languages */
  readonly languages: readonly string[]
  /** The installation's store, or `null` for the whole marketplace, which sees open stores alone. */
  readonly storeId: string | null
}

/**
 * The facts of many SKUs in one statement, by SKU id. What the asker may not see is absent, like what does not exist.
 * A SKU that can no longer be bought is there with its `status`, because a cart may still hold it.
 */
export async function sellableSkus(
  reader: Reader,
  question: SellableQuestion,
): Promise<ReadonlyMap<string, SellableSku>> {
  if (question.skuIds.length === 0) return new Map()
  const { skuIds, currency, environment, storeId } = question
  const rows = await reader.rows(readSellable, [skuIds, currency, environment, storeId])
  return sellableSkusOf(rows, question.languages)
}

/** What the rows say, in the best of the buyer's languages, by SKU id. */
export function sellableSkusOf(
  rows: readonly SellableRow[],
  languages: readonly string[],
): ReadonlyMap<string, SellableSku> {
  return new Map(rows.map((row) => [row.sku_id, sellableSku(row, languages)]))
}

function sellableSku(row: SellableRow, languages: readonly string[]): SellableSku {
  const fallback = row.locales[0]!
  const locale = lookUpLocale(languages, row.locales, fallback)
  const text = (texts: LocalisedText | null | undefined) => textIn(texts, locale, fallback)
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
