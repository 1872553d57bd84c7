// test: long
import assert from 'node:assert/strict'
import { before, beforeEach, describe, type TestContext, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import {
  type CommitFault,
  type ConnectionProxy,
  connectionProxy,
} from '../../../../test/support/network/connection-proxy.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Database, isUniqueViolation, OutcomeUnknown, openDatabase, RolledBack, statement } from './index.ts'
import { insertion } from './insertion.ts'
import { joined } from './joined.ts'

const insert = statement('test.insert', 'insert into things (id, amount) values ($1, $2)')
const raise = statement('test.raise', 'update things set amount = amount + $2 where id = $1')
const lock = statement<{ amount: bigint }>('test.lock', 'select amount from things where id = $1 for update')
const addThing = insertion(
  'things',
  { id: 'text', amount: 'bigint' },
  'added_things as (insert into things (id, amount) select id, amount from ROWS)',
)
const addSale = insertion(
  'sales',
  { id: 'text', amount: 'integer' },
  "sales as (insert into things (id, amount) select 'sale of ' || id, amount from ROWS)",
)
const list = statement<{ id: string; amount: bigint }>('test.list', 'select id, amount from things order by id')
const collide = statement('test.collide', "do $$ begin raise exception 'again' using errcode = '40001'; end $$")

let database: Database
let url: string

before(async () => {
  ;({ database, url } = await testDatabase())
  await database.transaction(async (tx) => {
    tx.write(
      statement('test.create', 'create table things (id text primary key, amount bigint not null check (amount >= 0))'),
      [],
    )
  })
})

beforeEach(async () => {
  await database.transaction(async (tx) => tx.write(statement('test.clear', 'truncate things'), []))
})

const things = async () => (await database.reader.rows(list)).map(({ id, amount }) => `${id}=${amount}`)

describe('a transaction', () => {
  test('commits what was written, and returns the result', async () => {
    const result = await database.transaction(async (tx) => {
      tx.write(insert, ['mug', 3])
      tx.write(insert, ['cup', 4n])
      return 'both'
    })

    assert.equal(result, 'both')
    assert.deepEqual(await things(), ['cup=4', 'mug=3'])
  })

  test('rolls back if the work throws, and throws the same error', async () => {
    const fault = new Error('our bug')

    const working = database.transaction(async (tx) => {
      await tx.change(insert, ['mug', 3])
      throw fault
    })

    await assert.rejects(working, (error) => error === fault)
    assert.deepEqual(await things(), [])
  })

  test('adds rows at its end with one statement, to any tables', async () => {
    const before = database.counters()
    await database.transaction(async (tx) => {
      tx.add(addThing, ['mug', 3n])
      tx.add(addSale, ['mug', 1])
      tx.add(addThing, ['"cup", {blue}', 4n])
      assert.deepEqual(await tx.rows(list), [])
    })

    const after = database.counters()
    // BEGIN, the list, the rows, COMMIT.
    assert.equal(after.queries - before.queries, 4)
    assert.deepEqual(await things(), ['"cup", {blue}=4', 'mug=3', 'sale of mug=1'])
  })

  test('adds nothing if an added row is refused by the database, and throws its error', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', 3])
      tx.add(addThing, ['cup', -1n])
    })

    await assert.rejects(working, { code: '23514' })
    assert.deepEqual(await things(), [])
  })

  test('that is refused keeps the rows that were added before the savepoint, and no others', async () => {
    const working = database.transaction(async (tx) => {
      tx.add(addThing, ['claim', 1n])
      tx.savepointHere()
      tx.add(addThing, ['mug', 3n])
      refuse('not_found')
    })

    await assert.rejects(working, { code: 'not_found' })
    assert.deepEqual(await things(), ['claim=1'])
  })

  test('throws the error of a write that was not awaited', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', 3])
      tx.write(insert, ['mug', 4])
      tx.write(insert, ['cup', 5])
    })

    await assert.rejects(working, (error) => isUniqueViolation(error, 'things_pkey'))
    assert.deepEqual(await things(), [])
  })

  test('throws the first error, not those of later statements', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', -1])
      await tx.rows(list)
    })

    await assert.rejects(working, { code: '23514' })
  })

  test('leaves no unhandled rejection for unawaited results', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', -1])
      void tx.row(lock, ['mug'])
      void tx.change(raise, ['mug', 1])
    })

    await assert.rejects(working, { code: '23514' })
  })

  test('uses a prepared statement again on the connection on which it failed', async (t) => {
    const { database: narrow } = await testDatabase(t, { writersMax: 1 })
    const make = statement('test.make', 'create table boxes (id text primary key)')
    const fill = statement('test.fill', 'insert into boxes (id) values ($1)')
    const fillOne = () => narrow.transaction(async (tx) => tx.write(fill, ['box']))

    await assert.rejects(fillOne(), { code: '42P01' })
    await narrow.transaction(async (tx) => tx.write(make, []))
    await fillOne()
    await assert.rejects(fillOne(), { code: '23505' })
    assert.equal(narrow.pools().writers.open, 1)
  })

  test('checks the affected rows of a write before it commits', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', 1], { rows: 1 })
      tx.write(raise, ['cup', 1], { rows: 1 })
    })

    await assert.rejects(working, /test\.raise touched 0 rows, not 1/)
    assert.deepEqual(await things(), [])
  })

  test('writes joined changes as one statement, and checks the expected rows of each', async () => {
    const addAndRaise = joined('test.add_and_raise', insert, raise)
    await database.transaction(async (tx) => tx.write(insert, ['cup', 1]))
    const before = database.counters()
    await database.transaction(async (tx) => addAndRaise(tx, [['mug', 3], 1], [['cup', 4]]))
    // With BEGIN, the marker and COMMIT.
    assert.equal(database.counters().queries - before.queries, 4)

    const working = database.transaction(async (tx) => addAndRaise(tx, [['jug', 3]], [['can', 4], 1]))

    await assert.rejects(working, /test\.raise touched 0 rows, not 1/)
    assert.deepEqual(await things(), ['cup=5', 'mug=3'])
  })

  test('returns the affected rows of a change', async () => {
    const touched = await database.transaction(async (tx) => {
      tx.write(insert, ['mug', 1], { rows: 1 })
      return Promise.all([tx.change(raise, ['mug', 1]), tx.change(raise, ['cup', 1])])
    })

    assert.deepEqual(touched, [1, 0])
  })

  test('takes three round trips: begin and claim, load, save and commit', async () => {
    const before = database.counters()

    await database.transaction(async (tx) => {
      await tx.change(insert, ['claim', 1])
      await Promise.all([tx.row(lock, ['claim']), tx.rows(list)])
      tx.write(insert, ['mug', 1])
      tx.write(insert, ['cup', 1])
    })

    const after = database.counters()
    assert.equal(after.roundTrips - before.roundTrips, 3)
    // begin, the five, its marker, commit
    assert.equal(after.queries - before.queries, 8)
  })

  test('leaves a marker only if it changed something and has no other proof of it', async (t) => {
    const { database: own } = await testDatabase(t)
    const create = statement('test.create_own', 'create table own (id text)')
    const fill = statement('test.fill_own', "insert into own values ('mug')")
    const markers = statement<{ count: number }>('test.markers', 'select count(*)::integer from commit_markers')
    const left = async (work: Parameters<typeof own.transaction>[0]) => {
      const before = (await own.reader.row(markers))?.count ?? 0
      await own.transaction(work)
      return ((await own.reader.row(markers))?.count ?? 0) - before
    }

    assert.equal(await left(async (tx) => tx.write(create, [])), 1)
    assert.equal(await left((tx) => tx.row(markers)), 0)
    const before = own.counters()
    const ofFact = await left(async (tx) => {
      tx.resolveBy(async () => true)
      tx.write(fill, [])
    })
    assert.equal(ofFact, 0)
    // begin, fill, commit; and the two counts
    assert.equal(own.counters().queries - before.queries, 5)
  })

  test('leaves a usable connection, whatever failed at its end', async (t) => {
    const { database: narrow } = await testDatabase(t, { writersMax: 1 })
    const make = statement('test.make_once', 'create table once (id text primary key)')
    const fail = statement('test.fail_once', 'insert into once (id) values (null)')
    const count = statement<{ count: bigint }>('test.count_once', 'select count(*) from once')
    await narrow.transaction(async (tx) => tx.write(make, []))

    await assert.rejects(
      narrow.transaction(async (tx) => tx.write(fail, [])),
      { code: '23502' },
    )
    await assert.rejects(
      narrow.transaction(async (tx) => {
        tx.write(fail, [])
        throw new Error('our bug')
      }),
      /our bug/,
    )

    assert.deepEqual(await narrow.transaction((tx) => tx.row(count)), { count: 0n })
    assert.equal(narrow.pools().writers.open, 1)
  })

  test('cannot be used after its end', async () => {
    const left = await database.transaction(async (tx) => tx)

    assert.throws(() => left.write(insert, ['late', 1]), /used after its end/)
  })
})

