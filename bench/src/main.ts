import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbedded } from '@vitrine/server'
import { bareStatements } from './bare-statements.ts'
import { bulkJobs } from './bulk-jobs.ts'
import { type CartRequest, type Carts, carts } from './carts.ts'
import { checkouts } from './checkouts.ts'
import { deliveries, WEBHOOK_TARGETS } from './deliveries.ts'
import { claimMs } from './delivery-claims.ts'
import { ceilingFigure, type Figure, floorFigure, interleaved, median, ratioFigure, table } from './figure.ts'
import { largeCatalogs } from './growth/large-catalogs.ts'
import { largeHistories } from './growth/large-histories.ts'
import { pressure } from './pressure.ts'
import { processorMeter } from './processor-time.ts'
import { proofCheckMs } from './proof-checks.ts'
import { hotReads, requested } from './reads.ts'
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

/** A request and its limit, with its targets: a share of the limit, and the processor time in milliseconds. */
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
 * The parts, which can be measured separately: `npm run bench -- checkouts history`, with the minutes after which each is ended:
 * several times what it takes on two quiet cores. `--quick` measures once and briefly, to try a change. The catalog is generated, or
 * read from the `.jsonl` and `.jsonl.gz` files of a folder: `npm run bench -- --data FOLDER`. Sizes of the catalogs whose facets are
 * counted: `npm run bench -- catalog --products 20000,200000,1000000`. Sizes of the histories, of three lines an order:
 * `npm run bench -- history --orders 100000,3333334`.
 */
const PARTS = {
  start: 5,
  import: 15,
  reads: 15,
  carts: 20,
  oauth: 5,
  checkouts: 10,
  'hot-sku': 20,
  workers: 15,
  pressure: 10,
  deliveries: 20,
  history: 90,
  catalog: 60,
} as const
type Part = keyof typeof PARTS
const { values: options, positionals: asked } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    data: { type: 'string' },
    products: { type: 'string', default: '20000' },
    orders: { type: 'string', default: '100000' },
  },
  allowPositionals: true,
})
const unknown = asked.find((word) => !(word in PARTS))
if (unknown !== undefined) throw new Error(`Unknown part "${unknown}". The parts are ${Object.keys(PARTS).join(', ')}.`)
const { quick: isQuick } = options
const READ_SECONDS = isQuick ? 1 : 3
const WRITE_SECONDS = isQuick ? 1 : 4
const ROUNDS = isQuick ? 1 : 5
const EXCHANGE_SECONDS = isQuick ? 1 : 4
const QUICK_PRODUCTS = 2000
const CHECKOUT_SECONDS = isQuick ? 2 : 6
let isInterrupted = false
/** Measures a part if it was requested, within its time. */
async function part(name: Part, measure: () => Promise<void>): Promise<void> {
  if (isInterrupted || (asked.length > 0 && !asked.includes(name))) return
  const startedAt = performance.now()
  const overtime = setTimeout(() => {
    note(`"${name}" has not ended within ${PARTS[name]} minutes.`)
    interrupt()
  }, PARTS[name] * 60_000)
  try {
    await measure()
  } catch (error) {
    if (isInterrupted) throw error
    // It counts as a missed target, and the other parts are still measured.
    note((error as Error).stack ?? String(error))
    figures.push({ name, measured: 'failed', reference: '', ratio: null, target: 'ends', met: false })
  } finally {
    clearTimeout(overtime)
  }
  note(`"${name}" took ${Math.round((performance.now() - startedAt) / 1000)} s.`)
}

/** Makes the running part fail, so that everything is stopped and removed as at any other end. */
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
  SHOP_PORT: '18083',
}
const note = (sentence: string) => process.stderr.write(`${sentence}\n`)
const figures: Figure[] = []

