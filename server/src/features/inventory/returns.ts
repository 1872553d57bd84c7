import type { Environment } from '../../kernel/environment.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { isShownAlike, type StockLevel } from './availability.ts'
import type { StockUnits } from './holds.ts'
import { coverOwed } from './owed.ts'

/** Units that return to stock. */
interface ReturnedStock {
  readonly environment: Environment
  /** `restocks`: whether they can be sold again. Otherwise they only end what is owed. */
  readonly units: readonly (StockUnits & { readonly restocks: boolean })[]
  /**
   * The checkout session that sold them, if they never shipped; `null` if a buyer returned them. Oversold units of a session
   * never were in stock and are subtracted first.
   */
  readonly soldTo: string | null
  readonly now: Date
}

// Levels are locked before all else and in the order of their SKUs, so that transactions cannot deadlock.
const putBack = statement<StockLevel & { readonly sku_id: string; readonly quantity: number }>(
  'inventory.put_back',
  `with returned as (
     select "skuId" as sku_id, sum(quantity)::integer as quantity,
       coalesce(sum(quantity) filter (where restocks), 0)::integer as restocked
     from jsonb_to_recordset($2::jsonb) as unit ("skuId" text, quantity integer, restocks boolean) group by "skuId"),
   locked as materialized (
     select level.sku_id, level.environment, returned.quantity, returned.restocked, level.counted, level.available, level.when_out
     from stock_levels level join returned on returned.sku_id = level.sku_id
     where level.environment = $1
     order by level.sku_id for update of level),
   beyond as materialized (
     select sku_id, least(sold.units, locked.quantity) as units
     from stock_sold_beyond sold join locked using (sku_id) where sold.holder = $3 for update of sold),
   settled as (
     update stock_sold_beyond sold set units = sold.units - beyond.units
     from beyond where sold.holder = $3 and sold.sku_id = beyond.sku_id),
   replaced as materialized (
     select sku_id, environment, least(restocked, quantity - coalesce(beyond.units, 0)) as free
     from locked left join beyond using (sku_id)
     where counted and least(restocked, quantity - coalesce(beyond.units, 0)) > 0),
   ${coverOwed('$3')},
   changed as (
     update stock_levels level set on_hand = level.on_hand + free - coalesce(sold, 0), held = level.held + coalesce(covered.held, 0),
       updated_at = $4
     from replaced left join covered using (sku_id, environment)
     where level.sku_id = replaced.sku_id and level.environment = replaced.environment)
   select sku_id, free - coalesce(sold + held, 0) as quantity, counted, available, when_out
   from locked join replaced using (sku_id, environment) left join covered using (sku_id, environment) order by sku_id`,
)

/**
 * Returns units to stock: first to those who bought or reserved beyond it. Uncounted and deleted SKUs stay uncounted. Call it after
 * every other lock.
 *
 * @returns the SKUs whose displayed availability or quantity changes
 */
export async function returnStock(
  tx: Transaction,
  { environment, units, soldTo, now }: ReturnedStock,
): Promise<readonly string[]> {
  if (units.length === 0) return []
  const values = [environment, JSON.stringify(units), soldTo, now]
  const levels = await tx.rows(putBack, values)
  return levels
    .filter((level) => !isShownAlike(level, { ...level, available: (level.available ?? 0) + level.quantity }))
    .map((level) => level.sku_id)
}
