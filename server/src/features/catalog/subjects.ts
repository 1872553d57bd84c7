/** What catalogue answers show, as the freshness of kept answers names it. */

/** Everything a reader sees of one store's catalogue. */
export function catalogOf(storeId: string): string {
  return `catalog/${storeId}`
}

/** All catalogues together: grows with each of them. */
export const ALL_CATALOGUES = 'catalog'

/** The marketplace's own categories, which belong to no store but show in all. */
export const MARKETPLACE_CATEGORIES = 'catalog/marketplace'

/** Who sells, where, in what, and behind which door. */
export { STORES } from '../access/index.ts'

/** What an installation sees: its store's catalogue, or all of them. */
export function catalogSeenBy(principal: { readonly storeId: string | null }): string {
  return principal.storeId === null ? ALL_CATALOGUES : catalogOf(principal.storeId)
}
