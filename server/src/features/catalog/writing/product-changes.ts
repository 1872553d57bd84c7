import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** A written product, and whether it was published before. */
interface RecordedChange {
  readonly productId: string
  readonly wasPublished: boolean
}

/** A product whose writes have settled. */
export interface SettledChange {
  readonly productId: string
  readonly storeId: string
  readonly slug: string
  readonly wasPublished: boolean
  readonly isPublished: boolean
}

// One row per product, with the status before its first unsettled write.
const record = statement(
  'catalog.note_changes',
  `insert into product_changes (product_id, store_id, was_published, first_at, last_at)
   select product_id, $3, was_published, $4, $4 from unnest($1::text[], $2::boolean[]) as said (product_id, was_published)
   on conflict (product_id) do update set last_at = greatest(product_changes.last_at, excluded.last_at)`,
)

/** Records product writes in their transaction, in one statement. */
export function recordChanges(tx: Transaction, storeId: string, changes: readonly RecordedChange[], now: Date): void {
  tx.write(record, [
    changes.map(({ productId }) => productId),
    changes.map(({ wasPublished }) => wasPublished),
    storeId,
    now,
  ])
}

const SETTLED_AFTER_MS = 60_000
const WAIT_MAX_MS = 5 * 60_000

interface SettledRow {
  readonly product_id: string
  readonly store_id: string
  readonly slug: string
  readonly was_published: boolean
  readonly is_published: boolean
}
const take = statement<SettledRow>(
  'catalog.take_changes',
  `with taken as (
     delete from product_changes where product_id in (
       select product_id from product_changes where last_at <= $1 or first_at <= $2
       order by first_at limit $3 for update skip locked)
     returning product_id, was_published)
   select product.id as product_id, product.store_id, product.slug, taken.was_published,
     product.status = 'published' as is_published
   from taken join products product on product.id = taken.product_id
   order by product.id`,
)

/** Claims the changes of products that were not written for a minute, or that have waited for five. Each is claimed once. */
export async function claimSettledChanges(
  tx: Transaction,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly SettledChange[]> {
  const rows = await tx.rows(take, [
    new Date(now.getTime() - SETTLED_AFTER_MS),
    new Date(now.getTime() - WAIT_MAX_MS),
    limit,
  ])
  return rows.map((row) => ({
    productId: row.product_id,
    storeId: row.store_id,
    slug: row.slug,
    wasPublished: row.was_published,
    isPublished: row.is_published,
  }))
}
