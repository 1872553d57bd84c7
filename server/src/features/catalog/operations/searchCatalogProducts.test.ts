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

describe('searchCatalogProducts', () => {
  const get = (query = '') => world.anonymous.get(`/api/v1/search${query}`)

  test('200 returns matches, best first, in the language of the request', async () => {
    const { body } = await get('?q=hemd&locale=de')
    assert.deepEqual(
      body.data.map((product: { name: string }) => product.name),
      ['Hemd'],
    )
    assert.deepEqual(
      [body.meta.sort, body.meta.correctedQuery, body.meta.appliedFilters],
      ['relevance', null, { q: 'hemd' }],
    )
  })
  test('200 corrects a misspelled query, and returns the correction', async () => {
    const { body } = await get('?q=shrit')
    assert.deepEqual([body.meta.correctedQuery, body.data[0].slug], ['shirt', 'shirt'])
  })
  test('400 validation_failed: the query is empty', async () => {
    for (const query of ['', '?q=']) assert.equal((await get(query)).body.code, 'validation_failed')
  })
  test('400 unsupported_locale: no store offers the requested locale', async () => {
    const { status, body } = await get('?q=shirt&locale=ja')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_locale', '/locale'])
  })
  test('400 unsupported_currency: no store offers it', async () => {
    const { status, body } = await get('?q=shirt&currency=JPY')
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'unsupported_currency', '/currency'])
  })
  test('400 invalid_cursor: modified, or from other filters', async () => {
    const { body: first } = await get('?q=clothing&limit=1')
    const cursor = first.meta.page.nextCursor
    for (const query of [`?q=clothing&cursor=x${cursor}`, `?q=shirt&cursor=${cursor}`]) {
      const { status, body } = await get(query)
      assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'invalid_cursor', '/cursor'])
    }
  })
  test('200 for characters that folding makes longer', async () => {
    for (const character of ['㌖', 'ﷺ', 'ﬃ', 'İ']) {
      const { status, body } = await get(`?q=${encodeURIComponent(character.repeat(200))}`)
      assert.deepEqual([status, body.data], [200, []], character)
    }
  })
  test('400 validation_failed: text that PostgreSQL cannot store', async () => {
    for (const query of ['?q=%00', '?q=shirt&option.size=a%00b', '?q=%ED%A0%BD', '?q=%ff%fe', '?q=%zz'])
      assert.equal((await get(query)).body.code, 'validation_failed')
  })
})
