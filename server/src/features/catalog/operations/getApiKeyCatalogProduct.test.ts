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

describe('getApiKeyCatalogProduct', () => {
  test('200 returns a store’s own product to its installation, gated or not', async () => {
    const vault = await world.client({ storeSlug: 'vault' })
    assert.equal((await vault.get('/api/v1/open/catalog/products/secret')).body.data.name, 'Secret')
  })
  test('200 shows the stock of the environment of the credential', async () => {
    const loom = await world.client({ storeSlug: 'loom', environment: 'test' })
    const sku = async () => (await loom.get('/api/v1/open/catalog/products/shirt')).body.data.skus[0]
    assert.equal((await sku()).availableQuantity, 10)
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await (await world.client()).get('/api/v1/open/catalog/products/shirt?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await (await world.client()).get('/api/v1/open/catalog/products/shirt?currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
  test('404 not_found: another store’s product', async () => {
    const loom = await world.client({ storeSlug: 'loom' })
    for (const slug of ['mug', 'secret', 'never-was']) {
      const { status, body } = await loom.get(`/api/v1/open/catalog/products/${slug}`)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
})
