import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Judges pages of the console with Lighthouse: `npm run lighthouse`. Both scores of each must be at least 95. Lighthouse is as
 * large as a third of everything else together, so it is fetched from the registry when it is asked for, and not by every
 * installation. It needs a Chromium: CHROME_PATH, or one of the system.
 */

const VERSION = '13.5.0'
const CATEGORIES = ['accessibility', 'best-practices'] as const
const SCORE_MIN = 95
const PORTS = { PUBLIC_PORT: '18180', PAGES_PORT: '18181', OPERATOR_PORT: '18182' }
const CREDENTIALS = { email: 'operator@shop.example', password: 'a long enough pass phrase' }

const repository = join(import.meta.dirname, '..')
const cache = join(repository, '.cache', 'lighthouse')
const program = join(cache, 'node_modules', 'lighthouse', 'cli', 'index.js')

interface PageEntry {
  readonly path: string
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
  const { setupUrl } = JSON.parse(line.toString('utf8')) as { readonly setupUrl: string }
  const { origin } = new URL(setupUrl)
  const cookie = await signIn(origin, setupUrl)
  for (const path of await pagesOfTheMenu()) tell(path, judge(origin + path, cookie))
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

/** Every page that needs no id. Read where the console's own types hold, which are not those of scripts. */
async function pagesOfTheMenu(): Promise<readonly string[]> {
  const list = pathToFileURL(join(repository, 'console/src/pages.ts')).href
  const { pages } = (await import(list)) as { readonly pages: readonly PageEntry[] }
  return pages.map(({ path }) => path).filter((path) => !path.includes(':'))
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

function tell(path: string, { categories, audits }: Report): void {
  const scores = CATEGORIES.map((name) => [name, Math.round(categories[name].score * 100)] as const)
  console.log(`${path.padEnd(20)} ${scores.map(([name, score]) => `${name} ${score}`).join(' · ')}`)
  for (const { title } of Object.values(audits).filter(({ score }) => score === 0)) console.log(`    ${title}`)
  if (scores.some(([, score]) => score < SCORE_MIN)) process.exitCode = 1
}
