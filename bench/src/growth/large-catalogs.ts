import { readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  type Database,
  idSource,
  importCatalog,
  logger,
  migrate,
  openDatabase,
  statement,
  systemClock,
  systemRandomness,
} from '@vitrine/server'
import { Client } from 'pg'
import { storeGrants } from '../../../server/src/features/access/index.ts'
import { CatalogCounts, catalogOperations } from '../../../server/src/features/catalog/index.ts'
import { writeLargeCatalog } from '../../../test/support/commerce/large-catalog.ts'
import { oddLine, oddProducts } from '../../../test/support/commerce/odd-products.ts'
import { ceilingFigure, type Figure, interleaved } from '../figure.ts'
import type { Chart, Curve } from './curves.ts'
import { inDatabase, writeGrowth } from './results.ts'

const ROUNDS = 5
/** Pages of a round. */
const PER_ROUND = 5
/** Rounds before the measured ones: Node compiles code that has run often. */
const WARM_UP = 5
/** Changes that sell a SKU out or restock it. */
const STOCK_CHANGES_PER_SECOND = 100
const MEMORY_MB_PER_MILLION = 60
/** For tables of hashes and values that a catalog of any size has. */
const MEMORY_MB_MIN = 1
const LOOP_DELAY_MS = 50
/** Products that are imported into a catalog of each size. */
const IMPORTED = 2000
/** From this size on, PostgreSQL takes so long to count that it is measured only once. */
const LARGE = 100_000

const PAGES = {
  list: {},
  category: { category: ['root-0'] },
  'four filters': {
    category: ['root-3'],
    'option.color': ['blue', 'red'],
    priceMin: 1000,
    availability: 'in_stock',
  },
} as const
type Page = keyof typeof PAGES
/** Processor time that the pages without further filters may take, by the number of products. */
const GOALS_MS: ReadonlyMap<number, number> = new Map([
  [200_000, 25],
  [1_000_000, 60],
])

interface Measured {
  readonly products: number
  readonly memoryMb: number
  readonly readMs: number
  readonly loopDelayP99Ms: number
  /** Processor time of one more product. */
  readonly importMs: number
  /** Processor time of the process and its connection. */
  readonly inMemoryMs: Readonly<Record<Page, number>>
  /** `null`: canceled after 15 s. */
  readonly inPostgresMs: Readonly<Record<Page, number | null>>
}

/**
 * Measures uncached first pages with facets and totals over generated catalogs, while stock changes: counted in memory and counted by
 * PostgreSQL. Writes `bench/results/catalog.json` and its curves.
 *
 * @param serverUrl the URL of any database on this machine, as a superuser
 */
export async function largeCatalogs(
  serverUrl: string,
  sizes: readonly number[],
  note: (sentence: string) => void,
): Promise<Figure[]> {
  const all: Measured[] = []
  for (const products of sizes) {
    note(`Writing and measuring a catalog of ${products.toLocaleString('en')} products.`)
    all.push(await inDatabase(serverUrl, 'bench_catalog', (url) => measured(url, products)))
  }
  await writeResults(all)
  return all.flatMap(figuresOf)
}

const backendId = statement<{ id: number }>('bench.backend_id', 'select pg_backend_pid() as id')

async function measured(url: string, products: number): Promise<Measured> {
  await migrate(url)
  await writeLargeCatalog(url, { products })
  // One connection of each kind, so that all of their processor time is seen.
  const database = openDatabase({ url, readersMax: 1, writersMax: 1 })
  const backend = (await database.reader.row(backendId))!.id
  const stopStock = changeStock(url, products)
  const counts = new CatalogCounts({ reader: database.reader, log: logger('warn') })
  try {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const startedMs = await processorMs(backend)
    await counts.ready()
    const readMs = (await processorMs(backend)) - startedMs
    delay.disable()
    const lists = { inMemory: listOf(database, counts), inPostgres: listOf(database, null) }
    const pages = await measuredPages(products, (by, page) => timed(backend, () => lists[by](PAGES[page])))
    const memoryMb = counts.bytes / 1e6
    const importMs = await importedMs(database)
    return { products, memoryMb, readMs, loopDelayP99Ms: delay.percentile(99) / 1e6, importMs, ...pages }
  } finally {
    await stopStock()
    await counts.stop()
    await database.close()
  }
}

/** Processor time per product of an import into the catalog. Milliseconds. */
async function importedMs(database: Database): Promise<number> {
  const backend = (await database.transaction((tx) => tx.row(backendId)))!.id
  const source = oddProducts(IMPORTED).map((product) => JSON.stringify(oddLine(product)))
  const ids = idSource(systemClock, systemRandomness())
  const before = await processorMs(backend)
  await importCatalog({ database, storeSlug: 'bench', source, now: systemClock.now(), ids })
  return ((await processorMs(backend)) - before) / IMPORTED
}

/** The operation as the public door calls it, without HTTP and the validation of the response. */
function listOf(database: Database, counts: CatalogCounts | null): (query: object) => Promise<unknown> {
  const secret = Buffer.alloc(32, 7)
  const { listCatalogProducts } = catalogOperations({
    cursorSecret: secret,
    grants: storeGrants(secret),
    reader: database.reader,
    counts,
  })
  const list = listCatalogProducts as unknown as (input: object, context: object) => Promise<unknown>
  const context = {
    reader: database.reader,
    languages: ['en'],
    environment: 'live',
    dependsOn: () => {},
    revisionOf: () => '1',
  }
  return (query) => list({ params: {}, query, body: null }, context)
}

