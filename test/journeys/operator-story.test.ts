// test: long
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import {
  type CallOutput,
  type PrivateJwk,
  type VitrineClient,
  VitrineError,
  vitrine,
  type WebhookEvent,
  webhookVerifier,
} from '@vitrine/sdk'
import type { Locator, Page } from 'playwright-core'
import { testDatabase } from '../support/database.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { openPage, WAIT_MS_MAX } from '../support/pages/browser.ts'
import { temporaryFolder } from '../support/processes/command.ts'
import { type Service, startService } from '../support/processes/service.ts'

/*
 * An operator of an empty marketplace gets to a first paid order, and to its refund,
 * using only the console: no command line, no SQL. The shop of the story uses the public
 * API with the SDK, and its shopper pays on our page.
 */

const OPERATOR = { email: 'ada@looms.example', password: 'linen is woven in the morning' }
const RETURN_URL = 'https://looms.example/thanks'
const CANCEL_URL = 'https://looms.example/cart'
const BERLIN = {
  recipientName: 'Bea Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}
/** The merchant's file: towels at 24.50 € each, and one invalid line. */
const CATALOG = [
  ...Array.from({ length: 1500 }, (_, index) => ({
    id: `towel-${index + 1}`,
    names: { en: `Linen towel ${index + 1}` },
    skus: [{ code: `TOWEL-${index + 1}`, prices: [{ currency: 'EUR', amount: 2450 }], stock: 12 }],
  })),
  { id: 'towel-without-a-price' },
]
/** Bytes per second: a slow upload. */
const UPLOAD_RATE = 50_000

/** The operator's actions, by their names in the audit log. */
const DONE = [
  'Create store',
  'Import catalog',
  'Save tax rates',
  'Save shipping zones',
  'Publish legal document',
  'Create installation',
  'Create installation key',
  'Record readiness proof',
  'Confirm payment',
  'Ship order',
  'Mark parcel delivered',
  'Approve after sales',
  'Mark after sales received',
  'Inspect after sales',
  'Resolve after sales',
]

let running: Service
let page: Page
let receiver: Awaited<ReturnType<typeof startReceiver>>
let url: Awaited<ReturnType<typeof testDatabase>>['url']
before(async () => {
  receiver = await startReceiver()
  ;({ url } = await testDatabase())
  running = await startService({
    databaseUrl: url,
    roles: ['public', 'pages', 'operator', 'worker'],
    environment: {
      WEBHOOK_ALLOWED_TARGETS: receiver.target,
      PAYMENT_INSTRUCTIONS: 'Linen & Loom\nIBAN DE02 1203 0000 0000 2020 51',
    },
  })
  page = await openPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => assert.fail(error))
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
/** A fact on a page, by its label. */
const fact = (name: string) =>
  page
    .locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .first()

/** Opens a page of the console with its search. */
async function visit(title: string): Promise<void> {
  await page.getByRole('button', { name: /^Search orders/ }).click()
  await dialog().getByRole('searchbox').fill(title)
  await dialog()
    .getByRole('option')
    .filter({ has: page.getByText(title, { exact: true }) })
    .first()
    .click()
  await page.locator('h1', { hasText: title }).waitFor()
}

/** Fills fields by their labels. */
async function fill(fields: Readonly<Record<string, string>>, root: Page | Locator = page): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = root.getByLabel(label, { exact: true })
    const kind = await field.evaluate((element) => element.tagName)
    await (kind === 'SELECT' ? field.selectOption({ label: value }) : field.fill(value))
  }
}

/** Fills and submits a dialog. */
async function answer(fields: Readonly<Record<string, string>>, submit: string): Promise<void> {
  await fill(fields, dialog())
  await dialog().getByRole('button', { name: submit, exact: true }).click()
  await dialog().waitFor({ state: 'detached' })
}

/** Waits for the result of a worker. */
async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; ) {
    if (await look()) return
    await page.waitForTimeout(100)
  }
  assert.fail(`waited in vain for ${what}; the page shows: ${await page.locator('main').textContent()}`)
}

