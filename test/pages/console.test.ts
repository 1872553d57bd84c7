import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { arrives, askAfterSales, bought } from '../support/after-sales.ts'
import { assertAccessible, assertFits, openPage } from '../support/browser.ts'
import { productLine } from '../support/catalogue.ts'
import { checkoutClient } from '../support/checkout.ts'
import { operatorClient } from '../support/operator.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { paidBy } from '../support/paid-orders.ts'
import { type Shop, startShop } from '../support/shop.ts'
import { siteOf } from '../support/site.ts'
import { logged, opened } from '../support/webhook-endpoints.ts'
import { startWorld, type World } from '../support/world.ts'

/** What the console says of its pages. It is built for browsers, so its types are none of ours. */
interface PageEntry {
  readonly path: string
  readonly title: string
  readonly menu?: string
}
const source = new URL('../../console/src/pages.ts', import.meta.url).href
const { pages } = (await import(source)) as { readonly pages: readonly PageEntry[] }

const FIRST = { email: 'first@example.com', password: 'four words of my own' }
const NARROW = { width: 390, height: 844 }
/** The menu still stands beside the page, and leaves little. */
const BETWEEN = { width: 800, height: 900 }
const WIDE = { width: 1280, height: 900 }
const SCRIPT_BYTES_MAX = 200 * 1024

/** A console in a browser, and what it complained of. */
interface Watched {
  readonly page: Page
  readonly origin: string
  /** Opens an address and waits until nothing is loaded any more. */
  open(path: string): Promise<void>
  /** What went wrong since it was asked last: in the script, in the log, or at the door. */
  complaints(): Promise<readonly string[]>
}

async function watched(world: World): Promise<Watched> {
  const page = await openPage({ viewport: WIDE })
  const origin = await world.openOperator()
  let seen: string[] = []
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
      await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    },
    async complaints() {
      const shown = await page.locator('.notice.bad').allTextContents()
      const all = [...seen, ...shown]
      seen = []
      return all
    },
  }
}

/** The first operator, made by the link that is printed at the start. */
async function setUp(world: World): Promise<Watched> {
  const console = await watched(world)
  const token = await world.app.setupToken()
  await console.open(`/setup#${token}`)
  await console.page.fill('[name=email]', FIRST.email)
  await console.page.fill('[name=password]', FIRST.password)
  await console.page.click('button[type=submit]')
  await console.page.waitForSelector('aside nav')
  await console.page.waitForLoadState('networkidle')
  // Before anybody is signed in, the question who is there has no answer.
  await console.complaints()
  return console
}

const heading = async (page: Page) => (await page.textContent('h1'))?.trim()

/** Opens a page in a wide window by day and a narrow one by night, and fails at anything that is not as it should be. */
async function assertSound({ page, open, complaints }: Watched, path: string): Promise<void> {
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

/** The marketplace, where nothing is sold yet. */
const hasNoParameter = ({ path }: PageEntry) => !path.includes(':')

describe('the console of a marketplace that is new', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })

  test('is entered by the printed link, left, and entered again by address and password', async () => {
    const { page, open } = console
    assert.equal(await heading(page), 'Dashboard')
    await page.click('aside >> text=Sign out')
    await page.waitForSelector('text=Sign in')
    assert.equal(await heading(page), 'Sign in')
    await assertAccessible(page)
    await page.fill('[name=email]', FIRST.email)
    await page.fill('[name=password]', 'not the password')
    await page.click('button[type=submit]')
    await page.waitForSelector('.notice.bad')
    await assertAccessible(page)
    await page.fill('[name=password]', FIRST.password)
    await page.click('button[type=submit]')
    await page.waitForSelector('aside nav')
    await console.complaints()
    await open('/')
    assert.equal(await heading(page), 'Dashboard')
    assert.equal(new URL(page.url()).hash, '', 'the token of the link does not stay in the address')
  })

  for (const { path, title } of pages.filter(hasNoParameter)) {
    test(`shows ${title}, ${path}, in every window`, () => assertSound(console, path))
  }

  test('says so where there is no such page', async () => {
    await console.open('/nowhere/at/all')
    assert.equal(await heading(console.page), 'There is no such page')
    await assertAccessible(console.page)
  })
})

/** Where the value of a parameter of an address is found. */
const EXAMPLES: Readonly<Record<string, string>> = {
  orderId: 'select id from orders order by created_at, id limit 1',
  afterSalesId: 'select id from after_sales limit 1',
  installationId: 'select installation_id as id from webhook_endpoints limit 1',
  endpointId: 'select id from webhook_endpoints limit 1',
  deliveryId: 'select id from webhook_deliveries limit 1',
  paymentId: 'select id from payment_intents limit 1',
  customerId: 'select id from customers limit 1',
  mailId: 'select id from mails limit 1',
  importId: 'select id from catalog_imports limit 1',
  documentId: 'select id from legal_documents limit 1',
  productId: "select product_id as id from skus where code = 'WORST'",
  promotionId: 'select id from promotions limit 1',
  categoryId: 'select id from categories limit 1',
  storeSlug: "select slug as id from stores where slug = 'ceramics'",
}

