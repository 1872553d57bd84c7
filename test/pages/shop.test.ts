// test: long
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { vitrine } from '@vitrine/sdk'
import { type SimulatorServer, systemClock } from '@vitrine/server'
import type { Page } from 'playwright-core'
import { testSimulator } from '../support/commerce/simulator.ts'
import { atFileEnd } from '../support/file-end.ts'
import {
  assertAccessible,
  assertFits,
  assertFitsLargeText,
  NARROW,
  openPage,
  windows,
} from '../support/pages/browser.ts'
import { pageVisitor, type Visitor } from '../support/pages/page-visitor.ts'
import { background, freePorts, temporaryFolder } from '../support/processes/command.ts'

/*
 * The example shop, which a newcomer opens after the first start: it sells using only public operations.
 */

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

let origin: string
let doors: { readonly public: string; readonly operator: string }
let demo: { readonly boundKey: string; readonly privateKeyFile: string }
let folder: string
let simulator: SimulatorServer
before(async () => {
  const simulated = await testSimulator(systemClock)
  simulator = simulated.simulator
  atFileEnd(() => simulator.close())
  folder = await temporaryFolder()
  const env = { DATA_DIR: folder, ...(await freePorts()), ...simulated.environment }
  const started = JSON.parse(await background(['start', '--demo', '--json'], { env }).saying(/^\{.*\}\n$/s))
  origin = started.shop
  doors = started.doors
  demo = started.demo
  assert.equal(origin, `http://127.0.0.1:${env.SHOP_PORT}`)
})

const ADDRESS = {
  email: 'ada@example.com',
  recipientName: 'Ada Example',
  line1: 'Friedrichstr. 1',
  postalCode: '10117',
  city: 'Berlin',
}

/** Pays on the hosted checkout. */
async function pay(page: Page): Promise<void> {
  await page.check('input[name=accepted]')
  await page.click('#step form[method="post"]:not(.out form) button[type="submit"]')
}

/** From the delivery page to the hosted checkout. */
async function openCheckout(page: Page): Promise<void> {
  await page.click('form[data-reload] button')
  await page.waitForURL((url) => url.origin !== origin)
}

/** From the delivery page over the hosted checkout to the order. */
async function payAndReturn(page: Page): Promise<void> {
  await openCheckout(page)
  await pay(page)
  await returnToShop(page)
}

async function returnToShop(page: Page): Promise<void> {
  await page.waitForSelector('h1:has-text("Thank you")')
  await page.click('a:has-text("Back to")')
  await page.waitForURL((url) => url.origin === origin)
}

/** From the delivery page to the order, with a bank that declines at first, or does not answer. */
const payments = {
  async 'a declined card'(page: Page) {
    await openCheckout(page)
    simulator.misbehave({ fault: 'decline', operation: 'authorize' })
    await pay(page)
    await page.waitForSelector('[role=alert]:has-text("declined")')
    await pay(page)
    await returnToShop(page)
  },
  async 'a silent bank'(page: Page) {
    await openCheckout(page)
    simulator.behave({ copies: 0 })
    const silent = Array.from({ length: 100 }, () => ({ fault: 'no_effect_no_answer', operation: 'lookup' }) as const)
    simulator.misbehave({ fault: 'effect_without_answer', operation: 'authorize' }, ...silent)
    const [, sessionId] = /checkout\/([^/]+)/.exec(page.url()) ?? []
    await pay(page)
    await page.waitForSelector('h1:has-text("We don’t know yet")')
    // A shopper who returns early waits in the shop, which polls until the outcome is known.
    await page.goto(`${origin}/checkout/return?sessionId=${sessionId}`)
    await page.waitForSelector('h1:has-text("We are confirming your payment")')
    await assertFits(page)
    await assertAccessible(page)
    simulator.reset()
  },
}

/** Calls the operator API as its owner. */
async function operator<Data>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object): Promise<Data> {
  const token = (await readFile(join(folder, 'operator-token'), 'utf8')).trim()
  const answer = await fetch(`${doors.operator}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${text}`)
  return (JSON.parse(text) as { data: Data }).data
}

