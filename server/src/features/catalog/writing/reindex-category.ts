import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { bumpRevision } from '../../../platform/freshness/revision.ts'
import type { JobHandlers } from '../../../platform/jobs/index.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText } from '../stored-json.ts'
import { catalogOf } from '../subjects.ts'
import { CategoryCache } from './category-cache.ts'
import { REINDEX_JOB, type ReindexBatch, enqueueReindex } from './reindex-job.ts'
import { writeSearchDocuments } from './listing-writes.ts'
import { productDraft } from './product-draft.ts'
import { readProductLines } from './product-records.ts'
import { storeForWriting } from './store-writes.ts'

/** Products that one transaction writes: an import holds its store as long. */
const BATCH = 500

const namesNow = statement<{ names: LocalizedText }>('catalog.names_now', 'select names from categories where id = $1')
// By the primary key, so that all batches together read the products once.
const publishedIn = statement<{ id: string; slug: string }>(
  'catalog.published_in_category',
  `select product.id, store.slug from products product join stores store on store.id = product.store_id
   where $1 = any(product.lineage) and product.status = 'published' and product.id > $2 order by product.id limit $3`,
)

/** What is done after a category was renamed. */
export function catalogJobs(): JobHandlers {
  return {
    [REINDEX_JOB]: async ({ payload }, { database, ids, now }) => {
      await database.transaction((tx) => reindexPart(tx, payload as ReindexBatch, { ids, now }))
      return undefined
    },
  }
}

/**
 * Writes what is searched of the next products in or below a renamed category, and leaves those behind them to the next job.
 * The products themselves have not changed, so they keep their version, and nobody is told of them.
 */
async function reindexPart(
  tx: Transaction,
  { categoryId, after }: ReindexBatch,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  const found = await tx.rows(publishedIn, [categoryId, after, BATCH])
  const last = found.at(-1)
  if (last === undefined) return
  const byStore = Map.groupBy(found, ({ slug }) => slug)

  // Always in this order: two categories may have products of the same stores.
  for (const slug of [...byStore.keys()].sort()) {
    await reindexInStore(tx, slug, { categoryId, productIds: byStore.get(slug)!.map(({ id }) => id), now })
  }

  if (found.length === BATCH) enqueueReindex(tx, categoryId, { ids, now }, last.id)
}

async function reindexInStore(
  tx: Transaction,
  slug: string,
  { categoryId, productIds, now }: { readonly categoryId: string; readonly productIds: string[]; readonly now: Date },
): Promise<void> {
  // Nobody writes in the store from here on, so what is read now is what stands there afterwards.
  const store = present(await storeForWriting(tx, slug), 'a product has its store')
  const [book, category, read] = await Promise.all([
    CategoryCache.read(tx, store.id),
    tx.row(namesNow, [categoryId]),
    readProductLines(tx, productIds),
  ])

  const products = read.flatMap(({ id, line }) => {
    const draft = productDraft(line)
    if (draft.status !== 'published') return []
    const categories = draft.categories.map((path) =>
      present(book.find(path.slugs), 'the categories of a stored product exist'),
    )
    return [{ id, draft, categories }]
  })

  if (products.length === 0) return
  writeSearchDocuments(tx, store, products, { names: Object.values(category?.names ?? {}), now })
  bumpRevision(tx, catalogOf(store.id))
}
