import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Client } from 'pg'
import { catalogOn } from '../../../../../test/support/commerce/catalog.ts'
import { writeLargeCatalog } from '../../../../../test/support/commerce/large-catalog.ts'
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.ts'
import { type Asked, nodesOf, noting, type Plan, plansOf, scannedIn } from '../../../../../test/support/plans.ts'
import { runsOf } from '../../../../../test/support/runs.ts'
import { logger } from '../../../platform/observe/logger.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { CatalogCounts } from '../counting/catalog-counts.ts'
import { countSearchStatistics } from '../search/statistics.ts'

/** Enough for an index to be cheaper than reading the whole table. */
const PRODUCTS = runsOf({ full: 200_000, short: 4000 })
/** The tables that grow with the catalog. */
const LARGE = [
  ...['products', 'product_texts', 'skus', 'prices', 'stock_levels', 'listings', 'search_documents'],
  ...['search_words', 'search_terms'],
]

/** Adds words, because a generated catalog has few. */
const WORDS = `
  insert into search_words (store_id, word, products)
    select id, translate(md5(n::text), '0123456789', 'ghijklmnop'), 1 from stores, generate_series(1, 5000) as n;
  insert into search_terms (locale, term, documents)
    select locale, translate(md5(n::text), '0123456789', 'ghijklmnop'), 2 from search_statistics, generate_series(1, 5000) as n;
  analyze search_words; analyze search_terms; analyze categories`

/** The index conditions with which a plan reads a table; empty for one that it scans. */
function readsOf(table: string, plan: Plan): readonly string[] {
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => node['Index Cond'] ?? node['Recheck Cond'] ?? '')
}

