import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { WhenOut } from './availability.ts'
import { coverOwed } from './owed.ts'

/** The declared stock of a SKU. */
interface DeclaredStock {
  readonly sku_id: string
  readonly product_id: string
  /** Units on hand; `null`: not counted. */
  readonly declared: number | null
  readonly when_out: WhenOut
}

// Lines have the rule of the live environment. An operator may have set another one for tests.
const HAS_RULE = `(select when_out from stock_levels live
       where live.sku_id = excluded.sku_id and live.environment = 'live') is not distinct from excluded.when_out`

const declare = statement(
  'inventory.declare',
  `with said as (
     select * from jsonb_to_recordset($1::jsonb) as said (sku_id text, product_id text, declared integer, when_out text)),
   replaced as materialized (
     select level.sku_id, level.environment, said.declared - level.held as free
     from stock_levels level join said using (sku_id)
     where level.declared is distinct from said.declared and said.declared > level.held
     order by level.sku_id, level.environment for update of level),
   ${coverOwed()}
   insert into stock_levels (sku_id, environment, product_id, counted, on_hand, held, when_out, declared, updated_at)
   select said.sku_id, environment, said.product_id, said.declared is not null,
     coalesce(said.declared, 0) - coalesce(covered.sold, 0), coalesce(covered.held, 0), said.when_out, said.declared, $2
   from said cross join unnest(array['live', 'test']) as environment left join covered using (sku_id, environment)
   order by said.sku_id, environment
   on conflict (sku_id, environment) do update set
     offered = true,
     counted = case
       when stock_levels.declared is not distinct from excluded.declared then stock_levels.counted
       else excluded.counted
     end,
     on_hand = case
       when stock_levels.declared is not distinct from excluded.declared then stock_levels.on_hand
       else greatest(excluded.on_hand, stock_levels.held)
     end,
     held = stock_levels.held + excluded.held,
     when_out = case when ${HAS_RULE} then stock_levels.when_out else excluded.when_out end,
     declared = excluded.declared,
     updated_at = excluded.updated_at
   where (stock_levels.offered, stock_levels.declared) is distinct from (true, excluded.declared) or not ${HAS_RULE}`,
)

const withdraw = statement(
  'inventory.withdraw',
  'update stock_levels set offered = false, updated_at = $2 where sku_id = any($1::text[]) and offered',
)

/**
 * Saves declared stock for both environments. Declaring the same again keeps the current count, and whether there is one, because an
 * operator may have set both; a new number replaces the count, less the units that are owed, but never below the held units. The rule for selling out is set in both
 * environments if it differs from the live one.
 */
export function declareStock(tx: Transaction, stock: readonly DeclaredStock[], now: Date): void {
  if (stock.length > 0) tx.write(declare, [JSON.stringify(stock), now])
}

/** Marks SKUs as no longer offered. Holds stay. */
export function withdrawStock(tx: Transaction, skuIds: readonly string[], now: Date): void {
  if (skuIds.length > 0) tx.write(withdraw, [skuIds, now])
}