/** The parcels in an order of the operator API. */
const PARCELS = 'fulfilments'

/** Ships the rest of an order, and marks it as delivered. */
async function deliver(orderId: string): Promise<void> {
  type Parcels = Readonly<Record<string, readonly { readonly id: string; readonly allowed: readonly string[] }[]>>
  const { [PARCELS]: parcels = [] } = await operator<Parcels>('POST', `/orders/${orderId}/parcels`)
  const parcel = parcels.find(({ allowed }) => allowed.includes('deliver')) ?? assert.fail('no parcel')
  await operator('POST', `/fulfilments/${parcel.id}/delivered`)
}

/** Receives the goods of a return, and refunds the shopper. */
async function acceptReturn(number: string): Promise<void> {
  type Requests = {
    readonly items: readonly { readonly orderNumber: string; readonly request: { readonly id: string } }[]
  }
  const { items } = await operator<Requests>('GET', '/after-sales')
  const { request } = items.find(({ orderNumber }) => orderNumber === number) ?? assert.fail(number)
  const act = (step: string, body?: object) => operator('POST', `/after-sales/${request.id}/${step}`, body)
  await act('approve', { instructions: 'Put it into its box.' })
  await act('received')
  await act('inspect', { accepted: true })
  await act('resolve', {})
}

const journeys = [
  ['a desktop', windows['a desktop'], 'a declined card'],
  ['a telephone in the dark', windows['a telephone in the dark'], 'a silent bank'],
] as const

for (const [name, options, bank] of journeys) {
  test(`in ${name}: from a misspelled search through ${bank} to a paid order, with one item canceled and one returned`, async () => {
    const page = await openPage(options)
    const good = async (where: string) => {
      await assertFits(page)
      await assertFitsLargeText(page)
      await assertAccessible(page)
      assert.notEqual(await page.title(), '', where)
    }
    await page.goto(`${origin}/en`)
    await good('home')
    await page.fill('#q', 'daybrake mgu')
    await page.waitForSelector('.suggestions a:has-text("Daybreak Mug")')
    await page.press('#q', 'Enter')
    await page.waitForSelector('h1:has-text("daybreak mug")')
    await good('search')

    const fetched = page.waitForRequest((request) => request.url().endsWith('/p/havelton/daybreak-mug'))
    await page.hover('.products a:has-text("Daybreak Mug")')
    await fetched
    await page.click('.products a:has-text("Daybreak Mug")')
    await page.waitForSelector('h1:text-is("Daybreak Mug")')
    await page.check('input[value=sage]', { force: true })
    await page.waitForURL(/glaze=sage/)
    await good('product')
    await page.click('.add button')
    await page.waitForSelector('.notice.good')
    await page.goto(`${origin}/en/p/saumpfad/stripe-blanket`)
    await page.click('.add button')
    await page.waitForSelector('.notice.good')

    await page.click('#cart-link')
    await page.waitForSelector('.totals')
    assert.match(await page.innerText('.lines'), /Daybreak Mug\s+Sage/)
    await page.fill('input[name=code]', 'NOT-A-CODE')
    await page.click('.promotion button')
    await page.waitForSelector('.notice.bad:has-text("This code is not valid.")')
    await page.fill('input[name=code]', 'WELCOME10')
    await page.click('.promotion button')
    await page.waitForSelector('.promotion .good')
    await good('cart')

    await page.click('.summary a.button')
    await page.waitForSelector('input[name=email]')
    for (const [field, value] of Object.entries(ADDRESS)) await page.fill(`[name=${field}]`, value)
    await page.click('main form button[type=submit]')
    await page.waitForSelector('text=This total is guaranteed until')
    await good('delivery')
    await payments[bank](page)
    await page.waitForSelector('h1:has-text("Thank you for your order")')
    await good('order')
    const order = page.url().split('?')[0]!
    const number = /T-\d+/.exec(await page.innerText('main'))?.[0] ?? assert.fail('no number')

    await page.click('a[href$="/cancel"]')
    await page.waitForSelector('select[name=reason]')
    await good('cancel')
    await page.selectOption('select[name^="line:"] >> nth=1', '0')
    await page.click('main form button[type=submit]')
    await page.waitForSelector('.notice.good')
    assert.match(await page.innerText('.lines'), /Daybreak Mug\s+Sage\s+Canceled: 1/)
    assert.match(await page.innerText('.summary'), /Refund/)

    await deliver(order.split('/').at(-1)!)
    await page.goto(`${origin}/en/orders`)
    await page.click(`a:has-text("Order ${number}")`)
    await page.click('a[href$="/return"]')
    await page.waitForSelector('select[name=kind]')
    await good('return')
    await page.selectOption('select[name^="line:"]', '1')
    await page.selectOption('select[name=reason]', 'unwanted')
    await page.click('main form button[type=submit]')
    await page.waitForSelector('.notice.good')
    assert.match(await page.innerText('.requests >> nth=0'), /Return: (Requested|Waiting for your parcel)/)
    await acceptReturn(number)
    // A job pays it back.
    const summary = () => page.innerText('.summary')
    do await page.goto(order)
    while (!(await summary()).includes('Refunded:') || (await summary()).includes('Refund on its way'))
    assert.match(await page.innerText('.lines'), /Stripe Blanket[^€]*Returned: 1/)
    await good('refunded')
  })
}

