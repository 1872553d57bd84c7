import { present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { WhenOut } from './availability.ts'
import { coverOwed } from './owed.ts'

/** The stock level of a SKU in one environment, for the operator. */
export interface SkuStockLevel {
  readonly sku_id: string
  readonly environment: Environment
  /** False: not counted, always in stock. */
  readonly counted: boolean
  readonly on_hand: number
  /** Units reserved by checkouts. */
  readonly held: number
  /** Units that were sold beyond the stock and have not shipped. */
  readonly owed: number
  readonly when_out: WhenOut
}

const COLUMNS = `sku_id, environment, counted, on_hand, held, when_out,
  (select coalesce(sum(units), 0)::integer from stock_sold_beyond sold
   where sold.sku_id = stock_levels.sku_id and sold.environment = stock_levels.environment) as owed`
const read = statement<SkuStockLevel>(
  'inventory.read_shelf',
  `select ${COLUMNS} from stock_levels where sku_id = any($1::text[]) order by sku_id, environment`,
)
const lock = statement<SkuStockLevel>(
  'inventory.lock_shelf',
  `select ${COLUMNS} from stock_levels where sku_id = $1 and environment = $2 for update`,
)
const set = statement(
  'inventory.set_shelf',
  `with replaced as materialized (
     select sku_id, environment, $3::integer - held as free from stock_levels
     where sku_id = $1 and environment = $2 and $3::integer > held and not (counted and on_hand = $3::integer)),
   ${coverOwed()}
   update stock_levels level set counted = $3::integer is not null,
     on_hand = coalesce($3::integer - coalesce((select sold from covered), 0), on_hand),
     held = held + coalesce((select held from covered), 0), when_out = $4, updated_at = $5
   where sku_id = $1 and environment = $2`,
)

/** Loads the stock levels of SKUs in both environments. */
export function listStockLevels(reader: Reader, skuIds: readonly string[]): Promise<SkuStockLevel[]> {
  return reader.rows(read, [skuIds])
}

/**
 * Sets the stock level of a SKU. Of another count than before, units that are owed are subtracted. Call it after every other lock.
 *
 * Refusals: `state_conflict` if more is held than would be in stock.
 *
 * @returns the previous level
 */
export async function setStockLevel(
  tx: Transaction,
  setting: {
    readonly skuId: string
    readonly environment: Environment
    /** `null`: not counted. */
    readonly onHand: number | null
    readonly whenOut: WhenOut
  },
  now: Date,
): Promise<SkuStockLevel> {
  const { skuId, environment, onHand, whenOut } = setting
  const before = present(await tx.row(lock, [skuId, environment]), 'every SKU has its levels')
  if (onHand !== null && onHand < before.held) {
    const message = `${before.held} units are reserved by checkouts. The stock level cannot be lower.`
    refuse('state_conflict', { faults: [{ field: 'onHand', code: 'held', message }] })
  }
  tx.write(set, [skuId, environment, onHand, whenOut, now])
  return before
}
