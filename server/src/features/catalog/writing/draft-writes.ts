import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { CategoryCache } from './category-cache.ts'
import type { ProductDraft } from './product-draft.ts'
import type { WritableStore, WriteCounts } from './product-write-context.ts'
import { type BeforeProducts, writeProducts } from './product-writes.ts'

/**
 * Products that are prepared and written together, while requests wait. Hashes, search texts and rows take 0.2 ms of processor time a
 * product, so that 500 at once would delay requests by 120 ms. Fewer would need more statements.
 */
export const SLICE = 100

interface WriteTarget {
  readonly store: WritableStore
  readonly cache: CategoryCache
}

interface WriteMoment {
  readonly ids: IdSource
  readonly now: Date
  readonly beforeProducts?: BeforeProducts | undefined
}

/** Writes product drafts of one store, and creates missing categories. Other work of the process gets its turn in between. */
export async function writeDrafts(
  tx: Transaction,
  target: WriteTarget,
  drafts: readonly ProductDraft[],
  moment: WriteMoment,
): Promise<WriteCounts> {
  const total = { created: 0, updated: 0, unchanged: 0 }
  let { store } = target
  for (let from = 0; from < drafts.length; from += SLICE) {
    const { counts, ...after } = await writeSlice(tx, { ...target, store }, drafts.slice(from, from + SLICE), moment)
    store = after.store
    total.created += counts.created
    total.updated += counts.updated
    total.unchanged += counts.unchanged
  }
  return total
}

async function writeSlice(
  tx: Transaction,
  { store, cache }: WriteTarget,
  drafts: readonly ProductDraft[],
  { ids, now, beforeProducts }: WriteMoment,
) {
  const paths = drafts.flatMap(({ categories }) => categories)
  // All of them, because one that is known may have moved.
  if (paths.some(({ slugs }) => cache.find(slugs) === undefined)) {
    await cache.add(tx, paths, { ids, now, locale: store.locales[0]! })
  }
  const products = drafts.map((draft) => ({
    draft,
    categories: draft.categories.map((path) => present(cache.find(path.slugs), 'missing categories were just added')),
  }))
  return writeProducts(tx, store, products, { ids, now, beforeProducts })
}

/** Clears hashes, so that the next write of a product counts as a change. */
export const forgetHashes = statement(
  'catalog.forget_hashes',
  'update products set content_hash = null where id = any($1::text[])',
)
