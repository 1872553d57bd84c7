import type { Reader } from '../../platform/postgres/reader.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import type { StoreGrants } from '../access/index.ts'
import type { CatalogCounts } from './counting/catalog-counts.ts'
import { cachedSearchEdits } from './merchandising/edit-store.ts'
import type { SearchCounts } from './merchandising/search-counts.ts'
import { getApiKeyCatalogProduct } from './operations/getApiKeyCatalogProduct.ts'
import { getCatalogProduct } from './operations/getCatalogProduct.ts'
import { getStore } from './operations/getStore.ts'
import { getStoreProduct } from './operations/getStoreProduct.ts'
import { listApiKeyCatalogCategories } from './operations/listApiKeyCatalogCategories.ts'
import { listApiKeyCatalogProducts } from './operations/listApiKeyCatalogProducts.ts'
import { listCatalogCategories } from './operations/listCatalogCategories.ts'
import { listCatalogProducts } from './operations/listCatalogProducts.ts'
import { listStoreCategories } from './operations/listStoreCategories.ts'
import { listStoreProducts } from './operations/listStoreProducts.ts'
import { searchCatalogProducts } from './operations/searchCatalogProducts.ts'
import { cachedOpenStores } from './reading/market-context.ts'
import { cachedCategoryNames } from './search/suggestion-store.ts'

interface CatalogDeps {
  /** Shared by all nodes. */
  readonly cursorSecret: Secret
  readonly grants: StoreGrants
  /** Reads the primary, not a replica. */
  readonly reader: Reader
  /** Counts facets in memory; `null`: PostgreSQL counts them. */
  readonly counts: CatalogCounts | null
  /** Counts searches. Absent: searches are not counted. */
  readonly searches?: SearchCounts
}

export function catalogOperations({ cursorSecret, grants, reader, counts, searches }: CatalogDeps) {
  const lists = { cursorSecret, counts, editsOf: cachedSearchEdits(reader) }
  return {
    listCatalogCategories,
    getStoreProduct: getStoreProduct(grants),
    listStoreCategories: listStoreCategories(grants),
    listStoreProducts: listStoreProducts(lists, grants),
    getStore,
    getCatalogProduct,
    listCatalogProducts: listCatalogProducts(lists),
    searchCatalogProducts: searchCatalogProducts(
      { ...lists, storesOf: cachedOpenStores(reader), categoriesOf: cachedCategoryNames(reader) },
      searches,
    ),
    listApiKeyCatalogProducts: listApiKeyCatalogProducts(cursorSecret),
    getApiKeyCatalogProduct,
    listApiKeyCatalogCategories: listApiKeyCatalogCategories(cursorSecret),
  }
}
