import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorAnswer, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/statement.ts'

const lockWaits = statement<{ count: number }>(
  'test.lock_waits',
  `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import([storeLine('loom')], 'loom')
})

/** Sends two requests, which both wait for a lock before either has written. */
async function both(lock: string, path: string, bodies: readonly [object, object]): Promise<OperatorAnswer[]> {
  const client = new Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`begin; ${lock}`)
    const answers = Promise.all(bodies.map((body) => operator.send('POST', path, body)))
    while (((await world.database.reader.row(lockWaits))?.count ?? 0) < 2) await delay(20)
    await client.query('rollback')
    return await answers
  } finally {
    await client.end()
  }
}

const outcomes = (answers: readonly OperatorAnswer[]) =>
  answers.map(({ status, body }) => [status, body.code]).toSorted(([a], [b]) => a - b)
const ONCE = [
  [200, undefined],
  [409, 'name_taken'],
]

test('a product is created once by two simultaneous requests: name_taken for the second', async () => {
  const mug = { store: 'loom', externalId: 'mug', status: 'published', code: 'MUG', stock: 7 }
  const bodies = [900, 1200].map((amount) => ({
    ...mug,
    names: { en: `Mug for ${amount}` },
    prices: [{ currency: 'EUR', amount }],
  })) as [object, object]
  const lock = `select from stores where slug = 'loom' for update`
  assert.deepEqual(outcomes(await both(lock, '/products', bodies)), ONCE)
})

test('a category is created once by two simultaneous requests: name_taken for the second', async () => {
  const lock = `select pg_advisory_xact_lock(hashtextextended('categories', 0))`
  const [hats, caps] = [
    { slug: 'hats', names: { en: 'Hats' } },
    { slug: 'hats', names: { en: 'Caps' } },
  ]
  assert.deepEqual(outcomes(await both(lock, '/categories', [hats, caps])), ONCE)
})

test('a promotion with a code is created once by two simultaneous requests: name_taken for the second', async () => {
  const summer = { title: { en: 'Summer' }, effect: { kind: 'free_shipping' } }
  const [small, large] = [
    { ...summer, code: 'SUMMER' },
    { ...summer, code: 'summer' },
  ]
  assert.deepEqual(outcomes(await both('lock table promotions in share mode', '/promotions', [small, large])), ONCE)
})

test('a store is created once by two simultaneous requests: name_taken for the second', async () => {
  const weft = { slug: 'weft', locales: ['en'], countries: ['DE'], pricesIncludeTax: true }
  const [inEuros, inDollars] = [
    { ...weft, names: { en: 'Weft' }, currencies: ['EUR'] },
    { ...weft, names: { en: 'Warp' }, currencies: ['USD'] },
  ]
  assert.deepEqual(outcomes(await both('lock table stores in share mode', '/stores', [inEuros, inDollars])), ONCE)
})
