import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrate, openDatabase, statement } from '@vitrine/server'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { administer, databaseUrl } from '../support/postgres.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { startService } from '../support/processes/service.ts'

/* A backup is one file of the whole database, taken while the service runs. */

const READS = [
  // Each fits on one page: a cursor belongs to its database, so it would differ.
  '/api/v1/catalog/products',
  '/api/v1/catalog/categories',
  '/api/v1/search?q=mug',
  '/api/v1/legal/documents',
]

const run = (args: readonly string[], url: string) =>
  command([...args, '--json'], { env: { DATABASE_URL: url, DATA_DIR: folder } })
const read = async (origin: string) =>
  Promise.all(
    READS.map(async (path) => {
      const response = await fetch(origin + path)
      return [path, response.status, response.headers.get('etag'), await response.text()]
    }),
  )

/** A key that is stored outside the database, and has to be backed up separately. */
const KEYS = { SEALING_KEY: Buffer.alloc(32, 7).toString('base64') }

let made = 0
/** A database without a single table, and what is in it later. */
async function emptyDatabase(t: TestContext) {
  made += 1
  const name = `${new URL(shop.databaseUrl).pathname.slice(1)}_copy_${made}`
  await administer(shop.ownerUrl, (admin) => admin.query(`create database ${name}`))
  t.after(() => administer(shop.ownerUrl, (admin) => admin.query(`drop database ${name} with (force)`)))
  const url = databaseUrl(shop.ownerUrl, name)
  async function query(sql: string) {
    const database = openDatabase({ url })
    try {
      return await database.reader.rows(statement<Record<string, unknown>>('', sql))
    } finally {
      await database.close()
    }
  }
  return { url, query }
}