describe('a refusal', () => {
  test('rolls back everything', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['mug', 1])
      refuse('not_found')
    })

    await assert.rejects(working, { code: 'not_found' })
    assert.deepEqual(await things(), [])
  })

  test('commits writes before the savepoint, and none after it', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['claim', 1])
      tx.savepointHere()
      tx.write(insert, ['mug', 1])
      refuse('not_found')
    })

    await assert.rejects(working, { code: 'not_found' })
    assert.deepEqual(await things(), ['claim=1'])
  })

  test('commits the claim if a statement after the savepoint failed', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['claim', 1])
      tx.savepointHere()
      await tx.change(insert, ['claim', 1]).catch(() => refuse('cart_empty'))
    })

    await assert.rejects(working, { code: 'cart_empty' })
    assert.deepEqual(await things(), ['claim=1'])
  })

  test('yields to the error of the claim itself', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['claim', -1])
      tx.savepointHere()
      refuse('not_found')
    })

    await assert.rejects(working, { code: '23514' })
  })

  test('is the only error with a savepoint: any other rolls back the claim', async () => {
    const working = database.transaction(async (tx) => {
      tx.write(insert, ['claim', 1])
      tx.savepointHere()
      await tx.rows(list)
      throw new Error('our bug')
    })

    await assert.rejects(working, /our bug/)
    assert.deepEqual(await things(), [])
  })
})

