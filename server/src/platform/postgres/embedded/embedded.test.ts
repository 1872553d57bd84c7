// test: long
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, openDatabase, startEmbedded, statement, Unreachable } from '../index.ts'
import { dropsPrivileges, isReadableByServer, usableTree } from './binaries.ts'

const starter = fileURLToPath(new URL('../../../../../test/support/processes/embedded-postgres.ts', import.meta.url))

/** A folder that only its owner may enter, as a data directory below `/root` is. */
async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-embedded-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Its files are created once, by the first test that starts it: half a second of processor time. Each test stops it. */
let dataDir: string
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vitrine-embedded-'))
})
after(() => rm(dataDir, { recursive: true, force: true }))

const startIn = (folder: string) => startEmbedded({ dataDir: folder, durable: false })

async function pidOfServer(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10)
}

async function ask(embedded: Pick<EmbeddedPostgres, 'url'>, text: string): Promise<unknown[]> {
  const database = openDatabase({ url: embedded.url })
  try {
    return await database.reader.rows(statement('test.ask', text))
  } finally {
    await database.close()
  }
}

const NOBODY_ID = 65_534

/** The server's first answer to a connection of a user of the operating system. */
async function firstAnswerAs(userId: number, socketDir: string): Promise<string> {
  process.seteuid?.(userId)
  // A path is connected to at once, as the effective user.
  const socket = connect(join(socketDir, '.s.PGSQL.5432'))
  process.seteuid?.(0)
  await once(socket, 'connect')
  const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + parameters.length)
  head.writeInt32BE(3 << 16, 4)
  socket.write(Buffer.concat([head, parameters]))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await pause(10)
}

