import { setTimeout as delay } from 'node:timers/promises'
import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { JobHandlers } from '../../../platform/jobs/index.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import type { LocalizedText } from '../stored-json.ts'
import { catalogOf } from '../subjects.ts'
import { CategoryCache } from './category-cache.ts'
import { SLICE } from './draft-writes.ts'
import { writeSearchDocuments } from './listing-writes.ts'
import { productDraft } from './product-draft.ts'
import { readProductLines } from './product-records.ts'
import { enqueueReindex, REINDEX_ALL_JOB, REINDEX_JOB, type ReindexBatch } from './reindex-job.ts'
import { storeForWriting } from './store-writes.ts'

/** Products per transaction, as in an import. */
const BATCH = 500

const readNames = statement<{ names: LocalizedText }>('catalog.names_now', 'select names from categories where id = $1')
// Ordered by primary key, so that all batches together scan the products once.
const productsIn = statement<{ id: string; slug: string }>(
  'catalog.products_in_category',
  `select product.id, store.slug from products product join stores store on store.id = product.store_id
   where ($1::text is null or $1 = any(product.lineage)) and product.id > $2 order by product.id limit $3`,
)

// The ancestors of all categories of a product, each once, in the order of `lineageOf`.
const placeProducts = statement(
  'catalog.place_products',
  `update products product set lineage = placed.lineage from (
     select each.id, array(
       select above from unnest(each.category_ids) with ordinality as said (id, nth)
       join categories category on category.id = said.id
       cross join unnest(category.lineage) with ordinality as level (above, depth)
       group by above order by min(array[said.nth, level.depth])) as lineage
     from products each where each.id = any($1::text[])) as placed
   where product.id = placed.id and product.lineage <> placed.lineage`,
)
const placeListings = statement(
  'catalog.place_listings',
  `with superseded as (
     update listings listing set superseded_by = pg_current_xact_id(), superseded_at = $2
     from products product
     where listing.product_id = any($1::text[]) and listing.superseded_by is null and product.id = listing.product_id
       and listing.lineage <> product.lineage
     returning listing.*, product.lineage as placed)
   insert into listings (product_id, store_id, currency, locale, price_min, price_max, published_at, name_key, brand,
     lineage, option_values)
   select product_id, store_id, currency, locale, price_min, price_max, published_at, name_key, brand, placed,
     option_values from superseded`,
)
// Transactions that write products lock their store before they read categories, and so hold this lock of the table.
const openWriters = statement<{ id: string }>(
  'catalog.open_writers',
  `select virtualtransaction as id from pg_locks
   where locktype = 'relation' and mode = 'RowShareLock' and pid <> pg_backend_pid() and relation = 'stores'::regclass
     and database = (select oid from pg_database where datname = current_database())`,
)
const WRITERS_WAIT_MS = 50
/** Less than a lease. */
const WRITERS_WAITS_MAX = 600

/** Longer than two versions run side by side. Both do the jobs of the kinds that they know. */
const UPGRADE_MS = 3_600_000

export function catalogJobs(): JobHandlers {
  return {
    [REINDEX_JOB]: async ({ payload }, { database, ids, now, isStopping }) => {
      const batch = payload as ReindexBatch
      if (batch.after === '' && !(await writersEnd(database, isStopping))) return now
      await database.transaction((tx) => reindexBatch(tx, batch, { ids, now }))
      return undefined
    },
    [REINDEX_ALL_JOB]: async (_job, { ids, now }) => {
      return (tx) => enqueueReindex(tx, null, { ids, now: new Date(now.getTime() + UPGRADE_MS) })
    },
  }
}

/**
 * Waits for open transactions. They may have read the categories before the change, and nothing finds the products that they write
 * until they end.
 *
 * @returns false if they have not ended in time
 */
async function writersEnd(database: Database, isStopping: () => boolean): Promise<boolean> {
  const readOpen = async () => new Set((await database.transaction((tx) => tx.rows(openWriters))).map(({ id }) => id))
  let open = await readOpen()
  for (let waits = 0; open.size > 0; waits += 1) {
    if (isStopping() || waits === WRITERS_WAITS_MAX) return false
    await delay(WRITERS_WAIT_MS)
    open = open.intersection(await readOpen())
  }
  return true
}

/**
 * Places a batch of products in or below a renamed or moved category, or of all, rewrites their search documents, and enqueues the next
 * batch. The products themselves have not changed: they keep their version, and no event is published.
 */
async function reindexBatch(
  tx: Transaction,
  { categoryId, after }: ReindexBatch,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  const found = await tx.rows(productsIn, [categoryId, after, BATCH])
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
  let written = await tx.change(placeProducts, [productIds])
  tx.write(placeListings, [productIds, now])
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
