import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { type IdSource, idSource } from '../../../kernel/ids.ts'
import { enqueue, JobRunner } from '../../../platform/jobs/index.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { type Database, statement } from '../../../platform/postgres/index.ts'
import { importCatalog } from '../import/run.ts'
import { lockCategory, moveCategory } from '../operator/categories.ts'
import { CategoryCache } from './category-cache.ts'
import { catalogJobs } from './reindex-category.ts'
import { enqueueReindex, REINDEX_ALL_JOB } from './reindex-job.ts'

const MANY = 501
const versions = statement<{ version: number }>('test.versions', 'select distinct version from products')
/** The changes that events are published for. */
const changes = statement('test.product_changes', 'select product_id from product_changes')
const forgetChanges = statement('test.forget_product_changes', 'delete from product_changes')
const forgetLengths = statement(
  'test.forget_lengths',
  'update search_documents set name_length = null where superseded_by is null',
)
const unmeasured = statement<{ count: bigint }>(
  'test.unmeasured',
  'select count(*) as count from search_documents where superseded_by is null and name_length is null',
)
const waiting = statement('test.waiting_jobs', 'select kind, subject from jobs')

describe('a renamed category', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  /** With another seed: sources with one seed give the same ids in the same millisecond. */
  let ids: IdSource
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    ids = idSource(catalog.clock, testRandomness(`${process.env.SEED ?? Date.now()} jobs`))
    await catalog.has([
      storeLine('one', { locales: ['en', 'de'] }),
      storeLine('two'),
      { type: 'category', path: ['tables'], names: { en: 'Workbenches', de: 'Werkbänke' } },
      productLine('oak', { store: 'one', categories: [['tables', 'oaken']] }),
      productLine('pine', { store: 'two', categories: [['tables']] }),
      productLine('draft', { store: 'one', categories: [['tables']], status: 'draft' }),
      { type: 'category', path: ['small'], names: { en: 'Trinkets' } },
      ...Array.from({ length: MANY }, (_, n) => productLine(`n${n}`, { store: 'two', categories: [['small']] })),
    ])
  })

  const rename = (path: string[], names: Readonly<Record<string, string>>) =>
    catalog.has([{ type: 'category', path, names }])
  const work = () => {
    const { clock } = catalog
    const deps = { database, clock, ids, log: logger('silent') }
    return new JobRunner(catalogJobs(), deps).runDue()
  }
  const search = async (q: string, languages = ['en']) => {
    const { data, meta } = await catalog.call('searchCatalogProducts', { query: { q }, languages })
    const slugs: string[] = data.map((product: { slug: string }) => product.slug)
    return { slugs: slugs.sort(), corrected: meta.correctedQuery, count: meta.page.totalCount }
  }

  test('is found by its new name, in each language and below it, and no longer by the old one', async () => {
    assert.deepEqual((await search('workbenches')).slugs, ['product-oak', 'product-pine'])
    await rename(['tables'], { en: 'Desks', de: 'Schreibtische' })
    await work()
    assert.deepEqual((await search('desks')).slugs, ['product-oak', 'product-pine'])
    assert.deepEqual((await search('Schreibtische', ['de'])).slugs, ['product-oak'])
    assert.deepEqual((await search('workbenches')).slugs, [])
  })

  test('is in the vocabulary of spelling correction', async () => {
    assert.equal((await search('Schreibtishce', ['de'])).corrected, 'schreibtische')
  })

  test('changes no product: versions stay, and no event is published', async () => {
    await database.transaction(async (tx) => tx.write(forgetChanges, []))
    await rename(['tables'], { en: 'Benches', de: 'Bänke' })
    await work()
    assert.deepEqual((await search('benches')).slugs, ['product-oak', 'product-pine'])
    assert.deepEqual(await database.reader.rows(versions), [{ version: 1 }])
    assert.deepEqual(await database.reader.rows(changes), [])
  })

  test('is reindexed a batch at a time, until all its products are done', async () => {
    await rename(['small'], { en: 'Knickknacks' })
    await work()
    assert.deepEqual([(await search('knickknacks')).count, (await search('trinkets')).count], [MANY, 0])
  })

  test('renamed twice is found by its last name', async () => {
    await rename(['tables'], { en: 'Counters' })
    await rename(['tables'], { en: 'Lecterns' })
    await work()
    assert.deepEqual([(await search('lecterns')).slugs.length, (await search('counters')).slugs.length], [2, 0])
  })

  test('renamed during an import is found by its new name in all that the import writes', async () => {
    const { clock } = catalog
    async function* lines() {
      for (let n = 0; n <= MANY; n += 1) {
        if (n === MANY) {
          await rename(['tables'], { en: 'Pedestals' })
          await work()
        }
        yield JSON.stringify(productLine(`mid${n}`, { store: 'one', categories: [['tables']] }))
      }
    }
    const { refused } = await importCatalog({ database, ids, now: clock.now(), source: lines() })
    assert.deepEqual(refused, [])
    await work()
    assert.equal((await search('pedestals')).count, MANY + 3)
  })

  test('enqueues nothing if its name is unchanged, or if it is new', async () => {
    await catalog.has([
      { type: 'category', path: ['tables'], names: { en: 'Pedestals' }, position: 7 },
      { type: 'category', path: ['chairs'], names: { en: 'Chairs' } },
    ])
    assert.deepEqual(await database.reader.rows(waiting), [])
  })

  test('is indexed again with all other products, after an earlier version has indexed them', async () => {
    await database.transaction(async (tx) => tx.write(forgetLengths, []))
    const deps = { ids, now: catalog.clock.now() }
    await database.transaction(async (tx) => enqueueReindex(tx, null, deps))
    await work()
    assert.deepEqual(await database.reader.rows(unmeasured), [{ count: 0n }])
  })

  test('is indexed again by a migration only when the earlier version no longer runs', async () => {
    await database.transaction(async (tx) => tx.write(forgetLengths, []))
    const job = { kind: REINDEX_ALL_JOB, subject: '', runAt: catalog.clock.now() }
    await database.transaction(async (tx) => enqueue(tx, job, ids))
    const before = await database.reader.rows(unmeasured)
    await work()
    assert.deepEqual(await database.reader.rows(unmeasured), before)
    catalog.clock.advance(3_600_000)
    await work()
    assert.deepEqual(await database.reader.rows(unmeasured), [{ count: 0n }])
  })
})