async function timed(backend: number, list: () => Promise<unknown>): Promise<number> {
  const startedMs = await processorMs(backend)
  // The processor time of the connection has a resolution of 10 ms: only the mean of several pages means something.
  for (let nth = 0; nth < PER_ROUND; nth += 1) await list()
  return ((await processorMs(backend)) - startedMs) / PER_ROUND
}

async function measuredPages(
  products: number,
  time: (by: 'inMemory' | 'inPostgres', page: Page) => Promise<number>,
): Promise<Pick<Measured, 'inMemoryMs' | 'inPostgresMs'>> {
  const inMemoryMs: [string, number][] = []
  const inPostgresMs: [string, number | null][] = []
  for (const page of Object.keys(PAGES) as Page[]) {
    for (let round = 0; round < WARM_UP; round += 1) await time('inMemory', page)
    // On a large catalog the query is canceled after 15 s.
    const byPostgres = () => time('inPostgres', page).catch(() => Number.NaN)
    const isLarge = products >= LARGE
    const runs = isLarge ? [() => time('inMemory', page)] : [() => time('inMemory', page), byPostgres]
    const [ours = 0, theirs = await byPostgres()] = await interleaved(ROUNDS, runs)
    inMemoryMs.push([page, ours])
    inPostgresMs.push([page, Number.isNaN(theirs) ? null : theirs])
  }
  return {
    inMemoryMs: Object.fromEntries(inMemoryMs) as Measured['inMemoryMs'],
    inPostgresMs: Object.fromEntries(inPostgresMs) as Measured['inPostgresMs'],
  }
}

/** The processor time of this process and of a connection. Stock is changed on another connection. */
async function processorMs(backend: number): Promise<number> {
  const { user, system } = process.cpuUsage()
  const stat = await readFile(`/proc/${backend}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (user + system) / 1000 + (Number(fields[11]) + Number(fields[12])) * 10
}

/** Sells SKUs out and restocks them until it is stopped. */
function changeStock(url: string, products: number): () => Promise<void> {
  const client = new Client({ connectionString: url })
  const connected = client.connect()
  let last: Promise<unknown> = connected
  let nth = 0
  const timer = setInterval(() => {
    nth += 1
    const sku = `sku_01${(((nth * 7919) % products) * 8 + 8).toString(16).padStart(24, '0')}`
    last = last.then(() => client.query(CHANGE, [sku]))
  }, 1000 / STOCK_CHANGES_PER_SECOND)
  return async () => {
    clearInterval(timer)
    await last
    await client.end()
  }
}

const CHANGE = `update stock_levels set on_hand = case when on_hand = held then held + 5 else held end
  where sku_id = $1 and environment = 'live'`

function figuresOf({ products, memoryMb, loopDelayP99Ms, inMemoryMs }: Measured): Figure[] {
  const of = `of ${products.toLocaleString('en')} products`
  const goal = [...GOALS_MS].find(([size]) => products <= size)?.[1] ?? (60 * products) / 1_000_000
  return [
    ceilingFigure(`list ${of} with facets, uncached, processor time`, 'ms', inMemoryMs.list, goal),
    ceilingFigure(`category ${of} with facets, uncached, processor time`, 'ms', inMemoryMs.category, goal),
    ceilingFigure(
      `memory for facets ${of}`,
      'MB',
      memoryMb,
      MEMORY_MB_MIN + (MEMORY_MB_PER_MILLION * products) / 1_000_000,
    ),
    ceilingFigure(`event loop while reading ${of}, p99`, 'ms', loopDelayP99Ms, LOOP_DELAY_MS),
  ]
}

function writeResults(measured: readonly Measured[]): Promise<void> {
  return writeGrowth('catalog', measured, ({ products }) => products, chartsOf)
}

function chartsOf(all: readonly Measured[]): Readonly<Record<string, readonly [Chart, readonly Curve[]]>> {
  const curve = (name: string, read: (each: Measured) => number | null) => ({
    name,
    points: all.flatMap((each): [number, number][] => {
      const value = read(each)
      return value === null ? [] : [[each.products, value]]
    }),
  })
  const pages = (Object.keys(PAGES) as Page[]).flatMap((page) => [
    curve(page, ({ inMemoryMs }) => inMemoryMs[page]),
    curve(`${page}, in PostgreSQL`, ({ inPostgresMs }) => inPostgresMs[page]),
  ])
  const chart = (title: string, unit: string) => ({ title, unit, below: 'products' })
  return {
    catalog: [chart('Processor time of a first page with facets, nothing cached', 'ms'), pages],
    'catalog-memory': [chart('Memory for facets in each process', 'MB'), [curve('facets', ({ memoryMb }) => memoryMb)]],
    'catalog-import': [
      chart('Processor time of importing one more product, and of reading the catalog at the start', 'ms'),
      [curve('import of a product', ({ importMs }) => importMs), curve('reading for facets', ({ readMs }) => readMs)],
    ],
  }
}
