import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText, StoredAttribute, StoredImage, StoredOption } from '../stored-json.ts'
import type { ProductLine } from './line-schema.ts'
import type { ProductStatus } from './product-draft.ts'

/** A product with all content of its line. */
interface ProductRow {
  readonly id: string
  readonly store_id: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly external_id: string
  readonly store_slug: string
  readonly slug: string
  readonly status: ProductStatus
  readonly brand: string | null
  readonly published_at: Date
  readonly rating: { readonly average: number; readonly count: number } | null
  readonly options: readonly StoredOption[]
  readonly attributes: readonly StoredAttribute[]
  readonly images: readonly StoredImage[]
  readonly seo: { readonly titles?: LocalizedText; readonly descriptions?: LocalizedText } | null
  readonly categories: readonly (readonly string[])[]
  readonly texts: readonly {
    readonly locale: string
    readonly name: string
    readonly subtitle: string | null
    readonly format: 'plain' | 'markdown' | null
    readonly description: string | null
  }[]
  readonly skus: readonly {
    readonly id: string
    readonly code: string
    readonly barcode: string | null
    readonly options: Readonly<Record<string, string>>
    readonly weight: number | null
    readonly ships: boolean
    readonly tax: string
    readonly min: number
    readonly max: number
    readonly step: number
    readonly image: StoredImage | null
    readonly stock: number | null
    readonly on_hand: number
    readonly counted: boolean
    readonly when_out: 'deny' | 'backorder' | 'preorder'
    readonly prices: readonly {
      readonly currency: string
      readonly amount: number
      readonly compare_at: number | null
    }[]
  }[]
}

/** SQL: the status that a line without one leaves a `product` with. What an undo has archived is published like a new product. */
export const KEPT_STATUS = `case when product.status = 'archived' and exists (
  select from catalog_imports undone join catalog_import_products journal on journal.import_id = undone.id
  where undone.undo_requested_at is not null and journal.product_id = product.id and journal.outcome = 'archived'
    and journal.version = product.version) then 'published' else product.status end`

const productWith = (
  status: string,
) => `select product.id, product.store_id, product.version, product.created_at, product.updated_at,
     product.external_id, store.slug as store_slug, product.slug, ${status} as status,
     product.brand, product.published_at, product.options, product.attributes, product.images, product.seo,
     case when product.rating_average is not null
       then jsonb_build_object('average', product.rating_average, 'count', product.rating_count) end as rating,
     (select coalesce(jsonb_agg(category.path order by said.position), '[]')
      from unnest(product.category_ids) with ordinality as said (id, position)
      join categories category on category.id = said.id) as categories,
     (select jsonb_agg(jsonb_build_object('locale', locale, 'name', name, 'subtitle', subtitle,
        'format', description_format, 'description', description) order by locale)
      from product_texts where product_id = product.id) as texts,
     (select jsonb_agg(jsonb_build_object('id', sku.id, 'code', sku.code, 'barcode', sku.barcode, 'options', sku.option_values, 'weight', sku.weight_grams,
        'ships', sku.requires_shipping, 'tax', sku.tax_category, 'min', sku.min_quantity, 'max', sku.max_quantity, 'step', sku.step,
        'image', sku.image, 'stock', level.declared, 'on_hand', level.on_hand, 'counted', level.counted, 'when_out', level.when_out,
        'prices', (select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount, 'compare_at', compare_at)
           order by currency) from prices where sku_id = sku.id)) order by sku.position)
      from skus sku join stock_levels level on level.sku_id = sku.id and level.environment = 'live'
      where sku.product_id = product.id and sku.status = 'offered') as skus
   from products product join stores store on store.id = product.store_id`
const PRODUCT = productWith('product.status')

const readPage = statement<ProductRow>(
  'catalog.read_product_lines',
  `${PRODUCT} where product.store_id = $1 and product.external_id > $2
   order by product.external_id limit $3`,
)
const readOne = statement<ProductRow>('catalog.read_product_line', `${PRODUCT} where product.id = $1`)

const readSome = statement<ProductRow>(
  'catalog.read_some_product_lines',
  `${PRODUCT} where product.id = any($1::text[]) order by product.id`,
)

/** Products as lines, in order of their ids. */
export async function readProductLines(
  reader: Reader,
  productIds: readonly string[],
): Promise<{ readonly id: string; readonly line: ProductLine }[]> {
  return (await reader.rows(readSome, [productIds])).map((row) => ({ id: row.id, line: lineOf(row) }))
}

const readNamed = statement<ProductRow>(
  'catalog.read_named_product_lines',
  `${productWith(KEPT_STATUS)} where store.slug = $1 and product.external_id = any($2::text[])`,
)

