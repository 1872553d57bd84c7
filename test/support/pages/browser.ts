import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atFileEnd } from '../file-end.ts'
import { findBrowser } from './find-browser.ts'

/**
 * No telemetry, and nothing that differs between runs. Emulating a graphics card took a third of the browser's processor time, and a
 * process for each site up to a tenth. The process of the compositor stays apart, although it draws nothing that is seen: as a thread
 * of the browser it once crashed the browser in 1,960 starts and ends, and saved no processor time.
 */
const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-gpu',
  '--disable-site-isolation-trials',
  '--disable-sync',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--renderer-process-limit=1',
]

let launched: Promise<Browser> | null = null

/** Opens a page in a new context, closed after the file. One browser serves all pages of a test file. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  if (!launched) {
    launched = launch()
    atFileEnd(closeBrowser)
  }
  const context = await (await launched).newContext({
    viewport: WIDE,
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS_MAX)
  context.on('page', waitForDocuments)
  return context.newPage()
}

/**
 * Makes what may lead to another page wait for its document. Playwright waits until the first bytes have arrived, after which what does not
 * wait for an element, such as the title or a count, once read an empty document.
 */
function waitForDocuments(page: Page): void {
  const frame = page.mainFrame()
  // Those of the page and of its locators end here.
  const { click, press } = frame
  const isReady = () => page.waitForLoadState('domcontentloaded')
  frame.click = (...given) => click.apply(frame, given).then(isReady)
  frame.press = (...given) => press.apply(frame, given).then(isReady)
}

/** A machine with much other load took 36 s to prepare a picture. Playwright's default is 30 s. */
export const WAIT_MS_MAX = 120_000

async function closeBrowser(): Promise<void> {
  // A caller whose browser failed to start has seen the error.
  const browser = await launched?.catch(() => null)
  launched = null
  await browser?.close()
}

async function launch(): Promise<Browser> {
  const { executablePath, environment } = await findBrowser()
  // Chromium's sandbox is not available to root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const start = () =>
    chromium.launch({
      executablePath,
      args: [...ARGUMENTS, ...asRoot],
      ...(environment && { env: { ...(process.env as Record<string, string>), ...environment } }),
    })
  // Chromium has crashed before it could be spoken to, once in several thousand starts: no test has begun, and the log says it.
  return start().catch((error: Error) => {
    console.warn(error.message)
    return start()
  })
}

export const NARROW = { width: 390, height: 844 }
export const WIDE = { width: 1280, height: 900 }
/** At this width the menu of the console is still next to the page, which has little space left. */
const BETWEEN = { width: 800, height: 900 }

/** The windows in which a shopper goes through pages without script. A desktop is checked for every window. */
export const windows: Readonly<Record<string, BrowserContextOptions>> = {
  'a desktop': {},
  'a telephone in the dark': { viewport: NARROW, colorScheme: 'dark' },
  'a browser without script': { javaScriptEnabled: false },
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that depend on colors and layout; the other rules read the document. */
const APPEARANCE = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

type Rules = NonNullable<RunOptions['runOnly']>
const ALL: Rules = { type: 'tag', values: TAGS }
const AXE_FILE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))

/**
 * A script that returns the violations of some rules. Passed rules are not transferred from the browser, which took most of the time.
 * Media are not preloaded, because no page plays any.
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

/** Fails if a page is wider than a narrow window with text of twice the size. @see WCAG 2.2, 1.4.4 Resize Text */
export async function assertFitsLargeText(page: Page): Promise<void> {
  const root = 'document.documentElement.style.fontSize'
  const before = page.viewportSize() ?? WIDE
  await page.setViewportSize(NARROW)
  await page.evaluate(`${root} = '200%'`)
  await assertFits(page)
  await page.evaluate(`${root} = ''`)
  await page.setViewportSize(before)
}

/** The same checks for a page that must not have a script. */
export async function assertFitsWithoutScript(page: Page): Promise<void> {
  assert.equal(await page.locator('script').count(), 0, `${page.url()} has a script`)
  await assertFitsEveryWindow(page)
  await assertFitsLargeText(page)
}