/** Follows the link of the mail that confirms an account. */
async function confirm(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  type Mails = { readonly items: readonly { readonly id: string; readonly recipient: string }[] }
  const find = async () => (await operator<Mails>('GET', '/mails')).items.find(({ recipient }) => recipient === email)
  let mail = await find()
  // A job writes it.
  while (!mail) mail = await find()
  const { text } = await operator<{ readonly text: string }>('GET', `/mails/${mail.id}`)
  await page.goto(/https?:\/\/\S+confirm\S+/.exec(text)?.[0] ?? assert.fail(text))
  await page.fill('input[type=password]', password)
  await page.click('main form button[type=submit]')
}

test('a customer signs in, keeps the cart of the guest, and finds the order in another browser', async () => {
  const { email, password } = { email: 'grace@shop.example', password: 'a long enough pass phrase' }
  const client = vitrine({ baseUrl: doors.public })
  const documents = await client.call('listLegalDocuments', { query: { locale: 'en' } })
  const acceptedDocuments = (['terms_of_use', 'privacy_policy'] as const).map((type) => {
    return { type, version: documents.find((each) => each.type === type)?.version ?? '' }
  })
  await client.call('registerOfficialStorefrontCustomer', {
    body: { email, password, locale: 'en', acceptedDocuments },
  })
  const page = await openPage()
  await confirm(page, { email, password })

  const signIn = async (each: Page) => {
    await each.goto(`${origin}/en/sign-in`)
    await each.fill('input[name=email]', email)
    await each.fill('input[name=password]', password)
    await each.click('main form button[type=submit]')
    await each.waitForURL(`${origin}/en/orders`)
  }
  await page.goto(`${origin}/en/p/havelton/daybreak-mug`)
  await page.click('.add button')
  await page.waitForSelector('.notice.good')
  await signIn(page)
  await page.goto(`${origin}/en/checkout`)
  for (const [field, value] of Object.entries(ADDRESS)) await page.fill(`[name=${field}]`, value)
  await page.click('main form button[type=submit]')
  await page.waitForSelector('text=This total is guaranteed until')
  await payAndReturn(page)
  const number = /T-\d+/.exec(await page.innerText('main'))?.[0] ?? assert.fail('no order')

  const elsewhere = await openPage({ viewport: NARROW })
  await signIn(elsewhere)
  await elsewhere.click(`a:has-text("Order ${number}")`)
  await elsewhere.waitForSelector(`h1:text-is("Order ${number}")`)
  await elsewhere.goto(`${origin}/en/orders`)
  await elsewhere.click('main form button[type=submit]')
  await elsewhere.waitForURL(({ pathname }) => pathname !== '/en/orders')
  await elsewhere.goto(`${origin}/en/orders`)
  assert.match(await elsewhere.innerText('main'), /You have no orders yet/)
})

