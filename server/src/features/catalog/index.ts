/** The public interface of the catalog. */
export { catalogOperations } from './catalog-operations.ts'
export { CatalogCounts } from './counting/catalog-counts.ts'
export { exportCatalog } from './import/export.ts'
export { type ImportJobDeps, type ImportRequester, importJob, tableContext, wakeImport } from './import/import-job.ts'
export {
  createdByImport,
  leftByUndo,
  sweepImportJournal,
  UNDO_RETENTION_DAYS,
  undoFigures,
} from './import/journal.ts'
export { type Mapping, readMapping } from './import/mapped/columns.ts'
export { REASON_HEADER } from './import/mapped/guess.ts'
export { type PreviewSample, previewTable, type TablePreview } from './import/mapped/preview.ts'
export { exportProductTable } from './import/product-table.ts'
export {
  beginUndo,
  cancelImportsOf,
  countFaultyImports,
  endImport,
  findImport,
  findRefusals,
  IMPORT_JOB,
  type ImportRecord,
  isOngoing,
  type ListedImport,
  listImportRecords,
  lockImport,
  recallMapping,
  refusedCellsOf,
} from './import/records.ts'
export type { ImportReport } from './import/run.ts'
export { importCatalog } from './import/run.ts'
export { type ImportChange, receiveUpload } from './import/upload.ts'
export {
  listSearchRules,
  listSearchSynonyms,
  listSwitchedOff,
  type StoredRule,
  type StoredSynonyms,
} from './merchandising/edit-store.ts'
export {
  deleteSearchRule,
  deleteSearchSynonyms,
  saveSearchRule,
  saveSearchSynonyms,
  switchShippedSynonyms,
} from './merchandising/editing.ts'
export { previewSearch, type SwitchedSynonyms, switched } from './merchandising/preview.ts'
export {
  readSearchInsight,
  SEARCH_COUNTS_RETENTION_DAYS,
  SearchCounts,
  sweepSearchCounts,
} from './merchandising/search-counts.ts'
export type { ShippedName } from './merchandising/search-edits.ts'
export {
  type CategoryRecord,
  categoryLineOf,
  findCategory,
  findCategoryAt,
  listAllCategories,
  lockCategory,
  moveCategory,
  readCategoryPaths,
  resolveCategoryPath,
} from './operator/categories.ts'
export { findProducts } from './operator/find.ts'
export { readCatalogOfLaunch } from './operator/launch.ts'
export { countLowStock, listLowStock } from './operator/low-stock.ts'
export { type ListedProduct, listAllProducts, type ProductSearch, setStock, stopShipping } from './operator/products.ts'
export { listRelatedProducts, type RelatedProduct, saveRelatedProducts } from './operator/related-products.ts'
export { type ProductSaving, saveCategory, saveProduct, saveStore } from './operator/writes.ts'
export { defaultLocaleOf, listVisibleStores, storesExist } from './reading/market-context.ts'
export { readMarketplace } from './reading/marketplace.ts'
export { countSearchStatistics, searchStatisticsJob } from './search/statistics.ts'
export { SEARCH_WEIGHTS } from './search/weights.ts'
export { SHIPPED_SYNONYMS } from './search/words/index.ts'
export type { SellableRow, SellableSku } from './selling/sellable-skus.ts'
export { sellableSkus, sellableSkusOf, sellableStatement } from './selling/sellable-skus.ts'
export {
  anyRequiresShipping,
  type KnownSku,
  type StoreHead,
  skuCodesSql,
  skusByCode,
  storeHeads,
  storeIdsBySlug,
} from './selling/sku-lookup.ts'
export type { CategoryLine, ProductLine, StoreLine } from './writing/line-schema.ts'
export { claimSettledChanges, type SettledChange } from './writing/product-changes.ts'
export { findProduct, findProductIdByExternalId, lockProduct, type ProductRecord } from './writing/product-records.ts'
export { catalogJobs } from './writing/reindex-category.ts'
export { findStore, listStoreRecords, type StoreRecord, storeLineOf } from './writing/store-records.ts'
export { lockStore } from './writing/store-writes.ts'
export { rebaseListings, sweepCatalogChanges, sweepListings } from './writing/sweep-listings.ts'
export { VOCABULARY_JOB, vocabularyJob } from './writing/vocabulary.ts'
