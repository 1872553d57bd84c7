import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { idSource } from '../../../kernel/ids.ts'
import { enqueue, JobRunner } from '../../../platform/jobs/index.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { type Database, statement } from '../../../platform/postgres/index.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { countSearchStatistics, searchStatisticsJob, VOCABULARY_JOB } from '../index.ts'

const termRows = statement<{ term: string; documents: number }>(
  'test.search_terms',
  `select term, documents from search_terms where locale = 'en' order by term`,
)

const vocabularyRuns = statement<{ run_at: Date }>('test.vocabulary_runs', 'select run_at from jobs where kind = $1')

/** A small shop whose names repeat, as those of real catalogs do. */
const names = [
  ...Array.from({ length: 12 }, (_, n) => `Acme Notebook ${n} Silver`),
  ...Array.from({ length: 12 }, (_, n) => `Acme Notebook case ${n} Black`),
  ...Array.from({ length: 6 }, (_, n) => `Borea Keyboard ${n} Black`),
  ...Array.from({ length: 6 }, (_, n) => `Borea Keyboard cover ${n}`),
  'Borea Battery for notebook K9',
]

describe('a search with counted words', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  const count = () => database.transaction(countSearchStatistics)
  const search = async (q: string, query: object = {}) => {
    const { data } = await catalog.call('searchCatalogProducts', { query: { q, limit: 100, ...query } })
    return data.map(({ name }: { name: string }) => name) as string[]
  }
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has(
      [storeLine('shop'), ...names.map((name, index) => productLine(`p${index}`, { names: { en: name } }))],
      'shop',
    )
    await count()
  })

  test('knows the number of products of each word, except for words of a single product', async () => {
    const rows = new Map((await database.reader.rows(termRows)).map(({ term, documents }) => [term, documents]))
    assert.equal(rows.get('notebook'), 25)
    assert.equal(rows.get('keyboard'), 12)
    assert.equal(rows.has('k9'), false)
  })
  test('finds a thing before its accessories, and accessories first if the query names them', async () => {
    for (const [q, count, pattern] of [
      ['laptop', 12, /Silver/],
      ['notebook case', 12, /case/],
      ['keyboard', 6, /Black/],
      ['keyboard cover', 6, /cover/],
    ] as const) {
      const found = await search(q)
      assert.ok(
        found.slice(0, count).every((name) => pattern.test(name)),
        `${q}: ${found.join(', ')}`,
      )
    }
  })
  test('finds a code first, whatever else its letters may match', async () => {
    assert.equal((await search('P-30'))[0], names[30])
  })
  test('counts again when a tenth has changed, and not before', async () => {
    // Products count as changed while an older transaction is open, also one of another database.
    while ((await count()).length > 0) {}
    await catalog.has([productLine('one', { names: { en: 'Another' } })], 'shop')
    assert.deepEqual(await count(), [])
    await catalog.has(
      Array.from({ length: 5 }, (_, n) => productLine(`more${n}`, { names: { en: `Lamp ${n}` } })),
      'shop',
    )
    assert.deepEqual(await count(), ['en'])
  })
  test('has the vocabulary counted an hour after enough has changed, once however often it does', async () => {
    const { clock } = catalog
    const ids = idSource(clock, testRandomness('statistics'))
    const run = async () => {
      const handlers = { 'test.statistics': searchStatisticsJob }
      await database.transaction(async (tx) =>
        enqueue(tx, { kind: 'test.statistics', subject: '', runAt: clock.now() }, ids),
      )
      await new JobRunner(handlers, { database, clock, ids, log: logger('silent') }).runDue()
    }
    const dueAt = async () => (await database.reader.rows(vocabularyRuns, [VOCABULARY_JOB])).map((row) => row.run_at)
    while ((await count()).length > 0) {}
    await run()
    assert.deepEqual(await dueAt(), [])
    const inAnHour = new Date(clock.now().getTime() + 3_600_000)
    for (const name of ['Rug', 'Mat']) {
      await catalog.has(
        Array.from({ length: 9 }, (_, n) => productLine(`floor${n}`, { names: { en: `${name} ${n}` } })),
        'shop',
      )
      clock.advance(60_000)
      await run()
    }
    assert.deepEqual(await dueAt(), [new Date(inAnHour.getTime() + 60_000)])
  })
  test('keeps the order of the first page on later ones, also after another count', async () => {
    const still = await search('notebook')
    let n = 0
    const walked = await catalog.walk('searchCatalogProducts', { query: { q: 'notebook', limit: 7 } }, async () => {
      n += 1
      await catalog.has(
        Array.from({ length: 9 }, (_, m) => productLine(`w${n}-${m}`, { names: { en: `Notebook of paper ${m}` } })),
        'shop',
      )
      await count()
    })
    assert.ok(n >= 3)
    assert.deepEqual(
      walked.map(({ name }) => name),
      still,
    )
  })
  test('reads no large table as a whole, whatever is searched for', async () => {
    const sent: { readonly text: string; readonly values: readonly unknown[] }[] = []
    const { reader } = database
    const record = (text: string, values: readonly unknown[] = []) => void sent.push({ text, values })
    const recorded: Reader = {
      rows: (each, values) => {
        record(each.text, values)
        return reader.rows(each, values)
      },
      row: (each, values) => {
        record(each.text, values)
        return reader.row(each, values)
      },
      run: (query) => {
        record(query.sql, query.parameters)
        return reader.run(query)
      },
    }
    const watched = catalogOn({ ...database, reader: recorded })
    for (const q of ['note', 'notebook silver', 'ntoebook', 'keyboard under 50', 'K9'])
      for (const limit of [0, 3]) await watched.call('searchCatalogProducts', { query: { q, limit, facets: ['none'] } })
    await database.transaction(async (tx) => {
      // The tables of a test are so small that a scan is cheapest. Without scans, the planner has to use indexes.
      await tx.rows(statement('test.without_scans', "select set_config('enable_seqscan', 'off', true)"))
      for (const [index, { text, values }] of sent.entries()) {
        const plan = statement<{ 'QUERY PLAN': string }>(`test.plan_${index}`, `explain ${text}`)
        const lines = (await tx.rows(plan, values)).map((row) => row['QUERY PLAN'])
        const large = /Seq Scan on (listings|search_|products|product_texts|skus|prices|stock_levels)/
        assert.deepEqual(
          lines.filter((line) => large.test(line)),
          [],
          text,
        )
      }
    })
    assert.ok(sent.length > 40)
  })
})
