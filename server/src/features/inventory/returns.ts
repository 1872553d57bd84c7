import type { Environment } from '../../kernel/environment.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { isShownAlike, type StockLevel } from './availability.ts'
import type { StockUnits } from './holds.ts'

/** Units that return to stock. */
export interface ReturnedStock {
  readonly environment: Environment
  readonly units: readonly StockUnits[]
  /**
   * The checkout session that sold them, if they never shipped; `null` if a buyer returned them. Oversold units of a session
   * never were in stock and are subtracted first.
   */
  readonly soldTo: string | null
  readonly now: Date
}

// Levels are locked in the order of their SKUs before any is changed, so that transactions cannot deadlock.
const putBack = statement<StockLevel & { readonly sku_id: string; readonly quantity: number }>(
  'inventory.put_back',
  `with returned as (
     select "skuId" as sku_id, sum(quantity)::integer as quantity
     from jsonb_to_recordset($2::jsonb) as unit ("skuId" text, quantity integer) group by "skuId"),
   beyond as materialized (
     select sku_id, least(sold.units, returned.quantity) as units
     from stock_sold_beyond sold join returned using (sku_id) where sold.holder = $3 order by sku_id for update of sold),
   settled as (
     update stock_sold_beyond sold set units = sold.units - beyond.units
     from beyond where sold.holder = $3 and sold.sku_id = beyond.sku_id),
   back as (
     select sku_id, returned.quantity - coalesce(beyond.units, 0) as quantity
     from returned left join beyond using (sku_id)),
   locked as materialized (
     select level.sku_id, back.quantity, level.counted, level.available, level.when_out
     from stock_levels level join back on back.sku_id = level.sku_id
     where level.environment = $1 and level.counted and back.quantity > 0
     order by level.sku_id for update of level),
   changed as (
     update stock_levels level set on_hand = level.on_hand + locked.quantity, updated_at = $4
     from locked where level.sku_id = locked.sku_id and level.environment = $1)
   select sku_id, quantity, counted, available, when_out from locked order by sku_id`,
)

/**
 * Returns units to stock. Uncounted and deleted SKUs stay uncounted. Call it after every other lock.
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
