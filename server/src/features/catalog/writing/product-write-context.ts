import type { LocalizedText } from '../stored-json.ts'
import type { ProductDraft, ProductStatus } from './product-draft.ts'

/** The store that the written products belong to. */
export interface WritableStore {
  readonly id: string
  readonly slug: string
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly status: 'active' | 'suspended'
  readonly access_mode: 'open' | 'password' | 'challenge'
}

/** A category of a product, with the ids and names from the root to itself. */
export interface CategoryRef {
  readonly id: string
  readonly lineage: readonly string[]
  readonly names: readonly LocalizedText[]
}

/** A product draft with its categories resolved. */
export interface ProductWrite {
  readonly draft: ProductDraft
  readonly categories: readonly CategoryRef[]
}

/** A product with its ids, slug, status and date, ready to store. */
export interface PreparedProduct extends ProductWrite {
  readonly id: string
  readonly slug: string
  readonly status: ProductStatus
  readonly publishedAt: string
  readonly hash: Buffer
  readonly skus: readonly (ProductDraft['skus'][number] & { readonly id: string })[]
}

/** The ids of the categories and all their ancestors, distinct. */
export function lineageOf(categories: readonly CategoryRef[]): readonly string[] {
  return [...new Set(categories.flatMap((category) => category.lineage))]
}

/** The number of written lines by outcome. */
export interface WriteCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export type WriteOutcome = keyof WriteCounts

export function countsOf(outcomes: readonly WriteOutcome[]): WriteCounts {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const outcome of outcomes) counts[outcome] += 1
  return counts
}
