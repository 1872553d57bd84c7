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

describe('listApiKeyCatalogCategories', () => {
  const path = '/api/v1/open/catalog/categories'

  test('200 returns the categories that the installation’s store has products in', async () => {
    const slugs = async (storeSlug: string) =>
      (await (await world.client({ storeSlug })).get(path)).body.data.map((category: { slug: string }) => category.slug)
    assert.deepEqual(await slugs('loom'), ['clothing', 'winter'])
    assert.deepEqual(await slugs('kiln'), [])
  })
  test('400 invalid_cursor: made up', async () => {
    const { status, body } = await (await world.client()).get(`${path}?cursor=abc.def`)
    assert.deepEqual([status, body.code], [400, 'invalid_cursor'])
  })
  test('400 invalid_cursor: its category was archived since', async () => {
    const paths = Array.from({ length: 1001 }, (_, index) => `shelf-${index}`)
    await world.import(paths.map((slug) => ({ type: 'category', path: [slug], names: { en: slug } })))
    const client = await world.client()
    const first = (await client.get(path)).body
    const last = first.data.at(-1)
    assert.equal((await client.get(first.meta.next)).status, 200)
    await world.import([{ type: 'category', path: last.path, names: { en: last.name }, status: 'archived' }])
    const { status, body } = await client.get(first.meta.next)
    assert.deepEqual([status, body.code, body.details[0].code], [400, 'invalid_cursor', 'expired'])
  })
})
