/** The subjects of catalog responses, whose revisions invalidate cached responses. */

/** The visible catalog of one store. */
export function catalogOf(storeId: string): string {
  return `catalog/${storeId}`
}

/** All catalogs together. Its revision changes with that of any catalog. */
export const ALL_CATALOGS = 'catalog'

/** The marketplace's own categories, shown in all stores. */
export const MARKETPLACE_CATEGORIES = 'catalog/marketplace'

/** Stores: their names, countries, currencies and access modes. */
export { STORES } from '../access/index.ts'

/** The site's settings: its default locale. */
export { SITE } from '../storefront/index.ts'

/** The catalog visible to an installation: its store's, or all. */
export function catalogSeenBy(principal: { readonly storeId: string | null }): string {
  return principal.storeId === null ? ALL_CATALOGS : catalogOf(principal.storeId)
}
