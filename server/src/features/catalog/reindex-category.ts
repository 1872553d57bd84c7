import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { JobHandlers } from '../../platform/jobs/index.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { CategoryBook } from './category-book.ts'
import { RENAMED_JOB, type RenamedPart, tellRenamed } from './category-renames.ts'
import { writeSearched } from './listing-writes.ts'
import type { LocalisedText } from './locale.ts'
import { draftOf } from './operate.ts'
import { readProductLines } from './product-lines.ts'
import { storeForWriting } from './store-writes.ts'
import { catalogueOf } from './subjects.ts'

/** Products that one transaction writes: an import holds its store as long. */
const BATCH = 500

const namesNow = statement<{ names: LocalisedText }>('catalog.names_now', 'select names from categories where id = $1')
// By the primary key, so that all batches together read the products once.
const publishedIn = statement<{ id: string; slug: string }>(
  'catalog.published_in_category',
  `select product.id, store.slug from products product join stores store on store.id = product.store_id
   where $1 = any(product.lineage) and product.status = 'published' and product.id > $2 order by product.id limit $3`,
)

/** What is done after a category was renamed. */
export function catalogJobs(): JobHandlers {
  return {
    [RENAMED_JOB]: async ({ payload }, { database, ids, now }) => {
      await database.transaction((tx) => reindexPart(tx, payload as RenamedPart, { ids, now }))
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
  { categoryId, after }: RenamedPart,
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

  if (found.length === BATCH) tellRenamed(tx, categoryId, { ids, now }, last.id)
}

async function reindexInStore(
  tx: Transaction,
  slug: string,
  { categoryId, productIds, now }: { readonly categoryId: string; readonly productIds: string[]; readonly now: Date },
): Promise<void> {
  // Nobody writes in the store from here on, so what is read now is what stands there afterwards.
  const store = present(await storeForWriting(tx, slug), 'a product has its store')
  const [book, category, read] = await Promise.all([
    CategoryBook.read(tx, store.id),
    tx.row(namesNow, [categoryId]),
    readProductLines(tx, productIds),
  ])

  const products = read.flatMap(({ id, line }) => {
    const draft = draftOf(line)
    if (draft.kind !== 'product' || draft.product.status !== 'published') return []
    const categories = draft.product.categories.map((path) =>
      present(book.find(path.slugs), 'a product stands in categories that there are'),
    )
    return [{ id, draft: draft.product, categories }]
  })

  if (products.length === 0) return
  writeSearched(tx, store, products, { names: Object.values(category?.names ?? {}), now })
  bumpRevision(tx, catalogueOf(store.id))
}
