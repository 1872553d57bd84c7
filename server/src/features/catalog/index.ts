/** The door of the catalogue: what other features may use, and nothing else. */
export type { Availability, StockLevel, StockShown, WhenOut } from './availability.ts'
export { QUANTITY_SHOWN_MAX, stockShown } from './availability.ts'
export type { LocalisedText } from './locale.ts'
export { lookUpLocale, matchLocale, textIn } from './locale.ts'
export type { SellableQuestion, SellableSku, StoreFacts } from './sellable-skus.ts'
export { sellableSkus } from './sellable-skus.ts'
