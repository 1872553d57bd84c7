import type { Environment } from '../../../kernel/environment.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** A SKU of a published product with few units to sell. */
export interface LowStock {
  readonly skuId: string
  readonly productId: string
  /** The name of the product in the requested language, else in the first of its store's locales. */
  readonly name: string
  readonly code: string
  readonly available: number
}

// The condition of the partial index `stock_levels_low`.
const LOW = `level.offered and level.counted and level.when_out = 'deny' and level.on_hand - level.held <= 5
     and level.environment = $1`

const count = statement<{ count: number }>(
  'catalog.count_low_stock',
  `select count(*)::integer as count from (select from stock_levels level
     join products product on product.id = level.product_id and product.status = 'published'
     where ${LOW} and ($3::text is null or product.store_id = $3) limit $2) as low`,
)
const list = statement<LowStock>(
  'catalog.list_low_stock',
  `select level.sku_id as "skuId", level.product_id as "productId", sku.code, level.available,
     coalesce((select text.name from product_texts text where text.product_id = product.id
       order by split_part(text.locale, '-', 1) <> $4, text.locale <> store.locales[1], text.locale limit 1),
       product.slug) as name
   from stock_levels level
     join products product on product.id = level.product_id and product.status = 'published'
     join stores store on store.id = product.store_id
     join skus sku on sku.id = level.sku_id
   where ${LOW} and ($3::text is null or product.store_id = $3)
   order by level.available, sku.updated_at desc, level.sku_id limit $2`,
)

/** Counts the SKUs with few units to sell, up to a maximum. */
export async function countLowStock(
  reader: Reader,
  environment: Environment,
  most: number,
  storeId: string | null,
): Promise<number> {
  return (await reader.row(count, [environment, most, storeId]))?.count ?? 0
}

interface LowStockQuery {
  readonly environment: Environment
  readonly storeId: string | null
  readonly language: string
  readonly limit: number
}

/** The SKUs with the fewest units to sell. */
export function listLowStock(
  reader: Reader,
  { environment, limit, storeId, language }: LowStockQuery,
): Promise<LowStock[]> {
  return reader.rows(list, [environment, limit, storeId, language])
}