/** Products of a store as lines, by their external ids, with the status that a line without one leaves them. */
export async function readLinesByExternalId(
  reader: Reader,
  storeSlug: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, ProductLine>> {
  const rows = await reader.rows(readNamed, [storeSlug, externalIds])
  return new Map(rows.map((row) => [row.external_id, lineOf(row)]))
}

/** The state of a product, from which it can be restored. */
export interface ProductState {
  readonly id: string
  readonly version: number
  readonly line: ProductLine & { readonly store: string }
  /** Units on hand for live orders, in the order of the line's SKUs. */
  readonly onHand: readonly number[]
  /** Whether they are counted. An operator can change that without a change of the line. */
  readonly counted: readonly boolean[]
}

/** Products with their stock levels. */
export async function readProductStates(reader: Reader, productIds: readonly string[]): Promise<ProductState[]> {
  return (await reader.rows(readSome, [productIds])).map((row) => ({
    id: row.id,
    version: row.version,
    line: { ...lineOf(row), store: row.store_slug },
    onHand: row.skus.map(({ on_hand }) => on_hand),
    counted: row.skus.map(({ counted }) => counted),
  }))
}

/** Products per query. */
const PAGE = 200

/** All products of a store as lines, by external id, one page in memory at a time. */
export async function* productLinesOf(reader: Reader, storeId: string): AsyncGenerator<ProductLine> {
  let after = ''
  for (;;) {
    const rows = await reader.rows(readPage, [storeId, after, PAGE])
    for (const row of rows) yield lineOf(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.external_id
  }
}

/** A product as a line, with its ids. */
export interface ProductRecord {
  readonly id: string
  readonly storeId: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly line: ProductLine & { readonly store: string }
  /** In the order of the line's SKUs. */
  readonly skuIds: readonly string[]
}

export async function findProduct(reader: Reader, productId: string): Promise<ProductRecord | undefined> {
  const row = await reader.row(readOne, [productId])
  if (!row) return undefined
  return {
    id: row.id,
    storeId: row.store_id,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    line: { ...lineOf(row), store: row.store_slug },
    skuIds: row.skus.map(({ id }) => id),
  }
}

const lockOne = statement(
  'catalog.lock_product',
  `select pg_advisory_xact_lock(hashtextextended('catalog/' || store_id, 0)) from products where id = $1`,
)

/** A product, locked until the transaction ends. The lock covers all products of its store. */
export async function lockProduct(tx: Transaction, productId: string): Promise<ProductRecord | undefined> {
  const [, product] = await Promise.all([tx.rows(lockOne, [productId]), findProduct(tx, productId)])
  return product
}

const findId = statement<{ id: string }>(
  'catalog.find_product_id',
  `select product.id from products product join stores store on store.id = product.store_id
   where store.slug = $1 and product.external_id = $2`,
)

export async function findProductIdByExternalId(
  reader: Reader,
  storeSlug: string,
  externalId: string,
): Promise<string | undefined> {
  return (await reader.row(findId, [storeSlug, externalId]))?.id
}

/** The stock of a line is the last declared number, not the units that are left after sales. */
function lineOf(row: ProductRow): ProductLine {
  return {
    id: row.external_id,
    slug: row.slug,
    store: row.store_slug,
    status: row.status,
    ...textsOf(row.texts),
    ...(row.brand !== null && { brand: row.brand }),
    categories: row.categories.map((path) => [...path]),
    options: row.options as NonNullable<ProductLine['options']>,
    skus: row.skus.map(skuOf),
    images: row.images as NonNullable<ProductLine['images']>,
    attributes: row.attributes as NonNullable<ProductLine['attributes']>,
    ...(row.rating && { rating: row.rating }),
    ...(row.seo && { seo: row.seo }),
    publishedAt: row.published_at.toISOString(),
  }
}

function textsOf(texts: ProductRow['texts']): Pick<ProductLine, 'names' | 'subtitles' | 'descriptions'> {
  const subtitles = texts.flatMap(({ locale, subtitle }) => (subtitle === null ? [] : [[locale, subtitle] as const]))
  const descriptions = texts.flatMap(({ locale, format, description }) =>
    format === null || description === null ? [] : [[locale, { format, text: description }] as const],
  )
  return {
    names: Object.fromEntries(texts.map(({ locale, name }) => [locale, name])),
    ...(subtitles.length > 0 && { subtitles: Object.fromEntries(subtitles) }),
    ...(descriptions.length > 0 && { descriptions: Object.fromEntries(descriptions) }),
  }
}

function skuOf(sku: ProductRow['skus'][number]): ProductLine['skus'][number] {
  return {
    code: sku.code,
    ...(sku.barcode !== null && { barcode: sku.barcode }),
    ...(Object.keys(sku.options).length > 0 && { options: sku.options }),
    prices: sku.prices.map(({ currency, amount, compare_at }) => ({
      currency,
      amount,
      ...(compare_at !== null && { compareAt: compare_at }),
    })),
    stock: sku.stock,
    whenOutOfStock: sku.when_out,
    ...(sku.weight !== null && { weightGrams: sku.weight }),
    ...(!sku.ships && { requiresShipping: false }),
    taxCategory: sku.tax,
    minQuantity: sku.min,
    maxQuantity: sku.max,
    step: sku.step,
    ...(sku.image && { image: sku.image as NonNullable<ProductLine['skus'][number]['image']> }),
  }
}
