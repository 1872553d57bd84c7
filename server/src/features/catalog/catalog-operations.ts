import type { StoreGrants } from '../access/index.ts'
import { cachedSearchEdits } from './merchandising/edit-store.ts'
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

interface CatalogDeps {
  /** Shared by all nodes. */
  readonly cursorSecret: Buffer
  readonly grants: StoreGrants
}

export function catalogOperations({ cursorSecret, grants }: CatalogDeps) {
  const edits = cachedSearchEdits()
  return {
    listCatalogCategories,
    getStoreProduct: getStoreProduct(grants),
    listStoreCategories: listStoreCategories(grants),
    listStoreProducts: listStoreProducts(cursorSecret, grants, edits),
    getStore,
    getCatalogProduct,
    listCatalogProducts: listCatalogProducts(cursorSecret, edits),
    searchCatalogProducts: searchCatalogProducts(cursorSecret, edits),
    listApiKeyCatalogProducts: listApiKeyCatalogProducts(cursorSecret),
    getApiKeyCatalogProduct,
    listApiKeyCatalogCategories: listApiKeyCatalogCategories(cursorSecret),
  }
}
