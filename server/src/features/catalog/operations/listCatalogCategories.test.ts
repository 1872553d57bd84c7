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

describe('listCatalogCategories', () => {
  const get = (query = '') => world.anonymous.get(`/api/v1/catalog/categories${query}`)

  test('200 returns the tree, parents before children, with counts of open stores', async () => {
    const { status, body } = await get('?locale=de')
    assert.equal(status, 200)
    assert.equal(body.meta.locale, 'de')
    const [clothing, winter] = body.data
    assert.deepEqual([clothing.name, clothing.productCount, clothing.path], ['Kleidung', 2, ['clothing']])
    assert.deepEqual([winter.parentId, winter.productCount, winter.path], [clothing.id, 1, ['clothing', 'winter']])
    assert.equal(body.data.length, 2)
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
})
