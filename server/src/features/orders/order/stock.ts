import type { Transaction } from '../../../platform/postgres/reader.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import {
  consumeStock,
  holdStock,
  releaseStock,
  returnStock,
  type StockUnits,
  settleShipped,
  summedUnits,
} from '../../inventory/index.ts'
import { releaseRedemptions } from '../../promotions/index.ts'
import { fulfillableUnits, type LineQuantity, lineOf, type Order } from './order.ts'

/** The origin of units: the `buyer` returned them, or they never left the `order`. Of those, `restocked` go back to stock. */
type Origin = { readonly now: Date } & (
  | { readonly from: 'buyer' }
  | { readonly from: 'order'; readonly restocked: readonly LineQuantity[] }
)

/** Units of a SKU, and the store that sells it. */
interface StoreUnits extends StockUnits {
  readonly storeId: string
}

/**
 * Returns units of an order to stock and updates the catalog. Canceled units that do not go back to stock end what is owed all the same.
 * Call it last: it takes the last locks.
 */
export async function restock(
  tx: Transaction,
  order: Order,
  units: readonly LineQuantity[],
  origin: Origin,
): Promise<void> {
  // An imported order took nothing from our stock, so units of it that never shipped are not returned to it.
  if (units.length === 0 || (origin.from === 'order' && order.source !== 'hosted_checkout')) return
  const { environment } = order
  const goesBack = new Set((origin.from === 'buyer' ? units : origin.restocked).map(({ lineId }) => lineId))
  const returned = units.map(({ lineId, quantity }) => {
    return { ...storeSkuOf(order, lineId), quantity, restocks: goesBack.has(lineId) }
  })
  const soldTo = origin.from === 'order' ? order.sessionId : null
  publishStock(tx, order, returned, await returnStock(tx, { environment, units: returned, soldTo, now: origin.now }))
}

/** Releases the stock and the redemptions that an unpaid order still holds. Call it last too. */
export async function releaseHeld(tx: Transaction, order: Order): Promise<void> {
  if (order.sessionId === null) return
  releaseRedemptions(tx, order.sessionId)
  const units = order.lines.map(({ skuId, storeId, units: { ordered } }) => ({ skuId, storeId, quantity: ordered }))
  publishStock(tx, order, units, await releaseStock(tx, order.sessionId))
}

/** Records in the inventory what of an order has not shipped yet. */
export function settleStock(tx: Transaction, order: Order): void {
  if (order.sessionId === null) return
  const waiting = order.lines.map(({ skuId, units }) => ({ skuId, quantity: fulfillableUnits(units) }))
  settleShipped(tx, order.sessionId, summedUnits(waiting))
}

/** Deducts units from stock for a holder. Refuses `out_of_stock`. Call it last too. */
export async function deductStock(
  tx: Transaction,
  order: Order,
  units: readonly StoreUnits[],
  holder: string,
): Promise<void> {
  if (units.length === 0) return
  const changedSkuIds = await holdStock(tx, { holder, environment: order.environment }, units.map(stockOf))
  consumeStock(tx, holder)
  publishStock(tx, order, units, changedSkuIds)
}

/** The catalog shows live stock only. */
function publishStock(tx: Transaction, order: Order, units: readonly StoreUnits[], skuIds: readonly string[]): void {
  if (order.environment !== 'live') return
  const stores = units.filter(({ skuId }) => skuIds.includes(skuId)).map(({ storeId }) => storeId)
  for (const storeId of [...new Set(stores)].sort()) bumpRevision(tx, `catalog/${storeId}`)
}

function storeSkuOf(order: Order, lineId: string) {
  const { skuId, storeId } = lineOf(order, lineId)
  return { skuId, storeId }
}

function stockOf({ skuId, quantity }: StoreUnits): StockUnits {
  return { skuId, quantity }
}
