/** The public interface of inventory. */
export type { Availability, WhenOut } from './availability.ts'
export { bestAvailability, QUANTITY_SHOWN_MAX, stockShown } from './availability.ts'
export { consumeStock, holdStock, releaseStock, type StockUnits, summed as summedUnits } from './holds.ts'
export { settleShipped } from './owed.ts'
export { returnStock } from './returns.ts'
export { listStockLevels, type SkuStockLevel, setStockLevel } from './stock.ts'
export { declareStock, withdrawStock } from './stock-store.ts'
