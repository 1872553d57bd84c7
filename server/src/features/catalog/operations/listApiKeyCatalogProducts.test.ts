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

describe('listApiKeyCatalogProducts', () => {
  const path = '/api/v1/open/catalog/products'

  test('200 returns full products of the installation’s store, with a link to the next page', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => productLine(`bowl${n}`, { store: 'kiln' }))
    await world.import(lines)
    const kiln = await world.client({ storeSlug: 'kiln' })
    const first = await kiln.get(path)
    assert.deepEqual(
      [first.body.data.length, first.body.meta.page.totalCount, first.body.data[0].store.slug],
      [50, 61, 'kiln'],
    )
    const second = await kiln.get(first.body.meta.next)
    assert.deepEqual([second.body.data.length, second.body.meta.next], [11, null])
    const ids = [...first.body.data, ...second.body.data].map((product: { id: string }) => product.id)
    assert.equal(new Set(ids).size, 61)
  })
  test('400 invalid_cursor: modified, or from another installation', async () => {
    const marketplace = await world.client()
    const { body } = await marketplace.get(path)
    const other = await world.client()
    for (const answer of [await other.get(body.meta.next), await marketplace.get(`${body.meta.next}x`)]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_cursor'])
    }
  })
})
