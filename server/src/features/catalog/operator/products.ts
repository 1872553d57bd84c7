import type { Environment } from '../../../kernel/environment.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import { type SkuStockLevel, setStockLevel } from '../../inventory/index.ts'
import type { StoredImage } from '../stored-json.ts'
import { catalogOf } from '../subjects.ts'
import { recordChanges } from '../writing/product-changes.ts'
import type { ProductRecord } from '../writing/product-records.ts'

/** A product in an operator's list. */
export interface ListedProduct {
  readonly id: string
  readonly slug: string
  readonly external_id: string
  readonly store_slug: string
  readonly status: 'published' | 'draft' | 'archived'
  readonly name: string
  readonly brand: string | null
  readonly image: StoredImage | null
  readonly skus: number
  /** The lowest price in the first of the store's currencies that it has one in; otherwise in any currency. */
  readonly price: { readonly amount: number; readonly currency: string } | null
  /** Units available in the live environment; `null` if not counted. */
  readonly available: number | null
  readonly version: number
  readonly updated_at: Date
  /** The rank of the match with the text; lower is better. 0 without a text. */
  readonly rank: number
}

/** By the SKUs of the product: there is no index by product, and reading all 6,000 levels for each row took 2 ms. */
const LIVE_STOCK = `skus sku join stock_levels level on level.sku_id = sku.id and level.environment = 'live'
       where sku.product_id = product.id and level.offered`

/**
 * The rank of a match. First a code, number, slug or name that equals the text, then codes and names that begin with it, names with a
 * word that begins with it, names that contain it, and the rest; of equal ones the shortest name. $9: the text in lower case.
 */
const RANK = `coalesce(least(
     case when $9::text in (product.slug, lower(product.external_id)) then 0 end,
     (select min(case when lower(code) = $9 then 0 else 1000 end) from skus
      where product_id = product.id and starts_with(lower(code), $9)),
     (select min(least(length(name), 999) + case when lower(name) = $9 then 0 when starts_with(lower(name), $9) then 1000
        when strpos(lower(name), ' ' || $9) > 0 then 2000 when strpos(lower(name), $9) > 0 then 3000 else 4000 end)
      from product_texts where product_id = product.id)), 4999)`

interface Order {
  readonly rank: string
  /** Whether a product comes after the last one of the previous page. */
  readonly after: string
  readonly by: string
}

// The sum of units is read as a double, which is exact for it: two SKUs may exceed an integer.
const pageOf = (name: string, order: Order) =>
  statement<ListedProduct>(
    name,
    `select product.id, ${order.rank} as rank, product.slug, product.external_id, store.slug as store_slug, product.status, product.brand,
     product.images -> 0 as image, product.version, product.updated_at,
     coalesce((select text.name from product_texts text where text.product_id = product.id
       order by split_part(text.locale, '-', 1) <> $8, text.locale <> store.locales[1], text.locale limit 1),
       product.slug) as name,
     (select count(*)::integer from skus where product_id = product.id and status = 'offered') as skus,
     (select jsonb_build_object('amount', price.amount, 'currency', price.currency)
      from skus sku join prices price on price.sku_id = sku.id
      where sku.product_id = product.id and sku.status = 'offered'
      order by array_position(store.currencies, price.currency) nulls last, price.currency, price.amount limit 1) as price,
     (select case when bool_and(counted) then sum(greatest(available, 0))::double precision end from ${LIVE_STOCK}) as available
   from products product join stores store on store.id = product.store_id
   where ($1::text is null or ${order.after}) and ($2::text is null or store.slug = $2)
     and ($3::text is null or product.status = $3)
     and ($4::text is null or product.slug ilike $4 or product.external_id ilike $4 or product.brand ilike $4
       or exists (select from product_texts where product_id = product.id and name ilike $4)
       or exists (select from skus where product_id = product.id and code ilike $4))
     and ($5::boolean is null or $5 = exists (select from ${LIVE_STOCK} and (not counted or on_hand > held or when_out <> 'deny')))
     and ($7::text is null or product.id = (select product_id from skus where id = $7))
   order by ${order.by} limit $6`,
  )
/** Reads the index of ids up to the end of the page. */
const newest = pageOf('catalog.page_of_products', { rank: '0', after: 'product.id < $1', by: 'product.id desc' })
const bestMatches = pageOf('catalog.page_of_matching_products', {
  rank: RANK,
  after: `${RANK} > $10::integer or (${RANK} = $10 and product.id < $1)`,
  by: 'rank, product.id desc',
})

export interface ProductSearch {
  /** The last product of the previous page. */
  readonly after: Pick<ListedProduct, 'id' | 'rank'> | null
  readonly storeSlug: string | null
  readonly status: string | null
  /** A part of a name, slug, number, brand or code. */
  readonly text: string | null
  /** The text as a pattern that matches it anywhere. */
  readonly like: string | null
  /** Whether it can be bought in the live environment; `null` is no filter. */
  readonly isSellable: boolean | null
  /** One of its SKUs; `null` is no filter. */
  readonly skuId: string | null
  /** The preferred language of names. */
  readonly language: string
  readonly limit: number
}

/** Products, published or not: those that match a text best, or the newest first. */
export function listAllProducts(reader: Reader, search: ProductSearch): Promise<ListedProduct[]> {
  const { after, storeSlug, status, text, like, isSellable, limit, skuId, language } = search
  const filters = [after?.id ?? null, storeSlug, status, like, isSellable, limit, skuId, language]
  if (text === null) return reader.rows(newest, filters)
  return reader.rows(bestMatches, [...filters, text.toLowerCase(), after?.rank ?? null])
}

interface StockSetting {
  readonly skuId: string
  readonly environment: Environment
  /** Units on hand; `null` if not counted. */
  readonly onHand: number | null
  readonly whenOut: 'deny' | 'backorder' | 'preorder'
}

/**
 * Sets the stock of a SKU in one environment. The stock declared by an import is kept, so that importing the same line again
 * does not change this.
 *
 * Refusals: `state_conflict` if more units are reserved than the new stock.
 *
 * @returns the previous stock
 */
export async function setStock(
  tx: Transaction,
  product: ProductRecord,
  setting: StockSetting,
  now: Date,
): Promise<SkuStockLevel> {
  const before = await setStockLevel(tx, setting, now)
  recordChanges(
    tx,
    product.storeId,
    [{ productId: product.id, wasPublished: product.line.status === 'published' }],
    now,
  )
  bumpRevision(tx, catalogOf(product.storeId))
  return before
}

const stopsShipping = statement<{ product_id: string; store_id: string; status: string }>(
  'catalog.stop_shipping',
  `update skus sku set requires_shipping = false, updated_at = $2 from products product
   where sku.id = $1 and sku.requires_shipping and product.id = sku.product_id
   returning product.id as product_id, product.store_id, product.status`,
)

/** Records that a SKU is delivered without shipping from now on. */
export async function stopShipping(tx: Transaction, skuId: string, now: Date): Promise<void> {
  const product = await tx.row(stopsShipping, [skuId, now])
  if (!product) return
  const wasPublished = product.status === 'published'
  recordChanges(tx, product.store_id, [{ productId: product.product_id, wasPublished }], now)
  bumpRevision(tx, catalogOf(product.store_id))
}