try {
  note(`${cpus().length} cores, Node ${process.versions.node}. Starting for the first time, with the demo.`)
  const first = await startVitrine(['--demo'], environment)
  await first.stop()
  await part('start', async () => {
    figures.push(ceilingFigure('first start with demo data', 's', first.startMs / 1000, 15))
    note('Starting again.')
    const warm = await startVitrine(['--demo'], environment)
    figures.push(ceilingFigure('warm start', 's', warm.startMs / 1000, 2))
    await warm.stop()
  })
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
// After an interruption, the table has what was measured until then.
process.stdout.write(`${options.json ? JSON.stringify(figures) : table(figures)}\n`)
if (isInterrupted) process.exit(130)
await keepResults()
if (figures.some((figure) => !figure.met)) process.exitCode = 1

/** Writes the figures to `bench/results`, with a description of the machine. */
async function keepResults(): Promise<void> {
  const folder = fileURLToPath(new URL('../results', import.meta.url))
  await mkdir(folder, { recursive: true })
  const at = new Date().toISOString()
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.versions.node, load: loadavg() }
  const file = join(folder, `${at.replaceAll(':', '-')}.json`)
  await writeFile(file, `${JSON.stringify({ at, machine, parts: asked, figures }, null, 2)}\n`)
  note(`Written to ${file}.`)
}

async function catalogFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.jsonl(\.gz)?$/.test(name)).sort()
  if (names.length === 0) throw new Error(`There are no catalog files in "${folder}".`)
  return names.map((name) => join(folder, name))
}

async function measure(server: VitrineProcess): Promise<void> {
  const { doors } = server.announcement
  const { keys: demo } = await runVitrine<{ keys: DemoKeys }>(['demo', 'load'], environment)
  const postgres = await startEmbedded({ dataDir: dataDirectory })
  try {
    await part('import', async () => {
      note('Imports, a restock and a new search index.')
      const files = options.data ? await catalogFiles(options.data) : null
      const [operatorDoor, folder, databaseUrl] = [doors.operator, dataDirectory, postgres.url]
      const count = isQuick ? { products: QUICK_PRODUCTS } : {}
      figures.push(...(await bulkJobs({ operatorDoor, folder, databaseUrl, environment, files, ...count })))
    })
    await part('reads', async () => {
      note('Hot reads.')
      const load = { door: doors.public, serverId: server.id, rounds: ROUNDS, seconds: READ_SECONDS }
      figures.push(...(await hotReads(load)))
    })
    await part('carts', () => measureCarts(server, postgres.url, demo))
    await part('oauth', () => measureOAuth(doors.public, postgres.url))
    await part('checkouts', () => measureCheckouts(server, postgres.url))
    await part('hot-sku', () => measureHotSku(server, postgres.url))
    await part('workers', () => measureWorkers(server, demo))
    await part('pressure', () => measurePressure(doors.public, demo))
    await part('deliveries', () => measureDeliveries(doors.public, postgres.url, demo))
    await part('history', async () => {
      figures.push(...(await largeHistories(postgres.url, options.orders.split(',').map(Number), note)))
    })
    await part('catalog', async () => {
      figures.push(...(await largeCatalogs(postgres.url, options.products.split(',').map(Number), note)))
    })
  } finally {
    await postgres.stop()
  }
  if (asked.length > 0) return
  figures.push(
    ceilingFigure('resident memory after all this', 'MiB', (await server.residentBytes()) / 1024 / 1024, 300),
  )
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
      const [ours = 0, theirs = 0] = await interleaved(ROUNDS, [measured, () => bare.run(limit, WRITE_SECONDS)])
      const name = request === 'unchanged' ? 'cart read again, unchanged' : `cart ${request}`
      figures.push(
        ratioFigure(`${name}, 16 connections`, '/s', ours, { name: `bare ${limit}s`, value: theirs }, share),
        ceilingFigure(`${name}, processor time of server and database`, 'ms', median(perRequestMs), mostMs),
      )
    }
    await load.run('contended add', 1)
    const [contended = 0] = await interleaved(ROUNDS, [() => load.run('contended add', WRITE_SECONDS)])
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

/** The settings of all loads of checkouts: the door, the database and the meter of a server. */
async function checkoutLoad({ id, announcement }: VitrineProcess, databaseUrl: string) {
  const meter = await processorMeter(id, dataDirectory)
  return { door: announcement.doors.public, databaseUrl, meter, seconds: CHECKOUT_SECONDS }
}

