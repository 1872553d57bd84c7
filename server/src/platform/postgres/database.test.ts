import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testDatabase } from '../../../../test/support/database.ts'
import { type ConnectionProxy, connectionProxy } from '../../../../test/support/network/connection-proxy.ts'
import { connectDirectly } from './direct-client.ts'
import { primaryUrlOf } from './hosts.ts'
import {
  type Database,
  isUnavailable,
  migrate,
  openDatabase,
  queries,
  RolledBack,
  statement,
  Unreachable,
} from './index.ts'

const one = statement<{ one: number }>('test.one', 'select 1 as one')
const backend = statement<{ pid: number }>('test.backend', 'select pg_backend_pid() as pid')
const end = statement('test.end', 'select pg_terminate_backend($1)')

let database: Database
let url: string

before(async () => {
  ;({ database, url } = await testDatabase())
})

test('times are read and copied the same way, whatever format and time zone the database prefers', async (t) => {
  const { database: changed, url: changedUrl, close } = await testDatabase(t)
  const query = (text: string) => changed.reader.rows(statement(text, text))
  for (const [name, value] of Object.entries({
    datestyle: 'SQL, DMY',
    timezone: 'Asia/Kathmandu',
    extra_float_digits: '0',
  }))
    await query(`alter database ${new URL(changedUrl).pathname.slice(1)} set ${name} = '${value}'`)
  const at = new Date('2026-04-03T12:00:00.123Z')
  const values = `timestamptz '${at.toISOString()}' as at, 0.1::float8 + 0.2::float8 as sum`
  const opened = openDatabase({ url: changedUrl })
  assert.deepEqual(await opened.reader.row(statement('test.formats', `select ${values}`)), { at, sum: 0.1 + 0.2 })
  await opened.close()
  const direct = await connectDirectly(changedUrl, 'test')
  const { rows } = await direct.query(`select row(at, sum)::text as copied from (select ${values}) each`)
  await direct.end()
  assert.deepEqual(rows, [{ copied: '("2026-04-03 12:00:00.123+00",0.30000000000000004)' }])
  await close()
})

describe('a value', () => {
  const cases: readonly { readonly sql: string; readonly value: unknown }[] = [
    { sql: '9007199254740993::bigint', value: 9007199254740993n },
    { sql: 'array[9007199254740993, null]::bigint[]', value: [9007199254740993n, null] },
    { sql: '1.10::numeric', value: '1.10' },
    { sql: 'array[1.10]::numeric[]', value: ['1.10'] },
    { sql: "date '2024-02-29'", value: '2024-02-29' },
    { sql: "array[date '2024-02-29']", value: ['2024-02-29'] },
    { sql: "timestamptz '2024-02-29T12:00:00.123Z'", value: new Date('2024-02-29T12:00:00.123Z') },
    { sql: `'{"a":[1]}'::jsonb`, value: { a: [1] } },
    { sql: "'\\x00ff'::bytea", value: Buffer.from([0, 255]) },
    { sql: '7::integer', value: 7 },
    { sql: 'null::bigint', value: null },
  ]
  for (const { sql, value } of cases) {
    test(`of ${sql} is read without loss`, async () => {
      const row = await database.reader.row(
        statement<{ value: unknown }>(`test.value ${sql}`, `select ${sql} as value`),
      )

      assert.deepEqual(row, { value })
    })
  }

  test('can be a bigint, Date, array or Buffer', async () => {
    const echo = statement('test.echo', 'select $1::bigint as a, $2::timestamptz as b, $3::text[] as c, $4::bytea as d')
    const values = [2n ** 62n, new Date('2024-02-29T12:00:00.123Z'), ['a', 'b,"c'], Buffer.from([1])]

    const row = await database.reader.row(echo, values)

    assert.deepEqual(Object.values(row as object), values)
  })
})

