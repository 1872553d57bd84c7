import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { openDatabase, startEmbedded } from '@vitrine/server'
import pg from 'pg'
import { openConnection } from '../connection.ts'
import { type Environment, endAll, runVitrine, startVitrine } from '../vitrine-process.ts'
import { type Baseline, bm25, type CatalogLine, miniSearch, tsRankCd } from './baselines.ts'
import { processorMs } from './processor-time.ts'
import { meanOf, type Ratings, type Relevance, randomFrom, relevanceOf, withTypo } from './relevance.ts'
import { variantsOf } from './variants.ts'

const HELP = `Measures the relevance and the speed of the search, on a catalog with human ratings:

  npm run bench:search -- --data FOLDER [--keep FOLDER] [--seed 1] [--each] [--json]

The folder has a catalog (.jsonl or .jsonl.gz, flat lines) and ratings (.csv: query, product id, rating from 0 to 3). The catalog
is imported once, into a database that is kept. It prints relevance and latency next to those of BM25, MiniSearch and ts_rank_cd, the
contribution of each part of the ranking, and how good weights are for queries that they were not chosen on.`

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    keep: { type: 'string', default: join(tmpdir(), 'vitrine-bench-search') },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
if (options.data === undefined) {
  process.stderr.write(`${HELP}\n`)
  process.exit(2)
}
process.once('SIGINT', endAll).once('SIGTERM', endAll)

const STORE = 'measured'
const DEPTH = 50
const LATENCY_ROUNDS = 3
const CONNECTIONS = 16
const THROUGHPUT_ROUNDS = 10
/** A process that has just started takes three times as long: V8 compiles, and each connection to PostgreSQL prepares 17 texts. */
const WARM_UP_ROUNDS = 20
/** The first of the page sizes that nothing else here requests: each is cached separately. */
const PAGES = { latency: 21, throughput: 24, warmUp: DEPTH + 1 }
const WAIT_MS = 250
const ENVIRONMENT: Environment = {
  DATA_DIR: options.keep,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  PUBLIC_PORT: '18180',
  PAGES_PORT: '18181',
  OPERATOR_PORT: '18182',
}

const files = await readdir(options.data)
const catalogFile = join(options.data, fileOf(/\.jsonl(\.gz)?$/))
const queries = await readRatings(join(options.data, fileOf(/ratings.*\.csv$/)))
const lines = await readLines(catalogFile)
const idBySlug = new Map(lines.map(({ slug, id }) => [slug, id]))
const useful = new Map([...queries].filter(([, ratings]) => [...ratings.values()].some((rating) => rating > 0)))
const idOf = (found: string) => idBySlug.get(found) ?? found
await importOnce()

const server = await startVitrine(['--empty'], ENVIRONMENT)
try {
  await indexed()
  await measure()
} finally {
  await server.stop()
}

async function measure(): Promise<void> {
  const typed = randomFrom(Number(options.seed))
  await findAll(requestsOf(PAGES.warmUp, WARM_UP_ROUNDS))
  const asked = await resultsOf((query) => query)
  const misspelled = await resultsOf((query) => withTypo(query, typed))
  const report = {
    queries: asked.size,
    ...meanOf([...asked.values()]),
    typos: { seed: Number(options.seed), ...meanOf([...misspelled.values()]) },
    latency: await latency(),
    throughput: await throughput(),
    ...(await compared()),
  }
  if (options.each) {
    for (const [query, { condensed, raw }] of asked) {
      const typo = misspelled.get(query)?.condensed ?? 0
      process.stderr.write(`${condensed.toFixed(3)} ${raw.toFixed(3)} ${typo.toFixed(3)} ${query}\n`)
    }
  }
  process.stdout.write(`${options.json ? JSON.stringify(report) : JSON.stringify(report, null, 2)}\n`)
}

/** The relevance of each query's result, except for queries whose products are all useless. */
async function resultsOf(typed: (query: string) => string, find: Baseline = search): Promise<Map<string, Relevance>> {
  const results = new Map<string, Relevance>()
  for (const [query, ratings] of useful) {
    const found = await find(typed(query), DEPTH)
    results.set(query, relevanceOf(found.map(idOf), ratings))
  }
  return results
}

/** The relevance of other search engines for the same queries, with their wall time. */
async function othersOf(client: pg.Client) {
  const others: Readonly<Record<string, Baseline>> = {
    ts_rank_cd: tsRankCd(client),
    BM25: bm25(lines),
    MiniSearch: miniSearch(lines),
  }
  const report: Record<string, object> = {}
  for (const [name, find] of Object.entries(others)) {
    const typed = randomFrom(Number(options.seed))
    const wall: number[] = []
    const timed: Baseline = async (query, depth) => {
      const startedAt = performance.now()
      const found = await find(query, depth)
      wall.push(performance.now() - startedAt)
      return found
    }
    const asked = meanOf([...(await resultsOf((query) => query, timed)).values()])
    const typos = meanOf([...(await resultsOf((query) => withTypo(query, typed), find)).values()])
    report[name] = { ...asked, typos, wallMs: quantiles(wall) }
  }
  return report
}

