export type Availability = 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder'
export type WhenOut = 'deny' | 'backorder' | 'preorder'

/** From this many units on, stock is not low. */
const LOW_STOCK_BELOW = 6
/** Cap on the stock level that public answers reveal. */
export const QUANTITY_SHOWN_MAX = 50

/** A stored stock level; all `null` for a SKU without one, which is not counted. */
export interface StockLevel {
  readonly counted: boolean | null
  readonly available: number | null
  readonly when_out: WhenOut | null
}

interface StockShown {
  readonly availability: Availability
  /** Units that can be sold now; `null` without a limit. */
  readonly sellableQuantity: number | null
}

/** The availability of a stock level, as a buyer sees it. */
export function stockShown({ counted, available, when_out }: StockLevel): StockShown {
  if (counted !== true || available === null) return { availability: 'in_stock', sellableQuantity: null }
  const beyond = when_out === null || when_out === 'deny' ? null : when_out
  const sellableQuantity = beyond === null ? available : null
  if (available >= LOW_STOCK_BELOW) return { availability: 'in_stock', sellableQuantity }
  if (available > 0) return { availability: 'low_stock', sellableQuantity }
  return { availability: beyond ?? 'out_of_stock', sellableQuantity }
}

/** Whether two levels look the same to a buyer, so that cached answers stay valid. */
export function isShownAlike(one: StockLevel, other: StockLevel): boolean {
  const [a, b] = [stockShown(one), stockShown(other)]
  return a.availability === b.availability && sellable(a) === sellable(b)
}

function sellable({ sellableQuantity }: StockShown): number | null {
  return sellableQuantity === null ? null : Math.min(sellableQuantity, QUANTITY_SHOWN_MAX)
}

const bestFirst: readonly Availability[] = ['in_stock', 'low_stock', 'preorder', 'backorder', 'out_of_stock']

/** A product is as available as its best SKU. */
export function bestAvailability(each: Iterable<Availability>): Availability {
  const all = new Set(each)
  return bestFirst.find((availability) => all.has(availability)) ?? 'out_of_stock'
}
