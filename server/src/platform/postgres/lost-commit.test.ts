import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { atFileEnd } from '../../../../test/support/file-end.ts'
import { type ConnectionProxy, connectionProxy } from '../../../../test/support/network/connection-proxy.ts'
import { runsOf } from '../../../../test/support/runs.ts'
import { type Database, migrate, openDatabase, startEmbedded, statement } from './index.ts'

/*
 * With a durable PostgreSQL of its own, which is killed: only then does a crash lose transactions, whose ids may then be assigned
 * again.
 */

const create = statement('test.create', 'create table things (id text primary key)')
const insert = statement('test.insert', 'insert into things (id) values ($1)')
const list = statement<{ id: string }>('test.list', 'select id from things order by id')
const backend = statement<{ pid: number }>('test.backend', 'select pg_backend_pid() as pid')
/** Uncommitted changes stay in memory, and are lost in a crash. */
const writeLate = statement('test.write_late', "alter system set wal_writer_delay = '10s'")
const reload = statement('test.reload', 'select pg_reload_conf()')

let database: Database
let proxy: ConnectionProxy
let remote: Database
before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-lost-commit-'))
  atFileEnd(() => rm(dataDir, { recursive: true, force: true }))
  const embedded = await startEmbedded({ dataDir })
  atFileEnd(() => embedded.stop())
  await migrate(embedded.url)
  database = openDatabase({ url: embedded.url })
  proxy = await connectionProxy(embedded.url)
  remote = openDatabase({ url: proxy.url })
  atFileEnd(async () => {
    await remote.close()
    await proxy.close()
    await database.close()
  })
  await database.transaction(async (tx) => tx.write(create, []))
  await database.reader.rows(writeLate)
  await database.reader.rows(reload)
})

/** Kills the backend of a transaction at its COMMIT, which restarts PostgreSQL. Others run before its outcome is looked up. */
async function crashAtCommit(id: string): Promise<void> {
  let pid = 0
  const vanished = proxy.failNextCommit('unsent')
  const working = remote.transaction(async (tx) => {
    const row = await tx.row(backend)
    pid ||= row?.pid ?? 0
    await tx.change(insert, [id])
  })
  await vanished
  proxy.refuse(true)
  process.kill(pid, 'SIGKILL')
  proxy.cutAll()
  for (let later = 0; later < 5; ) {
    const isDone = await database
      .transaction(async (tx) => tx.write(insert, [`${id}, then ${later}`]))
      .then(
        () => true,
        () => false,
      )
    if (isDone) later += 1
    else await pause(20)
  }
  proxy.refuse(false)
  await working
}

describe('a crash of PostgreSQL at a COMMIT', () => {
  test('loses nothing that was acknowledged, whatever was committed before the outcome is looked up', async () => {
    for (let run = 1; run <= runsOf({ full: 20, short: 1 }); run += 1) {
      await crashAtCommit(`run ${run}`)

      const ids = (await database.reader.rows(list)).map(({ id }) => id)
      assert(ids.includes(`run ${run}`), `${ids}`)
      assert.equal(ids.length, 6 * run)
    }
  })
})
