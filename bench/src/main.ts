import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbedded } from '@vitrine/server'
import { ODD_PRODUCTS, writeOddCatalog } from '../../test/support/commerce/odd-products.ts'
import { bareStatements } from './bare-statements.ts'
import { type CartRequest, carts } from './carts.ts'
import { largeCatalogs } from './catalog/large-catalogs.ts'
import { checkouts } from './checkouts.ts'
import { deliveries, WEBHOOK_TARGETS } from './deliveries.ts'
import { claimMs } from './delivery-claims.ts'
import { ceilingFigure, type Figure, floorFigure, interleaved, median, ratioFigure, table } from './figure.ts'
import { orderListMs } from './order-lists.ts'
import { pressure } from './pressure.ts'
import { processorMeter } from './processor-time.ts'
import { proofCheckMs } from './proof-checks.ts'
import { benchRead } from './reads.ts'
import { tokenExchanges } from './token-exchanges.ts'
import {
  type DemoKeys,
  type Environment,
  endAll,
  runVitrine,
  startVitrine,
  type VitrineProcess,
} from './vitrine-process.ts'

const CONNECTIONS = 16
const WRITE_SECONDS = 4
const WRITE_ROUNDS = 5
const EXCHANGE_SECONDS = 4
const CHECKOUT_SECONDS = 6

/** A request, its limit, and the share of the limit and the processor time in milliseconds that it is to reach. */
const CART_REQUESTS: readonly (readonly [CartRequest, 'select' | 'transaction', number, number])[] = [
  ['read', 'select', 0.3, 0.6],
  ['unchanged', 'select', 0.3, 0.6],
  ['create', 'transaction', 0.15, 1.3],
  ['add', 'transaction', 0.15, 1.3],
  ['update', 'transaction', 0.15, 1.3],
  ['quote', 'transaction', 0.15, 1.9],
]

/** Rate limits are on, but too high to limit the single address of the load. */
const RATE_LIMITS = JSON.stringify(
  Object.fromEntries(
    ['public-read', 'key-read', 'key-write', 'cart-write', 'store', 'oauth-token'].map((name) => [
      name,
      { limit: 100_000_000, burst: 1_000_000 },
    ]),
  ),
)

/**
 * The parts that can be measured separately: `npm run bench -- checkouts order-lists`. The catalog is generated, or read from
 * the `.jsonl` and `.jsonl.gz` files of a folder: `npm run bench -- --data FOLDER`. Sizes of the catalogs whose facets are counted:
 * `npm run bench -- catalog --products 20000,200000,1000000`.
 */
const PARTS = [
  'start',
  'import',
  'reads',
  'carts',
  'oauth',
  'checkouts',
  'hot-sku',
  'pressure',
  'deliveries',
  'order-lists',
  'catalog',
] as const
type Part = (typeof PARTS)[number]
const { values: options, positionals: asked } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    data: { type: 'string' },
    products: { type: 'string', default: '20000' },
  },
  allowPositionals: true,
})
const unknown = asked.find((word) => !PARTS.includes(word as Part))
if (unknown !== undefined) throw new Error(`Unknown part "${unknown}". The parts are ${PARTS.join(', ')}.`)
let isInterrupted = false
const measures = (part: Part) => !isInterrupted && (asked.length === 0 || asked.includes(part))
/** What runs then fails, and everything is stopped and removed as at any other end. */
function interrupt(): void {
  isInterrupted = true
  endAll()
}
process.once('SIGINT', interrupt).once('SIGTERM', interrupt).once('exit', endAll)

const dataDirectory = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
const environment: Environment = {
  DATA_DIR: dataDirectory,
  RATE_LIMITS,
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOWED_TARGETS: WEBHOOK_TARGETS,
  PUBLIC_PORT: '18080',
  PAGES_PORT: '18081',
  OPERATOR_PORT: '18082',
}
const note = (sentence: string) => process.stderr.write(`${sentence}\n`)
const figures: Figure[] = []

try {
  note(`${cpus().length} cores, Node ${process.versions.node}. Starting for the first time, with the demo.`)
  const first = await startVitrine(['--demo'], environment)
  await first.stop()
  if (measures('start')) {
    figures.push(ceilingFigure('first start with demo data', 's', first.startMs / 1000, 15))
    note('Starting again.')
    const warm = await startVitrine(['--demo'], environment)
    figures.push(ceilingFigure('warm start', 's', warm.startMs / 1000, 2))
    await warm.stop()
  }
  const server = await startVitrine(['--demo'], environment)
  try {
    await measure(server)
  } finally {
    await server.stop()
  }
} catch (error) {
  if (!isInterrupted) throw error
} finally {
  await rm(dataDirectory, { recursive: true, force: true })
}
if (isInterrupted) process.exit(130)
process.stdout.write(`${options.json ? JSON.stringify(figures) : table(figures)}\n`)
await keepResults()
if (figures.some((figure) => !figure.met)) process.exitCode = 1

