import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { assertAccessible, assertFits, openPage } from './browser.ts'
import type { World } from './world.ts'

/** What the console says of its pages. It is built for browsers, so its types are none of ours. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  readonly menu?: string
}
const source = new URL('../../console/src/pages.ts', import.meta.url).href
export const { pages } = (await import(source)) as { readonly pages: readonly PageEntry[] }

/** The operator of these tests. */
export const FIRST = { email: 'first@example.com', password: 'four words of my own' }
export const NARROW = { width: 390, height: 844 }
/** The menu still stands beside the page, and leaves little. */
const BETWEEN = { width: 800, height: 900 }
export const WIDE = { width: 1280, height: 900 }

/** A console in a browser, and what it complained of. */
export interface Watched {
  readonly page: Page
  readonly origin: string
  /** Opens an address and waits until nothing is loaded any more. */
  open(path: string): Promise<void>
  /** Waits until the page asks for nothing any more, and has shown what it was answered. */
  rests(): Promise<void>
  /** What went wrong since it was asked last: in the script, in the log, or at the door. */
  complaints(): Promise<readonly string[]>
}

/** What a page does about an answer, asking again included, it does within two frames. */
const TWO_FRAMES = `new Promise((done) => {
  requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))
})`

/** Sooner than a load state of the browser's, which comes after half a second of silence: 45 s for all pages. */
function instrumentRequests(page: Page): () => Promise<void> {
  let begun = 0
  const open = new Set<Request>()
  page.on('request', (request) => {
    begun += 1
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return async () => {
    for (let before = -1; before !== begun || open.size > 0; ) {
      before = begun
      await page.evaluate(TWO_FRAMES)
    }
  }
}

async function watched(world: World): Promise<Watched> {
  const page = await openPage({ viewport: WIDE })
  const origin = await world.openOperator()
  let seen: string[] = []
  const rests = instrumentRequests(page)
  page.on('pageerror', (error) => void seen.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 400) seen.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  return {
    page,
    origin,
    async open(path) {
      await page.goto(`${origin}${path}`)
      await rests()
    },
    rests,
    async complaints() {
      const shown = await page.locator('.notice.bad').allTextContents()
      const all = [...seen, ...shown]
      seen = []
      return all
    },
  }
}

/** The first operator, made by the link that is printed at the start. */
export async function setUp(world: World): Promise<Watched> {
  const console = await watched(world)
  const token = await world.app.setupToken()
  await console.open(`/setup#${token}`)
  await console.page.fill('[name=email]', FIRST.email)
  await console.page.fill('[name=password]', FIRST.password)
  await console.page.click('button[type=submit]')
  await console.page.waitForSelector('aside nav')
  await console.rests()
  // Before anybody is signed in, the question who is there has no answer.
  await console.complaints()
  return console
}

export const heading = async (page: Page) => (await page.textContent('h1'))?.trim()

/** Opens a page in a wide window by day and a narrow one by night, and fails at anything that is not as it should be. */
export async function assertSound({ page, open, complaints }: Watched, path: string): Promise<void> {
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(path)
  assert.deepEqual(await complaints(), [], `${path} complains`)
  assert.equal(await page.locator('h1').count(), 1, `${path} has one heading`)
  assert.doesNotMatch((await heading(page)) ?? '', /no such page/)
  assert.match(await page.title(), / · Vitrine console$/, `${path} has a title`)
  await assertFits(page)
  await assertAccessible(page)
  await page.setViewportSize(BETWEEN)
  await assertFits(page)
  await page.setViewportSize(NARROW)
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertFits(page)
  await assertAccessible(page)
}
