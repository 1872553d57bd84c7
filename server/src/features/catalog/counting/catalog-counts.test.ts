import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { catalogOn, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type TestDatabase, testDatabase } from '../../../../../test/support/database.ts'
import { runsOf } from '../../../../../test/support/runs.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { type Database, openDatabase, type Reader, statement } from '../../../platform/postgres/index.ts'
import { rebaseListings, sweepCatalogChanges } from '../writing/sweep-listings.ts'
import { CatalogCounts } from './catalog-counts.ts'

const STORES = ['north', 'south', 'closed']
const COLORS = ['red', 'green', 'blue', 'a "b", c']
const SIZES = ['s', 'm']
const BRANDS = ['Loom', 'Forge', 'Ünique', '𝒜']
const PATHS = [['home'], ['home', 'lamps'], ['garden'], ['garden', 'lamps']]

const quiet = logger('silent')
const closeStore = statement('test.close_store', `update stores set access_mode = 'password' where slug = $1`)
const setStock = statement(
  'test.set_stock',
  `update stock_levels level set on_hand = $3, counted = $4
   from products product
   where product.id = level.product_id and product.external_id = $1 and level.environment = $2`,
)
const readNotes = statement<{ count: bigint }>('test.notes', 'select count(*) as count from catalog_changes')

const product = fc.record({
  id: fc.integer({ min: 0, max: 24 }),
  store: fc.constantFrom(...STORES),
  status: fc.constantFrom('published', 'published', 'published', 'draft', 'archived'),
  brand: fc.constantFrom(undefined, ...BRANDS),
  path: fc.constantFrom(undefined, ...PATHS),
  skus: fc.uniqueArray(
    fc.record({
      color: fc.constantFrom(...COLORS),
      size: fc.constantFrom(...SIZES),
      euros: fc.integer({ min: 1, max: 900 }),
      // Beyond 32 bits, and half of them in one currency only.
      dollars: fc.constantFrom(undefined, 500, 6_000_000_000),
      stock: fc.constantFrom(0, 0, 3),
    }),
    { minLength: 1, maxLength: 3, selector: ({ color, size }) => `${color} ${size}` },
  ),
})
type Product = typeof product extends fc.Arbitrary<infer Value> ? Value : never

function lineOf({ id, store, status, brand, path, skus }: Product) {
  const option = (name: string, values: readonly string[]) => ({ name, values: values.map((value) => ({ value })) })
  return {
    id: `p${id}`,
    // A product stays in its store.
    store: STORES[id % STORES.length] ?? store,
    status,
    ...(brand && { brand }),
    names: { en: `Thing ${id} ${id % 2 === 0 ? 'even' : 'odd'}` },
    ...(path && { categories: [path] }),
    options: [option('color', COLORS), option('size', SIZES)],
    skus: skus.map(({ color, size, euros, dollars, stock }) => ({
      code: `${id}-${color}-${size}`,
      options: { color, size },
      prices: [
        { currency: 'EUR', amount: euros },
        ...(dollars === undefined ? [] : [{ currency: 'USD', amount: dollars }]),
      ],
      stock,
    })),
  }
}

type Change =
  | { readonly kind: 'products'; readonly products: readonly Product[] }
  | {
      readonly kind: 'stock'
      readonly id: number
      readonly environment: 'live' | 'test'
      readonly units: number | null
    }
  | { readonly kind: 'category'; readonly path: readonly string[]; readonly status: 'active' | 'archived' }
  | { readonly kind: 'locales'; readonly store: string; readonly locales: readonly string[] }

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('products' as const), products: fc.array(product, { maxLength: 6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('stock' as const),
      id: fc.integer({ min: 0, max: 24 }),
      environment: fc.constantFrom('live' as const, 'test' as const),
      units: fc.constantFrom(0, 5, null),
    }),
  },
  fc.record({
    kind: fc.constant('category' as const),
    path: fc.constantFrom(...PATHS),
    status: fc.constantFrom('active' as const, 'archived' as const),
  }),
  fc.record({
    kind: fc.constant('locales' as const),
    store: fc.constantFrom('north', 'south'),
    locales: fc.constantFrom(['en'], ['de', 'en'], ['en', 'fr']),
  }),
)

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const question = fc.record({
  isSearch: fc.boolean(),
  environment: fc.constantFrom('live' as const, 'test' as const),
  languages: fc.constantFrom(['en'], ['de', 'en'], ['fr']),
  query: fc
    .record({
      currency: optional(fc.constantFrom('EUR', 'USD')),
      category: optional(fc.subarray(['home', 'lamps', 'home/lamps', 'garden', 'nowhere'], { minLength: 1 })),
      store: optional(fc.constantFrom('north', 'south')),
      brand: optional(fc.subarray([...BRANDS, 'None'], { minLength: 1 })),
      priceMin: optional(fc.integer({ min: 0, max: 800 })),
      priceMax: optional(fc.integer({ min: 200, max: 1200 })),
      availability: optional(fc.constantFrom('in_stock' as const, 'any' as const)),
      'option.color': optional(fc.subarray(COLORS, { minLength: 1 })),
      'option.size': optional(fc.subarray(SIZES, { minLength: 1 })),
      facets: optional(
        fc.subarray(['category', 'store', 'brand', 'price', 'availability', 'option.color', 'option.size'], {
          minLength: 1,
        }),
      ),
    })
    .map((query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))),
})
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never