/** Writes the figures to `bench/results`, with what they were measured on. */
async function keepResults(): Promise<void> {
  const folder = fileURLToPath(new URL('../results', import.meta.url))
  await mkdir(folder, { recursive: true })
  const at = new Date().toISOString()
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.versions.node, load: loadavg() }
  const file = join(folder, `${at.replaceAll(':', '-')}.json`)
  await writeFile(file, `${JSON.stringify({ at, machine, parts: asked, figures }, null, 2)}\n`)
  note(`Written to ${file}.`)
}

async function measureImport(operatorDoor: string): Promise<void> {
  const files = options.data ? await catalogFiles(options.data) : [await writeOddCatalog(dataDirectory)]
  note(`Importing ${files.length === 1 ? 'a catalog' : `${files.length} catalogs`}.`)
  await eventLoopDelayMs(operatorDoor)
  const startedAt = performance.now()
  let products = 0
  for (const file of files) {
    const report = await runVitrine<{ created: number }>(['catalog', 'import', file, '--store', 'bench'], environment)
    products += report.created
  }
  const seconds = (performance.now() - startedAt) / 1000
  figures.push(ceilingFigure(`import of ${products} products`, 's', seconds, (90 * products) / ODD_PRODUCTS))
  const delayMs = await eventLoopDelayMs(operatorDoor)
  figures.push(ceilingFigure('delay of the event loop meanwhile, p99', 'ms', delayMs, 50))
}

