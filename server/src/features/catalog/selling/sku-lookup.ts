import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type LocalizedText, textIn } from '../stored-json.ts'

/** A SKU found by its code. It may no longer be offered. */
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

/** Selects the codes of SKUs, by id, as a JSON object. */
export function skuCodesSql(skuIds: string): string {
  return `(select coalesce(jsonb_object_agg(id, code), '{}') from skus where id = any(${skuIds}::text[]))`
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

/** The name and contact of a store, as shoppers see them. */
export interface StoreHead {
  readonly id: string
  readonly name: string
  readonly contact: { readonly email?: string; readonly phone?: string; readonly url?: string }
}

const headsOfStores = statement<Omit<StoreHead, 'name'> & { names: LocalizedText; slug: string; locales: string[] }>(
  'catalog.store_heads',
  'select id, slug, names, locales, contact from stores where id = any($1::text[])',
)

/** Name and contact of stores, also of suspended ones, by id. */
export async function storeHeads(
  reader: Reader,
  storeIds: readonly string[],
  locale: string,
): Promise<ReadonlyMap<string, StoreHead>> {
  const rows = await reader.rows(headsOfStores, [storeIds])
  return new Map(
    rows.map(({ id, names, slug, locales, contact }) => {
      return [id, { id, contact, name: textIn(names, locale, locales[0] ?? 'en') ?? slug }]
    }),
  )
}
