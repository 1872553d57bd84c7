import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Database, openDatabase, statement } from '@vitrine/server'
import { ODD_PRODUCTS, oddProducts, writeOddCatalog } from '../../test/support/commerce/odd-products.ts'
import { shopifyProducts, shopifyTable } from '../../test/support/commerce/shopify-table.ts'
import { ceilingFigure, type Figure } from './figure.ts'
import { type Environment, runVitrine } from './vitrine-process.ts'

const LOOP_DELAY_MS = 50
/** For 19,406 products. */
const IMPORT_SECONDS = 90
/** The share of the products in the table with other columns, every second one in six variants. */
const TABLE_SHARE = 1 / 5
const POLL_MS = 200

export interface Bulk {
  readonly operatorDoor: string
  readonly databaseUrl: string
  /** For the files. */
  readonly folder: string
  readonly environment: Environment
  /** Catalog files to import instead of generated ones. */
  readonly files: readonly string[] | null
  /** The number of generated products. */
  readonly products?: number
}

/** Measures jobs of a running server on a whole catalog, and the delay of its timers meanwhile. */
export async function bulkJobs({
  operatorDoor,
  databaseUrl,
  folder,
  environment,
  files,
  products: count = ODD_PRODUCTS,
}: Bulk): Promise<Figure[]> {
  const imported = async (file: string, store: string) => {
    const { created, updated } = await runVitrine<{ created: number; updated: number }>(
      ['catalog', 'import', file, '--store', store],
      environment,
    )
    return created + updated
  }
  const figures: Figure[] = []
  const measure = async (name: string, work: () => Promise<number>) => {
    await loopDelayMs(operatorDoor)
    const startedAt = performance.now()
    const products = await work()
    const seconds = (performance.now() - startedAt) / 1000
    const delayMs = await loopDelayMs(operatorDoor)
    if (products === 0) throw new Error(`${name} of no product`)
    const of = `${name} of ${products.toLocaleString('en')} products`
    figures.push(
      ceilingFigure(of, 's', seconds, (IMPORT_SECONDS * products) / ODD_PRODUCTS),
      ceilingFigure(`delay of the event loop during the ${name}, p99`, 'ms', delayMs, LOOP_DELAY_MS),
    )
  }
  const catalogs = files ?? [await writeOddCatalog(folder, oddProducts(count))]
  await measure('import', async () => {
    let products = 0
    for (const file of catalogs) products += await imported(file, 'bench')
    return products
  })
  if (!files) {
    await measure('restock', async () => {
      const restocked = oddProducts(count).map((product) => ({ ...product, stock: product.stock + 1 }))
      return imported(await writeOddCatalog(folder, restocked), 'bench')
    })
  }
  await measure('import of a table by its columns', async () => {
    const file = join(folder, 'table.csv.gz')
    await writeFile(file, gzipSync(shopifyTable(shopifyProducts(Math.ceil(count * TABLE_SHARE)))))
    return imported(file, 'bench-table')
  })
  const database = openDatabase({ url: databaseUrl, readersMax: 1 })
  await measure('search index after a category was renamed', () => renameLargest(database, environment)).finally(() =>
    database.close(),
  )
  return figures
}

interface Category {
  readonly id: string
  readonly names: Readonly<Record<string, string>>
  readonly productCount: number
}

const unfinished = statement<{ jobs: bigint }>(
  'bench.unfinished_jobs',
  "select count(*) as jobs from jobs where kind = 'catalog.category_renamed'",
)

/** @returns the number of products whose search documents contain it */
async function renameLargest(database: Database, environment: Environment): Promise<number> {
  const { items } = await runVitrine<{ items: readonly Category[] }>(['operator', 'listCategories'], environment)
  const [largest] = items.toSorted((one, other) => other.productCount - one.productCount)
  if (largest === undefined) throw new Error('There are no categories.')
  const names = Object.fromEntries(Object.entries(largest.names).map(([locale, name]) => [locale, `${name} renamed`]))
  const args = ['--param', `categoryId=${largest.id}`, '--body', JSON.stringify({ names })]
  await runVitrine(['operator', 'updateCategory', ...args], environment)
  while ((await database.reader.row(unfinished))?.jobs !== 0n) await pause(POLL_MS)
  return largest.productCount
}

/** The delay of the server's timers since the last call, as the 99th percentile. */
async function loopDelayMs(operatorDoor: string): Promise<number> {
  const metrics = await (await fetch(`${operatorDoor}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(metrics)?.[1]
  if (seconds === undefined) throw new Error('The operator door does not report the delay of the event loop.')
  return Number(seconds) * 1000
}
