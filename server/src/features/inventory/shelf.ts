import { present } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { WhenOut } from './availability.ts'

/** What stands on the shelf of a SKU in one environment, as its operator sees it. */
export interface ShelfLevel {
  readonly sku_id: string
  readonly environment: Environment
  /** False: nobody counts, it is always in stock. */
  readonly counted: boolean
  readonly on_hand: number
  /** Units that somebody is paying for. */
  readonly held: number
  readonly when_out: WhenOut
}

const COLUMNS = 'sku_id, environment, counted, on_hand, held, when_out'
const read = statement<ShelfLevel>(
  'inventory.read_shelf',
  `select ${COLUMNS} from stock_levels where sku_id = any($1::text[]) order by sku_id, environment`,
)
const lock = statement<ShelfLevel>(
  'inventory.lock_shelf',
  `select ${COLUMNS} from stock_levels where sku_id = $1 and environment = $2 for update`,
)
const set = statement(
  'inventory.set_shelf',
  `update stock_levels set counted = $3::integer is not null, on_hand = coalesce($3::integer, on_hand), when_out = $4,
     updated_at = $5
   where sku_id = $1 and environment = $2`,
)

/** What stands on the shelves of SKUs, in both environments. */
export function readShelf(reader: Reader, skuIds: readonly string[]): Promise<ShelfLevel[]> {
  return reader.rows(read, [skuIds])
}

/**
 * Sets what stands on the shelf of a SKU that has one. Call it after every other lock.
 *
 * Refusals: `state_conflict` where more is held than there would be.
 *
 * @returns what it was
 */
export async function setShelfLevel(
  tx: Transaction,
  setting: {
    readonly skuId: string
    readonly environment: Environment
    /** `null`: nobody counts. */
    readonly onHand: number | null
    readonly whenOut: WhenOut
  },
  now: Date,
): Promise<ShelfLevel> {
  const { skuId, environment, onHand, whenOut } = setting
  const before = present(await tx.row(lock, [skuId, environment]), 'every SKU has its levels')
  if (onHand !== null && onHand < before.held) {
    const message = `${before.held} units are held by people who are paying: there cannot be fewer.`
    refuse('state_conflict', { details: [{ in: 'body', pointer: '/onHand', code: 'held', message }] })
  }
  tx.write(set, [skuId, environment, onHand, whenOut, now], { rows: 1 })
  return before
}