describe('a collision', () => {
  test('of two that lock in opposite order ends with both committed', async () => {
    await database.transaction(async (tx) => {
      tx.write(insert, ['a', 0])
      tx.write(insert, ['b', 0])
    })
    const bothHold = meetingOf(2)
    const before = database.counters().repetitions
    const lockBoth = (first: string, second: string, other: () => Promise<void>) => {
      let attempts = 0
      return database.transaction(async (tx) => {
        attempts += 1
        // It could have its first lock again before the other one wakes up, and they would collide once more.
        if (attempts > 1) await other()
        await tx.row(lock, [first])
        await bothHold()
        await tx.row(lock, [second])
        tx.write(raise, [first, 1])
        tx.write(raise, [second, 1])
      })
    }

    const one = lockBoth('a', 'b', () => another)
    const another: Promise<void> = lockBoth('b', 'a', () => one)
    await Promise.all([one, another])

    assert.deepEqual(await things(), ['a=2', 'b=2'])
    assert.equal(database.counters().repetitions - before, 1)
  })

  test('is retried five times, and then rolled back', async () => {
    let attempts = 0

    const working = database.transaction(async (tx) => {
      attempts += 1
      tx.write(insert, ['mug', 1])
      tx.write(collide, [])
    })

    await assert.rejects(
      working,
      (error) => error instanceof RolledBack && (error.cause as { code: string }).code === '40001',
    )
    assert.equal(attempts, 5)
    assert.deepEqual(await things(), [])
  })
})

/** Long enough for a busy machine, short enough to be waited for. */
const QUICK = { idleInTransaction: 300, statement: 1000, answerMargin: 500, lookupStatement: 300, lookup: 1000 }

