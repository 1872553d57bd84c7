/** The subjects of site responses, whose revisions invalidate cached responses. */

export { STORES } from '../access/index.ts'
export { READINESS } from '../installations/index.ts'

/** Name, logo and markets. */
export const SITE = 'site'
/** The legal documents of the marketplace and of its stores. */
export const LEGAL = 'legal'
export const CONTACT = 'contact'

/** The published decoration of a store. */
export function decorationOf(storeId: string): string {
  return `decoration/${storeId}`
}
