/** What catalogue answers show, as the freshness of cached answers names it. */

/** Everything a reader sees of one store's catalogue. */
export function catalogueOf(storeId: string): string {
  return `catalog/${storeId}`
}

/** All catalogues together: grows with each of them. */
export const ALL_CATALOGUES = 'catalog'

/** The marketplace's own categories, which belong to no store but show in all. */
export const CATEGORIES_SUBJECT = 'catalog/marketplace'

/** Who sells, where, in what, and behind which door. */
export const STORES = 'stores'
