import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'
import { noteAll } from '../../../../../test/support/plans.ts'
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
  test('200 returns the ids of published related products with a price in the currency, in the order of the store', async () => {
    const operator = await operatorClient(world)
    await world.import(
      [
        productLine('hat', { slug: 'hat', price: 900 }),
        productLine('belt', { slug: 'belt', skus: [{ code: 'BELT', prices: [{ currency: 'USD', amount: 900 }] }] }),
        productLine('sock', { slug: 'sock', status: 'draft' }),
      ],
      'loom',
    )
    const { items } = (await operator.get('/products?store=loom')).body.data
    const idOf = (slug: string): string => items.find((each: { slug: string }) => each.slug === slug).id
    const [hat, belt, sock, scarf] = ['hat', 'belt', 'sock', 'scarf'].map(idOf)
    const related = async (query = '') => (await get('shirt', query)).body.data.relatedProductIds
    assert.equal(await related(), undefined)

    const change = async (slug: string, body: object) => {
      await operator.change('PATCH', `/products/${idOf(slug)}`, body)
      await world.refresh()
    }
    let queries: string[] = []
    noteAll(world.database, ({ text }) => queries.push(text))
    const queriesOfReading = async () => {
      queries = []
      await related()
      // The notification of the change may arrive now: then the revisions are read once more.
      return queries.filter((text) => !text.includes('from revisions'))
    }
    await change('shirt', { brand: 'Loom' })
    const without = await queriesOfReading()
    await change('shirt', { relatedProductIds: [scarf, sock, hat, belt] })
    assert.deepEqual(await queriesOfReading(), without, 'related products need no further query')
    assert(without.length > 0)
    assert.deepEqual(await related(), [scarf, hat, belt])
    const { body } = await world.anonymous.get('/api/v1/catalog/merchants/loom/products/shirt')
    assert.deepEqual(body.data.relatedProductIds, [scarf, hat, belt])
    assert.deepEqual(await related('?currency=EUR'), [scarf, hat])
    const listed = await world.anonymous.get(`/api/v1/catalog/products?product=${scarf}&product=${hat}`)
    assert.equal(listed.body.data.length, 2)

    // Each of these answers was in the response cache.
    await change('hat', { status: 'archived' })
    assert.deepEqual(await related(), [scarf, belt])
    await change('sock', { status: 'published' })
    assert.deepEqual(await related(), [scarf, sock, belt])
    await change('hat', { status: 'published' })
    assert.deepEqual(await related(), [scarf, sock, hat, belt])
    await change('shirt', { relatedProductIds: [] })
    assert.equal(await related(), undefined)
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
