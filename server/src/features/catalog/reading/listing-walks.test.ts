import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { rebaseListings, sweepListings } from '../index.ts'

const COUNT = 60

/** A product whose sort keys all depend on the round. */
function moving(index: number, round: number) {
  const shuffled = (index * 7919 + round * 104729) % 10007
  return productLine(`p${index}`, {
    names: { en: `Lamp ${shuffled} ${'bright '.repeat(shuffled % 5)}` },
    price: shuffled,
    publishedAt: new Date(Date.UTC(2026, 0, 1) + shuffled * 1000).toISOString(),
  })
}

const products = Array.from({ length: COUNT }, (_, index) => index)

describe('paging through a list', () => {
  const sorts = ['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc', 'relevance'] as const
  for (const sort of sorts) {
    test(`shows each product exactly once by ${sort}, in the order of its first page, while products change`, async (t) => {
      const catalog = catalogOn((await testDatabase(t)).database)
      await catalog.has(
        products.map((index) => moving(index, 0)),
        'shop',
      )
      const operation = sort === 'relevance' ? 'searchCatalogProducts' : 'listCatalogProducts'
      const query = { sort, limit: 7, ...(sort === 'relevance' ? { q: 'lamp' } : {}) }
      const still = (await catalog.walk(operation, { query })).map((product) => product.id)

      let round = 0
      const walked = await catalog.walk(operation, { query }, async () => {
        round += 1
        const changed = products.filter((index) => (index + round) % 3 === 0)
        await catalog.has([...changed.map((index) => moving(index, round)), productLine(`new${round}`)], 'shop')
      })

      assert.ok(round >= 8)
      assert.equal(new Set(still).size, COUNT)
      assert.deepEqual(
        walked.map((product) => product.id),
        still,
      )
    })
  }

  test('may change the page size, and repeats the count of the first page', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has(
      products.map((index) => moving(index, 0)),
      'shop',
    )
    const first = await catalog.call('listCatalogProducts', { query: { limit: 10 } })
    await catalog.has([productLine('later')], 'shop')
    const second = await catalog.call('listCatalogProducts', {
      query: { limit: 100, cursor: first.meta.page.nextCursor },
    })
    assert.equal(first.data.length + second.data.length, COUNT)
    assert.deepEqual(second.meta.page, {
      limit: 100,
      nextCursor: null,
      hasNextPage: false,
      totalCount: COUNT,
      totalCountExact: true,
    })
  })

  test('links to the next page with the same filters', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has(
      products.map((index) => moving(index, 0)),
      'shop',
    )
    const { meta } = await catalog.call('listCatalogProducts', {
      query: { limit: 10, priceMin: 5, 'option.size': ['m', 'l & xl'] },
    })
    assert.equal(meta.next, null)
    const { meta: unfiltered } = await catalog.call('listCatalogProducts', { query: { limit: 10, priceMin: 5 } })
    const next = new URL(unfiltered.next, 'https://shop.example')
    assert.equal(next.pathname, '/api/v1/catalog/products')
    assert.deepEqual(Object.fromEntries(next.searchParams), {
      limit: '10',
      priceMin: '5',
      cursor: unfiltered.page.nextCursor,
    })
  })

  test('refuses a cursor that was modified, or comes from other filters, another order or another list', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has(
      products.map((index) => moving(index, 0)),
      'shop',
    )
    const { meta } = await catalog.call('listCatalogProducts', { query: { limit: 10 } })
    const cursor: string = meta.page.nextCursor
    const flipped = `${cursor[0] === 'e' ? 'f' : 'e'}${cursor.slice(1)}`
    await refuses('invalid_cursor', () =>
      catalog.call('listCatalogProducts', { query: { limit: 10, cursor: flipped } }),
    )
    await refuses('invalid_cursor', () => catalog.call('listCatalogProducts', { query: { limit: 10, cursor: 'x' } }))
    await refuses('invalid_cursor', () => catalog.call('listCatalogProducts', { query: { cursor, priceMin: 1 } }))
    await refuses('invalid_cursor', () => catalog.call('listCatalogProducts', { query: { cursor, sort: 'price_asc' } }))
    await refuses('invalid_cursor', () =>
      catalog.call('listStoreProducts', { params: { slug: 'shop' }, query: { cursor } }),
    )
    await refuses('invalid_cursor', () => catalog.call('listApiKeyCatalogProducts', { query: { cursor } }))
  })

  test('ends with an expired cursor an hour after the list has changed', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    await catalog.has(
      products.map((index) => moving(index, 0)),
      'shop',
    )
    const first = await catalog.call('listCatalogProducts', { query: { limit: 10 } })
    const query = { limit: 10, cursor: first.meta.page.nextCursor }
    await catalog.has(
      products.map((index) => moving(index, 1)),
      'shop',
    )

    const sweep = () => database.transaction((tx) => sweepListings(tx, catalog.clock.now()))
    catalog.clock.advance(59 * 60_000)
    assert.equal(await sweep(), false)
    assert.equal((await catalog.call('listCatalogProducts', { query })).data.length, 10)
    catalog.clock.advance(2 * 60_000)
    await sweep()
    await refuses('invalid_cursor', () => catalog.call('listCatalogProducts', { query }))
    assert.equal((await catalog.walk('listCatalogProducts')).length, COUNT)
  })

  test('continues as long as nothing changes, even if another transaction was running when it began', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const lines = (round: number) => products.map((index) => moving(index, round))
    await catalog.has(lines(0), 'shop')
    await database.transaction(async (tx) => {
      // Older than the change on the first page, and still running when the page is read.
      await tx.rows(statement('test.id', 'select pg_current_xact_id()'))
      await catalog.has(lines(1), 'shop')
      const first = await catalog.call('listCatalogProducts', { query: { limit: 10 } })
      catalog.clock.advance(3 * 60 * 60_000)
      await database.transaction((other) => sweepListings(other, catalog.clock.now()))
      const second = await catalog.call('listCatalogProducts', {
        query: { limit: 100, cursor: first.meta.page.nextCursor },
      })
      assert.equal(first.data.length + second.data.length, COUNT)
    })
  })

  test('works in a restored database once its listings are rebased, but not with an old cursor', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    await catalog.has(
      products.map((index) => moving(index, 0)),
      'shop',
    )
    const before = await catalog.call('listCatalogProducts', { query: { limit: 10 } })
    // A cluster with far higher transaction ids than the new one.
    const fromElsewhere = (table: string) =>
      statement(
        `test.age_${table}`,
        `update ${table} set listed_by = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8`,
      )
    await database.transaction(async (tx) => {
      for (const table of ['listings', 'search_documents']) tx.write(fromElsewhere(table), [])
    })
    await database.transaction(async (tx) => rebaseListings(tx))
    const query = { limit: 10, cursor: before.meta.page.nextCursor }
    const { facts } = await refuses('invalid_cursor', () => catalog.call('listCatalogProducts', { query }))
    assert.equal(facts.details?.[0]?.code, 'expired')
    assert.equal((await catalog.walk('listCatalogProducts', { query: { limit: 7 } })).length, COUNT)
  })
})
