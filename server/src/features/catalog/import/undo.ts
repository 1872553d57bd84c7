import { isDeepStrictEqual } from 'node:util'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { CategoryCache } from '../writing/category-cache.ts'
import { writeDrafts } from '../writing/draft-writes.ts'
import { type ProductDraft, productDraft } from '../writing/product-draft.ts'
import { type ProductState, readProductStates } from '../writing/product-records.ts'
import { storeForWriting } from '../writing/store-writes.ts'
import {
  createdByImport,
  type EarlierState,
  type JournalEntry,
  readJournal,
  settleJournal,
  type UndoOutcome,
} from './journal.ts'

/** Products per transaction. */
const BATCH = 100
/** Time for webhooks to announce that a product is no longer for sale, before it is removed. */
const REMOVED_AFTER_MS = 2 * 60_000

/** Finds those of the products that orders, carts or others refer to. */
export type FindUsedProducts = (reader: Reader, productIds: readonly string[]) => Promise<readonly string[]>

/** Decides the outcome of an undo for a product; pure. */
export function undoOutcomeOf(entry: JournalEntry, now: Pick<ProductState, 'version'> | undefined): UndoOutcome {
  if (now === undefined) return 'gone'
  if (now.version !== entry.version) return 'changed_since'
  return entry.before === null ? 'archived' : 'restored'
}

/**
 * The earlier line of a product. Where the import declared another stock, its stock is the earlier one on hand minus the units that
 * have gone since, if it was counted; pure.
 */
export function restoredLine(before: EarlierState, now: ProductState): ProductState['line'] {
  const skus = before.line.skus.map((sku, index) => {
    const at = now.line.skus.findIndex((each) => isDeepStrictEqual(each.options ?? {}, sku.options ?? {}))
    const current = now.line.skus[at]
    const whole = { ...sku, requiresShipping: sku.requiresShipping ?? true }
    // The stock of a SKU that the import has withdrawn was left too.
    if (current === undefined || current.stock === sku.stock) return whole
    if (!(before.counted?.[index] ?? typeof sku.stock === 'number')) return { ...whole, stock: null }
    const gone = typeof current.stock === 'number' ? current.stock - (now.onHand[at] ?? current.stock) : 0
    return { ...whole, stock: Math.max(0, (before.onHand[index] ?? sku.stock ?? 0) - gone) }
  })
  return { ...before.line, skus }
}

interface UndoDeps {
  readonly database: Database
  readonly ids: IdSource
  readonly now: Date
  readonly findUsed: FindUsedProducts
  /** Throws to end the run, if the worker is stopping or another one has claimed the job. */
  readonly checkpoint: (tx: Transaction) => Promise<void>
}

/**
 * Restores products to their state before an import, and archives those that it created. After an interruption, the next run continues
 * with the remaining products.
 *
 * @returns when the archived products that nothing refers to can be removed; `null` if the import has created none
 */
export async function undoImport(importId: string, deps: UndoDeps): Promise<Date | null> {
  const { database, now } = deps
  for (;;) {
    const settled = await database.transaction(async (tx) => {
      await deps.checkpoint(tx)
      const entries = await readJournal(tx, { importId, after: '', outcome: null, limit: BATCH })
      if (entries.length > 0) await undoBatch(tx, importId, entries, deps)
      return entries.length
    })
    if (settled < BATCH) break
  }
  const created = await database.transaction((tx) => createdByImport(tx, importId).next())
  return created.done ? null : new Date(now.getTime() + REMOVED_AFTER_MS)
}

const lockStores = statement(
  'catalog.lock_stores_of_products',
  `select pg_advisory_xact_lock(hashtextextended('catalog/' || store_id, 0)) from (
     select distinct store_id from products where id = any($1::text[]) order by store_id) as stores`,
)

async function undoBatch(
  tx: Transaction,
  importId: string,
  entries: readonly JournalEntry[],
  { ids, now }: UndoDeps,
): Promise<void> {
  const productIds = entries.map(({ product_id }) => product_id)
  await tx.rows(lockStores, [productIds])
  const states = new Map((await readProductStates(tx, productIds)).map((state) => [state.id, state]))
  const outcomes = new Map<string, UndoOutcome>()
  const drafts = new Map<string, ProductDraft[]>()
  for (const entry of entries) {
    const state = states.get(entry.product_id)
    const outcome = undoOutcomeOf(entry, state)
    outcomes.set(entry.product_id, outcome)
    if (state === undefined || (outcome !== 'archived' && outcome !== 'restored')) continue
    const line = entry.before ? restoredLine(entry.before, state) : { ...state.line, status: 'archived' as const }
    drafts.set(line.store, [...(drafts.get(line.store) ?? []), productDraft(line)])
  }
  for (const [slug, products] of drafts) {
    const store = await storeForWriting(tx, slug)
    if (!store) continue
    const cache = await CategoryCache.read(tx, store.id)
    await writeDrafts(tx, { store, cache }, products, { ids, now })
  }
  settleJournal(tx, importId, outcomes)
}

const remove = statement<{ id: string }>(
  'catalog.remove_products',
  `delete from products product using catalog_import_products journal
   where journal.import_id = $1 and journal.outcome = 'archived' and product.id = journal.product_id
     and product.id = any($2::text[]) and product.version = journal.version and product.status = 'archived'
     and not exists (select from product_changes change where change.product_id = product.id)
   returning product.id`,
)

const announced = statement(
  'catalog.products_to_announce',
  'select from product_changes where product_id = any($1::text[]) limit 1',
)

/**
 * Removes the archived products of an undone import that nothing refers to. The others stay archived.
 *
 * @returns when to try again, because a change of one is not announced yet; `null` otherwise
 */
export async function removeUnused(
  importId: string,
  { database, now, findUsed, checkpoint }: UndoDeps,
): Promise<Date | null> {
  let isWaiting = false
  for (let after = ''; ; ) {
    const last = await database.transaction(async (tx) => {
      await checkpoint(tx)
      const entries = await readJournal(tx, { importId, after, outcome: 'archived', limit: BATCH })
      const productIds = entries.map(({ product_id }) => product_id)
      const used = new Set(entries.length === 0 ? [] : await findUsed(tx, productIds))
      const unused = productIds.filter((id) => !used.has(id))
      if (unused.length > 0 && (await tx.row(announced, [unused]))) isWaiting = true
      const removed = unused.length === 0 ? [] : await tx.rows(remove, [importId, unused])
      settleJournal(tx, importId, new Map(removed.map(({ id }) => [id, 'removed'])))
      return entries.length < BATCH ? null : productIds.at(-1)!
    })
    if (last === null) return isWaiting ? new Date(now.getTime() + REMOVED_AFTER_MS) : null
    after = last
  }
}
