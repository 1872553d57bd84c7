import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type CallInput, catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import { type Database, statement } from '../../../platform/postgres/index.ts'
import { sellableSkus } from '../index.ts'

const storeIds = statement<{ slug: string; id: string }>('test.store_ids', 'select slug, id from stores')
const skuIds = statement<{ code: string; id: string }>('test.sku_ids', 'select code, id from skus')

describe('visibility', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  let ids: Readonly<Record<string, string>>
  let skus: Readonly<Record<string, string>>
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has([
      storeLine('open'),
      storeLine('other'),
      storeLine('vault', {
        accessMode: 'password',
        currencies: ['CHF', 'EUR'],
        locales: ['fr'],
        names: { fr: 'Coffre' },
      }),
      storeLine('gone', { status: 'suspended' }),
      { type: 'category', path: ['secrets'], owner: 'store', store: 'vault', names: { fr: 'Secrets' } },
      { type: 'category', path: ['lamps'], names: { en: 'Lamps' } },
      productLine('lamp', { store: 'open', categories: [['lamps']] }),
      productLine('stool', { store: 'other' }),
      productLine('draft', { store: 'open', status: 'draft' }),
      productLine('zephyrine', {
        store: 'vault',
        names: { fr: 'Zephyrine' },
        brand: 'Hush',
        categories: [['secrets'], ['lamps']],
      }),
      productLine('ghost', { store: 'gone', categories: [['lamps']] }),
    ])
    ids = Object.fromEntries((await database.reader.rows(storeIds)).map(({ slug, id }) => [slug, id]))
    skus = Object.fromEntries((await database.reader.rows(skuIds)).map(({ code, id }) => [code, id]))
  })

  const slugsOf = async (operation: Parameters<typeof catalog.call>[0], input: CallInput = {}) =>
    (await catalog.call(operation, input)).data.map((product: { slug: string }) => product.slug).sort()

  test('no list, search, facet, count, correction, category, currency or locale reveals a gated or suspended store', async () => {
    const answers = [
      await catalog.call('listCatalogProducts'),
      await catalog.call('listCatalogProducts', { query: { category: ['secrets', 'lamps'] } }),
      await catalog.call('listCatalogProducts', { query: { store: 'vault' } }),
      await catalog.call('listCatalogProducts', { query: { store: ids.vault } }),
      await catalog.call('searchCatalogProducts', { query: { q: 'zephyrine' }, languages: ['fr'] }),
      await catalog.call('searchCatalogProducts', { query: { q: 'zephirine' }, languages: ['fr'] }),
      await catalog.call('searchCatalogProducts', { query: { q: 'Hush ghost' } }),
      await catalog.call('listCatalogCategories', { languages: ['fr'] }),
      await catalog.call('listApiKeyCatalogProducts', { languages: ['fr'] }),
      await catalog.call('listApiKeyCatalogCategories', { languages: ['fr'] }),
    ]
    for (const answer of answers) {
      const revealed = JSON.stringify({ ...answer, meta: { ...answer.meta, appliedFilters: undefined } })
      assert.doesNotMatch(revealed, /zephyrine|hush|secrets|coffre|ghost|CHF|"fr"/i)
      for (const hidden of [ids.vault!, ids.gone!]) assert.ok(!revealed.includes(hidden))
    }
    const { data } = await catalog.call('listCatalogCategories')
    assert.deepEqual(
      data.map((category: Record<string, unknown>) => [category.slug, category.productCount]),
      [['lamps', 1]],
    )
    await refuses('unsupported_currency', () => catalog.call('listCatalogProducts', { query: { currency: 'CHF' } }))
    await refuses('unsupported_locale', () => catalog.call('listCatalogProducts', { query: { locale: 'fr' } }))
  })

  test('products of gated or suspended stores, drafts and unknown products get the same not_found', async () => {
    for (const slug of ['zephyrine', 'product-ghost', 'product-draft', 'never-was']) {
      const input = { params: { slug } }
      const refusals = [
        await refuses('not_found', () => catalog.call('getCatalogProduct', input)),
        await refuses('not_found', () => catalog.call('getApiKeyCatalogProduct', input)),
      ]
      assert.ok(refusals.every((refusal) => Object.keys(refusal.facts).length === 0))
    }
  })

  test('a gated store shows its profile, but refuses its products and categories without access', async () => {
    assert.deepEqual((await catalog.call('getStore', { params: { slug: 'vault' } })).access, { mode: 'password' })
    const params = { slug: 'vault', merchantSlug: 'vault', productSlug: 'zephyrine' }
    for (const operation of ['listStoreProducts', 'listStoreCategories', 'getStoreProduct'] as const) {
      await refuses('store_access_required', () => catalog.call(operation, { params }))
    }
    const absent = { ...params, productSlug: 'never-was' }
    await refuses('store_access_required', () => catalog.call('getStoreProduct', { params: absent }))
  })

  test('a store’s installation sees its own catalog, gated or not, and no other', async () => {
    const asOpen = { storeId: ids.open! }
    const asVault = { storeId: ids.vault! }
    assert.deepEqual(await slugsOf('listApiKeyCatalogProducts', asOpen), ['product-lamp'])
    assert.deepEqual(await slugsOf('listApiKeyCatalogProducts', asVault), ['zephyrine'])
    assert.deepEqual(await slugsOf('listApiKeyCatalogProducts'), ['product-lamp', 'product-stool'])
    assert.deepEqual(await slugsOf('listApiKeyCatalogCategories', asOpen), ['lamps'])
    assert.deepEqual(await slugsOf('listApiKeyCatalogCategories', asVault), ['lamps', 'secrets'])
    assert.equal(
      (await catalog.call('getApiKeyCatalogProduct', { params: { slug: 'zephyrine' }, ...asVault })).name,
      'Zephyrine',
    )
    await refuses('not_found', () =>
      catalog.call('getApiKeyCatalogProduct', { params: { slug: 'product-stool' }, ...asOpen }),
    )
    assert.deepEqual(await slugsOf('listApiKeyCatalogProducts', { storeId: ids.gone! }), [])
  })

  test('a cart accepts only SKUs visible to its installation', async () => {
    const ask = async (storeId: string | null) => {
      const question = {
        skuIds: Object.values(skus),
        currency: 'EUR',
        environment: 'live',
        languages: ['en'],
        storeId,
      } as const
      return [...(await sellableSkus(database.reader, question)).values()].map((sku) => [sku.code, sku.status]).sort()
    }
    assert.deepEqual(await ask(ids.open!), [
      ['DRAFT', 'unpublished'],
      ['LAMP', 'purchasable'],
    ])
    assert.deepEqual(await ask(ids.vault!), [['ZEPHYRINE', 'purchasable']])
    assert.deepEqual(await ask(null), [
      ['DRAFT', 'unpublished'],
      ['GHOST', 'store_suspended'],
      ['LAMP', 'purchasable'],
      ['STOOL', 'purchasable'],
    ])
  })
})
