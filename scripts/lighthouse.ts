import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrivateJwk } from '@vitrine/sdk'
import { findBrowser } from '../test/support/pages/find-browser.ts'
import { createDemoData, fillPath, type OperatorClient } from './lighthouse-data.ts'

/**
 * Runs Lighthouse on pages of the example shop and on every page of the console: `npm run lighthouse`, with `-- shop` or `-- console`
 * for one of them, or `-- console /orders /products` for some pages. Each score must be at least 95. The shop is measured as a phone
 * on a slow network sees it, three times: the median counts. The console is measured on a desktop, with an empty cache for each page:
 * what it loads is limited, and nothing may move. A page that fails is measured again, and the median of three counts: other
 * work on the machine costs points. Data that the demo lacks, such as an order, is created first. A page that cannot be opened
 * because data is missing counts as a failure.
 * Lighthouse is a third of the size of all other packages together, so it is fetched from the registry on the first run and not
 * installed with the others. Its browser is that of the tests: CHROME_PATH, one of the system, or the one from npm.
 */

const VERSION = '13.5.0'
const SCORE_MIN = 95
const PATH_WIDTH = 36
const PORTS = { PUBLIC_PORT: '18380', PAGES_PORT: '18381', OPERATOR_PORT: '18382', SHOP_PORT: '18383' }
const RUNS = 3
const SHOP_LIMITS: Limits = { lcpMs: 1500, scriptBytes: 60_000 }
/** All that a page loads, compressed, except the pictures of products; and its layout shift. */
const CONSOLE_LIMITS: Limits = { bytes: 200_000, shift: 0.01 }
const QUALITIES = ['performance', 'accessibility', 'best-practices']
const CREDENTIALS = { email: 'operator@shop.example', password: 'a long enough pass phrase' }

const repository = join(import.meta.dirname, '..')
const cache = join(repository, '.cache', 'lighthouse')
const modules = join(cache, 'node_modules')
const program = join(modules, 'lighthouse', 'core', 'index.js')

interface PageEntry {
  readonly path: string
}

/** The output of `vitrine start --demo --json`. */
interface Started {
  readonly setupUrl: string
  readonly shop: string
  readonly doors: { readonly public: string; readonly operator: string }
  readonly demo: { readonly boundKey: string; readonly privateKeyFile: string }
}

/** The limits of a page, in addition to its scores. */
interface Limits {
  readonly lcpMs?: number
  readonly scriptBytes?: number
  readonly bytes?: number
  readonly shift?: number
}

/** A page and its report; `null` if there was no data to open it with. */
interface PageResult {
  readonly path: string
  readonly report: Report | null
  readonly limits: Limits
}

