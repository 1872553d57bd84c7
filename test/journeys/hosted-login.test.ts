// test: long
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { savePromotion } from '../../server/src/features/promotions/index.ts'
import { dataOf } from '../support/client.ts'
import { assertRefused, CARTS, cartOf, FOR_EVERYONE, type Shop, startShop } from '../support/commerce/shop.ts'
import { assertAccessible, assertFits, openPage } from '../support/pages/browser.ts'
import { begun, LOGIN, returning } from '../support/pages/hosted-login.ts'

/** A separate shop on another origin, with a return page. */
const ownShop = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end('<!doctype html><html lang="en"><title>The shop</title><h1>Welcome back</h1>')
})

const PASSWORD = 'four words of my own'

let shop: Shop
let returnUrl: string
let client: Awaited<ReturnType<Shop['client']>>
before(async () => {
  shop = await startShop()
  await shop.openPages()
  const listening = Promise.withResolvers<void>()
  ownShop.listen(0, '127.0.0.1', () => listening.resolve())
  await listening.promise
  returnUrl = `http://127.0.0.1:${(ownShop.address() as AddressInfo).port}/return?page=2`
  client = await shop.client({ returnUrls: [returnUrl] })
})
after(() => ownShop.close())

/** Common window sizes. The pages have no script, so axe results with script apply without, too. */
const windows: Readonly<Record<string, BrowserContextOptions>> = {
  'a desktop': {},
  'a telephone in the dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  'a browser without script': { javaScriptEnabled: false },
}

async function look(page: Page, heading: string, { javaScriptEnabled = true }: BrowserContextOptions): Promise<void> {
  assert.equal(await page.textContent('h1'), heading)
  await assertFits(page)
  if (javaScriptEnabled) await assertAccessible(page)
}

/** The query with which the browser returned to the shop. */
function broughtBack(page: Page): Record<string, string> {
  assert(page.url().startsWith(`${returnUrl}&`), page.url())
  return Object.fromEntries(new URL(page.url()).searchParams)
}

/** Consumes the return, as the shop's server does. */
async function whoCameBack(page: Page) {
  const { loginSession = '', code = '', state = '' } = broughtBack(page)
  return dataOf(await client.post(LOGIN.consume, returning({ loginSession, code, state })))
}

async function offerToCustomer(code: string, customerId: string): Promise<void> {
  await shop.database.transaction(async (tx) => {
    savePromotion(
      tx,
      {
        ...FOR_EVERYONE,
        id: shop.ids.next('prm'),
        storeId: shop.storeId('ceramics'),
        title: { en: 'For regulars' },
        code,
        effect: { kind: 'percentage', target: 'order', rate: '0.10' },
        audience: { kind: 'listed_customers', customerIds: [customerId] },
      },
      shop.clock.now(),
    )
  })
  await shop.refresh()
}

let people = 0

for (const [name, options] of Object.entries(windows)) {
  describe(`on ${name}`, () => {
    test('a new customer registers, signs in, returns to the shop, and gets the customer discount in the cart', async () => {
      const page = await openPage(options)
      people += 1
      const email = `shopper${people}@example.com`

      await page.goto((await begun(client, { returnUrl, prompt: 'register' })).loginUrl)
      await look(page, 'Create account', options)
      await page.fill('#email', email)
      await page.fill('#password', PASSWORD)
      await page.click('main button')
      await look(page, 'Check your inbox', options)
      await shop.work()
      await page.goto((await shop.mails()).find((mail) => mail.recipient === email)!.link)
      await page.fill('#password', PASSWORD)
      await page.click('main button')
      await look(page, 'Your account is active', options)

      await page.click('main a.button')
      await look(page, 'Sign in', options)
      await page.fill('#email', email)
      await page.fill('#password', 'not the password')
      await page.click('main button >> nth=0')
      assert.match(await page.title(), /^Error: Sign in · /)
      await look(page, 'Sign in', options)
      await page.fill('#password', PASSWORD)
      await page.click('main button >> nth=0')
      assert.equal(await page.textContent('h1'), 'Welcome back')

      const { customer, customerToken } = await whoCameBack(page)
      assert.equal(customer.email, email)

      const code = `REGULARS${people}`
      await offerToCustomer(code, customer.id)
      const theirs = await cartOf(shop, client, { MUG: 2 }, { customerToken })
      assert.deepEqual(theirs.customer, { id: customer.id })
      const applied = await client.put(`${CARTS}/${theirs.id}/promotion`, { code })
      assert.equal(applied.status, 200, applied.text)
      assert.deepEqual(applied.body.data.totals.itemsDiscount, { amount: 251, currency: 'EUR' })
      const anonymousCart = await cartOf(shop, client, { MUG: 2 })
      const refused = await client.put(`${CARTS}/${anonymousCart.id}/promotion`, { code })
      assertRefused(refused, 409, 'promotion_inapplicable')

      // A returning customer is recognized.
      await page.goto((await begun(client, { returnUrl })).loginUrl)
      await look(page, 'Continue with this account?', options)
      assert.equal(await page.textContent('.person'), email)
      await page.click('main button >> nth=0')
      assert.equal((await whoCameBack(page)).customer.id, customer.id)

      // A customer can cancel.
      await page.goto((await begun(client, { returnUrl })).loginUrl)
      await page.click('main a')
      await look(page, 'Sign in', options)
      await page.click('main button.quiet')
      assert.equal(await page.textContent('h1'), 'Welcome back')
      const { error, code: none, page: own } = broughtBack(page)
      assert.deepEqual([error, none, own], ['access_denied', undefined, '2'])

      await page.goBack()
      await page.reload()
      await look(page, 'This sign-in has ended', options)
    })
  })
}