async function filled(shop: Shop, pattern: string): Promise<string> {
  const parts = pattern.split('/').map(async (part) => {
    if (!part.startsWith(':')) return part
    const sql = EXAMPLES[part.slice(1)]
    assert(sql !== undefined, `${pattern}: EXAMPLES says where a ${part.slice(1)} is found`)
    const [row] = await shop.query(sql)
    assert(row !== undefined, `${pattern}: the shop of this test has a ${part.slice(1)}`)
    return encodeURIComponent(String(row.id))
  })
  return (await Promise.all(parts)).join('/')
}

/** No browser finds a place to break it, and no window is as wide. */
const UNBROKEN = 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger'

/** Something of everything that a page can show, and of names what is worst. */
async function startFullShop(): Promise<Shop> {
  const prices = [{ currency: 'EUR', amount: 9_999_999 }]
  const worst = productLine('worst', { names: { en: UNBROKEN }, skus: [{ code: 'WORST', prices, stock: 9 }] })
  const shop = await startShop({ more: [worst] })
  const client = await checkoutClient(shop)
  const order = await bought(shop, client, { WORST: 2, VASE: 1 })
  await arrives(shop, order)
  await askAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
  await paidBy(shop, client, { BOWL: 3 })
  await shop.run(
    `insert into customers (id, email, email_key, password_hash, password_changed_at, first_name, locale,
       marketing_consent, accepted_documents, confirmed_at, created_at, updated_at)
     values ($1, $2, $2, '$argon2id$', $3, 'Grace', 'en', false, '[]', $3, $3, $3)`,
    [shop.ids.next('cus'), 'grace@example.com', shop.clock.now()],
  )
  const endpoint = await opened(client, {
    url: `https://shop.example/${UNBROKEN.replaceAll('ä', 'a').replaceAll('ü', 'u')}`,
  })
  await logged(shop, { installationId: client.installationId, endpointId: endpoint.id })
  const site = siteOf(shop)
  await site.publish()
  await site.draft(shop.storeId('ceramics'))
  await site.publishDraft(shop.storeId('ceramics'))
  const operator = await operatorClient(shop)
  const line = { type: 'product', id: 'plate' }
  await fetch(`${operator.origin}/operator/v1/imports?store=ceramics&format=jsonl&name=plates.jsonl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
    body: JSON.stringify(line),
  })
  return shop
}

describe('the console of a shop', () => {
  let shop: Shop
  let console: Watched
  before(async () => {
    shop = await startFullShop()
    console = await setUp(shop)
  })

  for (const { path, title } of pages) {
    test(`shows ${title}, ${path}, in every window`, async () => assertSound(console, await filled(shop, path)))
  }
})

describe('by keyboard alone, the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  const focused = () => console.page.evaluate('document.activeElement?.textContent?.trim()')

  test('is skipped to its page, which takes the focus wherever one goes', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'To the page')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await heading(page), 'Dashboard')
  })

  test('goes where a link of the menu leads, and says where it is', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('aside nav >> text=Orders')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/orders')
    await page.waitForFunction('document.querySelector("h1")?.textContent === "Orders"')
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await page.textContent('aside nav [aria-current=page]'), 'Orders')
  })

  test('opens its menu in a narrow window, and closes it behind whoever has chosen', async () => {
    const { page, open } = console
    await page.setViewportSize(NARROW)
    await open('/')
    await page.focus('header summary')
    await page.keyboard.press('Enter')
    await page.focus('header nav >> text=Products')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/products')
    await page.waitForFunction('!document.querySelector("header details").open')
    await page.setViewportSize(WIDE)
  })

  test('goes anywhere by Ctrl K, a few letters and Enter', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('mailb')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/mailbox')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.deepEqual(await console.complaints(), [])
  })

  test('gives the focus back as well where a dialog is closed by its button', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header >> text=Go to …')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Go to …/)
  })

  test('chooses among the pages that are found by the arrows', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('ArrowDown')
    const chosen = await page.textContent('[role=option][aria-selected=true]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.textContent('[role=option][aria-selected=true]'), chosen)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
  })

  test('closes a dialog by Escape, and gives the focus back to what opened it', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header >> text=Go to …')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    assert.equal(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)'), true)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Go to …/)
  })

  test('closes the dialog that makes an installation by Escape, and nothing was made', async () => {
    const { page, open } = console
    await open('/installations')
    const opener = page.locator('main .actions button, main .empty button').first()
    await opener.focus()
    const words = await focused()
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.equal(await focused(), words)
    assert.deepEqual(await console.complaints(), [])
  })
})

describe('the first load of the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  after(async () => console.page.context().close())

  test('is less than 200 KB of script, compressed, whoever comes new', async () => {
    const { page, origin } = console
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.push(response.body().then((body) => gzipSync(body).length))
    })
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
    const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0)
    assert(scripts.length > 0, 'there is script')
    assert(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
  })
})
