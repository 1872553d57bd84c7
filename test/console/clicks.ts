/**
 * How long each page of the console takes from a click until it can be used, and how far its parts move meanwhile: `npm run bench:console`,
 * on the demo, or on a catalog besides: `npm run bench:console -- --data FOLDER` with `.jsonl` or `.jsonl.gz` files.
 * Pages can be named: `npm run bench:console -- /orders /products`. `SCREENSHOTS=folder` also writes pictures of each page: wide and narrow, light and dark, in English and German.
 *
 * A click counts from the event until the page has its heading, waits for nothing, and has been drawn. The first one loads the code of the page.
 */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { before, test } from 'node:test'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { importCatalog } from '@vitrine/server'
import type { Request } from 'playwright-core'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { pages, setUp, type Watched } from '../support/pages/console.ts'
import { addExamples, filled } from '../support/pages/examples.ts'
import { type Business, startBusiness } from './business.ts'
import { photograph } from './photograph.ts'
import { observeShifts } from './shifts.ts'

const USABLE_MS_MAX = 300
/** 0.1 is what browsers call good. Less cannot be seen. */
const SHIFT_MAX = 0.01
const CLICKS = 5
const { values, positionals } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true })
const chosen = pages.filter(({ path }) => positionals.length === 0 || positionals.includes(path))

/** Measures from the next click, or from now, until the page can be used. Two frames in a row: it has been drawn. */
const USABLE = `window.usable = (isClick) => new Promise((done) => {
  const begin = (event) => {
    const from = event ? event.timeStamp : performance.now()
    document.title = ''
    let calm = 0
    const look = (now) => {
      const isBusy = document.title === '' || !document.querySelector('h1') || document.querySelector('[aria-busy=true]')
        || [...document.querySelectorAll('main p.lead')].some((each) => each.textContent.endsWith('…'))
      calm = isBusy ? 0 : calm + 1
      if (calm === 2) done(now - from)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }
  if (isClick) addEventListener('click', begin, { capture: true, once: true })
  else begin()
})
${observeShifts(true)}`

let business: Business
/** Those of the API since the last click. */
const requests: Request[] = []
let console: Watched
before(async () => {
  business = await startBusiness()
  const { shop } = business
  await addExamples(shop, await checkoutClient(shop), 'havelton', 'hooks')
  if (values.data) await importFolder(values.data)
  await shop.work()
  await shop.run('analyze')
  console = await setUp(shop, { now: shop.clock.now(), locale: 'en-US', timezoneId: 'UTC' })
  await console.page.addInitScript(USABLE)
  console.page.on('requestfinished', (request) => {
    if (request.url().includes('/operator/v1/')) requests.push(request)
  })
  await console.open('/')
})

async function importFolder(folder: string): Promise<void> {
  const { database, ids, clock } = business.shop
  for (const name of await readdir(folder)) {
    if (!/\.jsonl(\.gz)?$/.test(name)) continue
    const file = createReadStream(join(folder, name))
    const input = name.endsWith('.gz') ? file.pipe(createGunzip()) : file
    const source = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
    const { created, refused } = await importCatalog({ database, ids, source, storeSlug: 'havelton', now: clock.now() })
    process.stdout.write(`${name}: ${created} products, ${refused.length} lines refused\n`)
  }
}

/** The links to a page: from its section and its tab, from its list, or none. */
async function clickTo(path: string): Promise<number> {
  const { page } = console
  const links = page.locator(`a[href="${path}"]:visible, a[href^="${path}?"]:visible`)
  const measured = page.evaluate<number>(`usable(${(await links.count()) > 0})`)
  if ((await links.count()) > 0) await links.first().click()
  else
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  return measured
}

/** Where a page is reached from. */
function parentOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 2 ? parts.slice(0, 2).join('/') : path === '/' ? '/orders' : '/'
}

interface Row {
  readonly path: string
  readonly first: number
  readonly median: number
  readonly shift: number
  /** Requests of the API after a click, and what they answered, in KB: as the machine has other work, they tell more than times. */
  readonly requests: number
  readonly kilobytes: number
  /** The beginning of the text around what has moved. */
  readonly moved: readonly string[]
}

async function measure(pattern: string): Promise<Row> {
  const { page } = console
  const path = await filled(business.shop, pattern)
  const times: number[] = []
  let shift = 0
  for (let click = 0; click < CLICKS; click += 1) {
    await console.navigate(parentOf(path))
    await page.evaluate('window.shift = 0; window.moved.clear()')
    requests.length = 0
    times.push(await clickTo(path))
    await console.rests()
    shift = Math.max(shift, await page.evaluate<number>('window.shift'))
  }
  const [first = 0] = times
  const median = times.toSorted((one, other) => one - other)[CLICKS >> 1] ?? 0
  const moved = await page.evaluate<string[]>('[...window.moved]')
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  const kilobytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0) / 1000
  return { path: pattern, first, median, shift, moved, requests: requests.length, kilobytes }
}

test(`any page can be used within ${USABLE_MS_MAX} ms of a click, and none of its parts move`, async () => {
  const row = (path: string, ...figures: readonly string[]) =>
    process.stdout.write(`${path.padEnd(36)}${figures.map((each) => each.padStart(10)).join('')}\n`)
  row('page', 'first ms', 'median ms', 'shift', 'requests', 'KB')
  const rows: Row[] = []
  for (const { path } of chosen) {
    const measured = await measure(path)
    rows.push(measured)
    const { first, median, shift, requests, kilobytes } = measured
    row(path, first.toFixed(0), median.toFixed(0), shift.toFixed(4), String(requests), kilobytes.toFixed(1))
  }
  assert.deepEqual(
    rows.filter(({ median }) => median > USABLE_MS_MAX),
    [],
    'slow pages',
  )
  assert.deepEqual(
    rows.filter(({ shift }) => shift > SHIFT_MAX),
    [],
    'pages whose parts move',
  )
})

if (process.env.SCREENSHOTS) {
  test('each page is photographed in English and German', async () => {
    for (const language of ['en', 'de']) {
      await console.page.evaluate(`localStorage.setItem('vitrine.language', '${language}')`)
      await console.open('/')
      for (const { path } of chosen) {
        await console.navigate(await filled(business.shop, path))
        await photograph(console.page, `${language}${path.replace(/\/:?/g, '-')}`)
      }
    }
  })
}
