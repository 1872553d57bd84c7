import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { waitsForLock } from '../../../../test/support/before-commit.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { administer, databaseUrl } from '../../../../test/support/postgres.ts'
import { type Database, MIGRATIONS, migrate, migrationDrift, statement } from './index.ts'

describe('migrate', () => {
  let folder: string
  let files: URL
  let database: Database
  let url: string

  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  const query = (text: string) => database.reader.rows(statement(text, text))

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-migrations-'))
    files = pathToFileURL(`${folder}/`)
  })
  after(() => rm(folder, { recursive: true }))

  beforeEach(async (t) => {
    ;({ database, url } = await testDatabase('after' in t ? t : undefined))
    await query('drop schema public cascade')
    await query('create schema public')
    await write('0001_first.sql', 'create table first (id text); insert into first values (1);')
    await write('0002_second.sql', '-- why\ncreate table second (id text);')
  })

  test('applies the files in the order of their names, and returns them', async () => {
    const applied = ['0001_first', '0002_second']

    assert.deepEqual(await migrate(url, { folder: files }), { applied, present: [] })
    assert.deepEqual(await migrate(url, { folder: files }), { applied: [], present: applied })
    assert.equal((await query('select * from first, (select count(*) from second) as second')).length, 1)
  })

  test('is applied once by several concurrent processes', async () => {
    const all = await Promise.all([
      migrate(url, { folder: files }),
      migrate(url, { folder: files }),
      migrate(url, { folder: files }),
    ])

    assert.deepEqual(all.flatMap(({ applied }) => applied).sort(), ['0001_first', '0002_second'])
    assert.equal((await query('select * from first')).length, 1)
  })

  test('rolls back if a file fails, and names it', async () => {
    await write('0002_second.sql', 'create table second (id text); select 1 / 0;')

    await assert.rejects(migrate(url, { folder: files }), /migration 0002_second failed: division by zero/)
    await assert.rejects(query('select * from first'), { code: '42P01' })
  })

  test('gives way to a long transaction, so that others do not wait behind its lock, and is applied at the end of that', {
    timeout: 60_000,
  }, async () => {
    await migrate(url, { folder: files, upTo: '0001_first' })
    await write('0002_second.sql', 'alter table first add column more text')
    const [holds, isLong] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const long = database.snapshot(async (reader) => {
      await reader.rows(statement('', 'select * from first'))
      holds.resolve()
      await isLong.promise
    })
    await holds.promise
    const migrating = migrate(url, { folder: files, lockMs: 100 })
    while (!(await waitsForLock(database)));
    // Behind the waiting migration, and only until it gives way.
    assert.equal((await query('select * from first')).length, 1)
    isLong.resolve()
    await long
    assert.deepEqual((await migrating).applied, ['0002_second'])
  })

  test('names the migration that another session holds up for too long', async () => {
    await migrate(url, { folder: files, upTo: '0001_first' })
    await write('0002_second.sql', 'alter table first add column more text')
    await database.snapshot(async (reader) => {
      await reader.rows(statement('', 'select * from first'))
      const held = migrate(url, { folder: files, lockMs: 10, heldUpMsMax: 100 })
      await assert.rejects(held, /^Error: migration 0002_second waits for a lock: end long transactions/)
    })
    assert.deepEqual((await migrate(url, { folder: files })).applied, ['0002_second'])
  })

  test('fails, and does not end the process, if PostgreSQL ends its connection', async () => {
    await write('0002_second.sql', 'select pg_terminate_backend(pg_backend_pid()); create table second (id text);')
    await assert.rejects(migrate(url, { folder: files }), /connection/)
    await assert.rejects(query('select * from first'), { code: '42P01' })
  })

  test('creates no tables in a database with an encoding that cannot hold every text', async (t) => {
    const name = `${new URL(url).pathname.slice(1)}_latin`
    const create = `create database ${name} encoding 'LATIN1' locale 'C' template template0`
    await administer(url, (admin) => admin.query(create))
    t.after(() => administer(url, (admin) => admin.query(`drop database ${name} with (force)`)))
    const latin = databaseUrl(url, name)
    await assert.rejects(migrate(latin, { folder: files }), /the encoding of the database is LATIN1: create it with/)
  })

  test('lets an earlier release start on a newer database, until a migration removes what it uses', async () => {
    await write('0003_third.sql', 'create table third (id text)')
    await migrate(url, { folder: files })
    await rm(join(folder, '0003_third.sql'))
    const present = ['0001_first', '0002_second']
    assert.deepEqual(await migrate(url, { folder: files }), { applied: [], present })

    await write('0003_third.sql', 'create table third (id text)')
    await write('0004_drop_first_contract.sql', 'drop table first')
    await migrate(url, { folder: files })
    for (const name of ['0003_third', '0004_drop_first_contract']) await rm(join(folder, `${name}.sql`))
    await assert.rejects(
      migrate(url, { folder: files }),
      /the database is newer than this code, which does not know: 0003_third, 0004_drop_first_contract/,
    )
  })

  test('has files that remove nothing, unless their names say so', async () => {
    const removes = (text: string) =>
      /\bdrop (table|column|view|type)\b|\brename (to|column)\b/i.test(text.replaceAll(/^--.*$/gm, ''))
    assert.deepEqual(
      ['alter table a drop column b', 'DROP TABLE a', '-- drop table a', 'drop trigger a on b'].map(removes),
      [true, true, false, false],
    )
    for (const name of await readdir(MIGRATIONS)) {
      // Released before this rule existed.
      if (name < '0080') continue
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
      assert.equal(name.endsWith('_contract.sql'), removes(text), name)
    }
  })

  test('compares a database with the code, without changes', async () => {
    const apart = () => migrationDrift(database.reader, files)
    assert.deepEqual(await apart(), { missing: ['0001_first', '0002_second'], unknown: [] })
    assert.deepEqual(await query(`select * from pg_tables where schemaname = 'public'`), [])
    await migrate(url, { folder: files })
    assert.deepEqual(await apart(), { missing: [], unknown: [] })
    await rm(join(folder, '0002_second.sql'))
    assert.deepEqual(await apart(), { missing: [], unknown: ['0002_second'] })
  })

  test('applies the real files, and has nothing to do in a second run', async () => {
    const first = await migrate(url, { folder: MIGRATIONS })

    assert.ok(first.applied.length > 0)
    assert.deepEqual(await migrate(url), { applied: [], present: first.applied })
  })
})