async function measureCheckouts(server: VitrineProcess, databaseUrl: string): Promise<void> {
  note('Checkouts, paid on the page.')
  const load = await checkoutLoad(server, databaseUrl)
  const { perSecond, processorMs } = await checkouts({ ...load, shoppers: CONNECTIONS })
  figures.push(
    floorFigure('checkout begun, paid, ordered, 16 shoppers', '/s', perSecond, 180),
    ceilingFigure('checkout, processor time of server and database', 'ms', processorMs, 10),
  )
}

async function measureHotSku(server: VitrineProcess, databaseUrl: string): Promise<void> {
  note('Many shoppers for one SKU, and for all.')
  const load = { ...(await checkoutLoad(server, databaseUrl)), shoppers: 200 }
  const { perSecond: spread } = await checkouts(load)
  const { perSecond: hot } = await checkouts({ ...load, isHot: true })
  figures.push(ratioFigure('checkout of one SKU, 200 shoppers', '/s', hot, { name: 'of all SKUs', value: spread }, 0.6))
}

/** Two processes behind the public door against one, on the same database, in turn. */
async function measureWorkers(alone: VitrineProcess, demo: DemoKeys): Promise<void> {
  note('Two processes behind the public door.')
  const ports = { PUBLIC_PORT: '18090', PAGES_PORT: '18091', OPERATOR_PORT: '18092', SHOP_PORT: '18093' }
  const two = await startVitrine(['--empty', '--workers', '2'], { ...environment, ...ports })
  try {
    const each = [alone, two]
    const loads = await Promise.all(
      each.map(({ announcement }) => carts(announcement.doors.public, demo.boundKey, demo.privateKeyFile, CONNECTIONS)),
    )
    try {
      figures.push(...(await workerFigures(each, loads)))
    } finally {
      for (const load of loads) load.close()
    }
  } finally {
    await two.stop()
  }
}

async function workerFigures(servers: readonly VitrineProcess[], loads: readonly Carts[]): Promise<Figure[]> {
  const meters = await Promise.all(servers.map(({ id }) => processorMeter(id, dataDirectory)))
  const kinds = {
    'hot list': async (at: number) => {
      const url = `${servers[at]!.announcement.doors.public}/api/v1/catalog/products`
      return (await requested({ url, headers: {} }, CONNECTIONS, READ_SECONDS)).perSecond * READ_SECONDS
    },
    'cart add': async (at: number) => (await loads[at]!.run('add', WRITE_SECONDS)) * WRITE_SECONDS,
  }
  const measured: Figure[] = []
  for (const [kind, work] of Object.entries(kinds)) {
    for (const at of servers.keys()) await work(at)
    const costs = servers.map((_, at) => async () => {
      const before = await meters[at]!()
      return work(at).then(async (done) => ((await meters[at]!()) - before) / done)
    })
    const [one = 0, two = 0] = await interleaved(ROUNDS, costs)
    measured.push(
      // On two cores the load takes the core of a second process, so their capacity is derived from the processor time of a request.
      ratioFigure(`${kind}, what two processes can do, of one`, '', (2 * one) / two, { name: '', value: 1 }, 1.7),
    )
  }
  return measured
}

async function measurePressure(door: string, demo: DemoKeys): Promise<void> {
  note('Three times as many requests as can be served.')
  const pressed = await pressure(door, demo.boundKey, demo.privateKeyFile)
  note(
    `The capacity is ${Math.round(pressed.perSecond)}/s. Of three times as many, ${Math.round(pressed.servedPerSecond)}/s were served and ${Math.round(pressed.refusedShare * 100)} % refused. p99 ${pressed.servedMs.toFixed(1)} ms, without pressure ${pressed.calmMs.toFixed(1)} ms.`,
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
  note('A million waiting deliveries.')
  figures.push(
    ceilingFigure('claim among 1,000,000 waiting deliveries', 'ms', await claimMs(databaseUrl, 1_000_000), 10),
  )
}
