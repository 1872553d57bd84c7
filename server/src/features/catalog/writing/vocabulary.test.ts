import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { idSource } from '../../../kernel/ids.ts'
import { JobRunner } from '../../../platform/jobs/index.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { type Database, statement } from '../../../platform/postgres/index.ts'
import { VOCABULARY_JOB, vocabularyJob } from './vocabulary.ts'

const MANY = 2100
const words = statement<{ word: string; products: number }>(
  'test.words',
  `select word, products from search_words join stores on stores.id = search_words.store_id where slug = $1 order by word`,
)
const forgetModels = statement('test.forget_models', `delete from search_words where word ~ '[0-9]'`)
const enqueueAgain = statement(
  'test.enqueue_vocabulary',
  `insert into jobs (id, kind, subject, run_at, attempts_max) values ('job_vocabulary', 'catalog.vocabulary', '', 'epoch', 1)`,
)

describe('the vocabulary of products that an earlier version has written', () => {
  let database: Database
  let catalog: ReturnType<typeof catalogOn>
  const countAgain = async () => {
    await database.transaction(async (tx) => tx.write(enqueueAgain, []))
    const ids = idSource(catalog.clock, testRandomness('vocabulary'))
    const handlers = { [VOCABULARY_JOB]: vocabularyJob(catalog) }
    await new JobRunner(handlers, { database, clock: catalog.clock, ids, log: logger('silent') }).runDue()
  }
  const wordsOf = (store: string) => database.reader.rows(words, [store])
  before(async () => {
    database = (await testDatabase()).database
    catalog = catalogOn(database)
    await catalog.has([
      storeLine('one', { locales: ['en', 'de'] }),
      storeLine('two'),
      productLine('drive', {
        store: 'one',
        names: { en: 'Drive WD500X', de: 'Platte WD500X' },
        brand: 'Acme2',
        categories: [['disks', 'ssd2go']],
      }),
      productLine('draft', { store: 'one', names: { en: 'Draft QX900' }, status: 'draft' }),
      ...Array.from({ length: MANY }, (_, n) =>
        productLine(`n${n}`, { store: 'two', names: { en: `Lamp HX${n % 7}00` } }),
      ),
    ])
  })

  test('has their words again, with the number of products that contain them, for each store', async () => {
    const written = [await wordsOf('one'), await wordsOf('two')]
    assert.deepEqual(
      written[0]!.map(({ word }) => word),
      ['acme2', 'disks', 'drive', 'platte', 'ssd2go', 'wd500x'],
    )
    assert.equal(written[1]!.find(({ word }) => word === 'hx100')?.products, MANY / 7)
    await database.transaction(async (tx) => tx.write(forgetModels, []))
    const completed = async () => {
      const { meta } = await catalog.call('searchCatalogProducts', { query: { q: 'wd5', limit: 0, facets: ['none'] } })
      return meta.suggestions.filter(({ kind }: { kind: string }) => kind === 'query').length
    }
    assert.equal(await completed(), 0)
    await countAgain()
    assert.deepEqual([await wordsOf('one'), await wordsOf('two')], written)
    assert.equal(await completed(), 1)
  })

  test('is the same when it is counted again', async () => {
    const before = [await wordsOf('one'), await wordsOf('two')]
    await countAgain()
    assert.deepEqual([await wordsOf('one'), await wordsOf('two')], before)
  })

  test('has no words of archived products, and counts each product once, however often it was written', async () => {
    const written = [await wordsOf('one'), await wordsOf('two')]
    const lamp = (more: object) => productLine('n0', { store: 'two', names: { en: 'Lamp HX000' }, ...more })
    await catalog.has([lamp({ price: 2 }), lamp({ price: 3 }), lamp({ price: 4 })])
    await catalog.has([productLine('gone', { store: 'two', names: { en: 'Zeppelin' } })])
    await catalog.has([productLine('gone', { store: 'two', names: { en: 'Zeppelin' }, status: 'archived' })])
    assert.notDeepEqual([await wordsOf('one'), await wordsOf('two')], written)
    await countAgain()
    assert.deepEqual([await wordsOf('one'), await wordsOf('two')], written)
  })
})
