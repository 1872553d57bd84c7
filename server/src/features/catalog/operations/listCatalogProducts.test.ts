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
      brand: 'Loom',
      price: 1999,
    }),
    productLine('scarf', {
      store: 'loom',
      slug: 'scarf',
      names: { en: 'Scarf', de: 'Schal' },
      categories: [['clothing', 'winter']],
      brand: 'Loom',
      price: 999,
      stock: 0,
    }),
    productLine('mug', { store: 'kiln', slug: 'mug', names: { en: 'Mug' }, price: 500 }),
    productLine('secret', { store: 'vault', slug: 'secret', names: { en: 'Secret' } }),
  ])
})

describe('listCatalogProducts', () => {
  const get = (query = '') => world.anonymous.get(`/api/v1/catalog/products${query}`)
  const slugs = ({ body }: Awaited<ReturnType<typeof get>>) =>
    body.data.map((product: { slug: string }) => product.slug)

  test('200 returns a page in the requested order, with facets and a link to the next', async () => {
    const first = await get('?sort=price_asc&limit=2')
    assert.deepEqual(slugs(first), ['mug', 'scarf'])
    const { page, facets, sort, currency, locale } = first.body.meta
    assert.deepEqual(
      [page.totalCount, page.totalCountExact, sort, currency, locale],
      [3, true, 'price_asc', 'EUR', 'en'],
    )
    assert.deepEqual([facets[0].key, facets[0].values[0].label, facets[0].values[0].count], ['category', 'Clothing', 2])
    const second = await world.anonymous.get(first.body.meta.next)
    assert.deepEqual(slugs(second), ['shirt'])
    assert.deepEqual([second.body.meta.next, second.body.meta.page.hasNextPage], [null, false])
  })
  test('200 filters by category with its descendants, store, price, stock and words', async () => {
    assert.deepEqual(slugs(await get('?category=clothing&sort=name_asc')), ['scarf', 'shirt'])
    assert.deepEqual(slugs(await get('?category=clothing/winter&category=never-was')), ['scarf'])
    assert.deepEqual(slugs(await get('?store=kiln')), ['mug'])
    assert.deepEqual(slugs(await get('?priceMin=600&priceMax=1500')), ['scarf'])
    assert.deepEqual(slugs(await get('?availability=in_stock&sort=name_asc')), ['mug', 'shirt'])
    assert.deepEqual(slugs(await get('?q=shirt')), ['shirt'])
    assert.deepEqual(slugs(await get('?option.size=m')), [])
    assert.deepEqual(slugs(await get('?country=US')), [])
    assert.deepEqual(slugs(await get('?currency=USD')), [])
  })
  test('200 links to the next page with filters as long as a request can have', async () => {
    const brands = Array.from({ length: 40 }, (_, index) => `brand=${'é'.repeat(40)}${index}`).join('&')
    const first = await get(`?limit=1&sort=name_asc&brand=Loom&${brands}`)
    assert.equal(first.body.meta.page.hasNextPage, true)
    const second = await world.anonymous.get(first.body.meta.next)
    assert.deepEqual([second.status, slugs(second)], [200, ['shirt']])
  })
  test('400 validation_failed: more than 20 option filters', async () => {
    const filters = (count: number) => Array.from({ length: count }, (_, index) => `option.o${index}=x`).join('&')
    assert.equal((await get(`?${filters(20)}`)).status, 200)
    const { status, body } = await get(`?${filters(21)}`)
    const [{ in: place, pointer, code }] = body.details
    assert.deepEqual(
      [status, body.code, place, pointer, code],
      [400, 'validation_failed', 'query', '/option.o20', 'too_many'],
    )
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('?locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await get('?currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
  test('400 invalid_cursor: modified, or from other filters', async () => {
    const { body: first } = await get('?limit=1')
    const cursor = first.meta.page.nextCursor
    for (const query of [
      `?limit=1&cursor=x${cursor}`,
      `?cursor=${cursor}&priceMin=1`,
      `?cursor=${cursor}&sort=name_asc`,
    ]) {
      const { status, body } = await get(query)
      assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'invalid_cursor', '/cursor'])
    }
  })
})