describe('a reader', () => {
  test('sends queries that are issued together over one connection, in one round trip', async () => {
    const before = database.counters()

    const rows = await Promise.all([1, 2, 3].map(() => database.reader.row(backend)))

    assert.equal(new Set(rows.map((row) => row?.pid)).size, 1)
    assert.equal(database.counters().roundTrips - before.roundTrips, 1)
  })

  test('reports the error of one query and returns the others', async () => {
    const broken = database.reader.run(queries.selectFrom('no_such_table').selectAll().compile())
    const [failure, row] = await Promise.allSettled([broken, database.reader.row(one)])

    assert.equal(failure.status === 'rejected' && failure.reason.code, '42P01')
    assert.deepEqual(row, { status: 'fulfilled', value: { one: 1 } })
  })

  test('sends again what PostgreSQL skipped after a statement that failed', async () => {
    const divide = statement<{ result: number }>('test.divide', 'select 6 / $1::integer as result')

    const results = await Promise.allSettled([3, 0, 2, 0, 1].map((by) => database.reader.row(divide, [by])))

    assert.deepEqual(
      results.map((each) => (each.status === 'fulfilled' ? each.value?.result : each.reason.code)),
      [2, '22012', 3, '22012', 6],
    )
  })

  test('rejects two statements with one name, in any order', async (t) => {
    const { database: narrow } = await testDatabase(t, { readersMax: 1 })
    const two = statement<{ one: number }>(one.name, 'select 2 as one')

    assert.deepEqual(await narrow.reader.row(one), { one: 1 })
    await assert.rejects(narrow.reader.row(two), /two statements have the name test\.one/)
  })

  test('runs composed queries with separate parameters', async () => {
    const query = queries.selectFrom('pg_database').select(['datname']).where('datname', '=', "o'hara").compile()

    assert.match(query.sql, /\$1/)
    assert.deepEqual(await database.reader.run(query), [])
  })

  test('retries if its connection was closed', async (t) => {
    const { database: narrow } = await testDatabase(t, { readersMax: 1 })
    const row = await narrow.reader.row(backend)
    const reading = narrow.reader.row(
      statement<{ pid: number }>('test.slow', 'select pg_backend_pid() as pid from pg_sleep(0.2)'),
    )
    // The driver sends the first query at the next tick; then the server is asked to end its session.
    await database.reader.row(one)
    await database.reader.row(end, [row?.pid])

    assert.notEqual((await reading)?.pid, row?.pid)
  })

  test('prepares again after a migration changed the result of a statement', async (t) => {
    const { database: narrow } = await testDatabase(t, { readersMax: 1 })
    const all = statement('test.all', 'select * from shelf')
    const change = (text: string) => narrow.transaction(async (tx) => tx.write(statement(`test ${text}`, text), []))
    await change('create table shelf (id text)')
    assert.deepEqual(await narrow.reader.rows(all), [])

    await change('alter table shelf add column place text')

    assert.deepEqual(await narrow.reader.rows(all), [])
  })

  test('and a transaction prepare again, however many connections a migration made stale', async (t) => {
    const { database } = await testDatabase(t, { readersMax: 6, writersMax: 6 })
    const all = statement('test.all', 'select * from shelf')
    const change = (text: string) => database.transaction(async (tx) => tx.write(statement(`test ${text}`, text), []))
    await change('create table shelf (id text)')
    const together = Array.from({ length: 6 })
    await Promise.all(together.map(() => database.snapshot((reader) => reader.rows(all))))
    await Promise.all(together.map(() => database.transaction((tx) => tx.rows(all))))

    await change('alter table shelf add column place text')

    assert.deepEqual(await database.reader.rows(all), [])
    assert.deepEqual(await database.snapshot((reader) => reader.rows(all)), [])
    assert.deepEqual(await database.transaction((tx) => tx.rows(all)), [])
  })
})

