import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Suggestion } from '@vitrine/contract'
import { type CallInput, catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { type Database, statement } from '../../../platform/postgres/index.ts'

const forgetNames = statement(
  'test.forget_names',
  'update search_documents set product_name = null, currencies = null where superseded_by is null',
)

describe('suggestions', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has([
      storeLine('shop', { locales: ['en', 'de', 'ja'], currencies: ['EUR', 'USD'] }),
      storeLine('vault', { accessMode: 'password', locales: ['en', 'de'] }),
      { type: 'category', path: ['bottles'], names: { en: 'Bottles', de: 'Flaschen' } },
      { type: 'category', path: ['openers'], names: { en: 'Openers', de: 'Büchsenöffner' } },
      { type: 'category', path: ['audio'], names: { en: 'Audio', de: 'Kopfhörer' } },
      { type: 'category', path: ['bottoms'], names: { en: 'Bottoms' } },
      { type: 'category', path: ['botanics'], owner: 'store', store: 'vault', names: { en: 'Botanics' } },
      productLine('bottle', {
        store: 'shop',
        names: { en: 'Café bottle', de: 'Trinkflasche Büro', ja: '陶器のボトル' },
        categories: [['bottles']],
        images: [{ url: 'https://images.example/bottle.jpg', width: 400, height: 300 }],
      }),
      productLine('steel', {
        store: 'shop',
        names: { en: 'Bottle opener steel small' },
        price: 2000,
        categories: [['openers']],
      }),
      productLine('brass', { store: 'shop', names: { en: 'Bottle opener brass' } }),
      productLine('mx', { store: 'shop', names: { en: 'Lamp MX-4000' } }),
      productLine('quiet', { store: 'shop', names: { en: 'QC 45', ja: '4Kテレビ' }, categories: [['audio']] }),
      productLine('draft', { store: 'shop', names: { en: 'Bottomless draft' }, status: 'draft' }),
      productLine('gone', { store: 'shop', names: { en: 'Botany book' } }),
      productLine('secret', {
        store: 'vault',
        names: { en: 'Bottled secret' },
        categories: [['bottoms'], ['botanics']],
      }),
    ])
    await catalog.has([productLine('gone', { store: 'shop', names: { en: 'Botany book' }, status: 'archived' })])
  })
  const suggested = async (q: string, input: CallInput = {}) => {
    const query = { q, limit: 0, facets: ['none'], ...input.query }
    const { data, meta } = await catalog.call('searchCatalogProducts', { ...input, query })
    assert.deepEqual([data, meta.facets, meta.page.nextCursor], [[], [], null])
    return meta.suggestions as Suggestion[]
  }
  const texts = async (q: string, input: CallInput = {}) =>
    (await suggested(q, input)).map(({ kind, text }) => `${kind}: ${text}`)

  test('complete the last word, and include categories and products, as lists show them', async () => {
    const all = await suggested('bott')
    assert.deepEqual(
      all.map(({ kind, text, slug }) => [kind, text, slug]),
      [
        ['query', 'bottle', undefined],
        ['category', 'Bottles', 'bottles'],
        ['product', 'Bottle opener brass', 'bottle-opener-brass'],
        ['product', 'Bottle opener steel small', 'bottle-opener-steel-small'],
        ['product', 'Café bottle', 'cafe-bottle'],
      ],
    )
    const { store, thumbnail, priceRange } = all.at(-1)!
    assert.deepEqual(
      [store?.slug, thumbnail?.url, priceRange?.min],
      ['shop', 'https://images.example/bottle.jpg', { amount: 1000, currency: 'EUR' }],
    )
  })
  test('include the words that follow a word, and completions after other words', async () => {
    assert.ok((await texts('bottle')).includes('query: bottle opener'))
    assert.equal((await texts('Bottle op'))[0], 'query: bottle opener')
    assert.deepEqual(await texts('bottle opener st'), [
      'query: bottle opener steel',
      'product: Bottle opener steel small',
    ])
  })
  test('spell words as names do, in any language of the stores, the served one first', async () => {
    assert.deepEqual(await texts('caf'), ['query: café', 'product: Café bottle'])
    assert.deepEqual(await texts('BÜR', { languages: ['de'] }), ['query: büro', 'product: Trinkflasche Büro'])
    assert.ok((await texts('trink')).includes('query: trinkflasche'))
    assert.ok((await texts('flasch', { languages: ['de'] })).includes('category: Flaschen'))
    assert.ok((await texts('flasch', { languages: ['en'] })).includes('category: Bottles'))
    assert.deepEqual(
      (await texts('b', { languages: ['en'] })).filter((text) => text.startsWith('category')),
      ['category: Bottles'],
    )
    assert.ok((await texts('陶器', { languages: ['ja'] })).includes('product: 陶器のボトル'))
  })
  test('spell a word that no name has as categories do, or as it was typed', async () => {
    assert.deepEqual(await texts('kopfh', { languages: ['de'] }), [
      'query: kopfhörer',
      'category: Kopfhörer',
      'product: QC 45',
    ])
    assert.deepEqual(await texts('ボト', { languages: ['ja'] }), ['product: 陶器のボトル'])
    assert.deepEqual(await texts('4Kテレ', { languages: ['ja'] }), [
      'query: 4k テレ',
      'query: 4k テレビ',
      'product: 4Kテレビ',
    ])
  })
  test('find the beginning of a model number, and a misspelled word', async () => {
    assert.deepEqual(await texts('mx4'), [])
    assert.deepEqual(await texts('mx-40'), ['product: Lamp MX-4000'])
    assert.equal((await texts('botlte'))[0], 'query: bottle')
  })
  test('reveal nothing of gated stores, drafts, archived products, and products without a price in the currency', async () => {
    for (const q of ['bot', 'botto', 'bottled', 'bottomless', 'botan', 'botany', 'secret']) {
      assert.doesNotMatch(JSON.stringify(await texts(q)), /secret|bottled|bottoms|draft|bottomless|botan/i, q)
    }
    assert.deepEqual(await texts('bott', { query: { currency: 'USD' } }), [])
  })
  test('show a product in the currencies that it has a price in, from their change on', async () => {
    const has = (...currencies: string[]) =>
      catalog.has([
        productLine('dollar', {
          store: 'shop',
          names: { en: 'Zinc pot' },
          skus: [{ code: 'Z', prices: currencies.map((currency) => ({ currency, amount: 700 })) }],
        }),
      ])
    const inDollars = () => texts('zinc', { query: { currency: 'USD' } })
    await has('EUR')
    assert.deepEqual(await inDollars(), [])
    await has('EUR', 'USD')
    assert.deepEqual(await inDollars(), ['product: Zinc pot'])
    await has('EUR')
    assert.deepEqual(await inDollars(), [])
  })
  test('are the same for documents of an earlier version, which have no names', async () => {
    const asked = () =>
      Promise.all(['bott', 'bottle op', 'caf', 'mx-40', 'zinc'].map((q) => suggested(q, { languages: ['en'] })))
    const before = await asked()
    await database.transaction(async (tx) => tx.write(forgetNames, []))
    assert.deepEqual(await asked(), before)
  })
  test('come with every first page, and with facets only if no products are requested', async () => {
    const search = (query: object) => catalog.call('searchCatalogProducts', { query: { q: 'bottle', ...query } })
    const { data, meta } = await search({ limit: 1 })
    assert.ok(data.length === 1 && meta.suggestions.length > 0)
    const { meta: later } = await search({ limit: 1, cursor: meta.page.nextCursor })
    assert.deepEqual(later.suggestions, [])
    const { data: none, meta: counted } = await search({ limit: 0 })
    assert.deepEqual([none, counted.page.totalCount, counted.page.hasNextPage], [[], 3, false])
    assert.ok(counted.facets.length > 0)
  })
})
