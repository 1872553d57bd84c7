import type { Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { consumeStock, holdStock, returnStock, type StockUnits } from '../inventory/index.ts'
import { type LineQuantity, lineOf, type Order } from './order.ts'

/** Where units were, and when they come back on the shelf: a buyer has sent them back, or they never left. */
interface Origin {
  readonly from: 'buyer' | 'order'
  readonly now: Date
}

/** Units of a SKU, and the store that sells it. */
export interface ShelfUnits extends StockUnits {
  readonly storeId: string
}

/** Puts units of an order back on the shelf, and lets the catalogue show it. Call it last: it takes the last locks. */
export async function restock(
  tx: Transaction,
  order: Order,
  units: readonly LineQuantity[],
  { from, now }: Origin,
): Promise<void> {
  // Of an order from elsewhere nothing was taken off our shelf, so what never left is not on it either.
  if (units.length === 0 || (from === 'order' && order.source !== 'hosted_checkout')) return
  const { environment } = order
  const shelf = units.map(({ lineId, quantity }) => ({ ...shelfOf(order, lineId), quantity }))
  const soldTo = from === 'order' ? order.sessionId : null
  show(tx, order, shelf, await returnStock(tx, { environment, units: shelf.map(stockOf), soldTo, now }))
}

/** Takes units off the shelf for whoever is named. Refuses `out_of_stock`. Call it last, as well. */
export async function takeOffShelf(
  tx: Transaction,
  order: Order,
  units: readonly ShelfUnits[],
  holder: string,
): Promise<void> {
  if (units.length === 0) return
  const shownAnew = await holdStock(tx, { holder, environment: order.environment }, units.map(stockOf))
  consumeStock(tx, holder)
  show(tx, order, units, shownAnew)
}

/** Only live stock is shown to everybody. */
function show(tx: Transaction, order: Order, units: readonly ShelfUnits[], skuIds: readonly string[]): void {
  if (order.environment !== 'live') return
  const stores = units.filter(({ skuId }) => skuIds.includes(skuId)).map(({ storeId }) => storeId)
  for (const storeId of [...new Set(stores)].sort()) bumpRevision(tx, `catalog/${storeId}`)
}

function shelfOf(order: Order, lineId: string) {
  const { skuId, storeId } = lineOf(order, lineId)
  return { skuId, storeId }
}

function stockOf({ skuId, quantity }: ShelfUnits): StockUnits {
  return { skuId, quantity }
}
