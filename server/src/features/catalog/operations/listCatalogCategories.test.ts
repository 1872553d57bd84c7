import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/statement.ts'

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

const addCategories = statement(
  'test.add_categories',
  `insert into categories (id, parent_id, path, lineage, names, created_at, updated_at)
   select 'cat_01k5b7m2q8e9rtv3w4' || lpad(n::text, 8, '0'), parent.id, parent.path || ('n' || n),
     parent.lineage || ('cat_01k5b7m2q8e9rtv3w4' || lpad(n::text, 8, '0')), '{"en": "Aprons"}', $1, $1
   from generate_series(1, 10000) as n, categories parent where parent.path = '{clothing}'`,
)

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
  test('200 returns the upper levels of a tree that is too large for one answer, parents before children', async () => {
    await world.database.transaction(async (tx) => tx.write(addCategories, [world.clock.now()], { rows: 10_000 }))
    await world.import([{ type: 'category', path: ['zips'], names: { en: 'Zips' } }])
    const { status, body } = await get()
    assert.deepEqual([status, body.data.length], [200, 10_000])
    assert.deepEqual([body.data[0].slug, body.data.at(-1).slug], ['clothing', 'zips'])
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
})