test('a download is bought with only an email address', async () => {
  const page = await openPage({ viewport: NARROW })
  await page.goto(`${origin}/en/p/havelton/throwing-course`)
  await page.click('.add button')
  await page.waitForSelector('.notice.good')
  await page.goto(`${origin}/en/checkout`)
  assert.equal(await page.locator('main form input').count(), 1)
  await page.fill('[name=email]', ADDRESS.email)
  await page.click('main form button[type=submit]')
  await page.waitForSelector('text=This total is guaranteed until')
  assert.equal(await page.locator('text=Shipping method').count(), 0)
  await payAndReturn(page)
  await page.waitForSelector('h1:has-text("Thank you for your order")')
})

test('a form that the service or the network refuses keeps what was typed, and the total its guarantee in local time', async () => {
  const page = await openPage({ timezoneId: 'Pacific/Kiritimati' })
  await page.goto(`${origin}/en/p/havelton/daybreak-mug`)
  await page.click('.add button')
  await page.waitForSelector('.notice.good')
  await page.goto(`${origin}/en/checkout`)
  for (const [field, value] of Object.entries(ADDRESS)) await page.fill(`[name=${field}]`, value)
  await page.fill('[name=city]', '')
  await page.click('main form button[type=submit]')
  await page.waitForSelector('[name=city][aria-invalid]:focus')
  await page.fill('[name=city]', ADDRESS.city)
  await page.context().setOffline(true)
  await page.click('main form button[type=submit]')
  await page.waitForSelector('[role=alert]:has-text("could not confirm")')
  await assertAccessible(page)
  await page.context().setOffline(false)
  await page.click('main form button[type=submit]')
  await page.waitForSelector('text=This total is guaranteed until')
  const at = (await page.getAttribute('time', 'datetime')) ?? assert.fail('no time')
  const local = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'Pacific/Kiritimati' })
  assert.equal(await page.innerText('time'), local.format(new Date(at)))
})

test('the way back to a list leads to the same place in it', async () => {
  const page = await openPage({ viewport: NARROW })
  await page.goto(`${origin}/en/c/home`)
  const scrolled = async () => Number(await page.evaluate('scrollY'))
  await page.locator('.products a').nth(9).scrollIntoViewIfNeeded()
  const before = await scrolled()
  assert(before > 0)
  await page.locator('.products a').nth(9).click()
  await page.waitForSelector('.add')
  assert.equal(await scrolled(), 0)
  await page.goBack()
  await page.waitForSelector('.products a >> nth=9')
  assert.equal(await scrolled(), before)
})

test('a quantity that is changed by keyboard keeps the focus on its line of the cart', async () => {
  const page = await openPage()
  for (const path of ['havelton/daybreak-mug', 'saumpfad/stripe-blanket']) {
    await page.goto(`${origin}/en/p/${path}`)
    await page.click('.add button')
    await page.waitForSelector('.notice.good')
  }
  await page.goto(`${origin}/en/cart`)
  const quantities = page.locator('select[name=quantity]')
  const values = () => quantities.evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))
  assert.deepEqual(await values(), ['1', '1'])
  await quantities.last().focus()
  for (const quantity of ['2', '3']) {
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector(`select[name=quantity] option[selected][value="${quantity}"]`, { state: 'attached' })
    await page.waitForSelector('body:not([data-busy])')
    assert.deepEqual(await values(), ['1', quantity])
  }
})

test('a product page shows its related products in the merchant’s order, or else more from the store', async () => {
  const page = await openPage({ viewport: NARROW })
  const sections = () => page.locator('main section:has(.products) h2').allInnerTexts()
  const path = '/p/havelton/daybreak-mug'
  await page.goto(`${origin}/en${path}`)
  assert.deepEqual(await sections(), ['More from this store'])

  type Products = { readonly items: readonly { readonly id: string; readonly slug: string; readonly name: string }[] }
  const { items } = await operator<Products>('GET', '/products?store=havelton&limit=100')
  const mug = items.find(({ slug }) => slug === 'daybreak-mug') ?? assert.fail('the demo has a mug')
  const related = items
    .filter(({ slug }) => slug !== mug.slug)
    .slice(10, 13)
    .toReversed()
  await operator('PATCH', `/products/${mug.id}`, { relatedProductIds: related.map(({ id }) => id) })
  // The process learns of the change within a moment.
  while ((await sections())[0] !== 'Goes well with') await page.goto(`${origin}/en${path}`)
  assert.deepEqual(await sections(), ['Goes well with'])
  assert.deepEqual(
    await page.locator('.products h3').allInnerTexts(),
    related.map(({ name }) => name),
  )
  await assertFits(page)
  await assertAccessible(page)
  await page.goto(`${origin}/de${path}`)
  assert.deepEqual(await sections(), ['Passt dazu'])
})

