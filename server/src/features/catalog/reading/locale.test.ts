import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { siteOf } from '../../../../../test/support/pages/site.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

interface Item {
  readonly name: string
  readonly locale: string
}

let world: World
before(async () => {
  world = await startWorld()
  await world.import([
    storeLine('loom', { locales: ['de', 'en'] }),
    storeLine('press', { locales: ['de', 'en'] }),
    storeLine('kiln', { locales: ['en'] }),
    { type: 'category', path: ['home'], names: { en: 'Home', de: 'Wohnen' } },
    { type: 'category', path: ['new'], names: { en: 'New' } },
    productLine('shirt', { store: 'loom', names: { en: 'Shirt', de: 'Hemd' }, categories: [['home']] }),
    productLine('hat', { store: 'loom', names: { de: 'Hut' } }),
    productLine('mug', { store: 'kiln', names: { en: 'Mug' }, categories: [['new']] }),
  ])
})

const get = async (path: string, language?: string) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const { status, body } = await world.anonymous.get(`/api/v1${path}`, { headers })
  assert.equal(status, 200)
  return body
}
const named = (items: readonly Item[]) => items.map(({ name, locale }) => [name, locale])
const served = async (language?: string, query = '') => {
  const [bootstrap, products, categories] = await Promise.all([
    get(`/bootstrap${query}`, language),
    get(`/catalog/products${query}`, language),
    get(`/catalog/categories${query}`, language),
  ])
  return [bootstrap.data.locale, products.meta.locale, categories.meta.locale]
}

describe('the language of the catalog', () => {
  test('defaults to that of most stores, which bootstrap returns', async () => {
    const { defaults } = (await get('/bootstrap')).data
    assert.equal(defaults.locale, 'de')
    assert.deepEqual(await served(), ['de', 'de', 'de'])
  })

  test('defaults to the first locale of the site that a store offers, at once, for carts too', async () => {
    await siteOf(world).settings({ name: 'Market', locales: ['fr', 'en', 'de'] })
    const { defaults } = (await get('/bootstrap')).data
    assert.equal(defaults.locale, 'en')
    assert.deepEqual(await served(), ['en', 'en', 'en'])
    assert.equal((await get('/catalog/products/shirt')).data.locale, 'en')
    assert.equal((await get('/search?q=shirt')).meta.locale, 'en')

    const client = await world.client({ scopes: ['catalog:read'] })
    const { body } = await client.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE' })
    assert.equal(body.data.locale, 'en')
  })

  test('defaults in a store to the first locale of the store, which its profile returns', async () => {
    assert.equal((await get('/catalog/merchants/loom')).data.defaults.locale, 'de')
    assert.equal((await get('/catalog/merchants/loom/products')).meta.locale, 'de')
  })

  test('is the best match of `locale`, else of Accept-Language', async () => {
    assert.deepEqual(await served('ja, de-AT;q=0.8, en;q=0.5'), ['de', 'de', 'de'])
    assert.deepEqual(await served('ja, *;q=0.1'), ['en', 'en', 'en'])
    assert.deepEqual(await served('en', '?locale=de'), ['de', 'de', 'de'])
  })

  test('is returned by each item, and may differ from the requested one', async () => {
    const { data, meta } = await get('/catalog/products?locale=de&sort=name_asc')
    assert.equal(meta.locale, 'de')
    assert.deepEqual(named(data), [
      ['Hemd', 'de'],
      ['Hut', 'de'],
      ['Mug', 'en'],
    ])
    const english = await get('/catalog/products?locale=en&sort=name_asc')
    assert.deepEqual(named(english.data), [
      ['Hut', 'de'],
      ['Mug', 'en'],
      ['Shirt', 'en'],
    ])
    const categories = await get('/catalog/categories?locale=de')
    assert.deepEqual(named(categories.data), [
      ['New', 'en'],
      ['Wohnen', 'de'],
    ])
    assert.deepEqual(named((await get('/bootstrap?locale=de')).data.categories), named(categories.data))
  })
})
