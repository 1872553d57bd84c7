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

describe('listStoreProducts', () => {
  const get = (slug: string, query = '') => world.anonymous.get(`/api/v1/catalog/merchants/${slug}/products${query}`)

  test('200 returns the store’s products only, page by page', async () => {
    const first = await get('loom', '?sort=name_desc&limit=1')
    assert.deepEqual(
      first.body.data.map((product: { slug: string }) => product.slug),
      ['shirt'],
    )
    const second = await world.anonymous.get(first.body.meta.next)
    assert.deepEqual(
      second.body.data.map((product: { slug: string }) => product.slug),
      ['scarf'],
    )
  })
  test('200 returns the requested products that the store sells, and the filter that was applied', async () => {
    const { body: loom } = await get('loom')
    const { body: kiln } = await get('kiln')
    const idOf = (slug: string) =>
      [...loom.data, ...kiln.data].find((product: { slug: string }) => product.slug === slug).id as string
    const asked = [idOf('mug'), idOf('scarf'), 'prod_01k5b7m2q8e9rtv3w4x5y6z7a8']
    const { body } = await get('loom', `?${asked.map((id) => `product=${id}`).join('&')}`)
    assert.deepEqual(
      body.data.map((product: { slug: string }) => product.slug),
      ['scarf'],
    )
    assert.deepEqual([body.meta.appliedFilters, body.meta.page.totalCount], [{ product: asked }, 1])
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
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await get('loom', '?currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
  test('400 invalid_cursor: modified, or from other filters', async () => {
    const { body: first } = await get('loom', '?limit=1')
    const cursor = first.meta.page.nextCursor
    for (const query of [`?cursor=x${cursor}`, `?cursor=${cursor}&category=clothing`]) {
      const { status, body } = await get('loom', query)
      assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'invalid_cursor', '/cursor'])
    }
  })
})
