import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrivateJwk } from '@vitrine/sdk'
import { createDemoData, fillPath, type OperatorClient } from './lighthouse-data.ts'

/**
 * Runs Lighthouse on pages of the example shop and on every page of the console: `npm run lighthouse`, with `-- shop` or `-- console`
 * for one of them. Each score must be at least 95. The shop is measured as a phone on a slow network sees it, three times: the median
 * counts. Data that the demo lacks, such as an order, is created first. A page that cannot be opened because data is missing counts as a failure.
 * Lighthouse is a third of the size of all other packages together, so it is fetched from the registry on the first run and not
 * installed with the others. It needs a Chromium: CHROME_PATH, or one of the system.
 */

const VERSION = '13.5.0'
const SCORE_MIN = 95
const PATH_WIDTH = 36
const PORTS = { PUBLIC_PORT: '18180', PAGES_PORT: '18181', OPERATOR_PORT: '18182', SHOP_PORT: '18183' }
const SHOP_RUNS = 3
const SHOP_LIMITS = { lcpMs: 1500, scriptBytes: 60_000 }
const QUALITIES = ['accessibility', 'best-practices']
const CREDENTIALS = { email: 'operator@shop.example', password: 'a long enough pass phrase' }

const repository = join(import.meta.dirname, '..')
const cache = join(repository, '.cache', 'lighthouse')
const program = join(cache, 'node_modules', 'lighthouse', 'cli', 'index.js')

interface PageEntry {
  readonly path: string
}

/** What `vitrine start --demo --json` prints. */
interface Started {
  readonly setupUrl: string
  readonly shop: string
  readonly doors: { readonly public: string; readonly operator: string }
  readonly demo: { readonly boundKey: string; readonly privateKeyFile: string }
}

/** A page and its report; `null` if there was no data to open it with. */
interface PageResult {
  readonly path: string
  readonly report: Report | null
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number }>>
  readonly audits: Readonly<Record<string, Audit>>
}

interface Audit {
  readonly title: string
  readonly score: number | null
  readonly numericValue?: number
  readonly details?: { readonly items?: readonly { readonly resourceType?: string; readonly transferSize?: number }[] }
}

