import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { EarlierUse, PromotionUses } from '../../promotions/index.ts'

const discounted = (table: 'order_lines' | 'order_shipping', promotionId: string) =>
  `select order_id from ${table} where discount_allocations <> '[]'
     and discount_allocations @> jsonb_build_array(jsonb_build_object('promotionId', ${promotionId}))`

// Orders keep what they were discounted by, not when it began to count. An unpaid order that was canceled used nothing.
// Uses the indexes order_lines_discounted and order_shipping_discounted.
const usedBy = (promotionId: string) =>
  `id in (${discounted('order_lines', promotionId)} union ${discounted('order_shipping', promotionId)})
   and session_id is not null and charge not in ('voided', 'failed')`

const usesOf = statement<EarlierUse>(
  'orders.promotion_uses',
  `select session_id as holder, environment, customer_id as "customerId" from orders where ${usedBy('$1::text')}`,
)
const counts = statement<PromotionUses & { readonly id: string }>(
  'orders.promotion_use_counts',
  `select wanted.id, counted.* from unnest($1::text[]) as wanted (id) cross join lateral (
     select count(*) filter (where environment = 'live')::integer as live,
       count(*) filter (where environment = 'test')::integer as test
     from orders where ${usedBy('wanted.id')}) as counted`,
)

/** List the orders that a promotion discounted, for a limit that is set later. */
export function listPromotionUses(tx: Transaction, promotionId: string): Promise<EarlierUse[]> {
  return tx.rows(usesOf, [promotionId])
}

/** Count the orders that each of these promotions discounted. */
export async function countPromotionUses(
  reader: Reader,
  promotionIds: readonly string[],
): Promise<ReadonlyMap<string, PromotionUses>> {
  if (promotionIds.length === 0) return new Map()
  const rows = await reader.rows(counts, [promotionIds])
  return new Map(rows.map(({ id, live, test }) => [id, { live, test }]))
}