describe('a URL with prepare=false', () => {
  test('leaves no statement prepared on its connection, alone, together or in a transaction', async (t) => {
    const own = openDatabase({ url: `${url}${url.includes('?') ? '&' : '?'}prepare=false`, readersMax: 1 })
    t.after(() => own.close())
    const left = statement<{ count: number }>('test.left', 'select count(*)::int as count from pg_prepared_statements')

    await Promise.all([own.reader.row(one), own.reader.row(one), own.reader.row(backend)])
    const inTransaction = await own.transaction(async (tx) => [await tx.row(one), await tx.row(left)])

    assert.deepEqual(inTransaction, [{ one: 1 }, { count: 0 }])
    assert.deepEqual(await own.reader.row(left), { count: 0 })
  })
})

describe('a snapshot', () => {
  test('sees one state, whatever is committed meanwhile', async (t) => {
    const { database } = await testDatabase(t)
    const count = statement<{ count: bigint }>('test.count', 'select count(*) from revisions')
    const add = statement('test.add', "insert into revisions (subject, revision) values ('test', 1)")

    const seen = await database.snapshot(async (reader) => {
      const first = await reader.row(count)
      await database.transaction(async (tx) => tx.write(add, []))
      return [first?.count, (await reader.row(count))?.count]
    })

    assert.deepEqual(seen, [0n, 0n])
    assert.deepEqual(await database.reader.row(count), { count: 1n })
  })

  test('returns a usable connection after a failed read', async (t) => {
    const { database: narrow } = await testDatabase(t, { readersMax: 1 })
    const broken = statement('test.broken', 'select 1 / 0')
    const failing = narrow.snapshot(async (reader) => {
      void reader.rows(broken).catch(() => {})
      throw new Error('our bug')
    })

    await assert.rejects(failing, /our bug/)
    assert.deepEqual(await narrow.reader.row(one), { one: 1 })
  })

  test('cannot write', async () => {
    const add = statement('test.add', "insert into revisions (subject, revision) values ('test', 1)")

    await assert.rejects(
      database.snapshot((reader) => reader.rows(add)),
      { code: '25006' },
    )
  })
})

describe('a listener', () => {
  const notify = statement('test.notify', "select pg_notify('test_channel', $1)")

  test('receives committed notifications, and null after a gap', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url })
    t.after(() => Promise.all([remote.close(), proxy.close()]))
    const heard: (string | null)[] = []
    let wake: () => void = () => {}
    const stop = await remote.listen('test_channel', (payload) => {
      heard.push(payload)
      wake()
    })
    const next = () => new Promise<void>((resolve) => (wake = resolve))

    await Promise.all([next(), database.reader.row(notify, ['one'])])
    const gap = next()
    proxy.cutAll()
    await gap
    await Promise.all([next(), database.reader.row(notify, ['two'])])

    assert.deepEqual(heard, ['one', null, 'two'])
    await stop()
  })
})

describe('a silent connection', () => {
  // Opening a new connection has its usual time, also on a busy machine.
  const QUICK = { statement: 300, answerMargin: 200, heartbeat: 50 }

  test('of a reader is given up without a retry, and the next read uses another one', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url, timeouts: QUICK })
    t.after(() => Promise.all([remote.close(), proxy.close()]))
    assert.deepEqual(await remote.reader.row(one), { one: 1 })
    proxy.silence()

    await assert.rejects(remote.reader.row(one), Unreachable)
    await assert.doesNotReject(remote.reader.row(one))
  })

  test('closes the idle connections of every pool as well, so that nothing waits for a second deadline', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url, writersMax: 2, timeouts: QUICK })
    t.after(() => Promise.all([remote.close(), proxy.close()]))
    const write = () => remote.transaction((tx) => tx.row(one))
    const read = () => remote.snapshot((reader) => reader.row(one))
    await Promise.all([write(), write(), read(), read(), read()])
    proxy.silence()

    await assert.rejects(read(), Unreachable)
    await assert.doesNotReject(Promise.all([read(), read(), write(), write()]))
  })

  test('of a listener is replaced', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url, timeouts: { ...QUICK, connection: 2000 } })
    t.after(() => Promise.all([remote.close(), proxy.close()]))
    const gap = Promise.withResolvers<string | null>()
    const stop = await remote.listen('test_channel', gap.resolve)
    proxy.silence()

    assert.equal(await gap.promise, null)
    await stop()
  })

  test('of every writer stops writes for one deadline only, and health reports it', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url, writersMax: 2, timeouts: QUICK })
    t.after(() => Promise.all([remote.close(), proxy.close()]))
    const write = () => remote.transaction((tx) => tx.row(one))
    await Promise.all([write(), write()])
    assert.equal(await remote.takesWrites(), true)
    proxy.silence()

    const lost = await Promise.allSettled([write(), write()])
    assert(lost.every(({ status }) => status === 'rejected'))
    assert.equal(await remote.takesWrites(), true)
    proxy.refuse(true)
    proxy.cutAll()
    assert.equal(await remote.takesWrites(), false)
  })
})

