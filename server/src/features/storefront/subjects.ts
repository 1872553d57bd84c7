/** What answers of the site show, as the freshness of kept answers names it. */

/** Its name, its logo and its markets. */
export const SITE = 'site'
/** The legal documents of the marketplace and of its stores. */
export const LEGAL = 'legal'
export const CONTACT = 'contact'

/** How one store looks, as it is published. */
export function decorationOf(storeId: string): string {
  return `decoration/${storeId}`
}