/** Every row of every table, as text. */
async function rowsOf(query: (sql: string) => Promise<readonly Record<string, unknown>[]>) {
  const tables = await query(
    `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const names = tables.map(({ name }) => String(name)).filter((name) => !LEFT_OUT.includes(name))
  const rows: Record<string, readonly unknown[]> = {}
  // One after the other: each opens connections of its own.
  for (const name of names) {
    rows[name] = (await query(`select t::text as row from ${name} t order by 1`)).map(({ row }) => row)
  }
  return rows
}
const LEFT_OUT = [
  'migrations',
  'migrations_lock',
  'rate_limits',
  'catalog_changes',
  'catalog_change_marks',
  'listings',
  'search_documents',
  'swept_transactions',
  'listing_epoch',
]

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let file: ReturnType<typeof join>
let shop: Shop
before(async () => {
  folder = await temporaryFolder()
  file = join(folder, 'shop.backup')
  shop = await startShop()
  const { code, out, err } = await run(['backup', file], shop.databaseUrl)
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).file, file)
})

describe('a backup', () => {
  test('can be read by its owner only', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  })

  test('is restored into an empty database: the same rows, the same bytes of catalog pages', async (t) => {
    const copy = await emptyDatabase(t)
    const { code, out, err } = await run(['restore', file], copy.url)
    assert.equal(code, 0, err)
    assert.ok(JSON.parse(out).rows > 50)
    assert.deepEqual(await rowsOf(copy.query), await rowsOf(shop.query))

    const service = await startService({ databaseUrl: copy.url, roles: ['public'], environment: KEYS })
    assert.deepEqual(await read(service.url), await read(shop.origin))
    await service.stop()

    const otherKey = { SEALING_KEY: Buffer.alloc(32, 8).toString('base64') }
    const other = startService({ databaseUrl: copy.url, roles: ['public'], environment: otherKey })
    await assert.rejects(other, /sealed with the key [0-9a-f]{16}, which this node does not have/)
  })

  test('is refused if the database is not empty', async () => {
    const { code, err } = await run(['restore', file], shop.databaseUrl)
    assert.equal(code, 1)
    assert.match(err, /The database is not empty: it contains stores\. Restore into a new one\./)
  })

  test('of an earlier version leaves it as it is, and is restored as one of this version', async (t) => {
    const earlier = await emptyDatabase(t)
    await migrate(earlier.url, { upTo: '0080_claim_of_a_new_write' })
    const before = await earlier.query('select name from migrations')
    const { code, err } = await run(['backup', join(folder, 'earlier')], earlier.url)
    assert.equal(code, 0, err)
    assert.deepEqual(await earlier.query('select name from migrations'), before)
    const copy = await emptyDatabase(t)
    assert.equal((await run(['restore', join(folder, 'earlier')], copy.url)).code, 0)
    const all = await copy.query('select name from migrations')
    assert.ok(all.length > before.length)
  })

  test('of nothing is refused: the place is another one than was meant', async (t) => {
    const empty = await run(['backup', join(folder, 'empty')], (await emptyDatabase(t)).url)
    assert.deepEqual([empty.code, /nothing to back up/.test(empty.err)], [1, true], empty.err)
    const elsewhere = join(folder, 'elsewhere')
    const none = await command(['backup', join(folder, 'none')], { env: { DATA_DIR: elsewhere } })
    assert.deepEqual([none.code, none.err.includes(`There is no database in ${elsewhere}`)], [1, true], none.err)
    assert.equal(existsSync(elsewhere), false)
  })

  test('that is cut off, changed, of another kind or not compressed leaves the database empty', async (t) => {
    const copy = await emptyDatabase(t)
    const damaged = join(folder, 'damaged.backup')
    for (const [what, damage] of Object.entries(DAMAGES)) {
      await writeFile(damaged, damage(await readFile(file)))
      const { code, err } = await run(['restore', damaged], copy.url)
      assert.equal(code, 1, what)
      // After one that left a row, the next would be refused because the database is not empty.
      assert.match(err, /backup|damaged/, what)
      if (what.startsWith('of a later'))
        assert.match(err, /made by a later version: this one does not know 9999_\w+\.\n$/)
      if (what.startsWith('line')) assert.match(err, REASON_OF_LINE)
    }
    const { code } = await run(['restore', file], copy.url)
    assert.equal(code, 0, 'and a good one still goes in')
  })
})

describe('an encrypted backup', () => {
  test('is restored with its identity alone, ends sessions, and lists the credentials that are valid again', async (t) => {
    const identity = join(folder, 'identity.txt')
    const { recipient } = JSON.parse((await run(['backup-identity', identity], shop.databaseUrl)).out)
    const { keyId } = await shop.client()
    await shop.query(`insert into operators (id, email, email_key, password_hash, created_at)
      values ('opr_1', 'ops@shop.example', 'ops@shop.example', '', now())`)
    await shop.query(`insert into operator_sessions (token_hash, operator_id, created_at, used_at, expires_at)
      values (sha256('x'), 'opr_1', now(), now(), now() + interval '1 day')`)
    await shop.query(`insert into integrations (id, name, token_hash, token_hint, access, created_at, revoked_at)
      values ('itg_1', 'ERP', sha256('a'), 'abcd', '{"orders": "write"}', now(), null),
        ('itg_2', 'Old ERP', sha256('b'), 'abcd', '{"orders": "write"}', now(), now())`)
    const encrypted = join(folder, 'encrypted.backup')
    const made = await run(['backup', encrypted, '--recipient', recipient], shop.databaseUrl)
    assert.equal(made.code, 0, made.err)
    const bytes = await readFile(encrypted)
    assert.equal(bytes.subarray(0, 21).toString(), 'age-encryption.org/v1')

    const copy = await emptyDatabase(t)
    assert.match((await run(['restore', encrypted], copy.url)).err, /is encrypted: give --identity/)
    const other = join(folder, 'other.txt')
    await run(['backup-identity', other], shop.databaseUrl)
    assert.match((await run(['restore', encrypted, '--identity', other], copy.url)).err, /cannot be decrypted/)
    const cut = join(folder, 'cut.backup')
    await writeFile(cut, bytes.subarray(0, -100))
    assert.equal((await run(['restore', cut, '--identity', identity], copy.url)).code, 1)
    const { code, out, err } = await run(['restore', encrypted, '--identity', identity], copy.url)
    assert.equal(code, 0, err)
    const { credentials } = JSON.parse(out) as { credentials: { kind: string; id: string }[] }
    assert.ok(credentials.some(({ kind, id }) => kind === 'API key' && id === keyId))
    assert.ok(credentials.some(({ kind, id }) => kind === 'operator' && id === 'opr_1'))
    const integrations = credentials.filter(({ kind }) => kind === 'integration')
    assert.deepEqual(integrations, [{ kind: 'integration', id: 'itg_1', of: 'ERP' }])
    assert.deepEqual(await copy.query('select count(*)::integer as count from operator_sessions'), [{ count: 0 }])
  })

  test('is refused for what is no recipient', async () => {
    const { code, err } = await run(['backup', join(folder, 'none'), '--recipient', 'age1wrong'], shop.databaseUrl)
    assert.equal(code, 2, err)
  })
})

const DAMAGES: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'cut off': (bytes) => gzipSync(gunzipSync(bytes).subarray(0, -200)),
  'line with the contents changed': (bytes) => gzipSync(replaced(gunzipSync(bytes), '{"migration"', '{"migration ')),
  'of a later version': (bytes) =>
    gzipSync(Buffer.from(`${gunzipSync(bytes)}`.replace(/"migration":"\d+/, '"migration":"9999'))),
  'line at the end changed': (bytes) => gzipSync(replaced(gunzipSync(bytes), '"sha256":"', '"sha256" "')),
  changed: (bytes) => gzipSync(changed(gunzipSync(bytes))),
  'no backup': () => gzipSync(Buffer.from('{"not":"a backup"}\n')),
  'not even compressed': () => Buffer.from('hello'),
}

const REASON_OF_LINE =
  /^vitrine: Cannot restore .*damaged\.backup\. The backup is damaged: its (second|last) line is not JSON\.\n$/

/** A letter of a product's name is another one. */
const changed = (bytes: Buffer) => replaced(bytes, 'Mug', 'Jug')

/** The last of the same texts is another one. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.lastIndexOf(from)
  assert.ok(at > 0)
  bytes.write(to, at)
  return bytes
}

describe('vitrine backups run', () => {
  test('removes what killed drills and backups have left, and nothing that may be in use', async () => {
    const directory = await temporaryFolder()
    const yesterday = Date.now() / 1000 - 25 * 3600
    for (const [name, age] of [
      ['.drill-killed', yesterday],
      ['.drill-running', Date.now() / 1000],
      ['vitrine-2026-11-01T03-00-00Z.vitrine.unfinished', yesterday],
      ['vitrine-2026-11-01T03-00-01Z.vitrine.unfinished', Date.now() / 1000],
      ['notes.unfinished', yesterday],
    ] as const) {
      await mkdir(join(directory, name))
      await writeFile(join(directory, name, 'rows'), 'of a shop')
      await utimes(join(directory, name), age, age)
    }
    const env = { DATABASE_URL: shop.databaseUrl, DATA_DIR: folder, BACKUP_DIR: directory }
    const { code, err } = await command(['backups', 'run', '--json'], { env })
    assert.equal(code, 0, err)
    const left = (await readdir(directory)).filter((name) => !name.endsWith('.vitrine'))
    const expected = ['.drill-running', 'notes.unfinished', 'vitrine-2026-11-01T03-00-01Z.vitrine.unfinished']
    assert.deepEqual(left.sort(), expected)
  })
})