describe('without script', () => {
  let visitor: Visitor
  before(() => {
    visitor = pageVisitor(origin)
  })
  const send = (path: string, fields: Record<string, string>) => visitor.send(path, fields, { origin })
  const idIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`${pattern} in ${text}`)

  test('a German shopper fills a cart, changes it and sees which fields of an address are missing', async () => {
    const product = await visitor.open('/de/p/havelton/daybreak-mug')
    assert.match(product.text, /Becher Morgenrot/)
    const skuId = idIn(product.text, /name="skuId" value="([^"]+)"/)
    const added = await send('/de/cart/items', { skuId, quantity: '2', back: '/de/p/havelton/daybreak-mug' })
    assert.deepEqual([added.status, added.location], [303, '/de/p/havelton/daybreak-mug'])
    assert.match((await visitor.open('/de/p/havelton/daybreak-mug')).text, /In den Warenkorb gelegt/)

    await send(`/de/cart/items/${skuId}`, { quantity: '3' })
    assert.match((await visitor.open('/de/cart')).text, /<option selected[^>]*>3<\/option>/)

    const { status, text } = await send('/de/checkout/address', { email: 'ada@example.com', countryCode: 'DE' })
    assert.equal(status, 400)
    assert.match(text, /aria-describedby="city-error"/)
    assert.match(text, /value="ada@example.com"/, 'the entered value stays')

    await send(`/de/cart/items/${skuId}`, { quantity: '0' })
    assert.match((await visitor.open('/de/cart')).text, /Dein Warenkorb ist leer/)
  })

  test('a form of another site changes nothing', async () => {
    const { status } = await visitor.send(
      '/en/cart/items',
      { skuId: 'sku_x', quantity: '1' },
      { origin: 'https://evil.example' },
    )
    assert.equal(status, 403)
  })

  test('an order is visible only to its shopper', async () => {
    const { status } = await visitor.open('/en/orders/ord_01k5b7m2q8e9rtv3w4x5y6z7a8')
    assert.equal(status, 404)
    assert.match((await visitor.open('/en/orders')).text, /You have no orders yet/)
  })

  test('another currency and country show their prices, and are remembered', async () => {
    await send('/en/preferences', { currency: 'USD', country: 'US', back: '/en' })
    assert.match((await visitor.open('/en/p/havelton/daybreak-mug')).text, /\$29\.00/)
    await send('/en/preferences', { currency: 'GBP', country: 'GB', back: '/en' })
    assert.match((await visitor.open('/en/p/havelton/daybreak-mug')).text, /£/)
  })

  test('a search goes to the page that the operator has set for it', async () => {
    const set = { query: 'delivery', language: null, pins: [], hidden: [], redirect: '/legal/shipping_policy' }
    await operator('PUT', '/search/rules', set)
    let answer = await visitor.open('/en/search?q=Deliveries')
    // The process learns of the rule within a moment.
    while (answer.status !== 303) answer = await visitor.open('/en/search?q=Deliveries')
    assert.equal(answer.location, '/en/legal/shipping_policy')
  })

  test('a store with a password shows its products to visitors who enter it', async () => {
    const closed = await visitor.open('/en/stores/atelier')
    assert.match(closed.text, /is password protected/)
    assert.equal((await send('/en/stores/atelier', { password: 'guess' })).status, 403)
    assert.equal((await send('/en/stores/atelier', { password: 'open sesame' })).status, 303)
    const open = await visitor.open('/en/stores/atelier')
    assert.match(open.text, /class="card"/)
    assert.equal((await pageVisitor(origin).open('/en/p/atelier/first-firing-vase')).status, 303)
  })
})

