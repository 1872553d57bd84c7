import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'
import { siteOf } from '../../../../../test/support/pages/site.ts'
import { startWorld } from '../../../../../test/support/world.ts'

let shop: Shop
let site: ReturnType<typeof siteOf>
before(async () => {
  shop = await startShop()
  site = siteOf(shop)
})

const path = '/api/v1/bootstrap'
const read = async (query = '') => (await shop.anonymous.get(path + query)).body.data

describe('getBootstrap', () => {
  test('200 by default: what the open stores offer, the first of each as the default', async () => {
    const data = await read()
    assert.deepEqual(data.site, { name: 'Vitrine' })
    assert.deepEqual(data.locales, ['en', 'de'])
    assert.deepEqual(data.currencies, ['EUR', 'USD'])
    assert.deepEqual(data.countries, ['DE', 'FR', 'AT', 'US'])
    assert.deepEqual(data.defaults, { locale: 'en', currency: 'EUR', country: 'DE' })
  })

  test('200 in a marketplace without stores', async () => {
    const empty = await startWorld()
    const { status, body } = await empty.anonymous.get(path)
    assert.equal(status, 200)
    assert.deepEqual(body.data.defaults, { locale: 'en', currency: 'EUR', country: 'DE' })
    assert.deepEqual(body.data.categories, [])
  })

  test('200 names a language of the site while no store is open, and serves it', async () => {
    const empty = await startWorld()
    await siteOf(empty).settings({ name: 'Markt', locales: ['de', 'fr'] })
    const { body } = await empty.anonymous.get(path)
    assert.deepEqual([body.data.locale, body.data.locales, body.data.defaults.locale], ['de', ['de', 'fr'], 'de'])
    assert.equal((await empty.anonymous.get(`${path}?locale=${body.data.defaults.locale}`)).status, 200)
  })

  test('200 reflects the site settings at once', async () => {
    const logo = { url: 'https://img.example/logo.svg', alt: 'Markt', width: 400, height: 400 }
    await site.settings({ name: 'Markt', logo, locales: ['de', 'en'], countries: ['AT'] })

    const data = await read()
    assert.deepEqual(data.site, { name: 'Markt', logo })
    assert.deepEqual([data.locales, data.currencies, data.countries], [['de', 'en'], ['EUR', 'USD'], ['AT']])
    assert.deepEqual(data.defaults, { locale: 'de', currency: 'EUR', country: 'AT' })
    assert.equal(data.locale, 'de')
  })

  test('200 includes the category tree, parents before children, in the served language', async () => {
    const category = (path: string[], en: string, de: string) => ({ type: 'category', path, names: { en, de } })
    await shop.import([category(['home'], 'Home', 'Wohnen'), category(['home', 'mugs'], 'Mugs', 'Becher')], 'ceramics')

    const { categories, locale } = await read('?locale=de')
    const listed = await shop.anonymous.get('/api/v1/catalog/categories?locale=de')
    assert.equal(locale, 'de')
    assert.deepEqual(categories, listed.body.data)
    assert.deepEqual(
      categories.map(({ name }: { name: string }) => name),
      ['Wohnen', 'Becher'],
    )
  })

  test('200 links to each legal document in force, and to the contact channels', async () => {
    await site.publish()
    const { links } = await read('?locale=en')
    const [terms] = links.legal
    assert.deepEqual([links.legal.length, terms.type, terms.title], [1, 'terms_of_use', 'Terms of use'])
    assert.match(terms.url, /^http:\/\/127\.0\.0\.1:\d+\/legal\?type=terms_of_use&locale=en$/)
    assert.equal((await shop.anonymous.get(links.contact)).status, 200)
  })

  describe('features', () => {
    const SENDING = { SMTP_URL: 'smtp://mail.example:25', PAYMENT_INSTRUCTIONS: 'To account 1.' }
    const NOTHING = {
      registration: false,
      passwordReset: false,
      search: false,
      promotions: false,
      hostedCheckout: false,
    }

    test('200 reports no features in a marketplace without mail, stores, promotion codes and readiness proofs', async () => {
      const empty = await startWorld()
      assert.deepEqual((await empty.anonymous.get(path)).body.data.features, NOTHING)
    })

    test('200 reports at once which features have become available, and which no longer are', async () => {
      const open = await startShop({ environment: SENDING })
      const operator = await operatorClient(open)
      const features = async () => (await open.anonymous.get(path)).body.data.features
      const mailed = { registration: true, passwordReset: true, search: true }
      assert.deepEqual(await features(), { ...mailed, promotions: true, hostedCheckout: false })

      await open.activateProduction()
      await open.refresh()
      assert.deepEqual(await features(), { ...mailed, promotions: true, hostedCheckout: true })

      const { items } = (await operator.get('/promotions?limit=100')).body.data
      for (const { id, code } of items) {
        if (code !== null) await operator.change('PATCH', `/promotions/${id}`, { status: 'paused' })
      }
      await open.refresh()
      assert.equal((await features()).promotions, false)

      for (const slug of ['ceramics', 'books'])
        await operator.change('PATCH', `/stores/${slug}`, { status: 'suspended' })
      await open.refresh()
      assert.equal((await features()).search, false)
    })

    test('200 reports no hosted checkout without a payment method, even with all proofs', async () => {
      const unpaid = await startShop()
      await unpaid.activateProduction()
      await unpaid.refresh()
      assert.equal((await unpaid.anonymous.get(path)).body.data.features.hostedCheckout, false)
    })
  })

  test('400 unsupported_locale, listing the available ones', async () => {
    const answer = await shop.anonymous.get(`${path}?locale=fr`)
    assertRefused(answer, 400, 'unsupported_locale')
    assert.match(answer.body.details[0].message, /de, en/)
  })

  test('pages and mails show the site’s name as soon as it is changed', async () => {
    const origin = await shop.openPages()
    await site.settings({ name: 'Basar' })
    assert.match(
      await (await fetch(`${origin}/account/register`)).text(),
      /<header><span class="name"><span>Basar<\/span>/,
    )

    await shop.anonymous.post('/api/v1/auth/register', {
      email: 'ada@example.com',
      password: 'four words of my own',
      acceptedDocuments: [{ type: 'terms_of_use', version: '2026-03-01' }],
    })
    await shop.work()
    assert.match((await shop.mails())[0]!.text, /account with Basar/)
  })

  test('the settings are validated: no empty list, no unknown currency', async () => {
    for (const wrong of [
      { name: '' },
      { name: 'x', locales: [] },
      { name: 'x', currencies: ['euro'] },
      { name: 'x', zz: 1 },
    ]) {
      await assert.rejects(site.settings(wrong as { name: string }), { name: 'Refusal' }, JSON.stringify(wrong))
    }
  })
})
