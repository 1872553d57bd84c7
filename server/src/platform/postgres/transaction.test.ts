import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { type ConnectionProxy, type Cut, connectionProxy } from '../../../../test/support/network/connection-proxy.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Database, isUniqueViolation, openDatabase, RolledBack, statement } from './index.ts'

const insert = statement('test.insert', 'insert into things (id, amount) values ($1, $2)')
const raise = statement('test.raise', 'update things set amount = amount + $2 where id = $1')
const lock = statement<{ amount: bigint }>('test.lock', 'select amount from things where id = $1 for update')
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
  test('commits what was written and hands back the result', async () => {
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
    // begin, the transaction's id, the five, commit
    assert.equal(after.queries - before.queries, 8)
  })

  test('needs no query for its id after openWith', async () => {
    const opening = statement<{ transaction_id: string; amount: bigint }>(
      'test.opening',
      'insert into things (id, amount) values ($1, 1) returning pg_current_xact_id()::text as transaction_id, amount',
    )
    const before = database.counters()

    const { amount } = await database.transaction((tx) => tx.openWith(opening, ['mug']))

    const after = database.counters()
    assert.equal(amount, 1n)
    assert.equal(after.queries - before.queries, 3)
    assert.equal(after.roundTrips - before.roundTrips, 2)
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
    const lockBoth = (first: string, second: string) =>
      database.transaction(async (tx) => {
        await tx.row(lock, [first])
        await bothHold()
        await tx.row(lock, [second])
        tx.write(raise, [first, 1])
        tx.write(raise, [second, 1])
      })

    await Promise.all([lockBoth('a', 'b'), lockBoth('b', 'a')])

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

describe('a lost connection', () => {
  let proxy: ConnectionProxy
  let remote: Database

  const throughProxy = (name: string, work: () => Promise<void>) =>
    test(name, async () => {
      proxy = await connectionProxy(url)
      remote = openDatabase({ url: proxy.url })
      try {
        await work()
      } finally {
        await remote.close()
        await proxy.close()
      }
    })

  const cases: readonly { readonly cut: Cut; readonly name: string; readonly attempts: number }[] = [
    { cut: 'before', name: 'before the COMMIT arrives: the work is done again', attempts: 2 },
    { cut: 'after', name: 'after the COMMIT: the work is found done and not repeated', attempts: 1 },
    { cut: 'half', name: 'that PostgreSQL has not noticed: its end is ended, and the work done again', attempts: 2 },
  ]
  for (const { cut, name, attempts } of cases) {
    throughProxy(name, async () => {
      let attempt = 0
      proxy.cutNextCommit(cut)

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

  throughProxy('after the COMMIT of unawaited writes: they happen once', async () => {
    proxy.cutNextCommit('after')

    await remote.transaction(async (tx) => tx.write(insert, ['mug', 1]))

    assert.deepEqual(await things(), ['mug=1'])
  })

  throughProxy('after the COMMIT of a refusal: its claim is committed and the refusal thrown', async () => {
    proxy.cutNextCommit('after')

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
