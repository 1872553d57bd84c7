import assert from 'node:assert/strict'
import type { OperatorArea } from '@vitrine/contract/operator'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import type { World } from '../world.ts'
import { assertFitsEveryWindow, openPage, WAIT_MS_MAX } from './browser.ts'

/** A page of the console. The console is built for browsers, so its own types cannot be imported. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  readonly menu?: string
  readonly area?: OperatorArea
  readonly perStore?: true
}
const source = new URL('../../../console/src/routes.ts', import.meta.url).href
export const { routes: pages } = (await import(source)) as { readonly routes: readonly PageEntry[] }

/** The operator of these tests. */
export const FIRST = { email: 'first@example.com', password: 'four words of my own' }

/** A console in a browser, and its errors. */
export interface Watched {
  readonly page: Page
  readonly origin: string
  /** Opens a path and waits until everything is loaded. */
  open(path: string): Promise<void>
  /** Goes to a path in the loaded console, as a link does, and waits until everything is loaded. */
  navigate(path: string): Promise<void>
  /** Waits until no request is open and every response is rendered. */
  rests(): Promise<void>
  /** The errors since the last call: of the script, the log and the server. */
  errors(): Promise<readonly string[]>
}

/**
 * A page renders a response, and sends the next request, within two frames. It is busy until it has a title, the console shows something,
 * which takes longer than two frames on a busy machine, and nothing is loading.
 */
const IS_BUSY = `new Promise((done) => {
  const look = () => done(document.title === '' || document.querySelector('#console:empty, [aria-busy=true], .pending') !== null)
  requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(look))))
})`

/** Faster than the browser's load state, which waits for half a second of silence: it would add 45 s for all pages. */
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
    // A dialog on leaving a page would block this forever.
    const endsAt = performance.now() + WAIT_MS_MAX
    for (let before = -1, isBusy = true; isBusy || before !== begun || open.size > 0; ) {
      assert(performance.now() < endsAt, `${page.url()} does not come to rest`)
      before = begun
      isBusy = await page.evaluate<boolean>(IS_BUSY)
    }
  }
}

async function watched(world: World, { now, ...options }: WindowOptions): Promise<Watched> {
  const page = await openPage(options)
  if (now) await page.clock.setFixedTime(now)
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
  const open = async (path: string) => {
    await page.goto(`${origin}${path}`)
    await rests()
  }
  return {
    page,
    origin,
    open,
    async navigate(path) {
      if (addressOf(page) === path) return open(path)
      // The title shows that another page has been rendered.
      await page.evaluate(`document.title = ''; history.pushState(null, '', ${JSON.stringify(path)})`)
      await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`)
      await rests()
    },
    rests,
    async errors() {
      const shown = await page.locator('.notice.bad').allTextContents()
      const all = [...seen, ...shown]
      seen = []
      return all
    },
  }
}

/** The path and query of a page, without the environment, which the console adds. */
function addressOf(page: Page): string {
  const { pathname, searchParams } = new URL(page.url())
  searchParams.delete('environment')
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

/** The window of a browser, and its time if it differs from that of this machine. */
export interface WindowOptions extends BrowserContextOptions {
  readonly now?: Date
}

/** Signs in as the first operator, created with the printed setup link. */
export async function setUp(world: World, options: WindowOptions = {}): Promise<Watched> {
  const console = await watched(world, options)
  const token = await world.app.setupToken()
  await console.open(`/setup#${token}`)
  await console.page.fill('[name=email]', FIRST.email)
  await console.page.fill('[name=password]', FIRST.password)
  await console.page.click('button[type=submit]')
  await console.page.waitForSelector('aside nav', { state: 'attached' })
  await console.rests()
  // Before sign-in, loading the session fails.
  await console.errors()
  return console
}

/** Signs in as another operator, in a window of their own. */
export async function signIn(world: World, { email, password }: typeof FIRST): Promise<Watched> {
  const console = await watched(world, {})
  await console.open('/')
  await console.page.fill('[name=email]', email)
  await console.page.fill('[name=password]', password)
  await console.page.click('button[type=submit]')
  await console.page.waitForSelector('aside nav', { state: 'attached' })
  await console.rests()
  // Before sign-in, loading the session fails.
  await console.errors()
  return console
}

export const heading = async (page: Page) => (await page.textContent('h1'))?.trim()

/** Navigates to a page, and checks errors, heading, title, layout and accessibility in every window. */
export async function assertSound(console: Watched, path: string): Promise<void> {
  const { page, origin, errors } = console
  const loaded = await fetch(`${origin}${path}`)
  assert.match(await loaded.text(), /<div id="console">/, `${path} can be loaded`)
  await console.navigate(path)
  assert.deepEqual(await errors(), [], `${path} has no errors`)
  assert.equal(await page.locator('h1').count(), 1, `${path} has one heading`)
  assert.doesNotMatch((await heading(page)) ?? '', /page not found/i)
  assert.match(await page.title(), / · Vitrine console$/, `${path} has a title`)
  const ways = page.locator('.back a, nav [aria-current=page]')
  assert((await ways.count()) > 0, `${path} is in the menu, or leads back to a page that is`)
  await assertFitsEveryWindow(page)
}