/** Counts whose columns are loaded. Nothing waits for later loads. */
async function readyCounts(reader: Reader): Promise<CatalogCounts> {
  const counts = new CatalogCounts({ reader, log: quiet, loadWaitMs: 0 })
  await counts.ready()
  return counts
}

describe('counts in memory', () => {
  let own: TestDatabase
  let database: Database
  let judge: ReturnType<typeof catalogOn>
  before(async () => {
    own = await testDatabase()
    database = own.database
    judge = catalogOn(database)
    await judge.has(STORES.map((slug) => storeLine(slug, { currencies: ['EUR', 'USD'] })))
    await database.transaction(async (tx) => tx.write(closeStore, ['closed']))
  })

  const make = async (each: Change) => {
    if (each.kind === 'products') return judge.has(each.products.map(lineOf))
    if (each.kind === 'category') {
      await judge.import([{ type: 'category', path: each.path, names: { en: each.path.at(-1) }, status: each.status }])
      return
    }
    if (each.kind === 'locales')
      return judge.has([storeLine(each.store, { currencies: ['EUR', 'USD'], locales: each.locales })])
    const { id, environment, units } = each
    await database.transaction(async (tx) => tx.write(setStock, [`p${id}`, environment, units ?? 0, units !== null]))
  }
  const answerOf = async (catalog: typeof judge, { isSearch, environment, languages, query }: Question) => {
    const asked = isSearch ? { ...query, q: 'thing even' } : query
    const operation = isSearch ? 'searchCatalogProducts' : 'listCatalogProducts'
    const { data, meta } = await catalog.call(operation, { environment, languages, query: { ...asked, limit: 100 } })
    const { totalCount, totalCountExact } = meta.page
    return { ids: data.map(({ id }: { id: string }) => id), totalCount, totalCountExact, facets: meta.facets }
  }
  /** Sweeps as if this many minutes had passed since the start. */
  const sweep = async (minutes: number) => {
    const now = new Date(judge.clock.now().getTime() + minutes * 60_000)
    while (await database.transaction((tx) => sweepCatalogChanges(tx, now)));
  }
  const total = async (counts: CatalogCounts) => {
    const { meta } = await catalogOn(database, counts).call('listCatalogProducts', {
      query: { availability: 'in_stock' },
    })
    return meta.page.totalCount as number
  }

  test('equal those of PostgreSQL, with any filters, after any changes, on each node', async (t) => {
    const second = openDatabase({ url: own.url })
    t.after(() => second.close())
    const nodes = [await readyCounts(database.reader), await readyCounts(second.reader)]
    const rounds = fc.record({
      changes: fc.array(change, { maxLength: 4 }),
      questions: fc.array(question, { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(rounds, async ({ changes, questions }) => {
        for (const each of changes) await make(each)
        for (const each of questions) {
          const expected = await answerOf(judge, each)
          if (expected.ids.length < 100) assert.equal(expected.totalCount, expected.ids.length)
          for (const counts of nodes) {
            assert.notEqual(await counts.current(), null)
            assert.deepEqual(await answerOf(catalogOn(database, counts), each), expected)
          }
        }
      }),
      { numRuns: runsOf({ full: 400, short: 40 }) },
    )
  })

  test('wait for a load that has just begun, and include what is committed meanwhile', async () => {
    const before = await (await readyCounts(database.reader)).current()
    let isChanged = false
    const reader: Reader = {
      ...database.reader,
      rows: async (asked, values) => {
        const rows = await database.reader.rows(asked, values)
        if (asked.name === 'catalog.read_ids_to_count' && rows.length === 0 && !isChanged) {
          isChanged = true
          await judge.has([lineOf(one(45, 3))])
        }
        return rows
      },
    }

    const first = await new CatalogCounts({ reader, log: quiet }).current()

    assert.ok(isChanged)
    assert.equal(first?.columns.size, (before?.columns.size ?? 0) + 1)
  })

  test('come from PostgreSQL during a load that takes longer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reader: Reader = {
      ...database.reader,
      rows: async (asked, values) => {
        if (asked.name === 'catalog.read_ids_to_count') await promise
        return database.reader.rows(asked, values)
      },
    }
    const counts = new CatalogCounts({ reader, log: quiet, loadWaitMs: 1 })

    assert.equal(await counts.current(), null)

    resolve()
    await counts.ready()
    assert.notEqual(await counts.current(), null)
  })

  test('include a change as soon as it is committed, even if later transactions were committed before it', async () => {
    await judge.has([lineOf(one(30, 0)), lineOf(one(33, 0))])
    const counts = await readyCounts(database.reader)
    const before = await total(counts)
    await database.transaction(async (slow) => {
      slow.write(setStock, ['p30', 'live', 5, true])
      await slow.rows(readNotes)
      assert.equal(await total(counts), before)
      await database.transaction(async (tx) => tx.write(setStock, ['p33', 'live', 5, true]))
      assert.equal(await total(counts), before + 1)
    })
    assert.equal(await total(counts), before + 2)
    assert.equal(await total(counts), before + 2)
  })

  test('note a stock change only if a product becomes available or sold out', async () => {
    await judge.has([lineOf(one(36, 3))])
    const notes = async () => Number((await database.reader.row(readNotes))?.count)
    const before = await notes()
    await database.transaction(async (tx) => tx.write(setStock, ['p36', 'live', 2, true]))
    assert.equal(await notes(), before)
    await database.transaction(async (tx) => tx.write(setStock, ['p36', 'live', 0, true]))
    assert.equal(await notes(), before + 1)
  })

  test('are loaded again after too many changes, a restored database, or a long pause; until then PostgreSQL counts', async () => {
    const tooMany = statement('test.too_many', 'insert into catalog_changes (product_ids) values (null)')
    let pausedMinutes = 0
    const causes: readonly (() => Promise<unknown>)[] = [
      () => database.transaction(async (tx) => tx.write(tooMany, [], { rows: 1 })),
      () => database.transaction(async (tx) => rebaseListings(tx)),
      async () => {
        await judge.has([lineOf(one(39, 3))])
        await sweep(pausedMinutes)
        await sweep(pausedMinutes + 20)
        await judge.has([lineOf(one(39, 0))])
        pausedMinutes += 40
      },
    ]
    const counts = await readyCounts(database.reader)
    for (const cause of causes) {
      // Nothing is swept while an older transaction is open, such as one of another test.
      do await cause()
      while ((await counts.current()) !== null)
      const expected = (await judge.call('listCatalogProducts', { query: { availability: 'in_stock' } })).meta.page
        .totalCount
      assert.equal(await total(counts), expected)
      await counts.ready()
      assert.equal(await total(counts), expected)
    }
  })

  test('read the archived categories again once a category has changed, and not for each list', async () => {
    const archive = (status: string) =>
      judge.import([{ type: 'category', path: ['attic'], names: { en: 'Attic' }, status }])
    await archive('active')
    let reads = 0
    const reader: Reader = {
      ...database.reader,
      rows: (asked, values) => {
        if (asked.name === 'catalog.read_archived_categories') reads += 1
        return database.reader.rows(asked, values)
      },
    }
    const counts = await readyCounts(reader)
    const archived = async () => (await counts.current())?.archivedCategories.size ?? 0
    const before = await archived()
    reads = 0
    assert.deepEqual([await archived(), await archived(), reads], [before, before, 0])

    await archive('archived')

    assert.deepEqual([await archived(), await archived(), reads], [before + 1, before + 1, 1])
  })

  test('come from PostgreSQL while changes cannot be read', async () => {
    let isLost = false
    const reader: Reader = {
      ...database.reader,
      rows: (...asked) => (isLost ? Promise.reject(new Error('PostgreSQL is gone')) : database.reader.rows(...asked)),
    }
    const counts = await readyCounts(reader)
    const before = await total(counts)
    isLost = true
    assert.equal(await counts.current(), null)
    assert.equal(await total(counts), before)
    isLost = false
    assert.notEqual(await counts.current(), null)
  })

  test('stay correct when notes that were read are swept after 15 minutes', async () => {
    const notes = async () => Number((await database.reader.row(readNotes))?.count)
    const begin = 10_000
    await sweep(begin)
    await judge.has([lineOf(one(42, 3))])
    const counts = await readyCounts(database.reader)
    await sweep(begin + 14)
    await sweep(begin + 16)
    assert.ok((await notes()) > 0, 'the notes of the last 15 minutes are kept')
    let minutes = begin + 16
    do {
      await counts.keepUp()
      minutes += 16
      await sweep(minutes)
    } while ((await notes()) > 0)
    assert.notEqual(await counts.current(), null)
  })
})

function one(id: number, stock: Product['skus'][number]['stock']): Product {
  const sku = { color: 'red', size: 's', euros: 100, dollars: undefined, stock }
  return { id, store: 'north', status: 'published', brand: 'Loom', path: ['home'], skus: [sku] }
}
