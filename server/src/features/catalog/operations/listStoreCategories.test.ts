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

describe('listStoreCategories', () => {
  const get = (slug: string, query = '') => world.anonymous.get(`/api/v1/catalog/merchants/${slug}/categories${query}`)

  test('200 returns the categories that the store has products in', async () => {
    const { body } = await get('loom')
    assert.deepEqual(
      body.data.map((category: Record<string, unknown>) => [category.slug, category.productCount]),
      [
        ['clothing', 2],
        ['winter', 1],
      ],
    )
    assert.deepEqual((await get('kiln')).body.data, [])
  })
  test('404 not_found: no such store', async () => {
    const { status, body } = await get('never-was')
    assert.deepEqual([status, body.code], [404, 'not_found'])
  })
  test('403 store_access_required: the store is gated', async () => {
    const { status, body } = await get('vault')
    assert.deepEqual([status, body.code], [403, 'store_access_required'])
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('loom', '?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
})
