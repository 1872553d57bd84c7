/** The door of the catalogue: what other features may use, and nothing else. */
export type { LocalisedText } from './locale.ts'
export { lookUpLocale, matchLocale, textIn } from './locale.ts'
export type { SellableQuestion, SellableRow, SellableSku, SellableSource, StoreFacts } from './sellable-skus.ts'
export { sellableSkus, sellableStatement, showSellable } from './sellable-skus.ts'