const placesOf = statement<{ path: string; lineage: string; listed: string | null }>(
  'test.places_of_product',
  `select array_to_string(path, '/') as path, product.lineage::text, listing.lineage::text as listed
   from products product join categories category on category.id = product.category_ids[1]
   left join listings listing on listing.product_id = product.id and superseded_by is null
   where external_id = $1`,
)
const idAt = statement<{ id: string }>(
  'test.category_at',
  `select id from categories where array_to_string(path, '/') = $1`,
)

const misplaced = statement(
  'test.misplaced_categories',
  `select category.path from categories category join categories parent on parent.id = category.parent_id
   where category.path <> parent.path || category.path[cardinality(category.path)] or category.lineage <> parent.lineage || category.id`,
)

describe('a moved category', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  let ids: IdSource
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    ids = idSource(catalog.clock, testRandomness(`${process.env.SEED ?? Date.now()} moves`))
    const category = (...path: string[]) => ({ type: 'category', path, names: { en: path.join(' in ') } })
    await catalog.has([
      storeLine('one'),
      storeLine('two'),
      ...[category('shirts'), category('shirts', 'linen'), category('clothing'), category('sale')],
      productLine('linen', { store: 'one', categories: [['shirts', 'linen'], ['clothing']] }),
      productLine('draft', { store: 'one', categories: [['shirts']], status: 'draft' }),
      ...Array.from({ length: MANY }, (_, n) => productLine(`n${n}`, { store: 'one', categories: [['shirts']] })),
    ])
  })

  const find = async (path: string) => (await database.reader.row(idAt, [path]))!.id
  const move = async (from: string, to: string) => {
    const [id, parentId] = [await find(from), await find(to)]
    await database.transaction(async (tx) => {
      const category = (await lockCategory(tx, id))!
      await moveCategory(tx, category, { parentId, slug: category.path.at(-1)! }, { ids, now: catalog.clock.now() })
    })
  }
  const work = () => {
    const deps = { database, clock: catalog.clock, ids, log: logger('silent') }
    return new JobRunner(catalogJobs(), deps).runDue()
  }
  const countIn = async (category: string) =>
    (await catalog.call('listCatalogProducts', { query: { category: [category] } })).meta.page.totalCount

  test('has its products listed in its new place by a job, a batch at a time, and changes none of them', async () => {
    await database.transaction(async (tx) => tx.write(forgetChanges, []))
    await move('shirts', 'clothing')
    assert.equal(await countIn('clothing'), 1)
    await work()
    assert.deepEqual([await countIn('clothing'), await countIn('shirts')], [MANY + 1, MANY + 1])
    const [clothing, shirts] = [await find('clothing'), await find('clothing/shirts')]
    const below = `{${clothing},${shirts},${await find('clothing/shirts/linen')}}`
    assert.deepEqual(await database.reader.rows(placesOf, ['linen']), [
      { path: 'clothing/shirts/linen', lineage: below, listed: below },
    ])
    assert.deepEqual(await database.reader.rows(placesOf, ['draft']), [
      { path: 'clothing/shirts', lineage: `{${clothing},${shirts}}`, listed: null },
    ])
    assert.deepEqual(await database.reader.rows(versions), [{ version: 1 }])
    assert.deepEqual(await database.reader.rows(changes), [])
  })

  test('takes along the products that an open import writes into its old place', async () => {
    let working: Promise<unknown> = Promise.resolve()
    const line = productLine('late', { store: 'two', categories: [['clothing', 'shirts']] })
    await importCatalog({
      database,
      ids,
      now: catalog.clock.now(),
      source: [JSON.stringify(line)],
      onSettled: async () => {
        await move('clothing/shirts', 'sale')
        working = work()
        await Promise.race([working, delay(500)])
      },
    })
    await working
    const places = `{${await find('sale')},${await find('sale/shirts')}}`
    assert.deepEqual(await database.reader.rows(placesOf, ['late']), [
      { path: 'sale/shirts', lineage: places, listed: places },
    ])
  })

  test('gets no category below the place that it has left, also from a write that had read it there', async () => {
    await catalog.has([{ type: 'category', path: ['hats'], names: { en: 'Hats' } }])
    const writing = { ids, now: catalog.clock.now(), locale: 'en' }
    await database.transaction(async (tx) => {
      const cache = await CategoryCache.read(tx, null)
      await move('hats', 'sale')
      await cache.add(tx, [{ slugs: ['hats', 'felt'], names: ['Hats', 'Felt'] }], writing)
    })
    assert.deepEqual(await database.reader.rows(misplaced), [])
    assert.notEqual(await find('hats'), await find('sale/hats'))
  })
})
