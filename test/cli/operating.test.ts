import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { thumbprintOf } from '@vitrine/server'
import { loadRecordedProofs } from '../../server/src/features/installations/index.ts'
import { MIGRATIONS, statement } from '../../server/src/platform/postgres/index.ts'
import { testDatabase } from '../support/database.ts'
import { connectionProxy } from '../support/network/connection-proxy.ts'
import { administer, databaseUrl } from '../support/postgres.ts'
import { command, freePorts, temporaryFolder } from '../support/processes/command.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let ports: Awaited<ReturnType<typeof freePorts>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
before(async () => {
  folder = await temporaryFolder()
  ports = await freePorts()
  ;({ database, url } = await testDatabase())
  env = { DATABASE_URL: url, DATA_DIR: folder, ...ports }
})

/** Runs a command with `--json`, and asserts that it prints one document and nothing else. */
async function json(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await command([...args, '--json'], { env: { ...env, ...more } })
  assert.equal(err, '')
  assert.equal(out.indexOf('\n'), out.length - 1, 'one line')
  return { code, answer: JSON.parse(out) }
}

async function fails(args: readonly string[]) {
  const { code, out, err } = await command(args, { env })
  assert.equal(code, 1, err)
  assert.equal(out, '')
  assert.match(err, /^vitrine: [^\n]+\.\n$/)
  return err
}