/** The used parts of Lighthouse and of its browser launcher, which are fetched. */
interface LighthouseModule {
  readonly default: (url: string, settings: object, config?: object) => Promise<{ readonly lhr: Report } | undefined>
  readonly desktopConfig: object
}
interface LauncherModule {
  readonly launch: (options: object) => Promise<{ readonly port: number; kill(): void }>
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
// One process and one browser for all pages: starting both for each took a third of the time.
const { default: lighthouse, desktopConfig } = (await import(pathToFileURL(program).href)) as LighthouseModule
const launcher = pathToFileURL(join(modules, 'chrome-launcher', 'dist', 'index.js')).href
const { launch } = (await import(launcher)) as LauncherModule
const { executablePath, environment } = await findBrowser()
const browser = await launch({
  chromePath: executablePath,
  chromeFlags: ['--headless=new', '--no-sandbox'],
  handleSIGINT: false,
  envVars: { ...process.env, ...environment },
})
const folder = await mkdtemp(join(tmpdir(), 'vitrine-lighthouse-'))
const server = spawn(process.execPath, [join(repository, 'cli/bin/vitrine.js'), 'start', '--demo', '--json'], {
  env: { ...PORTS, ...process.env, DATA_DIR: folder, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end().then(() => process.exit(1)))
try {
  const [line] = (await Promise.race([once(server.stdout, 'data'), ended])) as [Buffer | number]
  if (!Buffer.isBuffer(line)) throw new Error('The server did not start.')
  const started = JSON.parse(line.toString('utf8')) as Started
  const [only, ...some] = process.argv.slice(2)
  const results = [
    ...(only === 'console' ? [] : await shopResults(started.shop)),
    ...(only === 'shop' ? [] : await consoleResults(started, some)),
  ]
  printSummary(results)
} finally {
  await end()
}

async function end(): Promise<void> {
  browser.kill()
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

async function consoleResults({ setupUrl, doors, demo }: Started, some: readonly string[]): Promise<PageResult[]> {
  const cookie = await setUp(doors.operator, setupUrl)
  const client = clientOf(doors.operator, cookie)
  const privateKey = JSON.parse(readFileSync(demo.privateKeyFile, 'utf8')) as PrivateJwk
  await createDemoData(client, { publicUrl: doors.public, key: demo.boundKey, privateKey })
  const all = await pathsOfPages()
  const paths = some.length > 0 ? all.filter((path) => some.includes(path)) : all
  const filledPaths = await Promise.all(paths.map((path) => fillPath(client, path)))
  console.log(`${'page'.padEnd(PATH_WIDTH)} ${QUALITIES.join('  ')}  shift    loaded`)
  const limits = CONSOLE_LIMITS
  const results: PageResult[] = []
  for (const [index, path] of paths.entries()) {
    const url = filledPaths[index] == null ? null : doors.operator + filledPaths[index]
    const measure = (page: string) => runLighthouse(page, { categories: QUALITIES, cookie, isDesktop: true })
    let report = url === null ? null : await measure(url)
    if (url !== null && report !== null && !isGood({ path, report, limits })) {
      report = medianOf([report, await measure(url), await measure(url)], performanceOf)
    }
    console.log(
      rowOf({ path, report, limits }, (each) => [shiftOf(each).toFixed(3), `${Math.round(bytesOf(each) / 1000)} KB`]),
    )
    results.push({ path, report, limits })
  }
  return results
}

/** Measures the shop. A cart has no score for search engines, which do not read it. */
async function shopResults(shop: string): Promise<PageResult[]> {
  const cookie = await filledCart(shop)
  const pages = {
    '/en': [...QUALITIES, 'seo'],
    '/en/c/home/tableware': [...QUALITIES, 'seo'],
    '/en/p/havelton/daybreak-mug': [...QUALITIES, 'seo'],
    '/en/cart': QUALITIES,
  }
  console.log(`${'page'.padEnd(PATH_WIDTH)} ${QUALITIES.join('  ')}  seo  LCP  shift  script`)
  const results: PageResult[] = []
  for (const [path, categories] of Object.entries(pages)) {
    const reports: Report[] = []
    while (reports.length < RUNS) reports.push(await runLighthouse(shop + path, { categories, cookie }))
    const result = { path, report: medianOf(reports, lcpOf), limits: SHOP_LIMITS }
    console.log(
      rowOf(result, (each) => [
        `${Math.round(lcpOf(each))} ms`,
        shiftOf(each).toFixed(3),
        `${bytesOf(each, 'Script')} bytes`,
      ]),
    )
    results.push(result)
  }
  return results
}

function medianOf(reports: readonly Report[], figure: (report: Report) => number): Report {
  return reports.toSorted((one, other) => figure(one) - figure(other))[Math.floor(reports.length / 2)]!
}

function performanceOf({ categories }: Report): number {
  return categories.performance?.score ?? 0
}

function lcpOf({ audits }: Report): number {
  return audits['largest-contentful-paint']?.numericValue ?? Number.POSITIVE_INFINITY
}

function shiftOf({ audits }: Report): number {
  return audits['cumulative-layout-shift']?.numericValue ?? 0
}

/** The bytes that a page loads, of one resource type or of all except pictures. */
function bytesOf({ audits }: Report, type?: string): number {
  const items = audits['network-requests']?.details?.items ?? []
  const loaded = items.filter(({ resourceType }) =>
    type === undefined ? resourceType !== 'Image' : resourceType === type,
  )
  return loaded.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
}

/** Puts a product into a cart with the shop's form. @returns the cookies */
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

/** The console is type-checked separately, so its routes cannot be imported statically. */
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
  readonly isDesktop?: true
}

/** Opens a page with an empty cache and storage. */
async function runLighthouse(url: string, { categories, cookie, isDesktop }: Measuring): Promise<Report> {
  const settings = {
    port: browser.port,
    logLevel: 'error',
    onlyCategories: categories,
    extraHeaders: { Cookie: cookie },
    disableFullPageScreenshot: true,
  }
  const result = await lighthouse(url, settings, isDesktop && desktopConfig)
  assert(result, `Lighthouse has no report of ${url}`)
  return result.lhr
}

function scoresOf({ categories }: Report): number[] {
  return Object.values(categories).map(({ score }) => Math.round(score * 100))
}

function isGood({ report, limits }: PageResult): boolean {
  if (report === null || scoresOf(report).some((score) => score < SCORE_MIN)) return false
  const { lcpMs = Infinity, scriptBytes = Infinity, bytes = Infinity, shift = Infinity } = limits
  return (
    lcpOf(report) < lcpMs &&
    bytesOf(report, 'Script') < scriptBytes &&
    bytesOf(report) < bytes &&
    shiftOf(report) < shift
  )
}

/** A page with its scores and figures, and the audits that failed. */
function rowOf({ path, report }: PageResult, figures: (report: Report) => readonly string[]): string {
  if (report === null) return `${path.padEnd(PATH_WIDTH)} no data to open it with`
  const scores = Object.entries(report.categories).map(([name, { score }]) =>
    String(Math.round(score * 100)).padStart(name.length),
  )
  const failed = Object.entries(report.audits).filter(([id, { score }]) => score === 0 && !id.includes('insight'))
  return [
    `${path.padEnd(PATH_WIDTH)} ${[...scores, ...figures(report)].join('  ')}`,
    ...failed.map(([, { title }]) => `    ${title}`),
  ].join('\n')
}

function printSummary(results: readonly PageResult[]): void {
  const bad = results.filter((each) => !isGood(each))
  const end =
    bad.length === 0 ? `all at least ${SCORE_MIN}` : `${bad.length} below ${SCORE_MIN}, beyond a limit, or not opened`
  console.log(`${results.length} pages, ${end}.`)
  if (bad.length > 0) process.exitCode = 1
}
