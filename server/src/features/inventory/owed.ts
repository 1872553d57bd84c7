import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { StockUnits } from './holds.ts'

/**
 * SQL that gives units that come into stock to those who bought or reserved beyond it, the oldest first: `replaced (sku_id, environment,
 * free)` has the locked levels and the units that come in, `covered (sku_id, environment, sold, held)` what of them is given away.
 *
 * @param from the holder that they come back from, as SQL: it gets none. What other transactions are changing gets none either, because
 * they may wait for the levels. `null` for units that are counted.
 * @see docs/decisions/0173-cover-what-is-owed.md and docs/decisions/0184-returned-units-cover-what-is-owed.md
 */
export function coverOwed(from: string | null = null): string {
  const others = from === null ? '' : `and holder is distinct from ${from}`
  const unlocked = from === null ? '' : 'skip locked'
  return `sold as materialized (
     select beyond.holder, sku_id, environment, beyond.units
     from stock_sold_beyond beyond join replaced using (sku_id, environment)
     where beyond.units > 0 ${others} for update of beyond ${unlocked}),
   held as materialized (
     select hold.holder, sku_id, environment, hold.quantity - hold.taken as units
     from stock_holds hold join replaced using (sku_id, environment)
     where hold.quantity > hold.taken ${others} for update of hold ${unlocked}),
   owed as (select 'sold' as state, * from sold union all select 'held', * from held),
   given as materialized (
     select state, holder, sku_id, environment, least(owed.units, replaced.free - owed.before) as units
     from (select owed.*, sum(units) over (partition by sku_id, environment order by state desc, holder)::integer - units as before
           from owed) owed join replaced using (sku_id, environment)
     where owed.before < replaced.free),
   served as (
     update stock_sold_beyond beyond set units = beyond.units - given.units
     from given where given.state = 'sold' and beyond.holder = given.holder and beyond.sku_id = given.sku_id),
   reserved as (
     update stock_holds hold set taken = hold.taken + given.units
     from given where given.state = 'held' and hold.holder = given.holder and hold.sku_id = given.sku_id),
   covered as (
     select sku_id, environment, coalesce(sum(units) filter (where state = 'sold'), 0)::integer as sold,
       coalesce(sum(units) filter (where state = 'held'), 0)::integer as held
     from given group by sku_id, environment)`
}

const settle = statement(
  'inventory.settle_shipped',
  `update stock_sold_beyond sold set units = coalesce(waiting.quantity, 0)
   from stock_sold_beyond mine left join unnest($2::text[], $3::integer[]) as waiting (sku_id, quantity) using (sku_id)
   where mine.holder = $1 and sold.holder = mine.holder and sold.sku_id = mine.sku_id
     and sold.units > coalesce(waiting.quantity, 0)`,
)

/** No more units are owed to a holder than those that have not shipped yet. */
export function settleShipped(tx: Transaction, holder: string, waiting: readonly StockUnits[]): void {
  tx.write(settle, [holder, waiting.map(({ skuId }) => skuId), waiting.map(({ quantity }) => quantity)])
}
