import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { exportCatalog, type ImportReport } from '../index.ts'

async function exported(database: Database, slug: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of (await exportCatalog(database.reader, slug)) ?? []) lines.push(line)
  return lines
}

const counted = ({ created, updated, unchanged, refused }: ImportReport) => ({
  created,
  updated,
  unchanged,
  refused: refused.length,
})

const LINES = [
  storeLine('loom', {
    locales: ['en', 'de'],
    currencies: ['USD', 'EUR'],
    names: { en: 'Loom', de: 'Webstuhl' },
    contact: { email: 'hello@loom.example' },
    policies: [{ type: 'returns', titles: { en: 'Returns' }, texts: { en: 'Within 30 days.' } }],
  }),
  { type: 'category', path: ['clothing'], names: { en: 'Clothing', de: 'Kleidung' }, position: 4 },
  { type: 'category', path: ['own'], owner: 'store', store: 'loom', names: { en: 'Our own' } },
  {
    id: 'shirt',
    store: 'loom',
    names: { en: 'Linen shirt', de: 'Leinenhemd' },
    subtitles: { de: 'Für den Sommer' },
    descriptions: { de: { format: 'markdown', text: '*Gewaschenes* Leinen' } },
    brand: ' Loom ',
    categories: [['own'], ['clothing', 'shirts']],
    options: [{ name: 'size', values: [{ value: 'm', labels: { en: 'Medium' } }, { value: 'l' }] }],
    skus: [
      {
        code: 'S-M',
        options: { size: 'm' },
        prices: [
          { currency: 'USD', amount: 5200, compareAt: 5900 },
          { currency: 'EUR', amount: 4900, compareAt: 4900 },
        ],
        stock: 3,
        weightGrams: 200,
      },
      { code: 'S-L', options: { size: 'l' }, prices: [{ currency: 'EUR', amount: 4900 }], whenOutOfStock: 'preorder' },
    ],
    attributes: [
      { key: 'weight', value: 0.125 },
      { key: 'cloth', labels: { en: 'Cloth' }, value: { en: 'Linen', de: 'Leinen' } },
    ],
    images: [{ width: 8, url: '/images/shirt.svg', height: 10, alt: { de: 'Ein Hemd', en: 'A shirt' } }],
    rating: { average: 4.333, count: 3 },
    seo: { titles: { en: 'Shirt' } },
  },
  productLine('draft', { store: 'loom', status: 'draft' }),
]

describe('an export', () => {
  test('equals what was imported: importing it again changes nothing, and elsewhere creates the same', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    await catalog.has(LINES)
    const lines = await exported(database, 'loom')
    assert.equal(lines.length, 6, 'a store, three categories and two products')
    assert.deepEqual(counted(await catalog.import(lines)), { created: 0, updated: 0, unchanged: 6, refused: 0 })
    assert.deepEqual(counted(await catalog.import(LINES)), { created: 0, updated: 0, unchanged: 5, refused: 0 })

    const elsewhere = await testDatabase(t)
    await catalogOn(elsewhere.database).has(lines.map((line) => JSON.parse(line)))
    assert.deepEqual(await exported(elsewhere.database, 'loom'), lines)
  })

  test('changes nothing if imported again, whether or not a SKU says that it is shipped', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const sku = (code: string, more: object = {}) => ({ code, prices: [{ currency: 'EUR', amount: 5 }], ...more })
    const saying = (requiresShipping?: boolean) =>
      productLine('mug', { skus: [sku('M', requiresShipping === undefined ? {} : { requiresShipping })] })
    await catalog.has([saying(true)], 'shop')
    const unchanged = { created: 0, updated: 0, unchanged: 1, refused: 0 }
    for (const line of [saying(), saying(true)]) {
      assert.deepEqual(counted(await catalog.import([line], 'shop')), unchanged)
    }
    await catalog.has([saying(false)], 'shop')
    for (const line of [saying(), saying(false)]) {
      assert.deepEqual(counted(await catalog.import([line], 'shop')), unchanged)
    }
    assert.equal(counted(await catalog.import([saying(true)], 'shop')).updated, 1)
    const skuLines = (await exported(database, 'shop')).map((line) => JSON.parse(line).skus ?? [])
    assert.deepEqual(
      skuLines.flat().map(({ requiresShipping = true }) => requiresShipping),
      [true],
    )
  })

  test('of an unknown store is null', async (t) => {
    const { database } = await testDatabase(t)
    assert.equal(await exportCatalog(database.reader, 'nowhere'), null)
  })
})
