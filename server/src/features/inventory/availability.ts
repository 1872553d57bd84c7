export type Availability = 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder'
export type WhenOut = 'deny' | 'backorder' | 'preorder'

/** From this many units on, stock is no longer called low. */
const LOW_STOCK_BELOW = 6
/** The most units that a public answer tells: what is beyond it is nobody's business, and changes no answer. */
export const QUANTITY_SHOWN_MAX = 50

/** A stock level as it is stored; all `null` where a SKU has none, which means that nobody counts it. */
export interface StockLevel {
  readonly counted: boolean | null
  readonly available: number | null
  readonly when_out: WhenOut | null
}

export interface StockShown {
  readonly availability: Availability
  /** Units that can be sold now; `null` where there is no such limit. */
  readonly sellableQuantity: number | null
}

/** What a stock level means to a buyer. */
export function stockShown({ counted, available, when_out }: StockLevel): StockShown {
  if (counted !== true || available === null) return { availability: 'in_stock', sellableQuantity: null }
  const beyond = when_out === null || when_out === 'deny' ? null : when_out
  const sellableQuantity = beyond === null ? available : null
  if (available >= LOW_STOCK_BELOW) return { availability: 'in_stock', sellableQuantity }
  if (available > 0) return { availability: 'low_stock', sellableQuantity }
  return { availability: beyond ?? 'out_of_stock', sellableQuantity }
}

/** Whether a buyer is shown the same of two levels, so that answers which show one of them are still true. */
export function isShownAlike(one: StockLevel, other: StockLevel): boolean {
  const [a, b] = [stockShown(one), stockShown(other)]
  return a.availability === b.availability && told(a) === told(b)
}

function told({ sellableQuantity }: StockShown): number | null {
  return sellableQuantity === null ? null : Math.min(sellableQuantity, QUANTITY_SHOWN_MAX)
}

const bestFirst: readonly Availability[] = ['in_stock', 'low_stock', 'preorder', 'backorder', 'out_of_stock']

/** A product is as available as the best of its SKUs. */
export function bestAvailability(each: Iterable<Availability>): Availability {
  const all = new Set(each)
  return bestFirst.find((availability) => all.has(availability)) ?? 'out_of_stock'
}
