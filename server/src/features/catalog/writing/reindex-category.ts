import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { JobHandlers } from '../../../platform/jobs/index.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import type { LocalizedText } from '../stored-json.ts'
import { catalogOf } from '../subjects.ts'
import { CategoryCache } from './category-cache.ts'
import { SLICE } from './draft-writes.ts'
import { writeSearchDocuments } from './listing-writes.ts'
import { productDraft } from './product-draft.ts'
import { readProductLines } from './product-records.ts'
import { enqueueReindex, REINDEX_JOB, type ReindexBatch } from './reindex-job.ts'
import { storeForWriting } from './store-writes.ts'
import { vocabularyJobs } from './vocabulary.ts'

/** Products per transaction, as in an import. */
const BATCH = 500

const readNames = statement<{ names: LocalizedText }>('catalog.names_now', 'select names from categories where id = $1')
// Ordered by primary key, so that all batches together scan the products once.
const publishedIn = statement<{ id: string; slug: string }>(
  'catalog.published_in_category',
  `select product.id, store.slug from products product join stores store on store.id = product.store_id
   where ($1::text is null or $1 = any(product.lineage)) and product.status = 'published' and product.id > $2 order by product.id limit $3`,
)

export function catalogJobs(): JobHandlers {
  return {
    [REINDEX_JOB]: async ({ payload }, { database, ids, now }) => {
      await database.transaction((tx) => reindexBatch(tx, payload as ReindexBatch, { ids, now }))
      return undefined
    },
    ...vocabularyJobs,
  }
}

/**
 * Rewrites the search documents of a batch of products in or below a renamed category, or of all, and enqueues the next batch. The
 * products themselves have not changed: they keep their version, and no event is published.
 */
async function reindexBatch(
  tx: Transaction,
  { categoryId, after }: ReindexBatch,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  const found = await tx.rows(publishedIn, [categoryId, after, BATCH])
  const last = found.at(-1)
  if (last === undefined) return
  const byStore = Map.groupBy(found, ({ slug }) => slug)

  // In a fixed order, because two categories can have products of the same stores.
  for (const slug of [...byStore.keys()].sort()) {
    await reindexInStore(tx, slug, { categoryId, productIds: byStore.get(slug)!.map(({ id }) => id), now })
  }

  if (found.length === BATCH) enqueueReindex(tx, categoryId, { ids, now }, last.id)
}

async function reindexInStore(
  tx: Transaction,
  slug: string,
  {
    categoryId,
    productIds,
    now,
  }: { readonly categoryId: string | null; readonly productIds: string[]; readonly now: Date },
): Promise<void> {
  // Locks the store against other writes.
  const store = present(await storeForWriting(tx, slug), 'a product has its store')
  const [cache, category] = await Promise.all([CategoryCache.read(tx, store.id), tx.row(readNames, [categoryId])])
  const names = Object.values(category?.names ?? {})
  let written = 0
  // In slices, between which other work of the process gets its turn.
  for (let from = 0; from < productIds.length; from += SLICE) {
    const read = await readProductLines(tx, productIds.slice(from, from + SLICE))
    const products = read.flatMap(({ id, line }) => {
      const draft = productDraft(line)
      if (draft.status !== 'published') return []
      const categories = draft.categories.map((path) =>
        present(cache.find(path.slugs), 'the categories of a stored product exist'),
      )
      return [{ id, slug: draft.slug, draft, categories }]
    })
    if (products.length > 0) writeSearchDocuments(tx, store, products, { names, now })
    written += products.length
  }
  if (written > 0) bumpRevision(tx, catalogOf(store.id))
}
