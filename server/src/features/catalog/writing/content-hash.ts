import { createHash } from 'node:crypto'
import type { ProductDraft } from './product-draft.ts'
import type { PreparedProduct } from './product-write-context.ts'

/**
 * SHA-256 of a product as written, independent of the order of members in its line, and of whether slug, status and date were given
 * or kept. An exported line hashes like the imported one. Whether SKUs require shipping is not in it: a line can leave that unchanged,
 * and it can change without a line.
 */
export function contentHash(
  product: Pick<PreparedProduct, 'draft' | 'categories' | 'slug' | 'status' | 'publishedAt'>,
): Buffer {
  const { hasExplicitSlug, ...content } = product.draft
  const skus = content.skus.map(({ id: _id, requiresShipping: _requiresShipping, ...sku }) => ({
    ...sku,
    prices: sku.prices.toSorted(byCurrency),
  }))
  const categories = product.categories.map(({ id }) => id)
  const { slug, status, publishedAt } = product
  const written = JSON.stringify({ ...content, skus, categories, slug, status, publishedAt }, sortMembers)
  return createHash('sha256').update(written).digest()
}

type Price = ProductDraft['skus'][number]['prices'][number]
const byCurrency = (one: Price, other: Price) => (one.currency < other.currency ? -1 : 1)

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