describe('a lost connection', () => {
  let proxy: ConnectionProxy
  let remote: Database

  const throughProxy = (name: string, work: () => Promise<void>) =>
    test(name, async () => {
      proxy = await connectionProxy(url)
      remote = openDatabase({ url: proxy.url, timeouts: QUICK })
      try {
        await work()
      } finally {
        await remote.close()
        await proxy.close()
      }
    })

  const cases: readonly { readonly fault: CommitFault; readonly name: string; readonly attempts: number }[] = [
    { fault: 'before', name: 'before the COMMIT arrives: the work is done again', attempts: 2 },
    { fault: 'after', name: 'after the COMMIT: the work is found done and not repeated', attempts: 1 },
    { fault: 'late', name: 'that PostgreSQL has not noticed: the work is done again', attempts: 2 },
  ]
  for (const { fault, name, attempts } of cases) {
    throughProxy(name, async () => {
      let attempt = 0
      void proxy.failNextCommit(fault)

      const result = await remote.transaction(async (tx) => {
        attempt += 1
        await tx.change(insert, ['mug', 1])
        return `attempt ${attempt}`
      })

      assert.equal(result, `attempt ${attempts}`)
      assert.equal(attempt, attempts)
      assert.deepEqual(await things(), ['mug=1'])
    })
  }

  throughProxy('whose COMMIT arrives after its look-up: that COMMIT fails', async () => {
    let attempt = 0
    void proxy.failNextCommit('late')

    await remote.transaction(async (tx) => {
      attempt += 1
      await tx.rows(list)
      tx.write(insert, [`attempt ${attempt}`, 1])
    })
    await proxy.deliver()

    assert.deepEqual(await things(), ['attempt 2=1'])
  })

  throughProxy('within the batch of a COMMIT: unknown, while PostgreSQL waits for the rest', async () => {
    void proxy.failNextCommit('half')

    const working = remote.transaction(async (tx) => {
      await tx.rows(list)
      tx.write(insert, ['mug', 1])
    })

    await assert.rejects(working, OutcomeUnknown)
    proxy.cutAll()
    assert.deepEqual(await things(), [])
  })

  throughProxy('is resolved by the given fact, which waits for the transaction that wrote it', async () => {
    const claim = statement('test.claim', 'insert into things (id, amount) values ($1, 1) on conflict do nothing')
    for (const fault of ['before', 'after'] as const) {
      let attempt = 0
      void proxy.failNextCommit(fault)

      const claimed = await remote.transaction(async (tx) => {
        attempt += 1
        const rows = await tx.change(claim, [fault])
        tx.resolveBy(async (reader) => {
          await reader.rows(claim, [fault])
          return (await reader.rows(list)).some(({ id, amount }) => id === fault && amount === 2n)
        })
        tx.write(raise, [fault, 1])
        return rows
      })

      assert.deepEqual([claimed, attempt], [1, fault === 'before' ? 2 : 1])
    }
    assert.deepEqual(await things(), ['after=2', 'before=2'])
  })

  throughProxy('of all writers at once is looked up on separate connections', async () => {
    const narrow = openDatabase({ url: proxy.url, writersMax: 1, timeouts: QUICK })
    const done = await narrow.transaction(async (tx) => tx.change(insert, ['first', 1]))
    void proxy.failNextCommit('after')
    const lost = narrow.transaction((tx) => tx.change(insert, ['lost', 1]))
    const waiting = narrow.transaction((tx) => tx.change(insert, ['next', 1]))

    assert.deepEqual([done, await lost, await waiting], [1, 1, 1])
    await narrow.close()
    assert.deepEqual(await things(), ['first=1', 'lost=1', 'next=1'])
  })

  throughProxy('after the COMMIT of unawaited writes: they happen once', async () => {
    void proxy.failNextCommit('after')

    await remote.transaction(async (tx) => tx.write(insert, ['mug', 1]))

    assert.deepEqual(await things(), ['mug=1'])
  })

  throughProxy('after the COMMIT of a refusal: its claim is committed and the refusal thrown', async () => {
    void proxy.failNextCommit('after')

    const working = remote.transaction(async (tx) => {
      tx.write(insert, ['claim', 1])
      tx.savepointHere()
      await tx.rows(list)
      refuse('not_found')
    })

    await assert.rejects(working, { code: 'not_found' })
    assert.deepEqual(await things(), ['claim=1'])
  })

  throughProxy('in the middle of the work: the work is done again', async () => {
    let attempt = 0

    await remote.transaction(async (tx) => {
      attempt += 1
      await tx.change(insert, ['mug', 1])
      if (attempt === 1) proxy.cutAll()
      await tx.rows(list)
    })

    assert.equal(attempt, 2)
    assert.deepEqual(await things(), ['mug=1'])
  })

  throughProxy('to an unreachable PostgreSQL: rolled back', async () => {
    await proxy.close()
    const working = remote.transaction(async (tx) => tx.write(insert, ['mug', 1]))

    await assert.rejects(working, RolledBack)
    assert.deepEqual(await things(), [])
    proxy = await connectionProxy(url)
  })
})

describe('a silent connection', () => {
  let proxy: ConnectionProxy
  let remote: Database
  beforeEach(async (t) => {
    proxy = await connectionProxy(url)
    remote = openDatabase({ url: proxy.url, writersMax: 2, timeouts: QUICK })
    const ended = async () => {
      await remote.close()
      await proxy.close()
    }
    ;(t as TestContext).after(ended)
  })
  const add = (id: string) => remote.transaction(async (tx) => tx.write(insert, [id, 1]))

  test('is given up: the transaction is rolled back, not repeated, and the next one has another connection', async () => {
    let attempts = 0
    const working = remote.transaction(async (tx) => {
      attempts += 1
      await tx.change(insert, ['mug', 1])
      proxy.silence()
      await tx.rows(list)
    })

    await assert.rejects(working, RolledBack)
    assert.equal(attempts, 1)
    await add('cup')
    assert.deepEqual(await things(), ['cup=1'])
  })

  test('at the COMMIT is given up, and the outcome looked up', async () => {
    void proxy.failNextCommit('unanswered')
    await add('unanswered')
    void proxy.failNextCommit('unsent')
    await assert.rejects(add('unsent'), RolledBack)

    assert.deepEqual(await things(), ['unanswered=1'])
  })
})

/** Everyone waits for the last one, the first time; later callers pass. */
function meetingOf(count: number): () => Promise<void> {
  let missing = count
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}
