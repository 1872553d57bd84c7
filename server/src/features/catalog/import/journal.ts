import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { SWEEP_BATCH, statement } from '../../../platform/postgres/statement.ts'
import { type ProductState, readProductStates } from '../writing/product-records.ts'
import type { BeforeProducts } from '../writing/product-writes.ts'

/** The number of days in which an import can be undone. */
export const UNDO_RETENTION_DAYS = 30

/** The outcome of an undo for a product. */
export type UndoOutcome = 'archived' | 'removed' | 'restored' | 'changed_since' | 'gone'

/** The state of a product before an import. Older entries do not say what was counted. */
export type EarlierState = Pick<ProductState, 'line' | 'onHand'> & Partial<Pick<ProductState, 'counted'>>

/** A product that an import has written. */
export interface JournalEntry {
  readonly product_id: string
  readonly version: number
  /** `null`: the import created it. */
  readonly before: EarlierState | null
  readonly outcome: UndoOutcome | null
}

// A product with two lines is restored to its state before the first of them.
const add = statement(
  'catalog.add_to_import_journal',
  `insert into catalog_import_products (import_id, product_id, version, before, written_at)
   select $1, product_id, version, before, $3
   from jsonb_to_recordset($2::jsonb) as said (product_id text, version integer, before jsonb)
   on conflict (import_id, product_id) do update set version = excluded.version`,
)

/** Records the state of the products of an import before it. */
export function journalOf(importId: string, now: Date): BeforeProducts {
  return async (tx, products) => {
    const known = products.filter(({ isNew }) => !isNew).map(({ id }) => id)
    const states = known.length === 0 ? [] : await readProductStates(tx, known)
    const before = new Map(states.map(({ id, line, onHand, counted }) => [id, { line, onHand, counted }]))
    const rows = products.map(({ id, version }) => ({ product_id: id, version, before: before.get(id) ?? null }))
    tx.write(add, [importId, JSON.stringify(rows), now])
  }
}

const read = statement<JournalEntry>(
  'catalog.read_import_journal',
  `select product_id, version, before, outcome from catalog_import_products
   where import_id = $1 and product_id > $2 and ($3::text is null and outcome is null or outcome = $3)
   order by product_id limit $4`,
)

interface JournalPage {
  readonly importId: string
  readonly after: string
  readonly outcome: UndoOutcome | null
  readonly limit: number
}

/** Lists products of an import with an outcome, ordered by id. */
export function readJournal(reader: Reader, { importId, after, outcome, limit }: JournalPage): Promise<JournalEntry[]> {
  return reader.rows(read, [importId, after, outcome, limit])
}

// Saves the version that the undo wrote: a product that is changed later is not removed.
const settle = statement(
  'catalog.settle_import_journal',
  `update catalog_import_products journal set outcome = said.outcome,
     version = coalesce((select version from products where id = journal.product_id), journal.version)
   from unnest($2::text[], $3::text[]) as said (product_id, outcome)
   where journal.import_id = $1 and journal.product_id = said.product_id`,
)

/** Saves the outcomes of products. */
export function settleJournal(tx: Transaction, importId: string, outcomes: ReadonlyMap<string, UndoOutcome>): void {
  tx.write(settle, [importId, [...outcomes.keys()], [...outcomes.values()]])
}

/** The number of products with each outcome of an undo, expected or final. */
interface UndoFigures {
  readonly removed: number
  readonly archived: number
  readonly restored: number
  readonly changed_since: number
  readonly gone: number
}

const figures = statement<UndoFigures>(
  'catalog.undo_figures',
  `select count(*) filter (where outcome = 'removed' or is_pending and created and is_same and not is_used)::integer as removed,
     count(*) filter (where is_pending and created and is_same and is_used or outcome = 'archived' and not is_same)::integer
       as archived,
     count(*) filter (where outcome = 'restored' or outcome is null and is_same and not created)::integer as restored,
     count(*) filter (where outcome = 'changed_since' or outcome is null and not is_same)::integer as changed_since,
     count(*) filter (where outcome = 'gone' or outcome is null and is_same is null)::integer as gone
   from (select journal.outcome, coalesce(journal.outcome = 'archived', true) as is_pending, journal.before is null as created, product.version = journal.version as is_same,
       journal.product_id = any($2::text[]) as is_used
     from catalog_import_products journal left join products product on product.id = journal.product_id
     where journal.import_id = $1) as each`,
)

/**
 * Counts the outcomes of an undo. A product that nothing refers to is archived first, and counts as removed. `used`: the products that
 * orders, carts or others refer to, which can only be archived.
 */
export async function undoFigures(reader: Reader, importId: string, used: readonly string[]): Promise<UndoFigures> {
  const row = await reader.row(figures, [importId, used])
  return row ?? { removed: 0, archived: 0, restored: 0, changed_since: 0, gone: 0 }
}

/** A product that an undo leaves as it is. */
interface LeftProduct {
  readonly product_id: string
  readonly name: string | null
  readonly updated_at: Date
}

const left = statement<LeftProduct>(
  'catalog.left_by_undo',
  `select journal.product_id, product.updated_at,
     (select name from product_texts where product_id = product.id order by locale limit 1) as name
   from catalog_import_products journal join products product on product.id = journal.product_id
   where journal.import_id = $1
     and (journal.outcome = 'changed_since' or journal.outcome is null and product.version <> journal.version)
   order by journal.product_id limit $2`,
)

/** The first products that were changed since the import. */
export function leftByUndo(reader: Reader, importId: string, limit: number): Promise<LeftProduct[]> {
  return reader.rows(left, [importId, limit])
}

const created = statement<{ product_id: string }>(
  'catalog.created_by_import',
  `select product_id from catalog_import_products where import_id = $1 and product_id > $2 and before is null
     and (outcome is null or outcome = 'archived') order by product_id limit $3`,
)

const CREATED_PAGE = 1000

/** The products that an import created and that were not removed, in pages: there can be a million. No page is empty. */
export async function* createdByImport(reader: Reader, importId: string): AsyncGenerator<readonly string[], void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: string[] = (await reader.rows(created, [importId, after, CREATED_PAGE])).map(
      ({ product_id }) => product_id,
    )
    if (page.length > 0) yield page
    after = page[CREATED_PAGE - 1]
  }
}

export const sweepImportJournal = statement(
  'sweep.catalog_import_products',
  `delete from catalog_import_products where written_at < $1 and ctid = any (array (
     select ctid from catalog_import_products where written_at < $1 order by written_at limit ${SWEEP_BATCH}))`,
)