describe('several hosts', () => {
  test('replace each other', async (t) => {
    const first = await connectionProxy(url)
    const second = await connectionProxy(url)
    const host = (proxy: ConnectionProxy) => new URL(proxy.url).host
    const several = openDatabase({ url: first.url.replace(host(first), `${host(first)},${host(second)}`) })
    t.after(() => Promise.all([several.close(), second.close()]))
    assert.deepEqual(await several.transaction((tx) => tx.row(one)), { one: 1 })

    await first.close()

    assert.deepEqual(await several.transaction((tx) => tx.row(one)), { one: 1 })
    assert.deepEqual(await several.reader.row(one), { one: 1 })
  })
})

describe('a pool whose connections are all in use', () => {
  test('is waited for once, however many hosts there are', async (t) => {
    const proxy = await connectionProxy(url)
    const { host } = new URL(proxy.url)
    const timeouts = { connection: 1000 }
    const several = openDatabase({ url: proxy.url.replace(host, `${host},${host},${host}`), writersMax: 1, timeouts })
    t.after(() => Promise.all([several.close(), proxy.close()]))

    await several.transaction(async (tx) => {
      await tx.row(one)
      const since = performance.now()
      await assert.rejects(
        several.transaction((other) => other.row(one)),
        RolledBack,
      )
      const waitedMs = performance.now() - since
      assert(waitedMs < 2 * timeouts.connection, `${waitedMs} ms`)
    })
  })
})

describe('a database that takes no writes, such as one whose disk is almost full', () => {
  test('is unavailable for them', async (t) => {
    const own = openDatabase({
      url: `${url}${url.includes('?') ? '&' : '?'}options=-c%20default_transaction_read_only%3Don`,
    })
    t.after(() => own.close())
    const add = statement('test.add', "insert into revisions (subject, revision) values ('test', 1)")

    await assert.rejects(
      own.transaction(async (tx) => tx.write(add, [])),
      isUnavailable,
    )
    assert.equal(await own.takesWrites(), false)
    assert.deepEqual(await own.reader.row(one), { one: 1 })
  })
})

