import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { isShownAlike, QUANTITY_SHOWN_MAX, type StockLevel, type WhenOut } from './availability.ts'
import { coverOwed } from './owed.ts'

/** Units of a SKU. A SKU that is listed more than once counts with its sum. */
export interface StockUnits {
  readonly skuId: string
  readonly quantity: number
}

/** The holder and its environment. */
interface Holder {
  /** Such as the id of a checkout session. */
  readonly holder: string
  readonly environment: Environment
}

interface LevelRow {
  readonly sku_id: string
  readonly quantity: number
  readonly counted: boolean
  readonly available: number
  readonly when_out: WhenOut
  /** Null: not enough, and overselling is not allowed. */
  readonly taken: number | null
}

// Levels are locked in the order of their SKUs before any is changed, so that holders cannot deadlock; what is read is the last
// committed state. The SKUs are listed twice: with only the join, PostgreSQL reads every level of the environment.
const hold = statement<LevelRow>(
  'inventory.hold',
  `with wanted as (
     select sku_id, quantity from unnest($3::text[], $4::integer[]) as wanted (sku_id, quantity)),
   locked as materialized (
     select level.sku_id, wanted.quantity, level.counted, level.available, level.when_out
     from stock_levels level join wanted on wanted.sku_id = level.sku_id
     where level.environment = $2 and level.sku_id = any($3::text[])
     order by level.sku_id for update of level),
   granted as (
     select sku_id, quantity, least(quantity, available) as taken from locked
     where counted and (available >= quantity or when_out <> 'deny')),
   changed as (
     update stock_levels level set held = level.held + granted.taken
     from granted where level.sku_id = granted.sku_id and level.environment = $2 and granted.taken > 0),
   kept as (
     insert into stock_holds (holder, environment, sku_id, quantity, taken)
     select $1, $2, sku_id, quantity, taken from granted)
   select locked.*, granted.taken from locked left join granted using (sku_id)
   where locked.counted order by locked.sku_id`,
)

/**
 * Holds units for a checkout: all of them or none. A SKU that may be oversold holds what is in stock; an uncounted SKU holds
 * nothing. Call it after every other lock. One round trip, however many lines.
 *
 * Refusals: `out_of_stock`, with each short line and its available quantity.
 *
 * @returns the SKUs whose displayed availability or quantity changes
 */
export async function holdStock(
  tx: Transaction,
  { holder, environment }: Holder,
  units: readonly StockUnits[],
): Promise<readonly string[]> {
  const wanted = summed(units)
  const skuIds = wanted.map(({ skuId }) => skuId)
  const quantities = wanted.map(({ quantity }) => quantity)
  const levels = await tx.rows(hold, [holder, environment, skuIds, quantities])
  const short = levels.filter(({ taken }) => taken === null)
  if (short.length > 0) refuse('out_of_stock', { conflict: { lines: short.map(lineOf) } })
  return levels
    .filter((level) => !isShownAlike(level, { ...level, available: level.available - (level.taken ?? 0) }))
    .map((level) => level.sku_id)
}

function lineOf({ sku_id: skuId, quantity: requestedQuantity, available }: LevelRow) {
  return { skuId, requestedQuantity, availableQuantity: Math.min(available, QUANTITY_SHOWN_MAX) }
}

/** The units of each SKU. */
export function summed(units: readonly StockUnits[]): readonly StockUnits[] {
  const bySku = new Map<string, number>()
  for (const { skuId, quantity } of units) bySku.set(skuId, (bySku.get(skuId) ?? 0) + quantity)
  return [...bySku].map(([skuId, quantity]) => ({ skuId, quantity }))
}

/** Deletes the holder's rows, which only one transaction can do, and locks their levels in order. */
const ENDED = `with ended as (delete from stock_holds where holder = $1 returning environment, sku_id, quantity, taken),
   locked as materialized (
     select level.sku_id, level.environment, ended.taken, level.counted, level.available, level.when_out
     from stock_levels level join ended on ended.sku_id = level.sku_id and ended.environment = level.environment
     where ended.taken > 0
     order by level.sku_id for update of level)`

const release = statement<StockLevel & { readonly sku_id: string; readonly freed: number }>(
  'inventory.release',
  `${ENDED}, replaced as materialized (select sku_id, environment, taken as free from locked where counted),
   ${coverOwed('$1')},
   changed as (
     update stock_levels level set on_hand = level.on_hand - coalesce(covered.sold, 0),
       held = level.held - taken + coalesce(covered.held, 0)
     from locked left join covered using (sku_id, environment)
     where level.sku_id = locked.sku_id and level.environment = locked.environment)
   select sku_id, taken - coalesce(sold + held, 0) as freed, counted, available, when_out
   from locked left join covered using (sku_id, environment) order by sku_id`,
)

/**
 * Releases the units of a holder: first to those who bought or reserved beyond the stock. Does nothing for a holder without
 * holds.
 *
 * @returns the SKUs whose displayed availability or quantity changes
 */
export async function releaseStock(tx: Transaction, holder: string): Promise<readonly string[]> {
  const levels = await tx.rows(release, [holder])
  return levels
    .filter((level) => !isShownAlike(level, { ...level, available: (level.available ?? 0) + level.freed }))
    .map((level) => level.sku_id)
}

const consume = statement(
  'inventory.consume',
  `${ENDED}, beyond as (
     insert into stock_sold_beyond (holder, environment, sku_id, units)
     select $1, environment, sku_id, quantity - taken from ended where quantity > taken)
   update stock_levels level set on_hand = level.on_hand - locked.taken, held = level.held - locked.taken
   from locked where level.sku_id = locked.sku_id and level.environment = locked.environment`,
)

/**
 * Sells held units. Availability stays the same, and so does what is displayed. Oversold units are recorded: they are owed.
 */
export function consumeStock(tx: Transaction, holder: string): void {
  tx.write(consume, [holder])
}