/** How late the server's timers were since the last call: the 99th percentile. */
async function eventLoopDelayMs(operatorDoor: string): Promise<number> {
  const metrics = await (await fetch(`${operatorDoor}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (.+)$/m.exec(metrics)?.[1]
  if (seconds === undefined) throw new Error('The operator door tells no delay of the event loop.')
  return Number(seconds) * 1000
}

async function catalogFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.jsonl(\.gz)?$/.test(name)).sort()
  if (names.length === 0) throw new Error(`There are no catalog files in "${folder}".`)
  return names.map((name) => join(folder, name))
}

async function measure(server: VitrineProcess): Promise<void> {
  const { doors } = server.announcement
  if (measures('import')) await measureImport(doors.operator)
  const { keys: demo } = await runVitrine<{ keys: DemoKeys }>(['demo', 'load'], environment)
  if (measures('reads')) await measureReads(doors.public)

  const postgres = await startEmbedded({ dataDir: dataDirectory })
  try {
    if (measures('carts')) await measureCarts(server, postgres.url, demo)
    if (measures('oauth')) await measureOAuth(doors.public, postgres.url)
    if (measures('checkouts')) await measureCheckouts(doors.public, postgres.url)
    if (measures('hot-sku')) await measureHotSku(doors.public, postgres.url)
    if (measures('pressure')) await measurePressure(doors.public, demo)
    if (measures('deliveries')) await measureDeliveries(doors.public, postgres.url, demo)
    if (measures('order-lists')) {
      note('Lists of a million orders, which are written first.')
      const listMs = await orderListMs(postgres.url)
      figures.push(ceilingFigure('50 of 1,000,000 orders, in the database', 'ms', listMs, 10))
    }
    if (measures('catalog')) {
      figures.push(...(await largeCatalogs(postgres.url, options.products.split(',').map(Number), note)))
    }
  } finally {
    await postgres.stop()
  }
  if (asked.length > 0) return
  figures.push(
    ceilingFigure('resident memory after all this', 'MiB', (await server.residentBytes()) / 1024 / 1024, 300),
  )
}

async function measureReads(door: string): Promise<void> {
  note('Hot reads.')
  const list = `${door}/api/v1/catalog/products`
  const { data } = (await (await fetch(list)).json()) as { data: { slug: string }[] }
  figures.push(await benchRead('hot catalog page', list))
  figures.push(await benchRead('hot product', `${list}/${data[0]?.slug}`))
}

async function measureCarts(server: VitrineProcess, databaseUrl: string, demo: DemoKeys): Promise<void> {
  note('Carts of three lines.')
  const bare = await bareStatements(databaseUrl, CONNECTIONS)
  const load = await carts(server.announcement.doors.public, demo.boundKey, demo.privateKeyFile, CONNECTIONS)
  const meter = await processorMeter(server.id, dataDirectory)
  try {
    await bare.run('transaction', 1)
    for (const [request, limit, share, mostMs] of CART_REQUESTS) {
      await load.run(request, 1)
      const perRequestMs: number[] = []
      const measured = async () => {
        const before = await meter()
        const perSecond = await load.run(request, WRITE_SECONDS)
        perRequestMs.push(((await meter()) - before) / (perSecond * WRITE_SECONDS))
        return perSecond
      }
      const [ours = 0, theirs = 0] = await interleaved(WRITE_ROUNDS, [measured, () => bare.run(limit, WRITE_SECONDS)])
      const name = request === 'unchanged' ? 'cart read again, unchanged' : `cart ${request}`
      figures.push(
        ratioFigure(`${name}, 16 connections`, '/s', ours, { name: `bare ${limit}s`, value: theirs }, share),
        ceilingFigure(`${name}, processor time of server and database`, 'ms', median(perRequestMs), mostMs),
      )
    }
    await load.run('contended add', 1)
    const [contended = 0] = await interleaved(WRITE_ROUNDS, [() => load.run('contended add', WRITE_SECONDS)])
    figures.push(floorFigure('cart add, 16 connections to one cart', '/s', contended, 300))
  } finally {
    load.close()
    await bare.close()
  }
}

async function measureOAuth(door: string, databaseUrl: string): Promise<void> {
  note('Token exchanges and checks of proofs.')
  const exchanged = await tokenExchanges(door, databaseUrl, CONNECTIONS, EXCHANGE_SECONDS)
  figures.push(floorFigure('token exchanges, 16 connections', '/s', exchanged, 300))
  figures.push(ceilingFigure('check of a proof, processor time', 'ms', await proofCheckMs(), 1))
}

async function measureCheckouts(door: string, databaseUrl: string): Promise<void> {
  note('Checkouts, paid on the page.')
  const load = { door, databaseUrl, shoppers: CONNECTIONS, seconds: CHECKOUT_SECONDS }
  figures.push(floorFigure('checkout begun, paid, ordered, 16 shoppers', '/s', await checkouts(load), 60))
}

async function measureHotSku(door: string, databaseUrl: string): Promise<void> {
  note('Many shoppers for one SKU, and for all.')
  const load = { door, databaseUrl, shoppers: 200, seconds: CHECKOUT_SECONDS }
  const spread = await checkouts(load)
  const hot = await checkouts({ ...load, isHot: true })
  figures.push(ratioFigure('checkout of one SKU, 200 shoppers', '/s', hot, { name: 'of all SKUs', value: spread }, 0.6))
}

async function measurePressure(door: string, demo: DemoKeys): Promise<void> {
  note('Three times as many requests as can be served.')
  const pressed = await pressure(door, demo.boundKey, demo.privateKeyFile)
  note(
    `${Math.round(pressed.perSecond)}/s can be served; of three times as many ${Math.round(pressed.servedPerSecond)}/s were, and ${Math.round(pressed.refusedShare * 100)} % refused. p99 ${pressed.servedMs.toFixed(1)} ms, in calm hours ${pressed.calmMs.toFixed(1)} ms.`,
  )
  figures.push(
    ceilingFigure('refusal under pressure, p99', 'ms', pressed.refusalMs, 100),
    ceilingFigure(
      'p99 of what is served under pressure',
      'times that of calm hours',
      pressed.servedMs / pressed.calmMs,
      10,
    ),
    floorFigure('served under pressure, of the capacity', '%', (100 * pressed.servedPerSecond) / pressed.perSecond, 50),
    ceilingFigure('recovery from pressure', 's', pressed.recoverySeconds, 5),
  )
}

async function measureDeliveries(door: string, databaseUrl: string, demo: DemoKeys): Promise<void> {
  note('Deliveries.')
  const { boundKey: key, privateKeyFile } = demo
  const { perSecond, firstAttemptMs, withFailingMs } = await deliveries({ door, databaseUrl, key, privateKeyFile })
  figures.push(floorFigure('webhook deliveries', '/s', perSecond, 500))
  figures.push(ceilingFigure('commit to first attempt, 100 events/s, p50', 'ms', firstAttemptMs.p50, 50))
  figures.push(ceilingFigure('commit to first attempt, 100 events/s, p99', 'ms', firstAttemptMs.p99, 500))
  const { alone, together } = withFailingMs
  figures.push(ceilingFigure('p99 next to a dead and a slow endpoint', 'times that alone', together / alone, 2))
  note('A million deliveries that wait.')
  figures.push(
    ceilingFigure('claim among 1,000,000 waiting deliveries', 'ms', await claimMs(databaseUrl, 1_000_000), 10),
  )
}