describe('several hosts of which the first is a standby', () => {
  test('write to the primary', async (t) => {
    const standby = await connectionProxy(url, true)
    const primary = await connectionProxy(url)
    const host = (proxy: ConnectionProxy) => new URL(proxy.url).host
    const several = openDatabase({ url: standby.url.replace(host(standby), `${host(standby)},${host(primary)}`) })
    t.after(() => Promise.all([several.close(), primary.close()]))

    assert.deepEqual(await several.transaction((tx) => tx.row(one)), { one: 1 })
    await standby.close()
    assert.deepEqual(await several.transaction((tx) => tx.row(one)), { one: 1 })
    assert.equal(several.pools().writers.open, 1)
  })

  test('receive the notifications of the primary', async (t) => {
    const standby = await connectionProxy(url, true)
    const primary = await connectionProxy(url)
    const host = (proxy: ConnectionProxy) => new URL(proxy.url).host
    const several = openDatabase({ url: standby.url.replace(host(standby), `${host(standby)},${host(primary)}`) })
    t.after(() => Promise.all([several.close(), primary.close(), standby.close()]))

    const heard = Promise.withResolvers<string | null>()
    await several.listen('test_hosts', heard.resolve)
    await database.reader.rows(statement('test.notify_hosts', `select pg_notify('test_hosts', 'hello')`))
    assert.equal(await heard.promise, 'hello')
  })

  test('migrate and copy on the primary, even if the first is a standby or unreachable', async (t) => {
    const standby = await connectionProxy(url, true)
    const primary = await connectionProxy(url)
    const host = (proxy: ConnectionProxy) => new URL(proxy.url).host
    const several = standby.url.replace(host(standby), `${host(standby)},${host(primary)}`)
    t.after(() => primary.close())

    assert.equal(await primaryUrlOf(several), primary.url)
    assert.deepEqual((await migrate(several)).applied, [])
    await standby.close()
    assert.equal(await primaryUrlOf(several), primary.url)
  })

  for (const hosts of ['$1,$1', '$1']) {
    test(`report that there is no primary if all are standbys: ${hosts}`, async (t) => {
      const standby = await connectionProxy(url, true)
      const alone = openDatabase({ url: standby.url.replace(/@([^/]+)/, `@${hosts}`) })
      t.after(() => Promise.all([alone.close(), standby.close()]))

      await assert.rejects(
        alone.transaction((tx) => tx.row(one)),
        RolledBack,
      )
    })
  }
})

describe('an unreachable PostgreSQL', () => {
  test('is reported by reads and snapshots, and as rolled back by transactions', async (t) => {
    const proxy = await connectionProxy(url)
    const away = openDatabase({ url: proxy.url })
    t.after(() => away.close())
    assert.deepEqual(await away.reader.row(one), { one: 1 })
    await proxy.close()

    await assert.rejects(away.reader.row(one), Unreachable)
    await assert.rejects(
      away.snapshot((reader) => reader.row(one)),
      Unreachable,
    )
    await assert.rejects(
      away.transaction((tx) => tx.row(one)),
      RolledBack,
    )
  })
})

describe('a connection that PostgreSQL ends as soon as it is ready', () => {
  const idle = message('Z', Buffer.from('I'))
  const ready = Buffer.concat([message('R', Buffer.from([0, 0, 0, 0])), idle])
  /** Ready and shutting down in one packet, which PostgreSQL sends if its postmaster was killed. */
  const packet = Buffer.concat([
    ready,
    message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Munexpected postmaster exit\0\0')),
  ])

  function message(type: string, body: Buffer): Buffer {
    const head = Buffer.from(`${type}    `)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }

  test('is lost, and the process continues', async (t) => {
    const server = createServer((socket) => socket.once('data', () => socket.end(packet)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const dying = openDatabase({ url: `postgres://vitrine@127.0.0.1:${port}/vitrine` })
    t.after(async () => {
      await dying.close()
      server.close()
    })

    await assert.rejects(dying.reader.row(one), Unreachable)
    await assert.rejects(
      dying.transaction((tx) => tx.row(one)),
      RolledBack,
    )
  })

  test('is replaced once if it was to listen', async (t) => {
    const listening = Buffer.concat([message('C', Buffer.from('LISTEN\0')), idle])
    let opened = 0
    const server = createServer((socket) => {
      opened += 1
      const isFirst = opened === 1
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(ready)
        socket.once('data', () => (isFirst ? socket.destroy() : socket.write(listening)))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const several = openDatabase({ url: `postgres://vitrine@127.0.0.1:${port},127.0.0.1:${port}/vitrine` })
    t.after(async () => {
      await several.close()
      server.close()
    })

    const heard = Promise.withResolvers<string | null>()
    await several.listen('test_channel', heard.resolve)

    // Twice the time after which a listener reconnects.
    assert.equal(await Promise.race([heard.promise, pause(200, 'nothing')]), 'nothing')
    assert.equal(opened, 2)
  })
})

describe('health', () => {
  test('is true while PostgreSQL responds', async () => {
    assert.equal(await database.isHealthy(), true)
  })

  test('is false if there is none', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' })

    assert.equal(await nowhere.isHealthy(), false)
    await nowhere.close()
  })
})