describe('the embedded PostgreSQL', () => {
  test('keeps committed data across restarts', async () => {
    const first = await startEmbedded({ dataDir })
    await ask(first, 'create table kept as select 1 as one')
    await first.stop()
    const second = await startEmbedded({ dataDir })

    assert.deepEqual(await ask(second, 'select * from kept'), [{ one: 1 }])
    assert.deepEqual(await ask(second, "select current_setting('fsync') as fsync"), [{ fsync: 'on' }])
    await second.stop()
    assert.deepEqual(await readdir(dataDir), ['postgres', 'postgres.log'])
    assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
  })

  test('accepts the user that starts it and root only', async () => {
    const embedded = await startIn(dataDir)
    const rules = await ask(embedded, 'select type, auth_method, options from pg_hba_file_rules')
    assert.deepEqual(rules, [{ type: 'local', auth_method: 'peer', options: ['map=vitrine'] }])
    const users = await ask(embedded, 'select sys_name, pg_username as role from pg_ident_file_mappings order by 1, 2')
    assert.deepEqual(
      users,
      [...new Set(['root', userInfo().username])]
        .sort()
        .flatMap((sys_name) => ['postgres', 'vitrine'].map((role) => ({ sys_name, role }))),
    )
    if (dropsPrivileges) {
      const cluster = join(dataDir, 'postgres')
      await assert.rejects(firstAnswerAs(NOBODY_ID, cluster), { code: 'EACCES' })
      // Even if the folders are accessible.
      for (const folder of [dataDir, cluster]) await chmod(folder, 0o711)
      const answer = await firstAnswerAs(NOBODY_ID, cluster).catch(String)
      for (const folder of [dataDir, cluster]) await chmod(folder, 0o700)
      assert.match(answer, /^E.*Peer authentication failed/s)
    }
    await embedded.stop()
  })

  test('takes over a data directory of an earlier version, which ran as nobody and trusted all connections', async (t) => {
    const folder = await folderFor(t)
    const cluster = join(folder, 'postgres')
    await (await startIn(folder)).stop()
    await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
    const paths = [cluster, ...(await readdir(cluster, { recursive: true })).map((name) => join(cluster, name))]
    if (dropsPrivileges) for (const path of paths) await chown(path, NOBODY_ID, NOBODY_ID)

    const embedded = await startIn(folder)

    assert.deepEqual(await ask(embedded, 'select auth_method from pg_hba_file_rules'), [{ auth_method: 'peer' }])
    const owner = dropsPrivileges ? 65_525 : process.getuid?.()
    const owners = await Promise.all((await readdir(cluster)).map((name) => stat(join(cluster, name))))
    assert.deepEqual([...new Set(owners.map(({ uid }) => uid))], [owner])
    await embedded.stop()
  })

  test('listens on a socket for its owner only, and on no network', async () => {
    const embedded = await startIn(dataDir)

    const [settings] = await ask(embedded, "select current_setting('listen_addresses') as addresses")
    const folder = await stat(join(dataDir, 'postgres'))

    assert.deepEqual(settings, { addresses: '' })
    assert.equal(folder.mode & 0o777, 0o700)
    assert.equal(folder.uid, dropsPrivileges ? 65_525 : process.getuid?.())
    await embedded.stop()
  })

  test('sorts, folds and searches all languages alike on every machine', async () => {
    const embedded = await startIn(dataDir)
    await ask(embedded, 'create extension pg_trgm')
    await ask(embedded, 'create extension unaccent')

    const [row] = await ask(
      embedded,
      `select lower('ÄÖÜ') as lower, 'Z' < 'a' as by_code_point, similarity('grün', 'grun') > 0 as trigrams,
         unaccent('été') as unaccent, to_tsvector('simple', 'Öl für Ärzte')::text as words`,
    )

    assert.deepEqual(row, {
      lower: 'äöü',
      by_code_point: true,
      trigrams: true,
      unaccent: 'ete',
      words: "'für':2 'ärzte':3 'öl':1",
    })
    await embedded.stop()
  })

  test('is joined by a second process, and stops with the last', async () => {
    const first = await startIn(dataDir)
    // As an earlier version started it, which knew no role of the application.
    const ident = join(dataDir, 'postgres/pg_ident.conf')
    await writeFile(ident, (await readFile(ident, 'utf8')).replaceAll(/^.* vitrine\n/gm, ''))
    await ask(first, 'select pg_reload_conf()')
    const second = await startIn(dataDir)

    assert.deepEqual([first.isStarter, second.isStarter], [true, false])
    assert.equal(second.url, first.url)
    const role = 'select rolname, rolsuper from pg_roles where rolname = current_user'
    assert.deepEqual(await ask({ url: second.applicationUrl }, role), [{ rolname: 'vitrine', rolsuper: false }])
    await first.stop()
    assert.deepEqual(await ask(second, 'select 1 as one'), [{ one: 1 }])
    await second.stop()
    await assert.rejects(ask(second, 'select 1 as one'), (error: Error) => {
      assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOENT')
      return error instanceof Unreachable
    })
  })

  test('is one server for several concurrent starts, which create its files again if the first start was killed', async (t) => {
    const fresh = await folderFor(t)
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(ended, 'exit')
    await mkdir(join(fresh, `postgres.partial-${ended.pid}-a1b2c3`))

    const all = await Promise.all([1, 2, 3].map(() => startIn(fresh)))

    const pids = await Promise.all(all.map((each) => ask(each, 'select pg_postmaster_start_time()::text as started')))
    assert.deepEqual(pids[1], pids[0])
    assert.deepEqual(pids[2], pids[0])
    await Promise.all(all.map((each) => each.stop()))
    assert.equal(existsSync(join(fresh, 'postgres/postmaster.pid')), false)
    assert.deepEqual(await readdir(fresh), ['postgres', 'postgres.log'])
  })

  test('starts if another program has the process id of a crashed server', async () => {
    const first = await startIn(dataDir)
    const lines = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
    await first.stop()
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), lines.replace(/^\d+/, String(process.pid)))

    const second = await startIn(dataDir)

    assert.deepEqual(await ask(second, 'select 1 as one'), [{ one: 1 }])
    await second.stop()
  })

  test('is restarted after it was killed, with all committed data', async () => {
    const embedded = await startEmbedded({ dataDir })
    await ask(embedded, 'create table survivor as select 1 as one')
    const killed = await pidOfServer()

    process.kill(killed, 'SIGKILL')

    const database = openDatabase({ url: embedded.url })
    await until(async () => (await database.isHealthy()) && (await pidOfServer()) !== killed)
    await database.close()
    assert.deepEqual(await ask(embedded, 'select * from survivor'), [{ one: 1 }])
    await embedded.stop()
  })

  test('is restarted once the obstacle is gone, however long that takes', async () => {
    let failures = 0
    const onProgress = (what: string) => {
      if (what.startsWith('PostgreSQL does not start')) failures += 1
    }
    const embedded = await startEmbedded({ dataDir, durable: false, onProgress })
    const settings = join(dataDir, 'postgres/postgresql.auto.conf')
    const usable = await readFile(settings, 'utf8')

    await writeFile(settings, 'not a setting')
    process.kill(await pidOfServer(), 'SIGKILL')
    await until(() => failures === 1)
    await writeFile(settings, usable)

    const database = openDatabase({ url: embedded.url })
    await until(() => database.isHealthy())
    await database.close()
    await embedded.stop()
  })

  test('stops if its starter was killed, and can start again', async () => {
    const child = spawn(process.execPath, [starter, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')

    child.kill('SIGKILL')

    await until(() => !existsSync(join(dataDir, 'postgres/postmaster.pid')))
    const next = await startIn(dataDir)
    assert.deepEqual(await ask(next, 'select 1 as one'), [{ one: 1 }])
    await next.stop()
  })

  test('outlives its starter while another process uses it', async () => {
    const child = spawn(process.execPath, [starter, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const joined = await startIn(dataDir)

    child.stdin.end()
    await once(child, 'exit')

    assert.deepEqual(await ask(joined, 'select 1 as one'), [{ one: 1 }])
    await joined.stop()
    assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
  })

  test('runs in a folder whose path is too long for a socket', async (t) => {
    const embedded = await startIn(join(await folderFor(t), 'long'.repeat(30)))

    assert.deepEqual(await ask(embedded, 'select 1 as one'), [{ one: 1 }])
    const folder = new URL(embedded.url).searchParams.get('host') ?? ''
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    await embedded.stop()
    await rm(folder, { recursive: true })
  })

  test('rejects the files of another version', async (t) => {
    const old = await folderFor(t)
    await mkdir(join(old, 'postgres'))
    await writeFile(join(old, 'postgres/PG_VERSION'), '14\n')

    await assert.rejects(startIn(old), /was created by PostgreSQL 14, and this is \d+: restore a backup/)
  })
})

test('copies a package that the server cannot read in place, with its links', async (t) => {
  const packages = await folderFor(t)
  const target = await folderFor(t)
  await chmod(target, 0o755)
  for (const folder of ['native/bin', 'native/lib']) await mkdir(join(packages, folder), { recursive: true })
  await writeFile(join(packages, 'native/bin/postgres'), 'a program', { mode: 0o700 })
  await writeFile(join(packages, 'native/lib/some.so.1'), 'a library', { mode: 0o600 })
  const link = { source: 'native/lib/some.so.1', target: 'native/lib/some.so' }
  await writeFile(join(packages, 'native/pg-symlinks.json'), JSON.stringify([link]))
  await chmod(join(packages, 'native/lib'), 0o555)

  const [tree, again] = await Promise.all([usableTree(packages, target, '1.2'), usableTree(packages, target, '1.2')])
  await chmod(join(packages, 'native/lib'), 0o755)

  t.after(() => rm(tree, { recursive: true, force: true }))
  assert.equal(basename(tree), 'postgresql-1.2')
  assert.equal(again, tree)
  assert.ok(await isReadableByServer(tree))
  assert.equal(await readFile(join(tree, 'native/lib/some.so'), 'utf8'), 'a library')
  assert.equal((await stat(join(tree, 'native/bin/postgres'))).mode & 0o777, 0o755)
  assert.deepEqual(
    (await readdir(dirname(tree))).filter((name) => name.startsWith('postgresql-1.2.')),
    [],
  )
})
