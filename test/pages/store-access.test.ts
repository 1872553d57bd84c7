import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkoutClient, RETURN_URL } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { assertFitsEveryWindow, openPage } from '../support/pages/browser.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { gate, PASSWORD } from '../support/store-access.ts'

let shop: Shop
let origin: string
before(async () => {
  shop = await startShop()
  origin = await shop.openPages()
  await checkoutClient(shop)
  await gate(shop, { slug: 'ceramics', mode: 'password', password: PASSWORD })
})

const pathTo = (store = 'ceramics', to = RETURN_URL) => `/store-access?${new URLSearchParams({ store, return: to })}`
const stores = (grant: string) =>
  fetch(`${shop.origin}/api/v1/catalog/merchants/ceramics/products`, { headers: { 'x-store-access': grant } })

describe('the page of a store with a password', () => {
  test('returns to the shop with a grant for the store, only with the right password', async () => {
    const visitor = pageVisitor(origin)
    assert.equal((await visitor.open(pathTo())).status, 200)
    const wrong = await visitor.send(pathTo(), { password: 'open barley' })
    assert.deepEqual([wrong.status, /not the password/.test(wrong.text)], [400, true])

    const { status, location } = await visitor.send(pathTo(), { password: PASSWORD })
    assert.equal(status, 303)
    const to = new URL(location)
    assert.equal(`${to.origin}${to.pathname}`, RETURN_URL)
    const handed = new URLSearchParams(to.hash.slice(1))
    assert.equal(handed.get('store'), 'ceramics')
    assert(Date.parse(handed.get('expires_at')!) > shop.clock.now().getTime())
    assert.equal((await stores(handed.get('store_access')!)).status, 200)
    assert.equal((await stores('sfg_none')).status, 403)
  })

  test('has the design of the store, is accessible, and names the shop that it returns to', async () => {
    const page = await openPage()
    await page.goto(`${origin}${pathTo()}`)
    assert.equal(await page.textContent('.name'), 'Ceramics')
    assert.equal(await page.textContent('code'), new URL(RETURN_URL).origin)
    await assertFitsEveryWindow(page)
  })

  test('404 for another store, and for a return URL that is not registered', async () => {
    const visitor = pageVisitor(origin)
    await visitor.open(pathTo())
    for (const path of [
      pathTo('nowhere'),
      pathTo('ceramics', 'https://evil.example/'),
      pathTo('ceramics', `${RETURN_URL}?x=1`),
    ]) {
      assert.equal((await visitor.open(path)).status, 404, path)
      assert.equal((await visitor.send(path, { password: PASSWORD })).status, 404, path)
    }
  })

  test('redirects at once if the store is open', async () => {
    const { status, location } = await pageVisitor(origin).open(pathTo('books'))
    assert.deepEqual([status, location], [303, RETURN_URL])
  })

  test('takes ten guesses a minute from an address, as verifyStorefrontChallenge does', async () => {
    const limited = await startShop({ environment: { RATE_LIMITS: '{}' } })
    await checkoutClient(limited)
    await gate(limited, { slug: 'ceramics', mode: 'password', password: PASSWORD })
    const visitor = pageVisitor(await limited.openPages())
    await visitor.open(pathTo())
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await visitor.send(pathTo(), { password: `guess ${guess}` })).status)
    }
    assert.equal(statuses.at(-1), 429)
    assert.equal((await visitor.send(pathTo(), { password: PASSWORD })).status, 429)
  })
})