describe('vitrine migrate', () => {
  test('brings a new database up to date, once, even if two run at the same time', async (t) => {
    const name = `${new URL(url).pathname.slice(1)}_new`
    await administer(url, (admin) => admin.query(`create database ${name}`))
    t.after(() => administer(url, (admin) => admin.query(`drop database ${name} with (force)`)))
    const its = { DATABASE_URL: databaseUrl(url, name) }

    const [one, other] = await Promise.all([json(['migrate'], its), json(['migrate'], its)])

    const migrations = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'))
    const applied = [...one.answer.applied, ...other.answer.applied]
    assert.deepEqual(
      applied,
      migrations.map((file) => file.replace('.sql', '')),
      'one ran them all, the other none',
    )
    assert.deepEqual(await json(['migrate'], its), { code: 0, answer: { applied: [] } })
  })

  test('says that PostgreSQL ended the connection, and what became of the migrations', async (t) => {
    const { database: behind, url: behindUrl } = await testDatabase(t)
    await behind.transaction(async (tx) => {
      await tx.rows(statement('', 'lock table migrations'))
      const running = command(['migrate'], { env: { ...env, DATABASE_URL: behindUrl } })
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'vitrine migrate' and datname = current_database() and wait_event_type = 'Lock'`
      while ((await behind.reader.rows(statement('', end))).length === 0);
      const { code, err } = await running
      assert.equal(code, 1)
      assert.match(err, /^vitrine: PostgreSQL ended the connection .*run the command again\. .*all or none/)
    })
  })

  test('waits for a PostgreSQL that is starting, and says so', async (t) => {
    const proxy = await connectionProxy(url)
    t.after(() => proxy.close())
    const refused = proxy.startUp({ refusing: 2 })
    const { code, err } = await command(['migrate'], { env: { ...env, DATABASE_URL: proxy.url } })
    assert.deepEqual([code, err], [0, 'PostgreSQL is starting. Waiting up to 120 s for it.\n'])
    await refused
  })
})

describe('vitrine installation', () => {
  test('registers an installation and lists it', async () => {
    const { answer } = await json(['installation', 'create', '--name', 'Café at the corner'])
    assert.match(answer.id, /^ins_[0-9a-z]{26}$/)
    const listed = (await json(['installation', 'list'])).answer
    assert.deepEqual(listed, [
      { id: answer.id, name: 'Café at the corner', environment: 'test', status: 'active', store: null },
    ])
    const shown = await command(['installation', 'list'], { env })
    assert.equal(shown.code, 0)
    assert.match(shown.out, /^ID +NAME +ENVIRONMENT +STATUS +STORE\nins_\w+ +Café at the corner +test +active +whole/)
  })

  test('refuses an unknown store and an invalid address', async () => {
    const create = ['installation', 'create', '--name', 'A']
    assert.match(await fails([...create, '--store', 'nowhere']), /There is no store "nowhere"/)
    assert.match(await fails([...create, '--return-url', 'back']), /\/returnUrls\/0: /)
  })
})

describe('vitrine key create', () => {
  test('creates a key bound to a new key pair, with a private key file that its owner alone can read', async () => {
    const { answer: installation } = await json(['installation', 'create', '--name', 'Bound'])
    const create = ['key', 'create', '--installation', installation.id, '--scopes', 'catalog:read,checkout:quote']
    const file = join(folder, 'private.json')
    const { answer } = await json([...create, '--generate-key', file])
    assert.match(answer.key, /^sfk_test_[0-9A-Za-z]{49}$/)
    assert.match(answer.keyId, /^key_/)

    const { mode } = await stat(file)
    assert.equal(mode & 0o777, 0o600)
    const jwk = JSON.parse(await readFile(file, 'utf8'))
    assert.deepEqual(Object.keys(jwk).sort(), ['crv', 'd', 'kty', 'x', 'y'])
    assert.equal(await thumbprintOf(jwk), answer.jkt)

    assert.match(
      await fails([...create, '--generate-key', file]),
      /private\.json already exists and is not overwritten/,
    )
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), jwk)
    const [row] = await database.reader.rows(
      statement<{ keys: bigint }>('cli_test.keys', 'select count(*) as keys from api_keys where installation_id = $1'),
      [installation.id],
    )
    assert.equal(row!.keys, 1n, 'the refused call made no key')
  })

  test('accepts a public key as JWK and as PEM', async () => {
    const { answer: installation } = await json(['installation', 'create', '--name', 'Brings its own'])
    const create = ['key', 'create', '--installation', installation.id, '--scopes', 'catalog:read', '--public-key']
    const { publicKey } = generateKeyPairSync('ed25519')
    const jwk = publicKey.export({ format: 'jwk' })
    await writeFile(join(folder, 'public.json'), JSON.stringify(jwk))
    await writeFile(join(folder, 'public.pem'), publicKey.export({ format: 'pem', type: 'spki' }))

    const [byJwk, byPem] = await Promise.all([
      json([...create, join(folder, 'public.json')]),
      json([...create, join(folder, 'public.pem')]),
    ])

    const jkt = await thumbprintOf(jwk)
    assert.equal(byJwk.answer.jkt, jkt)
    assert.equal(byPem.answer.jkt, jkt)

    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await writeFile(join(folder, 'rsa.pem'), rsa.export({ format: 'pem', type: 'spki' }))
    const refused = await command([...create, join(folder, 'rsa.pem')], { env })
    assert.equal(refused.code, 2)
    assert.match(refused.err, /rsa\.pem contains no P-256 or Ed25519 public key/)
  })

  test('leaves no private key behind if the installation does not exist', async () => {
    const create = ['key', 'create', '--installation', 'ins_none', '--scopes', 'catalog:read']
    assert.match(
      await fails([...create, '--generate-key', join(folder, 'orphan.json')]),
      /There is no installation "ins_none"/,
    )
    await assert.rejects(stat(join(folder, 'orphan.json')), { code: 'ENOENT' })
  })
})

describe('vitrine readiness', () => {
  test('lists the required proofs, and records one', async () => {
    const { activated, proofs } = (await json(['readiness', 'list'])).answer
    assert.equal(activated, false)
    assert.equal(await recordedProofs(), 0)
    for (const unknown of ['everything', 'Backup restored'])
      assert.match(
        await fails(['readiness', 'record', unknown, '--note', 'x']),
        new RegExp(`^vitrine: There is no proof "${unknown}"\\. Proofs: .*backup_restored`),
      )
    const create = ['installation', 'create', '--name', 'A']
    const origin = await fails([...create, '--origin', 'shop'])
    assert.match(origin, /^vitrine: \/origins\/0: This must have the form of "https:\/\/[^"]+"\.$/m)
    assert.match(await fails([...create, '--store', 'Über']), /^vitrine: There is no store "Über"\.$/m)
    const long = 'x'.repeat(300)
    assert.match(await fails(['store', 'access', long, '--mode', 'open']), new RegExp(`There is no store "${long}"`))

    const { answer } = await json(['readiness', 'record', proofs[0].code, '--note', 'Seen on a Monday'])

    assert.deepEqual(answer, { code: proofs[0].code, recorded: true })
    assert.equal(await recordedProofs(), 1)
  })

  async function recordedProofs(): Promise<number> {
    return (await loadRecordedProofs(database.reader)).size
  }
})

/** The name in the JSON output. */
const DETAIL = 'told'

describe('vitrine doctor', () => {
  const statuses = (answer: { findings: { check: string; status: string }[] }) =>
    Object.fromEntries(answer.findings.map(({ check, status }) => [check, status]))

  test('checks everything the service depends on', async () => {
    const { answer } = await json(['doctor'])
    // The PostgreSQL of the tests does not wait for the disk, which the doctor reports.
    const { durability, latency, ...others } = statuses(answer)
    assert.ok(latency === 'ok' || latency === 'warning', 'whatever else this machine does')
    assert.equal(answer.healthy, durability === 'ok')
    assert.deepEqual(others, {
      node: 'ok',
      configuration: 'ok',
      'public address': 'warning',
      ports: 'ok',
      proxies: 'ok',
      disk: 'ok',
      'key files': 'ok',
      mail: 'warning',
      database: 'ok',
      encoding: 'ok',
      connections: 'ok',
      migrations: 'ok',
      clock: 'ok',
      stores: 'warning',
      'sealing key': 'ok',
      jobs: 'ok',
      worker: 'ok',
      payments: 'ok',
      mails: 'ok',
      webhooks: 'ok',
    })
  })

  test('names each problem, and exits with 1', async () => {
    const wrong: readonly (readonly [env: Record<string, string>, check: string, detail: RegExp])[] = [
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'database', /ECONNREFUSED.*DATABASE_URL/],
      [{ RATE_LIMITS: '{"public-raed":{"limit":1}}' }, 'configuration', /public-raed/],
      [{ PAGES_PORT: '-1' }, 'configuration', /PAGES_PORT must be a whole number/],
    ]
    for (const [more, check, detail] of wrong) {
      const { code, answer } = await json(['doctor'], more)
      assert.equal(code, 1)
      assert.equal(answer.healthy, false)
      const found = answer.findings.find((finding: { status: string }) => finding.status === 'failed')
      assert.equal(found.check, check)
      assert.match(found[DETAIL], detail)
    }
  })

  test('finds two doors with the same port', async () => {
    const { code, answer } = await json(['doctor'], { OPERATOR_PORT: ports.PAGES_PORT! })
    assert.equal(code, 1)
    const { [DETAIL]: detail, remedy } = answer.findings.find(({ check }: { check: string }) => check === 'ports')
    assert.equal(detail, `PAGES_PORT and OPERATOR_PORT are both ${ports.PAGES_PORT} on 127.0.0.1`)
    assert.equal(remedy, 'Give each door a port of its own.')
  })

  test('finds a port that is in use by another program', async (t) => {
    const other = createServer().listen(Number(ports.PAGES_PORT), '127.0.0.1')
    t.after(() => other.close())
    const { code, answer } = await json(['doctor'])
    assert.equal(code, 1)
    assert.equal(statuses(answer).ports, 'failed')
    const { [DETAIL]: detail, remedy } = answer.findings.find(({ check }: { check: string }) => check === 'ports')
    assert.equal(detail, `${ports.PAGES_PORT} is taken by another program`)
    assert.equal(remedy, 'Stop it, or set PAGES_PORT.')
  })
})