function searchPath(query: string, limit: number): string {
  return `/api/v1/search?${new URLSearchParams({ q: query, currency: 'USD', locale: 'en', limit: String(limit) })}`
}

async function search(query: string): Promise<string[]> {
  const answer = await fetch(`${server.announcement.doors.public}${searchPath(query, DEPTH)}`)
  if (!answer.ok) throw new Error(`The search for "${query}" answered ${answer.status}: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { slug: string }[] }
  return data.map(({ slug }) => slug)
}

/** Uncached searches one after another, each with all facets: wall time, and processor time of server and database together. */
async function latency() {
  const connection = await openConnection(server.announcement.doors.public)
  const wall: number[] = []
  const processor: number[] = []
  for (const request of requestsOf(PAGES.latency, LATENCY_ROUNDS)) {
    const before = await processorMs()
    const startedAt = performance.now()
    await find(connection, request)
    wall.push(performance.now() - startedAt)
    processor.push((await processorMs()) - before)
  }
  connection.close()
  return { wallMs: quantiles(wall), processorMs: { mean: meanNumber(processor), ...quantiles(processor) } }
}

/** Uncached searches on several connections at once, each with all facets, and the processor time of one. */
async function throughput() {
  const requests = requestsOf(PAGES.throughput, THROUGHPUT_ROUNDS)
  const before = await processorMs()
  const startedAt = performance.now()
  await findAll(requests)
  const seconds = (performance.now() - startedAt) / 1000
  const processor = (await processorMs()) - before
  return {
    connections: CONNECTIONS,
    perSecond: requests.length / seconds,
    processorMsOfOne: processor / requests.length,
  }
}

/** The requests for each query with this page size and those after it. The load shares the cores: `fetch` took 4 ms for each. */
function requestsOf(firstPage: number, rounds: number): readonly Buffer[] {
  const { host } = new URL(server.announcement.doors.public)
  return Array.from({ length: rounds }, (_, round) =>
    [...queries.keys()].map((query) =>
      Buffer.from(
        `GET ${searchPath(query, firstPage + round)} HTTP/1.1\r\nhost: ${host}\r\naccept-encoding: gzip, deflate, br\r\n\r\n`,
      ),
    ),
  ).flat()
}

async function findAll(requests: readonly Buffer[]): Promise<void> {
  const next = requests.values()
  const send = async () => {
    const connection = await openConnection(server.announcement.doors.public)
    for (const request of next) await find(connection, request)
    connection.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
}

async function find(connection: Awaited<ReturnType<typeof openConnection>>, request: Buffer): Promise<void> {
  const { status, head } = await connection.send(request)
  if (status !== 200) throw new Error(`A search was answered:\n${head}`)
}

function quantiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { p50: at(0.5), p95: at(0.95) }
}

function meanNumber(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Other search engines on the same data, and Vitrine's with other weights. */
async function compared() {
  const postgres = await startEmbedded({ dataDir: options.keep })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const database = openDatabase({ url: postgres.url })
  try {
    return { others: await othersOf(client), ...(await variantsOf(database, useful, idOf)) }
  } finally {
    await database.close()
    await client.end()
    await postgres.stop()
  }
}

/** Waits until a worker has indexed what an earlier version imported, and counted the words. */
async function indexed(): Promise<void> {
  const postgres = await startEmbedded({ dataDir: options.keep })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const isReady = async () => {
      const { rows } = await client.query<{ ready: boolean }>(
        `select exists (select from search_statistics) and not exists (select from jobs where kind = 'catalog.category_renamed' and run_at <= now()) as ready`,
      )
      return rows[0]?.ready
    }
    while (!(await isReady())) await pause(WAIT_MS)
  } finally {
    await client.end()
    await postgres.stop()
  }
}

async function importOnce(): Promise<void> {
  const isDone = existsSync(join(options.keep, 'imported'))
  if (isDone) return
  process.stderr.write(`Importing ${catalogFile}.\n`)
  await mkdir(options.keep, { recursive: true })
  const startedAt = performance.now()
  await runVitrine(['catalog', 'import', catalogFile, '--store', STORE], ENVIRONMENT)
  await writeFile(join(options.keep, 'imported'), `${performance.now() - startedAt} ms\n`)
}

function fileOf(pattern: RegExp): string {
  const file = files.find((name) => pattern.test(name))
  if (file === undefined) throw new Error(`There is no file like ${pattern} in "${options.data}".`)
  return file
}

async function readRatings(file: string): Promise<Map<string, Ratings>> {
  const byQuery = new Map<string, Map<string, number>>()
  const [, ...lines] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  for (const line of lines) {
    const [, query, id, rating] = /^"?(.*?)"?,([^,]+),(\d)$/.exec(line) ?? []
    if (query === undefined || id === undefined) throw new Error(`"${line}" is not a rating.`)
    const ratings = byQuery.get(query) ?? new Map<string, number>()
    byQuery.set(query, ratings.set(id, Number(rating)))
  }
  return byQuery
}

async function readLines(file: string): Promise<readonly (CatalogLine & { readonly slug: string })[]> {
  const bytes = await readFile(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
