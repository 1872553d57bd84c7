import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

const used = statement<{ id: string }>(
  'operator.products_in_use',
  `with asked as (select id, product_id from skus where product_id = any($1::text[]))
   select distinct product_id as id from asked
   where id in (select sku_id from order_lines where sku_id in (select id from asked))
     or id in (select sku_id from cart_lines where sku_id in (select id from asked))
     or id in (select exchange_sku_id from after_sales_lines where exchange_sku_id in (select id from asked))
     or id in (select sku_id from licence_pools where sku_id in (select id from asked))`,
)

/** Which of some products orders, carts, exchanges or license keys refer to: they can be archived, not removed. */
export async function findUsedProducts(reader: Reader, productIds: readonly string[]): Promise<readonly string[]> {
  if (productIds.length === 0) return []
  return (await reader.rows(used, [productIds])).map(({ id }) => id)
}
