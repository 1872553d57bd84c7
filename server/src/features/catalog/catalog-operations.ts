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

/** The eleven operations of the catalogue. Cursors are sealed with a secret that all nodes share. */
export function catalogOperations({ cursorSecret }: { readonly cursorSecret: Buffer }) {
  return {
    listCatalogCategories,
    getStoreProduct,
    listStoreCategories,
    listStoreProducts: listStoreProducts(cursorSecret),
    getStore,
    getCatalogProduct,
    listCatalogProducts: listCatalogProducts(cursorSecret),
    searchCatalogProducts: searchCatalogProducts(cursorSecret),
    listApiKeyCatalogProducts: listApiKeyCatalogProducts(cursorSecret),
    getApiKeyCatalogProduct,
    listApiKeyCatalogCategories: listApiKeyCatalogCategories(cursorSecret),
  }
}
