import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
before(async () => {
  world = await startWorld()
  await world.import([
    storeLine('loom', { names: { en: 'Loom', de: 'Webstuhl' }, locales: ['en', 'de'], currencies: ['EUR', 'USD'] }),
    storeLine('kiln'),
    storeLine('vault', { accessMode: 'password' }),
    { type: 'category', path: ['clothing'], names: { en: 'Clothing', de: 'Kleidung' } },
    productLine('shirt', {
      store: 'loom',
      slug: 'shirt',
      names: { en: 'Shirt', de: 'Hemd' },
      categories: [['clothing']],
      price: 1999,
    }),
    productLine('scarf', {
      store: 'loom',
      slug: 'scarf',
      names: { en: 'Scarf', de: 'Schal' },
      categories: [['clothing', 'winter']],
      price: 999,
      stock: 0,
    }),
    productLine('mug', { store: 'kiln', slug: 'mug', names: { en: 'Mug' }, price: 500 }),
    productLine('secret', { store: 'vault', slug: 'secret', names: { en: 'Secret' } }),
  ])
})

describe('getStoreProduct', () => {
  const get = (path: string, query = '') => world.anonymous.get(`/api/v1/catalog/merchants/${path}${query}`)

  test('200 returns the product with its SKUs, prices and stock, in the language of the request', async () => {
    const { status, body } = await get('loom/products/shirt', '?locale=de')
    assert.equal(status, 200)
    assert.deepEqual([body.data.name, body.data.locale, body.data.store.name], ['Hemd', 'de', 'Webstuhl'])
    assert.deepEqual(body.data.skus[0].price, { amount: 1999, currency: 'EUR' })
    assert.deepEqual([body.data.skus[0].availability, body.data.skus[0].availableQuantity], ['in_stock', 10])
  })
  test('answers like the path without the store, for each locale, currency and country', async () => {
    const { body: elsewhere } = await world.anonymous.get('/api/v1/catalog/products/mug')
    for (const query of [
      'locale=de',
      'locale=ja',
      'currency=USD',
      'currency=JPY',
      'country=DE',
      'country=ZZ',
      'country=AQ',
    ]) {
      const here = await get('kiln/products/mug', `?${query}`)
      const there = await world.anonymous.get(`/api/v1/catalog/products/mug?${query}`)
      assert.deepEqual([here.status, here.body.code], [there.status, there.body.code], query)
      assert.equal(here.body.data?.locale, there.body.data?.locale, query)
    }
    assert.equal((await get('kiln/products/mug', '?locale=de')).body.data.locale, elsewhere.data.locale)
  })
  test('400 validation_failed: the country does not exist', async () => {
    const { status, body } = await get('loom/products/shirt', '?country=ZZ')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'validation_failed', '/country'])
  })
  test('200 with a new ETag once the price has changed', async () => {
    const first = await get('kiln/products/mug')
    await world.import([productLine('mug', { store: 'kiln', slug: 'mug', names: { en: 'Mug' }, price: 501 })])
    const second = await get('kiln/products/mug')
    assert.equal(second.body.data.priceRange.min.amount, 501)
    assert.notEqual(first.headers.get('etag'), second.headers.get('etag'))
    assert.ok(BigInt(second.body.data.catalogRevision) > BigInt(first.body.data.catalogRevision))
  })
  test('404 not_found: no such store, no such product, or a product of another store', async () => {
    for (const path of ['never-was/products/shirt', 'loom/products/never-was', 'loom/products/mug']) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
  test('404 not_found: it has no price in the currency', async () => {
    assert.equal((await get('loom/products/shirt', '?currency=USD')).status, 404)
  })
  test('403 store_access_required: the store is gated, whether or not it has the product', async () => {
    for (const path of ['vault/products/secret', 'vault/products/never-was']) {
      const { status, body } = await get(path)
      assert.deepEqual([status, body.code], [403, 'store_access_required'])
    }
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('loom/products/shirt', '?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await get('loom/products/shirt', '?currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
})