describe('for search engines', () => {
  const read = async (path: string) => (await fetch(origin + path)).text()

  test('the sitemap names each product in each language, and robots the sitemap', async () => {
    const sitemap = await read('/sitemap.xml')
    const locations = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!)
    assert.ok(locations.includes(`${origin}/de/p/havelton/daybreak-mug`))
    assert.ok(locations.includes(`${origin}/en/c/home/tableware`))
    assert.equal(new Set(locations).size, locations.length)
    assert.match(await read('/robots.txt'), new RegExp(`Sitemap: ${origin}/sitemap.xml`))
  })

  test('a product has its canonical address, its other languages and its offers', async () => {
    const page = await read('/en/p/havelton/daybreak-mug?glaze=sage')
    assert.match(page, new RegExp(`rel="canonical" href="${origin}/en/p/havelton/daybreak-mug"`))
    assert.match(page, new RegExp(`hreflang="de" href="${origin}/de/p/havelton/daybreak-mug"`))
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
    const { name, offers } = JSON.parse(data)
    assert.equal(name, 'Daybreak Mug')
    assert.deepEqual([offers.length, offers[0].price, offers[0].priceCurrency], [3, '26.00', 'EUR'])
  })

  test('the product feed has every SKU with its price and picture', async () => {
    const feed = await read('/feeds/en.xml')
    assert.match(feed, /<g:link>[^<]*\/en\/p\/havelton\/daybreak-mug\?/)
    assert.match(feed, /<g:price>26\.00 EUR<\/g:price>/)
    const items = feed.split('<item>').slice(1)
    assert.ok(items.length > 190)
    assert.equal(new Set(feed.match(/<g:id>sku_[0-9a-z]{26}<\/g:id>/g)).size, items.length)
    assert.ok(items.every((item) => item.includes('<g:link>') && item.includes('<g:image_link>')))
  })

  test('a missing page is a 404 page, on a phone too', async () => {
    const page = await openPage({ viewport: NARROW })
    const answer = await page.goto(`${origin}/de/nirgends`)
    assert.equal(answer?.status(), 404)
    assert.match(await page.innerText('h1'), /Seite nicht gefunden/)
    await assertFits(page)
  })
})

test('the shop can be copied out of the repository, builds there and sells on its own', async () => {
  const run = promisify(execFile)
  const copy = join(await temporaryFolder(), 'my-shop')
  await run(process.execPath, [join(REPOSITORY, 'scripts/copy-shop.js'), copy])
  // As after `npm install`, with the SDK of the copy.
  await mkdir(join(copy, 'node_modules/@vitrine'), { recursive: true })
  await symlink(join(copy, 'sdk'), join(copy, 'node_modules/@vitrine/sdk'))
  for (const name of ['hono', '@hono', 'preact', 'preact-render-to-string', 'vite']) {
    await symlink(join(REPOSITORY, 'node_modules', name), join(copy, 'node_modules', name))
  }
  const vite = join(REPOSITORY, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build'], { cwd: copy })
  await run(process.execPath, [vite, 'build', '--ssr', 'src/main.tsx', '--outDir', 'dist/server'], { cwd: copy })
  const failed = await run(process.execPath, ['dist/server/main.js'], { cwd: copy, env: {} }).catch((error) => error)
  assert.match(failed.stderr, /VITRINE_\w+ is not set\. See shop\/README\.md/)

  const { SHOP_PORT } = await freePorts()
  const env = {
    SHOP_PORT,
    VITRINE_URL: doors.public,
    VITRINE_KEY: demo.boundKey,
    VITRINE_PRIVATE_KEY_FILE: demo.privateKeyFile,
  }
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    await Promise.race([once(child.stdout, 'data'), ended.then(() => assert.fail('it ended'))])
    const page = await fetch(`http://127.0.0.1:${SHOP_PORT}/en/p/havelton/daybreak-mug`)
    assert.match(await page.text(), /<h1>Daybreak Mug<\/h1>/)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})
