import type { Environment } from '../../kernel/environment.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { isShownAlike, type StockLevel } from './availability.ts'
import type { StockUnits } from './holds.ts'

/** Units that are for sale again. */
export interface ReturnedStock {
  readonly environment: Environment
  readonly units: readonly StockUnits[]
  /**
   * Who held them, where they were sold and never left; `null` where a buyer has sent them back. Units that were sold beyond the
   * stock were never on the shelf, and are the first that do not come back on it: nobody is promised what is not there.
   */
  readonly soldTo: string | null
  readonly now: Date
}

// The levels are locked in the order of their SKUs before any is changed, so that no two wait for each other.
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
 * Puts units back on the shelf. Units of a SKU that nobody counts, or that is gone, are not counted either. Call it after
 * every other lock.
 *
 * @returns the SKUs of which another availability or quantity is shown from now on
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
