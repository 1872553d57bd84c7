import { decorations, promotions, stores } from '../../../demo/index.ts'
import { importCatalogue } from '../../features/catalog/index.ts'
import { assert } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { SourceLine } from '../../platform/line-files/line-file.ts'
import { type Database, type Reader, statement } from '../../platform/postgres/index.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { productLines, structureLines } from './catalogue-lines.ts'
import { writeDemoLicences } from './demo-licences.ts'
import { type KnownIds, writeDemoRules } from './demo-rules.ts'
import { writeDemoSite } from './demo-site.ts'

export interface DemoRequest {
  readonly database: Pick<Database, 'reader' | 'transaction'>
  readonly ids: IdSource
  readonly now: Date
  readonly randomness: Randomness
  /** Where the pages door is reached, without a slash at the end: pictures are served there. */
  readonly pagesUrl: string
  /** Told after each step, in lines of the catalogue. */
  readonly onProgress?: (done: number, total: number) => void
}

/** How many products were made, and how many were there already. */
export interface DemoReport {
  readonly created: number
  readonly unchanged: number
}

/** The revision that says that the demo has been loaded. */
const SUBJECT = 'demo'

const loaded = statement<{ subject: string }>('demo.loaded', `select subject from revisions where subject = $1`)
/** Two processes that start at once would both write the rules. Any number will do that nobody else locks. */
const lock = statement('demo.lock', `select pg_advisory_xact_lock(hashtextextended('vitrine demo', 0))`)

/**
 * Loads the demo: stores, categories and products through the import, then tax, shipping, promotions, keys and the site's own
 * content in one transaction with the mark that it is done. Once marked, nothing is read or written again, so that what an operator
 * changes stays changed. An interrupted load is begun again and passes over what is there.
 *
 * Errors: failures of the database.
 */
export async function loadDemo({
  database,
  ids,
  now,
  randomness,
  pagesUrl,
  onProgress,
}: DemoRequest): Promise<DemoReport> {
  const products = [...productLines(pagesUrl)]
  if (await database.reader.row(loaded, [SUBJECT])) return { created: 0, unchanged: products.length }

  const structure = [...structureLines(pagesUrl)]
  const total = structure.length + products.length
  const load = async (lines: readonly object[], before: number) => {
    const report = await importCatalogue({
      database,
      ids,
      now,
      storeSlug: stores[0]!.slug,
      source: numbered(lines),
      onProgress: ({ read }) => onProgress?.(before + read, total),
    })
    assert(report.refused.length === 0, `the demo's own lines are refused: ${JSON.stringify(report.refused[0])}`)
    return report
  }
  await load(structure, 0)
  const { created, updated, unchanged } = await load(products, structure.length)

  await database.transaction(async (tx) => {
    await tx.row(lock)
    if (await tx.row(loaded, [SUBJECT])) return
    const known = await knownIds(tx)
    writeDemoRules(tx, known, ids, now)
    await writeDemoLicences(tx, { ids, now, randomness })
    await writeDemoSite(tx, { known, ids, now, pagesUrl })
    bumpRevision(tx, SUBJECT)
  })
  return { created, unchanged: updated + unchanged }
}

function* numbered(lines: readonly object[]): Generator<SourceLine> {
  for (const [index, value] of lines.entries()) yield { line: index + 1, value }
}

interface Named {
  readonly slug: string
  readonly id: string
}

const storesBySlug = statement<Named>('demo.stores', 'select slug, id from stores where slug = any($1)')
const productsBySlug = statement<Named>('demo.products', 'select slug, id from products where slug = any($1)')
const categoriesBySlug = statement<Named>(
  'demo.categories',
  'select slug, id from categories where store_id is null and slug = any($1)',
)

async function knownIds(reader: Reader): Promise<KnownIds> {
  const selections = promotions.flatMap(({ lines, effect }) => [lines, 'gets' in effect ? effect.gets : undefined])
  const blocks = Object.values(decorations).flatMap(({ pages }) => pages.flatMap((page) => page.blocks))
  const shown = blocks.flatMap((block) => (block.type === 'products' ? block.products : []))
  const entered = blocks.flatMap((block) => (block.type === 'categories' ? block.categories : []))
  const [storeRows, productRows, categoryRows] = await Promise.all([
    reader.rows(storesBySlug, [stores.map(({ slug }) => slug)]),
    reader.rows(productsBySlug, [[...shown, ...selections.flatMap((selection) => selection?.products ?? [])]]),
    reader.rows(categoriesBySlug, [[...entered, ...selections.flatMap((selection) => selection?.categories ?? [])]]),
  ])
  return { stores: bySlug(storeRows), products: bySlug(productRows), categories: bySlug(categoryRows) }
}

function bySlug(rows: readonly Named[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}
