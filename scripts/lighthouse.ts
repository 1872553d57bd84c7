import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrivateJwk } from '@vitrine/sdk'
import { type Ask, makeThings, openable } from './lighthouse-things.ts'

/**
 * Judges every page of the console with Lighthouse: `npm run lighthouse`. Both scores of each must be at least 95. What the
 * demo has none of, such as an order, is made first; a page that cannot be opened for lack of a thing counts as a failure.
 * Lighthouse is as large as a third of everything else together, so it is fetched from the registry when it is asked for, and
 * not by every installation. It needs a Chromium: CHROME_PATH, or one of the system.
 */

const VERSION = '13.5.0'
const CATEGORIES = ['accessibility', 'best-practices'] as const
const SCORE_MIN = 95
const PATH_WIDTH = 36
const PORTS = { PUBLIC_PORT: '18180', PAGES_PORT: '18181', OPERATOR_PORT: '18182' }
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
  readonly doors: { readonly public: string; readonly operator: string }
  readonly demo: { readonly boundKey: string; readonly privateKeyFile: string }
}

/** A page, and what Lighthouse said of it: `null` where there was nothing to open it with. */
interface Judged {
  readonly path: string
  readonly report: Report | null
}

interface Report {
  readonly categories: Readonly<Record<(typeof CATEGORIES)[number], { readonly score: number }>>
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>
}

fetchLighthouse()
const folder = await mkdtemp(join(tmpdir(), 'vitrine-lighthouse-'))
const server = spawn(process.execPath, [join(repository, 'cli/bin/vitrine.js'), 'start', '--demo', '--json'], {
  env: { ...process.env, ...PORTS, DATA_DIR: folder, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const { setupUrl, doors, demo } = JSON.parse(line.toString('utf8')) as Started
  const cookie = await signIn(doors.operator, setupUrl)
  const ask = askerOf(doors.operator, cookie)
  const privateKey = JSON.parse(readFileSync(demo.privateKeyFile, 'utf8')) as PrivateJwk
  await makeThings(ask, { publicUrl: doors.public, key: demo.boundKey, privateKey })
  const paths = await pathsOfPages()
  // All at once: while Lighthouse is at work nothing here is, and a connection that was kept would be closed meanwhile.
  const opened = await Promise.all(paths.map((path) => openable(ask, path)))
  console.log(`${'page'.padEnd(PATH_WIDTH)} ${CATEGORIES.join('  ')}`)
  const judged = paths.map((path, index): Judged => {
    const place = opened[index] ?? null
    const report = place === null ? null : judge(doors.operator + place, cookie)
    console.log(rowOf({ path, report }))
    return { path, report }
  })
  sumUp(judged)
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

/** Read where the console's own types hold, which are not those of scripts. */
async function pathsOfPages(): Promise<readonly string[]> {
  const list = pathToFileURL(join(repository, 'console/src/routes.ts')).href
  const { routes } = (await import(list)) as { readonly routes: readonly PageEntry[] }
  return routes.map(({ path }) => path)
}

function askerOf(origin: string, cookie: string): Ask {
  return async (method, path, body) => {
    const isFile = Buffer.isBuffer(body)
    const response = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: { cookie, origin, 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { readonly data: unknown }
    if (!response.ok) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`)
    return answer.data
  }
}

async function signIn(origin: string, setupUrl: string): Promise<string> {
  const setupToken = new URL(setupUrl).hash.slice(1)
  const response = await fetch(`${origin}/operator/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...CREDENTIALS, setupToken }),
  })
  if (!response.ok) throw new Error(`The set-up answered ${response.status}.`)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

function judge(url: string, cookie: string): Report {
  const output = join(folder, 'report.json')
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      program,
      url,
      '--quiet',
      '--preset=desktop',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${CATEGORIES.join(',')}`,
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
  if (path === undefined) throw new Error('There is no Chromium here: set CHROME_PATH.')
  return path
}

function scoresOf({ categories }: Report): number[] {
  return CATEGORIES.map((name) => Math.round(categories[name].score * 100))
}

function isGood({ report }: Judged): boolean {
  return report !== null && scoresOf(report).every((score) => score >= SCORE_MIN)
}

/** A page with both scores, and what was found wanting. */
function rowOf({ path, report }: Judged): string {
  if (report === null) return `${path.padEnd(PATH_WIDTH)} there is nothing to open it with`
  const figures = scoresOf(report).map((score, index) => String(score).padStart(CATEGORIES[index]?.length ?? 0))
  const faults = Object.values(report.audits).filter(({ score }) => score === 0)
  return [`${path.padEnd(PATH_WIDTH)} ${figures.join('  ')}`, ...faults.map(({ title }) => `    ${title}`)].join('\n')
}

function sumUp(judged: readonly Judged[]): void {
  const bad = judged.filter((each) => !isGood(each))
  const end = bad.length === 0 ? `all at least ${SCORE_MIN}` : `${bad.length} below ${SCORE_MIN} or not opened`
  console.log(`${judged.length} pages, ${end}.`)
  if (bad.length > 0) process.exitCode = 1
}
