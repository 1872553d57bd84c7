import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Sku } from '@vitrine/contract'
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
  test('200 shows every SKU with its price in each currency, in the order of its store’s currencies', async () => {
    const sku = (code: string, prices: Record<string, number>) => ({
      code,
      options: { size: code },
      prices: Object.entries(prices).map(([currency, amount]) => ({ currency, amount })),
    })
    await world.import([
      productLine('plate', {
        store: 'loom',
        options: [{ name: 'size', values: [{ value: 's' }, { value: 'm' }, { value: 'l' }] }],
        skus: [
          { ...sku('s', { USD: 900 }), prices: [{ currency: 'USD', amount: 900, compareAt: 1000 }] },
          sku('m', { USD: 1100, EUR: 1000 }),
          { ...sku('l', { EUR: 2000 }), barcode: '4006381333931' },
        ],
      }),
    ])
    const loom = await world.client({ storeSlug: 'loom' })
    const { body } = await loom.get(path)
    const { skus, priceRange } = body.data.find(({ slug }: { slug: string }) => slug === 'product-plate')
    const usd = (amount: number) => ({ amount, currency: 'USD' })
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    assert.deepEqual(
      skus.map((each: Sku) => [each.code, each.price, each.prices]),
      [
        ['s', usd(900), [{ price: usd(900), compareAtPrice: usd(1000) }]],
        ['m', eur(1000), [{ price: eur(1000) }, { price: usd(1100) }]],
        ['l', eur(2000), [{ price: eur(2000) }]],
      ],
    )
    assert.deepEqual([priceRange, skus[2].barcode], [{ min: eur(1000), max: eur(2000) }, '4006381333931'])
    const one = await loom.get('/api/v1/open/catalog/products/product-plate')
    assert.deepEqual(
      one.body.data.skus.map((each: Sku) => [each.code, each.prices]),
      [
        ['m', undefined],
        ['l', undefined],
      ],
    )
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
