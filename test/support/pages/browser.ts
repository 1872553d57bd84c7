import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atFileEnd } from '../file-end.ts'
import { findBrowser } from './find-browser.ts'

/**
 * No telemetry, no throttling of what is not seen, and nothing that differs between runs. Emulating a graphics card took a third of
 * its processor time, and a process for each site and page a quarter.
 */
const ARGUMENTS = [
  '--allow-pre-commit-input',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-back-forward-cache',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding',
  '--disable-field-trial-config',
  '--disable-gpu',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--disable-site-isolation-trials',
  '--disable-sync',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--headless',
  '--hide-scrollbars',
  '--in-process-gpu',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-startup-window',
  '--password-store=basic',
  '--renderer-process-limit=1',
  '--use-mock-keychain',
  // It ends when the pipe closes, however this process ends.
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
]

/** The address of the browser of this process. It serves all files of a runner: 80 starts took 0.3 s of processor time each. */
let started: Promise<string> | null = null
/** As it is used by this file. */
let connected: Promise<Browser> | null = null

/** A page in a context of its own, closed after the file. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  if (!connected) {
    connected = connect()
    atFileEnd(disconnect)
  }
  const context = await (await connected).newContext({
    viewport: WIDE,
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  })
  return context.newPage()
}

async function connect(): Promise<Browser> {
  started ??= start()
  return chromium.connectOverCDP(await started)
}

/** Closes the contexts of the file. */
async function disconnect(): Promise<void> {
  // A caller whose browser failed to start has seen the error.
  const browser = await connected?.catch(() => null)
  connected = null
  await browser?.close()
}

async function start(): Promise<string> {
  const { executablePath, environment } = await findBrowser()
  const profile = `--user-data-dir=${await mkdtemp(join(tmpdir(), 'vitrine-browser-'))}`
  // Chromium's sandbox is not available to root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(executablePath, [...ARGUMENTS, ...asRoot, profile], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  let said = ''
  for await (const text of child.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (/listening on ws:\S+\s/.test(said)) break
  }
  const [, address] = /listening on (ws:\S+)\s/.exec(said) ?? assert.fail(`the browser did not start: ${said}`)
  // It keeps no file from ending.
  child.unref()
  for (const pipe of child.stdio) (pipe as Socket | null)?.unref()
  child.stderr!.resume()
  return address!
}

export const NARROW = { width: 390, height: 844 }
export const WIDE = { width: 1280, height: 900 }
/** The menu of the console is still next to the page, which has little width left. */
const BETWEEN = { width: 800, height: 900 }

/** The windows in which a shopper goes through pages without script. A desktop is checked for every window. */
export const windows: Readonly<Record<string, BrowserContextOptions>> = {
  'a desktop': {},
  'a telephone in the dark': { viewport: NARROW, colorScheme: 'dark' },
  'a browser without script': { javaScriptEnabled: false },
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What depends on colors and layout; the other rules read the document. */
const APPEARANCE = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

type Rules = NonNullable<RunOptions['runOnly']>
const ALL: Rules = { type: 'tag', values: TAGS }
const AXE_FILE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/**
 * The violations of some rules. Passed rules are not transferred from the browser: they took most of the time. Nothing has to
 * be loaded first: no page plays anything.
 */
function violationsOf(runOnly: Rules): string {
  const options = JSON.stringify({
    runOnly,
    resultTypes: ['violations'],
    selectors: false,
    preload: false,
  } satisfies RunOptions)
  return `axe.run(document, ${options}).then(({ violations }) => violations)`
}

/** Fails if axe finds a violation of WCAG 2.2 AA or of its best practices, with the rule and the element. */
export async function assertAccessible(page: Page, runOnly: Rules = ALL): Promise<void> {
  // The debugger injects axe, which works under any content security policy and without script; once into each document.
  if (await page.evaluate<boolean>('!("axe" in window)')) await page.evaluate(await readFile(AXE_FILE, 'utf8'))
  const violations = await page.evaluate<AxeResults['violations']>(violationsOf(runOnly))
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
  assert.deepEqual(found, [], `axe at ${page.url()}`)
}

/** Fails if the page is wider than its window. */
export async function assertFits(page: Page): Promise<void> {
  const root = 'document.documentElement'
  const [inner, outer] = await page.evaluate<[number, number]>(`[${root}.scrollWidth, ${root}.clientWidth]`)
  assert(inner <= outer, `${page.url()} is ${inner} pixels wide in a window of ${outer}`)
}

/** Fails if the loaded page does not fit or is not accessible in a wide light window and in a narrow dark one. */
export async function assertFitsEveryWindow(page: Page): Promise<void> {
  await assertFits(page)
  await assertAccessible(page)
  await page.setViewportSize(BETWEEN)
  await assertFits(page)
  await page.setViewportSize(NARROW)
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertFits(page)
  await assertAccessible(page, APPEARANCE)
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The same of a page that has no script, and so is the same with it. */
export async function assertFitsWithoutScript(page: Page): Promise<void> {
  assert.equal(await page.locator('script').count(), 0, `${page.url()} has a script`)
  await assertFitsEveryWindow(page)
}
