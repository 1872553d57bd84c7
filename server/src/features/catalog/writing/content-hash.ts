import { createHash } from 'node:crypto'
import type { ProductDraft } from './product-draft.ts'
import type { PreparedProduct } from './product-write-context.ts'

/**
 * SHA-256 of what is written of a product, however its line was worded: in whatever order its members stood, and whether it
 * said its slug and its date or left them as they were. So a line that was exported says the same as the one that was imported.
 */
export function contentHash(product: Pick<PreparedProduct, 'draft' | 'categories' | 'slug' | 'publishedAt'>): Buffer {
  const { hasExplicitSlug, ...said } = product.draft
  const skus = said.skus.map((sku) => ({ ...sku, prices: sku.prices.toSorted(byCurrency) }))
  const categories = product.categories.map(({ id }) => id)
  const { slug, publishedAt } = product
  const written = JSON.stringify({ ...said, skus, categories, slug, publishedAt }, membersInOrder)
  return createHash('sha256').update(written).digest()
}

type Price = ProductDraft['skus'][number]['prices'][number]
const byCurrency = (one: Price, other: Price) => (one.currency < other.currency ? -1 : 1)

function membersInOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
