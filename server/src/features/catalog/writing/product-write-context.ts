import type { LocalizedText } from '../stored-json.ts'
import type { ProductDraft } from './product-draft.ts'

/** The store that products are written for. */
export interface WritableStore {
  readonly id: string
  readonly slug: string
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly access_mode: 'open' | 'password' | 'challenge'
}

/** A category as products refer to it: ids and names from the root down to itself. */
export interface CategoryRef {
  readonly id: string
  readonly lineage: readonly string[]
  readonly names: readonly LocalizedText[]
}

/** A product to be written, with its categories found. */
export interface ProductWrite {
  readonly draft: ProductDraft
  readonly categories: readonly CategoryRef[]
}

/** A product with the ids, the slug and the date that it is stored under. */
export interface PreparedProduct extends ProductWrite {
  readonly id: string
  readonly slug: string
  readonly publishedAt: string
  readonly hash: Buffer
  readonly skus: readonly (ProductDraft['skus'][number] & { readonly id: string })[]
}

/** The categories and all above them, each once. */
export function lineageOf(categories: readonly CategoryRef[]): readonly string[] {
  return [...new Set(categories.flatMap((category) => category.lineage))]
}
