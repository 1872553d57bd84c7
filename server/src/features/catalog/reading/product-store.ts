import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { WhenOut } from '../../inventory/index.ts'
import type { LocalizedText, StoredAttribute, StoredImage, StoredOption } from '../stored-json.ts'

/** The columns of a product summary. */
export interface ProductRow {
  readonly id: string
  readonly store_id: string
  readonly slug: string
  readonly status: 'published' | 'draft' | 'archived'
  readonly brand: string | null
  readonly rating_average: string | null
  readonly rating_count: number | null
  readonly category_ids: readonly string[]
  readonly thumbnail: StoredImage | null
  readonly updated_at: Date
}

/** The columns of a full product. */
interface ProductDetailRow extends ProductRow {
  readonly options: readonly StoredOption[]
  readonly attributes: readonly StoredAttribute[]
  readonly images: readonly StoredImage[]
  readonly seo: { readonly titles?: LocalizedText; readonly descriptions?: LocalizedText } | null
  readonly version: number
  readonly created_at: Date
  /** Related products that are published and have a price, in the merchant's order. */
  readonly related_product_ids: readonly string[]
}

export interface TextRow {
  readonly product_id: string
  readonly locale: string
  readonly name: string
  readonly subtitle: string | null
}

export interface TextDetailRow extends TextRow {
  readonly description_format: 'plain' | 'markdown' | null
  readonly description: string | null
}

/** An offered SKU with a price, and its stock. */
export interface SkuRow {
  readonly product_id: string
  readonly currency: string
  readonly amount: bigint
  readonly compare_at: bigint | null
  readonly counted: boolean | null
  readonly available: number | null
  readonly when_out: WhenOut | null
}

export interface SkuDetailRow extends SkuRow {
  readonly id: string
  readonly code: string
  readonly barcode: string | null
  readonly option_values: Readonly<Record<string, string>>
  readonly min_quantity: number
  readonly max_quantity: number
  readonly step: number
  readonly weight_grams: number | null
  readonly requires_shipping: boolean
  readonly tax_category: string
  readonly image: StoredImage | null
}

/** Products with their texts and SKUs. */
interface Hydrated<Product extends ProductRow, Text extends TextRow, Sku extends SkuRow> {
  readonly products: readonly Product[]
  readonly textsByProduct: ReadonlyMap<string, readonly Text[]>
  readonly skusByProduct: ReadonlyMap<string, readonly Sku[]>
}

export type HydratedSummaries = Hydrated<ProductRow, TextRow, SkuRow>
export type HydratedProducts = Hydrated<ProductDetailRow, TextDetailRow, SkuDetailRow>

const SUMMARY = `id, store_id, slug, status, brand, rating_average, rating_count, images -> 0 as thumbnail, updated_at,
  array(select said.id from unnest(category_ids) with ordinality as said (id, position)
    where said.id <> all(array(select id from categories where archived_at is not null)) order by position) as category_ids`

const readProducts = statement<ProductRow>(
  'catalog.read_products',
  `select ${SUMMARY} from products where id = any((select $1::text[])::text[])`,
)
const readProductDetails = statement<ProductDetailRow>(
  'catalog.read_product_details',
  `select ${SUMMARY}, options, attributes, images, seo, version, created_at,
     array(select other.id from related_products related join products other on other.id = related.related_product_id
       where related.product_id = products.id and other.status = 'published'
         and exists (select from skus sku join prices price on price.sku_id = sku.id
           where sku.product_id = other.id and sku.status = 'offered' and ($2::text is null or price.currency = $2))
       order by related.position) as related_product_ids
   from products where id = any($1::text[])`,
)
const readTexts = statement<TextRow>(
  'catalog.read_texts',
  'select product_id, locale, name, subtitle from product_texts where product_id = any((select $1::text[])::text[])',
)
const readTextDetails = statement<TextDetailRow>(
  'catalog.read_text_details',
  `select product_id, locale, name, subtitle, description_format, description
   from product_texts where product_id = any($1::text[])`,
)
/** Offered SKUs with their prices. */
// A connection whose first lists were short planned it each time: 0.6 ms.
const SKUS = `from skus sku
  join prices price on price.sku_id = sku.id
  left join stock_levels stock on stock.sku_id = sku.id and stock.environment = $2
  where sku.product_id = any((select $1::text[])::text[]) and sku.status = 'offered'`
