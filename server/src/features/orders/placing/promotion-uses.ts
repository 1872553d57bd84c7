import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { EarlierUse } from '../../promotions/index.ts'

// Orders keep what they were discounted by, not when it began to count. An unpaid order that was canceled used nothing.
const usesOf = statement<EarlierUse>(
  'orders.promotion_uses',
  `select session_id as holder, environment, customer_id as "customerId" from orders placed
   where placed_at >= (select created_at from promotions where id = $1) and session_id is not null
     and charge not in ('voided', 'failed') and exists (
       select from (
         select discount_allocations from order_lines where order_id = placed.id
         union all select discount_allocations from order_shipping where order_id = placed.id) as priced
       where discount_allocations @> jsonb_build_array(jsonb_build_object('promotionId', $1::text)))`,
)

/** List the orders that a promotion discounted, for a limit that is set later. */
export function listPromotionUses(tx: Transaction, promotionId: string): Promise<EarlierUse[]> {
  return tx.rows(usesOf, [promotionId])
}
