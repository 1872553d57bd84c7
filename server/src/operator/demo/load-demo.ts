import { pictureLinker, readDemoLines } from '../../../demo/index.ts'
import { prepareStoreAccess, setStoreAccess } from '../../features/access/index.ts'
import { importCatalog } from '../../features/catalog/index.ts'
import { assert } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import { writeDemoLicenses } from './demo-licenses.ts'
import { writeDemoRules } from './demo-rules.ts'
import { writeDemoSite } from './demo-site.ts'
import { demoStores, findKnownIds } from './known-ids.ts'

export interface DemoRequest {
  readonly database: Pick<Database, 'reader' | 'transaction'>
  readonly ids: IdSource
  readonly now: Date
  readonly randomness: Randomness
  /** Seals license keys. */
  readonly keyring: Keyring
  /** URL of the pages door, without a trailing slash: pictures are served there. */
  readonly pagesUrl: string
  /** Called after each step, with the number of catalog lines. */
  readonly onProgress?: (done: number, total: number) => void
}

/** How many products were created, and how many existed already. */
export interface DemoReport {
  readonly created: number
  readonly unchanged: number
}

/** The password of the store `atelier`, an example of a gated store. It is in the description of the store. */
const GATE_PASSWORD = 'open sesame'

/** The subject of the revision that marks the demo as loaded. */
const SUBJECT = 'demo'

const loaded = statement<{ subject: string }>('demo.loaded', `select subject from revisions where subject = $1`)
/** Two processes that start at once would both write the rules. The key can be any number that nothing else locks. */
const lock = statement('demo.lock', `select pg_advisory_xact_lock(hashtextextended('vitrine demo', 0))`)

/**
 * Loads the demo: stores, categories and products through the import, then tax, shipping, promotions, keys and the site's own
 * content in one transaction, together with the mark that it is loaded. Once marked, nothing is written again, so that changes by an
 * operator stay. An interrupted load can be started again and skips what exists.
 *
 * Errors: failures of the database.
 */
export async function loadDemo({
  database,
  ids,
  now,
  randomness,
  keyring,
  pagesUrl,
  onProgress,
}: DemoRequest): Promise<DemoReport> {
  const stores = demoStores()
  const products = stores.flatMap((slug) => readDemoLines(`products/${slug}.jsonl`))
  if (await database.reader.row(loaded, [SUBJECT])) return { created: 0, unchanged: products.length }

  const linkPictures = pictureLinker(pagesUrl)
  const structure = [...readDemoLines('stores.jsonl'), ...readDemoLines('categories.jsonl')]
  const total = structure.length + products.length
  const load = async (lines: readonly string[], before: number) => {
    const report = await importCatalog({
      database,
      ids,
      now,
      storeSlug: stores[0],
      source: lines.map(linkPictures),
      onProgress: ({ read }) => onProgress?.(before + read, total),
    })
    assert(report.refused.length === 0, `the demo's own lines are refused: ${JSON.stringify(report.refused[0])}`)
    return report
  }
  await load(structure, 0)
  const { created, updated, unchanged } = await load(products, structure.length)

  const gate = await prepareStoreAccess({ slug: 'atelier', mode: 'password', password: GATE_PASSWORD })
  await database.transaction(async (tx) => {
    await tx.row(lock)
    if (await tx.row(loaded, [SUBJECT])) return
    const known = await findKnownIds(tx)
    writeDemoRules(tx, known, ids, now)
    await writeDemoLicenses(tx, { known, ids, now, randomness, keyring })
    await writeDemoSite(tx, { known, ids, now, linkPictures })
    await setStoreAccess(tx, gate, now)
    bumpRevision(tx, SUBJECT)
  })
  return { created, unchanged: updated + unchanged }
}
