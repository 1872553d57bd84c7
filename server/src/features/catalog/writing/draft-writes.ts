import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { CategoryCache } from './category-cache.ts'
import { type CategoryPath, type ProductDraft, productDraft } from './product-draft.ts'
import { readProductLines } from './product-records.ts'
import type { WritableStore, WriteCounts } from './product-write-context.ts'
import { writeProducts } from './product-writes.ts'
import { storeForWriting } from './store-writes.ts'

/** Writes product drafts of one store, and creates missing categories. */
export async function writeDrafts(
  tx: Transaction,
  { store, cache }: { readonly store: WritableStore; readonly cache: CategoryCache },
  drafts: readonly ProductDraft[],
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<WriteCounts> {
  const missing = missingPaths(cache, drafts)
  if (missing.length > 0) await cache.add(tx, missing, { ids, now, locale: store.locales[0]! })
  const products = drafts.map((draft) => ({
    draft,
    categories: draft.categories.map((path) => present(cache.find(path.slugs), 'missing categories were just added')),
  }))
  return writeProducts(tx, store, products, { ids, now })
}

function missingPaths(cache: CategoryCache, drafts: readonly ProductDraft[]): readonly CategoryPath[] {
  const missing = new Map<string, CategoryPath>()
  for (const path of drafts.flatMap(({ categories }) => categories)) {
    if (cache.find(path.slugs) === undefined) missing.set(path.slugs.join('/'), path)
  }
  return [...missing.values()]
}

const inCategory = statement<{ slug: string; ids: string[] }>(
  'catalog.products_in_category',
  `select store.slug, array_agg(product.id order by product.id) as ids
   from products product join stores store on store.id = product.store_id
   where $1 = any(product.lineage) group by store.slug order by store.slug`,
)
const forgetHashes = statement(
  'catalog.forget_hashes',
  'update products set content_hash = null where id = any($1::text[])',
)

/** Products written together. */
const BATCH = 200

/** Rewrites all products in or below a category: their category path has changed, although they have not. */
export async function rewriteProducts(
  tx: Transaction,
  categoryId: string,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  for (const { slug, ids: productIds } of await tx.rows(inCategory, [categoryId])) {
    const store = present(await storeForWriting(tx, slug), 'a product has its store')
    const cache = await CategoryCache.read(tx, store.id)
    for (let from = 0; from < productIds.length; from += BATCH) {
      const batch = productIds.slice(from, from + BATCH)
      tx.write(forgetHashes, [batch])
      const products = (await readProductLines(tx, batch)).map(({ line }) => productDraft(line))
      await writeDrafts(tx, { store, cache }, products, { ids, now })
    }
  }
}