fetchLighthouse()
const folder = await mkdtemp(join(tmpdir(), 'vitrine-lighthouse-'))
const server = spawn(process.execPath, [join(repository, 'cli/bin/vitrine.js'), 'start', '--demo', '--json'], {
  env: { ...process.env, ...PORTS, DATA_DIR: folder, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const started = JSON.parse(line.toString('utf8')) as Started
  const [only] = process.argv.slice(2)
  const results = [
    ...(only === 'console' ? [] : await shopResults(started.shop)),
    ...(only === 'shop' ? [] : await consoleResults(started)),
  ]
  printSummary(results)
} finally {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
}

function fetchLighthouse(): void {
  if (existsSync(program)) return
  console.log(`Fetching Lighthouse ${VERSION} (once, about half a minute) …`)
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-save', `lighthouse@${VERSION}`], {
    cwd: cache,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('Lighthouse could not be fetched.')
}

async function consoleResults({ setupUrl, doors, demo }: Started): Promise<PageResult[]> {
  const cookie = await setUp(doors.operator, setupUrl)
  const client = clientOf(doors.operator, cookie)
  const privateKey = JSON.parse(readFileSync(demo.privateKeyFile, 'utf8')) as PrivateJwk
  await createDemoData(client, { publicUrl: doors.public, key: demo.boundKey, privateKey })
  const paths = await pathsOfPages()
  // All at once, before Lighthouse blocks this process and idle connections are closed.
  const filledPaths = await Promise.all(paths.map((path) => fillPath(client, path)))
  console.log(`${'page'.padEnd(PATH_WIDTH)} ${QUALITIES.join('  ')}`)
  return paths.map((path, index) => {
    const filled = filledPaths[index] ?? null
    const flags = ['--preset=desktop']
    const report =
      filled === null ? null : runLighthouse(doors.operator + filled, { categories: QUALITIES, cookie, flags })
    console.log(rowOf({ path, report }))
    return { path, report }
  })
}

/** Search engines are not asked to read a cart. */
async function shopResults(shop: string): Promise<PageResult[]> {
  const cookie = await filledCart(shop)
  const pages = {
    '/en': ['performance', ...QUALITIES, 'seo'],
    '/en/c/home/tableware': ['performance', ...QUALITIES, 'seo'],
    '/en/p/havelton/daybreak-mug': ['performance', ...QUALITIES, 'seo'],
    '/en/cart': ['performance', ...QUALITIES],
  }
  console.log(`${'page'.padEnd(PATH_WIDTH)} performance  ${QUALITIES.join('  ')}  seo  LCP  CLS  script`)
  return Object.entries(pages).map(([path, categories]) => {
    const reports = Array.from({ length: SHOP_RUNS }, () =>
      runLighthouse(shop + path, { categories, cookie, flags: [] }),
    )
    const report = reports.toSorted((one, other) => lcpOf(one) - lcpOf(other))[Math.floor(SHOP_RUNS / 2)]!
    const shift = report.audits['cumulative-layout-shift']?.numericValue ?? 0
    console.log(
      `${rowOf({ path, report })}  ${Math.round(lcpOf(report))} ms  ${shift.toFixed(3)}  ${scriptOf(report)} bytes`,
    )
    return { path, report }
  })
}

function lcpOf({ audits }: Report): number {
  return audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY
}

/** What the scripts of a page take on the network. */
function scriptOf({ audits }: Report): number {
  const items = audits['network-requests']?.details?.items ?? []
  const scripts = items.filter(({ resourceType }) => resourceType === 'Script')
  return scripts.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
}

/** Puts a product into a cart by the shop's own form. @returns the cookies */
async function filledCart(shop: string): Promise<string> {
  const product = await (await fetch(`${shop}/en/p/havelton/daybreak-mug`)).text()
  const [, skuId = ''] = /name="skuId" value="([^"]+)"/.exec(product) ?? []
  const response = await fetch(`${shop}/en/cart/items`, {
    method: 'POST',
    headers: { origin: shop },
    body: new URLSearchParams({ skuId, quantity: '1' }),
    redirect: 'manual',
  })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** The console has types of its own, so its routes cannot be imported statically. */
async function pathsOfPages(): Promise<readonly string[]> {
  const list = pathToFileURL(join(repository, 'console/src/routes.ts')).href
  const { routes } = (await import(list)) as { readonly routes: readonly PageEntry[] }
  return routes.map(({ path }) => path)
}

function clientOf(origin: string, cookie: string): OperatorClient {
  return async (method, path, body) => {
    const isFile = Buffer.isBuffer(body)
    const response = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: { cookie, origin, 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const payload = (await response.json()) as { readonly data: unknown }
    if (!response.ok) throw new Error(`${method} ${path} responded with ${JSON.stringify(payload)}`)
    return payload.data
  }
}

async function setUp(origin: string, setupUrl: string): Promise<string> {
  const setupToken = new URL(setupUrl).hash.slice(1)
  const response = await fetch(`${origin}/operator/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...CREDENTIALS, setupToken }),
  })
  if (!response.ok) throw new Error(`The setup responded with status ${response.status}.`)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

interface Measuring {
  readonly categories: readonly string[]
  readonly cookie: string
  readonly flags: readonly string[]
}

function runLighthouse(url: string, { categories, cookie, flags }: Measuring): Report {
  const output = join(folder, 'report.json')
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      program,
      url,
      '--quiet',
      ...flags,
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${categories.join(',')}`,
      `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
      '--chrome-flags=--headless=new --no-sandbox',
    ],
    { env: { ...process.env, CHROME_PATH: chromePath() }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(readFileSync(output, 'utf8')) as Report
}

function chromePath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].flatMap((name) =>
    folders.map((each) => join(each, name)).filter((path) => existsSync(path)),
  )
  const path = process.env.CHROME_PATH ?? found[0]
  if (path === undefined) throw new Error('No Chromium found. Set CHROME_PATH.')
  return path
}

function scoresOf({ categories }: Report): number[] {
  return Object.values(categories).map(({ score }) => Math.round(score * 100))
}

function isGood({ report }: PageResult): boolean {
  if (report === null || scoresOf(report).some((score) => score < SCORE_MIN)) return false
  const isMeasured = 'performance' in report.categories
  return !isMeasured || (lcpOf(report) < SHOP_LIMITS.lcpMs && scriptOf(report) < SHOP_LIMITS.scriptBytes)
}

/** A page with its scores, and the audits that failed. */
function rowOf({ path, report }: PageResult): string {
  if (report === null) return `${path.padEnd(PATH_WIDTH)} no data to open it with`
  const scores = Object.entries(report.categories).map(([name, { score }]) =>
    String(Math.round(score * 100)).padStart(name.length),
  )
  const failedAudits = Object.values(report.audits).filter(({ score }) => score === 0)
  return [`${path.padEnd(PATH_WIDTH)} ${scores.join('  ')}`, ...failedAudits.map(({ title }) => `    ${title}`)].join(
    '\n',
  )
}

function printSummary(results: readonly PageResult[]): void {
  const bad = results.filter((each) => !isGood(each))
  const end = bad.length === 0 ? `all at least ${SCORE_MIN}` : `${bad.length} below ${SCORE_MIN} or not opened`
  console.log(`${results.length} pages, ${end}.`)
  if (bad.length > 0) process.exitCode = 1
}
