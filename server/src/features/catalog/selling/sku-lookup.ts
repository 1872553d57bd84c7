import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** A SKU found by its code, also one no longer offered. */
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

/** The SKUs of these stores with these codes. Codes may repeat. */
export function skusByCode(
  reader: Reader,
  storeIds: readonly string[],
  codes: readonly string[],
): Promise<readonly KnownSku[]> {
  return reader.rows(byCode, [storeIds, codes])
}

const codesById = statement<{ id: string; code: string }>(
  'catalog.sku_codes',
  'select id, code from skus where id = any($1::text[])',
)

/** The codes of SKUs, by id. */
export async function skuCodes(reader: Reader, skuIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await reader.rows(codesById, [skuIds])).map(({ id, code }) => [id, code]))
}

const anyShips = statement<{ ships: boolean }>(
  'catalog.any_ships',
  'select exists (select from skus where id = any($1::text[]) and requires_shipping) as ships',
)

/** Whether any of the SKUs has to be shipped. */
export async function anyRequiresShipping(reader: Reader, skuIds: readonly string[]): Promise<boolean> {
  return (await reader.row(anyShips, [skuIds]))?.ships === true
}

const storesBySlug = statement<{ id: string; slug: string }>('catalog.stores_by_slug', 'select id, slug from stores')

/** All store ids, by slug. */
export async function storeIdsBySlug(reader: Reader): Promise<ReadonlyMap<string, string>> {
  return new Map((await reader.rows(storesBySlug)).map(({ id, slug }) => [slug, id]))
}