const readSkus = statement<SkuRow>(
  'catalog.read_skus',
  `select sku.product_id, price.currency, price.amount, price.compare_at, stock.counted, stock.available, stock.when_out
   ${SKUS} and price.currency = $3`,
)
const readSkuDetails = statement<SkuDetailRow>(
  'catalog.read_sku_details',
  `select sku.product_id, price.currency, price.amount, price.compare_at, stock.counted, stock.available, stock.when_out,
     sku.id, sku.code, sku.barcode, sku.option_values, sku.min_quantity, sku.max_quantity, sku.step, sku.weight_grams,
     sku.requires_shipping, sku.tax_category, sku.image
   ${SKUS}
   order by sku.product_id, sku.position, sku.id`,
)

/** Loads product summaries, in one round trip. */
export async function hydrateSummaries(
  reader: Reader,
  ids: readonly string[],
  { environment, currency }: { readonly environment: Environment; readonly currency: string },
): Promise<HydratedSummaries> {
  const [products, texts, skus] = await Promise.all([
    reader.rows(readProducts, [ids]),
    reader.rows(readTexts, [ids]),
    reader.rows(readSkus, [ids, environment, currency]),
  ])
  return hydrated(ids, products, texts, skus)
}

/** Loads full products with prices in all currencies, in one round trip. Related products have a price in `currency`, if given. */
export async function hydrateProducts(
  reader: Reader,
  ids: readonly string[],
  { environment, currency }: { readonly environment: Environment; readonly currency: string | undefined },
): Promise<HydratedProducts> {
  const [products, texts, skus] = await Promise.all([
    reader.rows(readProductDetails, [ids, currency ?? null]),
    reader.rows(readTextDetails, [ids]),
    reader.rows(readSkuDetails, [ids, environment]),
  ])
  return hydrated(ids, products, texts, skus)
}

/** Orders products by the given ids, and groups the rest by product. */
function hydrated<Product extends ProductRow, Text extends TextRow, Sku extends SkuRow>(
  ids: readonly string[],
  products: readonly Product[],
  texts: readonly Text[],
  skus: readonly Sku[],
): Hydrated<Product, Text, Sku> {
  const byId = new Map(products.map((product) => [product.id, product]))
  return {
    products: ids.flatMap((id) => byId.get(id) ?? []),
    textsByProduct: Map.groupBy(texts, (text) => text.product_id),
    skusByProduct: Map.groupBy(skus, (sku) => sku.product_id),
  }
}

const readBySlug = statement<{ id: string }>(
  'catalog.read_product_id',
  `select id from products where slug = $1 and store_id = any($2::text[]) and status = 'published'`,
)

/** The id of the published product with a slug in one of these stores. */
export async function findProductId(
  reader: Reader,
  slug: string,
  storeIds: readonly string[],
): Promise<string | undefined> {
  return (await reader.row(readBySlug, [slug, storeIds]))?.id
}

const readIdsAfter = statement<{ id: string }>(
  'catalog.read_product_ids_after',
  `select product.id from products product
   where product.store_id = any($1::text[]) and product.status = 'published' and product.id > $2
     and exists (select from skus sku join prices price on price.sku_id = sku.id
       where sku.product_id = product.id and sku.status = 'offered')
   order by product.id limit $3`,
)
const countPublished = statement<{ count: bigint }>(
  'catalog.count_published',
  `select count(*) as count from (
     select from products where store_id = any($1::text[]) and status = 'published' limit $2) as counted`,
)

/** Ids of published products, in order. Ids never change, so paging by id needs no snapshot. */
export async function productIdsAfter(
  reader: Reader,
  storeIds: readonly string[],
  after: string,
  limit: number,
): Promise<readonly string[]> {
  return (await reader.rows(readIdsAfter, [storeIds, after, limit])).map((row) => row.id)
}

export async function countProducts(reader: Reader, storeIds: readonly string[], max: number): Promise<number> {
  return Number((await reader.row(countPublished, [storeIds, max + 1]))?.count ?? 0n)
}
