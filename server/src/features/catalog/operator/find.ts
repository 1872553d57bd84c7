import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** A product that was found by a text. */
interface ProductFinding {
  readonly id: string
  readonly name: string
  /** The code of the matching SKU; `null`: the name matches. */
  readonly code: string | null
  readonly status: 'published' | 'draft' | 'archived'
}

/** The index on names is of trigrams: it finds nothing shorter. */
const NAME_LENGTH_MIN = 3

const OF_STORE = '($5::text is null or exists (select from products where id = product_id and store_id = $5))'

// Codes by prefix, in the order of their index. Of the names that contain the text, the shortest among the first 1000: without that
// limit, the planner would read the whole table for the first five if it estimates the text to be frequent.
export const findByText = statement<ProductFinding>(
  'catalog.find_by_text',
  `select product.id, product.status, found.code,
     coalesce((select text.name from product_texts text where text.product_id = product.id
       order by text.locale <> store.locales[1], text.locale limit 1), product.slug) as name
   from (select distinct on (product_id) product_id, code from (
       (select product_id, code from skus where lower(code) collate "C" >= $1 and lower(code) collate "C" < $2 and ${OF_STORE}
        order by lower(code) collate "C" limit $4)
       union all
       (select product_id, null from (select product_id, name from product_texts
          where $3::text is not null and lower(name) like $3 and ${OF_STORE} limit 1000) as named
        order by length(name), product_id limit $4)) as each
     order by product_id, code nulls last) as found
     join products product on product.id = found.product_id
     join stores store on store.id = product.store_id
   order by found.code is null, product.status = 'archived', product.id desc limit $4`,
)

/** Finds products by the beginning of a SKU code or by a part of their name. */
export function findProducts(
  reader: Reader,
  text: string,
  limit: number,
  storeId: string | null,
): Promise<ProductFinding[]> {
  const lower = text.toLowerCase()
  const pattern = lower.length < NAME_LENGTH_MIN ? null : `%${lower.replaceAll(/[\\%_]/g, '\\$&')}%`
  return reader.rows(findByText, [lower, `${lower}\u{10ffff}`, pattern, limit, storeId])
}
