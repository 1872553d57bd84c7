/** The door of the catalogue: what other features may use, and nothing else. */
export { catalogOperations } from './catalog-operations.ts'
export type { CategoryLine, ProductLine, StoreLine } from './catalogue-line.ts'
export { exportCatalogue } from './export.ts'
export type { ImportReport, ImportRequest, RefusedLine } from './import.ts'
export { importCatalogue } from './import.ts'
export { findImport, type ImportRecord, pageOfImports } from './import-store.ts'
export { importUpload } from './import-uploads.ts'
export { type KnownSku, skusByCode, storeIdsBySlug } from './known-skus.ts'
export type { LocalisedText } from './locale.ts'
export { matchLocale } from './locale.ts'
export { type Market, storesExist, storesOf } from './market.ts'
export { type Marketplace, readMarketplace } from './marketplace.ts'
export { saveCategory, saveProduct, saveStore } from './operate.ts'
export {
  type CategoryRecord,
  categoryAt,
  categoryLineOf,
  findCategory,
  listAllCategories,
  lockCategory,
  moveCategory,
  pathBelow,
} from './operator-categories.ts'
export { type ListedProduct, pageOfProducts, setStock } from './operator-products.ts'
export { type SettledChange, takeSettledChanges } from './product-changes.ts'
export { findProduct, lockProduct, type ProductRecord, productIdOf } from './product-lines.ts'
export { catalogJobs } from './reindex-category.ts'
export type { SellableQuestion, SellableRow, SellableSku, SellableSource, StoreFacts } from './sellable-skus.ts'
export { sellableSkus, sellableSkusOf, sellableStatement } from './sellable-skus.ts'
export { findStore, pageOfStores, type StoreRecord, storeLineOf } from './store-records.ts'
export { lockStore } from './store-writes.ts'
export { rebaseListings, sweepListings } from './sweep-listings.ts'
