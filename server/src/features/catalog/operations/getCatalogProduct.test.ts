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

describe('getCatalogProduct', () => {
  const get = (slug: string, query = '') => world.anonymous.get(`/api/v1/catalog/products/${slug}${query}`)

  test('200 returns the product of any open store', async () => {
    assert.equal((await get('shirt')).body.data.store.slug, 'loom')
    assert.equal((await get('mug')).body.data.store.slug, 'kiln')
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('shirt', '?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await get('shirt', '?currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
  test('404 not_found: a gated store’s product', async () => {
    for (const slug of ['secret', 'never-was']) {
      const { status, body } = await get(slug)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
})