/** Confirms a bank transfer. */
async function confirmPayment(payment: string, action: string): Promise<void> {
  await visit('Payments')
  await fill({ Status: 'Waiting' })
  const link = page.getByRole('link', { name: payment, exact: true })
  await until(`the ${payment}`, async () => {
    // A worker requests it asynchronously.
    await page.reload()
    await page.waitForSelector('main [aria-busy=false]')
    return link.isVisible()
  })
  await link.click()
  await button(action).click()
  await answer({}, 'Confirm')
  await until('the payment succeeds', async () => (await fact('Status').textContent()) === 'Succeeded')
}

describe('an operator of an empty marketplace', () => {
  let key = ''
  let privateKey: PrivateJwk
  let shop: VitrineClient
  let secret = ''
  let session: CallOutput<'getHostedCheckoutSession'>
  let orderId = ''
  const listing = () => shop.call('listApiKeyCatalogProducts')
  const orderNow = () => shop.call('getStorefrontOrder', { params: { orderId } })

  test('opens the link printed at the start, and becomes its operator', async () => {
    assert(running.running.setupUrl, 'a link is printed as long as there is no operator')
    await page.goto(running.running.setupUrl)
    await fill({ Email: OPERATOR.email, Password: OPERATOR.password })
    await button('Create account').click()
    await page.locator('h1', { hasText: 'Today' }).waitFor()
  })

  test('opens a store', async () => {
    await visit('Stores')
    await button('Create store').first().click()
    const countries = dialog().getByRole('combobox', { name: 'Countries' })
    await countries.fill('german')
    await dialog().getByRole('option', { name: 'Germany DE' }).waitFor()
    await countries.press('Enter')
    await answer({ Slug: 'loom', Name: 'Linen & Loom' }, 'Create')
    await page.locator('h1', { hasText: 'Linen & Loom' }).waitFor()
    assert.equal(await fact('Status').textContent(), 'Active')
  })

  test('imports its products, sees the progress, and the invalid line', async () => {
    const file = join(await temporaryFolder(), 'towels.jsonl')
    await writeFile(file, CATALOG.map((line) => JSON.stringify(line)).join('\n'))
    await visit('Imports')
    await button('Import catalog').first().click()
    await fill({ 'Default store': 'Linen & Loom' }, dialog())
    await dialog().getByLabel('File').setInputFiles(file)
    const line = await page.context().newCDPSession(page)
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: UPLOAD_RATE }
    await line.send('Network.emulateNetworkConditions', slowly)
    await button('Import').click()
    const seen = new Set<string>()
    await until('the import', async () => {
      // It may disappear at any moment.
      const bars = dialog().locator('progress')
      for (const part of await bars.evaluateAll((each) => each.map((bar) => bar.getAttribute('value')))) {
        if (part !== null) seen.add(part)
      }
      return page.locator('h1', { hasText: 'towels.jsonl' }).isVisible()
    })
    await line.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 })

    assert(seen.size > 1, `the progress of the upload is shown: ${[...seen]}`)
    await until('its end', async () => (await fact('Status').textContent()) === 'Completed')
    const figures = await Promise.all(['Status', 'Created', 'Rejected'].map((name) => fact(name).textContent()))
    assert.deepEqual(figures, ['Completed', '1,500', '1'])
    assert.match((await page.getByRole('row').last().textContent()) ?? '', /1,501.*names/)
  })

  test('sets tax and shipping rates', async () => {
    await visit('Tax')
    await button('EU VAT rates…').click()
    await dialog().getByText('Germany, standard: 19 %, new').waitFor()
    await dialog().getByRole('button', { name: 'Fill in' }).click()
    await page.getByLabel('Reduced, Germany').fill('7')
    await button('Save').first().click()
    await page.getByText('Tax saved').waitFor()

    await visit('Shipping')
    await button('Domestic…').click()
    await dialog()
      .getByText(/A new zone .*Germany/)
      .waitFor()
    await button('Add this zone').click()
    await page.getByLabel('Name shown to customers').fill('Parcel')
    await button('Add price').click()
    await page.getByLabel('From subtotal, EUR, Parcel').last().fill('100')
    await page.getByLabel('Price, EUR, Parcel').last().fill('0')
    await button('Save').first().click()
    await page.getByText('Shipping saved').waitFor()
  })

  test('publishes the terms that shoppers agree to', async () => {
    await visit('Legal documents')
    await page.getByRole('link', { name: 'Publish document' }).first().click()
    await fill({
      Store: 'Linen & Loom',
      Version: '2026-11',
      Title: 'Terms of Linen & Loom',
      Text: '# Terms\n\nLinen is **linen**.',
    })
    await page.locator('article strong', { hasText: 'linen' }).waitFor()
    await button('Publish').click()
    await button('Publish now').click()
    await page.locator('h1', { hasText: 'version 2026-11' }).waitFor()
  })

  test('registers the shop, and creates a key bound to a key pair of the browser', async () => {
    await visit('Installations')
    await button('Register installation').first().click()
    const addresses = `${RETURN_URL}\n${CANCEL_URL}`
    await answer(
      { Name: 'Looms on the web', Environment: 'Live', Store: 'Linen & Loom', 'Return URLs': addresses },
      'Register',
    )
    await page.locator('h1', { hasText: 'Looms on the web' }).waitFor()

    await button('Create key').click()
    for (const scope of ['webhooks:read', 'webhooks:write']) await dialog().getByLabel(scope).check()
    await answer({}, 'Create')
    key = (await page.locator('.secret').textContent()) ?? ''
    assert.match(key, /^sfk_live_/)
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download private key' }).click()
    privateKey = JSON.parse(await readFile(await (await saving).path(), 'utf8'))
    await button('Done').click()
    assert.equal(await page.getByText(key).count(), 0, 'it is shown once')
  })

  test('records the readiness proofs, and live keys work from then on', async () => {
    shop = vitrine({ baseUrl: running.url, key, privateKey })
    await assert.rejects(listing, (error) => error instanceof VitrineError && error.answer.status === 403)

    await visit('Readiness')
    const missing = page.getByRole('button', { name: 'Record', exact: true })
    await missing.first().waitFor()
    for (let left = await missing.count(); left > 0; left -= 1) {
      await missing.first().click()
      await answer({ 'What was verified, when, and by whom': 'Verified by Ada on the launch day.' }, 'Record')
      await until('a proof is recorded', async () => (await missing.count()) === left - 1)
    }
    await page.getByText('Live keys work.').waitFor()
    assert((await listing()).data.length > 0)
  })

  test('whose shop receives webhooks, fills a cart, and gets a quote', async () => {
    const made = await shop.call('createInstallationWebhook', {
      body: { url: `${receiver.url}/hooks`, events: ['order.created', 'order.updated', 'after_sales.updated'] },
    })
    secret = made.secret ?? ''
    const { data } = await listing()
    const { skus } = await shop.call('getApiKeyCatalogProduct', { params: { slug: data[0]!.slug } })
    const lines = [{ skuId: skus[0]!.id, quantity: 2 }]
    const cart = await shop.call('createPublicCart', { body: { currency: 'EUR', country: 'DE', locale: 'en', lines } })
    const params = { cartId: cart.id }
    await shop.call('setPublicCartAddress', {
      params,
      body: { shipping: BERLIN, contact: { email: 'bea@example.com' } },
    })
    const quote = await shop.call('quotePublicCart', { params, body: {} })
    assert.deepEqual(quote.totals.total, { amount: 5390, currency: 'EUR' }, 'two towels and the postage')
    const terms = { quoteId: quote.id, returnUrl: RETURN_URL, cancelUrl: CANCEL_URL }
    session = await shop.call('checkoutPublicCart', { params, body: terms })
    assert.equal(session.status, 'open')
  })

  test('whose shopper agrees to the terms on our page, and pays by transfer', async () => {
    const shopper = await openPage()
    await shopper.goto(session.url!)
    const press = () => shopper.click('#step form[method="post"]:not(.out form) button[type="submit"]')
    if (!(await shopper.locator('#accepted').isVisible())) await press()
    await shopper.check('#accepted')
    await press()
    assert.equal((await shopper.textContent('h1'))?.trim(), 'Complete your bank transfer')
    assert.match((await shopper.textContent('.facts')) ?? '', /€53\.90[\s\S]*IBAN\s*DE02/)
  })

  test('confirms the payment, and has a first paid order', async () => {
    await confirmPayment('Checkout payment', 'Mark as received')
    await until('the order', async () => {
      const now = await shop.call('getHostedCheckoutSession', { params: { sessionId: session.id } })
      orderId = now.orderId ?? ''
      return now.status === 'completed'
    })
    const { number, paymentStatus, acceptedDocuments } = await orderNow()
    assert.deepEqual([paymentStatus, acceptedDocuments], ['paid', [{ type: 'terms_of_use', version: '2026-11' }]])

    await visit('Orders')
    await page.getByRole('link', { name: number }).click()
    await page.locator('h1', { hasText: number }).waitFor()
    assert.equal(await fact('Payment').textContent(), 'Paid')
    assert.equal(await page.getByRole('button', { name: 'Live', pressed: true }).count(), 1)
  })

  test('ships it, and records the delivery', async () => {
    await button('Ship').click()
    await answer({ Carrier: 'DHL', 'Tracking number': '00340434' }, 'Mark as shipped')
    await page.locator('main').getByText('00340434').waitFor()
    await button('Mark as delivered').click()
    await until('the parcel arrives', async () => (await fact('Fulfillment').textContent()) === 'Delivered')
    const { fulfillments, fulfillmentStatus } = await orderNow()
    assert.deepEqual([fulfillmentStatus, fulfillments.map(({ carrier }) => carrier)], ['delivered', ['DHL']])
  })

  test('sees the webhook deliveries, which the shop can verify', async () => {
    const deliveries = async (): Promise<readonly WebhookEvent[]> => {
      const { verify } = webhookVerifier({ secret })
      return Promise.all(receiver.arrivals.map(({ body, headers }) => verify(body, headers)))
    }
    await until('the shop receives its webhooks', async () => receiver.arrivals.length >= 3)
    const [first] = await deliveries()
    assert.deepEqual([first?.type, first?.environment], ['order.created', 'live'])

    await visit('Webhooks')
    await page.getByRole('link', { name: `${receiver.url}/hooks` }).click()
    await page
      .getByRole('row', { name: /order\.created/ })
      .getByRole('link')
      .click()
    await page.locator('h1', { hasText: 'order.created' }).waitFor()
    assert.equal(await fact('Status').textContent(), 'Succeeded')
    assert.match((await page.locator('pre').textContent()) ?? '', new RegExp(orderId))
  })

  test('approves the return of both towels, and refunds them when they are received', async () => {
    const params = { orderId }
    const eligibility = await shop.call('getStorefrontOrderAfterSalesEligibility', { params })
    const { lines } = await orderNow()
    const request = await shop.call('requestStorefrontOrderAfterSales', {
      params,
      body: {
        kind: 'return',
        reasonCode: 'unwanted',
        lines: lines.map(({ id, quantity }) => ({ lineId: id, quantity: quantity.current })),
        eligibilityToken: eligibility.eligibilityToken,
        expectedVersion: eligibility.orderVersion,
      },
    })
    assert.equal(request.status, 'requested')

    await visit('Returns')
    await page
      .locator('main')
      .getByRole('link', { name: (await orderNow()).number })
      .click()
    await page.locator('h1', { hasText: /^Return for/ }).waitFor()
    await button('Approve').click()
    await answer({ 'Instructions for the customer': 'Send them to Lindenstraße 1, Berlin.' }, 'Approve')
    await button('Mark as received').click()
    await button('Record inspection').click()
    await answer({}, 'Record inspection')
    await button('Resolve').click()
    await answer({}, 'Resolve')
    await until('the refund is requested', async () => (await fact('Status').textContent()) === 'Resolving')
  })

  test('pays the refund, confirms it, and the order is refunded', async () => {
    await confirmPayment('Return refund', 'Mark as refunded')
    await until('the order is refunded', async () => (await orderNow()).paymentStatus === 'refunded')
    const { number, money, lines } = await orderNow()
    assert.deepEqual([money.charged, money.refunded], [money.refunded, { amount: 5390, currency: 'EUR' }])
    assert.equal(lines[0]?.quantity.returned, 2)

    await visit('Orders')
    await page.getByRole('link', { name: number }).click()
    await page.locator('h1', { hasText: number }).waitFor()
    assert.equal(await fact('Payment').textContent(), 'Refunded')
  })

  test('finds each action in the audit log', async () => {
    await visit('Audit log')
    const log = page.locator('main')
    await log.getByText('Confirm payment').first().waitFor()
    const shown = (await log.textContent()) ?? ''
    for (const operation of DONE) assert(shown.includes(operation), `${operation} is recorded`)
    for (const secret of [key, OPERATOR.password, privateKey.d]) assert(!shown.includes(secret))
  })
})
