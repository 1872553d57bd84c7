import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** A SKU by what a maker or shop calls it, whether or not it is still offered. */
export interface KnownSku {
  readonly skuId: string
  readonly productId: string
  readonly storeId: string
  readonly code: string
}

const byCode = statement<KnownSku>(
  'catalog.skus_by_code',
  `select sku.id as "skuId", product.id as "productId", product.store_id as "storeId", sku.code
   from skus sku join products product on product.id = sku.product_id
   where product.store_id = any($1::text[]) and sku.code = any($2::text[]) order by sku.id`,
)

/** The SKUs of these stores that bear one of these codes. Several may bear the same. */
export function skusByCode(
  reader: Reader,
  storeIds: readonly string[],
  codes: readonly string[],
): Promise<readonly KnownSku[]> {
  return reader.rows(byCode, [storeIds, codes])
}

const storesBySlug = statement<{ id: string; slug: string }>('catalog.stores_by_slug', 'select id, slug from stores')

/** The id of every store, by its slug. */
export async function storeIdsBySlug(reader: Reader): Promise<ReadonlyMap<string, string>> {
  return new Map((await reader.rows(storesBySlug)).map(({ id, slug }) => [slug, id]))
}