describe('in a large catalog', () => {
  let own: TestDatabase
  let counts: CatalogCounts
  let asked: Asked[] = []
  let catalog: ReturnType<typeof catalogOn>
  before(async () => {
    own = await testDatabase()
    await writeLargeCatalog(own.url, { products: PRODUCTS })
    await own.database.transaction(countSearchStatistics)
    await onClient((client) => client.query(WORDS))
    const recorded = noting(own.database.reader, (each) => asked.push(each))
    counts = new CatalogCounts({ reader: recorded, log: logger('silent') })
    await counts.ready()
    catalog = catalogOn({ ...own.database, reader: recorded } as Database, counts)
  })

  const onClient = async <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = new Client({ connectionString: own.url })
    await client.connect()
    return work(client).finally(() => client.end())
  }
  /** The statements of a read, with their plans. */
  const planned = async (read: () => Promise<unknown>, before = '') => {
    asked = []
    await read()
    assert.ok(asked.length > 0)
    return plansOf(own.url, asked, { before })
  }
  /** The tables that the statements of a read scan from end to end. */
  const scannedBy = async (read: () => Promise<unknown>) => scannedIn(await planned(read), LARGE)

  const READS = {
    'the first page': { query: {} },
    'the cheapest': { query: { sort: 'price_asc' } },
    'a page by name': { query: { sort: 'name_asc' } },
    'a large category': { query: { category: ['root-0'] } },
    'a small category': { query: { category: ['leaf-19-9-7'] } },
    'a brand': { query: { brand: ['Brand 7'] } },
    'a price range of products in stock': { query: { availability: 'in_stock', priceMin: 500, priceMax: 5000 } },
  }
  for (const [name, input] of Object.entries(READS)) {
    test(`${name} is listed with facets without reading a whole table`, async () => {
      assert.deepEqual(await scannedBy(() => catalog.call('listCatalogProducts', input)), [])
    })
  }

  test('a category is found by its id, slug or path without reading all of them', async () => {
    const plans = await planned(() =>
      catalog.call('listCatalogProducts', { query: { category: ['leaf-19-9-7', 'root-0/branch-0-0', 'cat_unknown'] } }),
    )
    assert.deepEqual(scannedIn(plans, ['categories']), [])
  })

  test('a store is listed, a product is read, and a rare word is found without reading a whole table', async () => {
    assert.deepEqual(
      await scannedBy(async () => {
        await catalog.call('listStoreProducts', { params: { slug: 'bilingual' } })
        await catalog.call('getCatalogProduct', { params: { slug: 'thing-77' } })
        await catalog.call('searchCatalogProducts', { query: { q: '77' } })
      }),
      [],
    )
  })

  test('words are completed, corrected, counted and suggested without reading a whole table', async () => {
    assert.deepEqual(
      await scannedBy(async () => {
        for (const q of ['useful la', 'l', 'brnad lamp', 'category 3']) {
          const { meta } = await catalog.call('searchCatalogProducts', { query: { q } })
          assert.ok(meta.suggestions.length > 0, q)
        }
      }),
      [],
    )
  })

  /** The state after a first import, before PostgreSQL has analyzed the tables: it expects few rows in each. */
  const UNKNOWN = `set local allow_system_table_mods = on; delete from pg_statistic;
    update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace`
  test('suggestions are looked up by product, even before PostgreSQL has analyzed the tables', async () => {
    const plans = await planned(() => catalog.call('searchCatalogProducts', { query: { q: 'useful la' } }), UNKNOWN)
    const { plan } = plans.find(({ text }) => text.includes('with said as materialized'))!
    const reads = [...readsOf('listings', plan), ...readsOf('product_texts', plan)]
    assert.ok(reads.length > 0)
    for (const condition of reads) assert.match(condition, /product_id = (?:found|first)\.product_id/)
  })

  test('a search finds its words once for page, total and facets, and looks up a spelling once', async () => {
    const askedWith = async (q: string, part: string) => {
      asked = []
      const { meta } = await catalog.call('searchCatalogProducts', { query: { q } })
      return [meta.page.totalCount > 0, asked.filter(({ text }) => text.includes(part)).length]
    }
    assert.deepEqual(await askedWith('brand', 'with found'), [true, 1])
    assert.deepEqual(await askedWith('brnad', 'join search_words known on'), [true, 1])
  })

  test('words that few or no products have together are looked up by the index', async () => {
    assert.deepEqual(
      await scannedBy(async () => {
        const { meta } = await catalog.call('searchCatalogProducts', { query: { q: 'brand qxz lamp' } })
        assert.ok(meta.page.totalCount > 0)
        assert.ok(asked.some(({ text }) => text.includes('"isThere"')))
      }),
      [],
    )
  })

  test('searches of one shape have one text, whose generic plan reads no whole table', async () => {
    const pageOf = async (q: string) => {
      asked = []
      await catalog.call('searchCatalogProducts', { query: { q } })
      return asked.find(({ text }) => text.includes('with found') && text.includes('from page'))!
    }
    const { text, values } = await pageOf('77')
    assert.equal((await pageOf('78')).text, text)
    const { rows } = await onClient(async (client) => {
      await client.query(`set plan_cache_mode = force_generic_plan; prepare search as ${text}`)
      return client.query(`explain (format json) execute search (${values.map(() => 'null').join(', ')})`)
    })
    assert.deepEqual(scannedIn([{ text, plan: rows[0]['QUERY PLAN'][0].Plan }], LARGE), [])
  })

  test('each short statement of a search is planned once, however short the first lists of its connection are', async () => {
    asked = []
    for (const limit of [1, 50]) {
      for (const q of ['useful la', 'brnad lamp', 'brand qxz lamp']) {
        await catalog.call('searchCatalogProducts', { query: { q, limit } })
      }
    }
    const texts = [...new Set(asked.map(({ text }) => text))]
    const again = await onClient(async (client) => {
      // PostgreSQL compares the first five plans, each for its values, with a generic one.
      for (const each of Map.groupBy(asked, ({ text }) => text).values()) {
        for (const { text, values } of each.flatMap((one) => Array.from({ length: 6 }, () => one))) {
          await client.query({ name: `asked_${texts.indexOf(text)}`, text, values: [...values] })
        }
      }
      return client.query(
        `select statement from pg_prepared_statements where custom_plans > 5 and statement not like 'with found%'`,
      )
    })
    assert.deepEqual(again.rows, [])
  })

  test('the changes since the last count are read without reading a whole table', async () => {
    await onClient((client) =>
      client.query(`update stock_levels set on_hand = 1000 - on_hand where sku_id in (
        select sku_id from stock_levels order by sku_id limit 100)`),
    )
    assert.deepEqual(await scannedBy(() => counts.current()), [])
    assert.ok(
      asked.some(({ text }) => text.includes('from listings')),
      'products were read again',
    )
  })
})
