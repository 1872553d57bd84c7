import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { testDatabase } from '../../../../test/support/database.ts'
import { atFileEnd } from '../../../../test/support/file-end.ts'
import { administer } from '../../../../test/support/postgres.ts'
import { migrate } from './index.ts'

const ROLE = `vitrine_test_rights_${process.pid}`

let url: string
let client: Client
const ask = async (text: string) => (await client.query(text)).rows
const refuses = (text: string) => assert.rejects(client.query(text), /permission denied|must be owner/, text)

before(async () => {
  ;({ url } = await testDatabase())
  await administer(url, (admin) => admin.query(`create role ${ROLE}`))
  await migrate(url, { application: ROLE })
  client = new Client({ connectionString: url })
  await client.connect()
  await ask(`set role ${ROLE}`)
  atFileEnd(async () => {
    await ask('reset role')
    await ask(`drop owned by ${ROLE}`)
    await ask(`drop role ${ROLE}`)
    await client.end()
  })
})

describe('the role of the application', () => {
  test('is no superuser, and owns nothing', async () => {
    const [role] = await ask('select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user')
    assert.deepEqual(role, { rolsuper: false, rolcreatedb: false, rolcreaterole: false })
    assert.deepEqual(await ask('select from pg_class where relowner = current_user::regrole'), [])
    await refuses("copy (select 1) to program 'true'")
    await refuses('set session_replication_role = replica')
  })

  test('reads and writes the rows of every table but three', async () => {
    const tables = await ask(
      `select relname from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
         and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and has_table_privilege(oid, 'update')
           and has_table_privilege(oid, 'delete')) order by 1`,
    )
    assert.deepEqual(
      tables.map(({ relname }) => relname),
      ['audit_log', 'migrations', 'migrations_lock'],
    )
  })

  test('adds to the audit log, and can change no entry, whatever it tries', async () => {
    for (const change of [
      "update audit_log set operation = 'another'",
      'delete from audit_log',
      'truncate audit_log cascade',
      'alter table audit_log disable trigger all',
      'drop trigger audit_log_stands on audit_log',
      'create or replace function refuse_change_of_audit_log() returns trigger language plpgsql as $$ begin return null; end $$',
      'drop table audit_log cascade',
      'alter table audit_log rename to another',
      'drop schema public cascade',
    ])
      await assert.rejects(client.query(change), /permission denied|must be owner|does not exist/, change)
    const rights = await ask(
      `select right_ from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'trigger', 'references']) right_
       where has_table_privilege('audit_log', right_)`,
    )
    assert.deepEqual(
      rights.map(({ right_ }) => right_),
      ['select', 'insert'],
    )
  })

  test('creates, reads and drops a daily partition of answers, with the rights of the owner', async () => {
    await ask(`select create_answers_partition('2020-02-03')`)
    const days = () => ask(`select from pg_class where relname = 'idempotency_answers_20200203'`)
    assert.equal((await days()).length, 1)
    assert.deepEqual(await ask('select * from idempotency_answers_20200203'), [])
    await refuses('drop table idempotency_answers_20200203')
    await ask(`select drop_answers_before('2020-02-05')`)
    assert.equal((await days()).length, 0)
  })

  test('analyzes the tables of the catalog with the rights of the owner, and no others', async () => {
    const analyzed = () =>
      ask(`select relname from pg_class where reltuples >= 0 and relname in ('products', 'orders')`)
    await ask('analyze orders; analyze products')
    assert.deepEqual(await analyzed(), [])
    await ask('select analyze_catalog(1)')
    assert.deepEqual(await analyzed(), [{ relname: 'products' }])
  })

  test('has the same rights on what later migrations create, and cannot run them itself', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-rights-'))
    t.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, '9999_later.sql'), 'create table later (id bigint generated always as identity);')
    const { present } = await migrate(url)
    for (const name of present) await writeFile(join(folder, `${name}.sql`), '')
    const files = pathToFileURL(`${folder}/`)

    const asApplication = `${url}${url.includes('?') ? '&' : '?'}options=-c%20role%3D${ROLE}`
    await assert.rejects(migrate(asApplication, { folder: files }), /run vitrine migrate with DATABASE_OWNER_URL/)
    await migrate(url, { folder: files, application: ROLE })
    await ask('insert into later default values')
    assert.deepEqual(await migrate(asApplication, { folder: files }), {
      applied: [],
      present: [...present, '9999_later'],
    })
  })
})
