import assert from 'node:assert/strict'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { type Database, statement } from '@vitrine/server'
import { Client } from 'pg'
import { testDatabase } from '../support/database.ts'
import { testProvider } from '../support/network/identity-provider.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { smtpServer } from '../support/network/smtp.ts'
import { STAND_IN_KEY, startStripeStandIn } from '../support/network/stripe-stand-in.ts'
import { startTaxServiceStandIn, TAX_SERVICE_SECRET } from '../support/network/tax-service-stand-in.ts'
import { startViesStandIn } from '../support/network/vies-stand-in.ts'
import { command, freePorts, temporaryFolder } from '../support/processes/command.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  env = { DATABASE_URL: url, DATA_DIR: folder, ...(await freePorts()) }
})

/** The name of `detail` in the JSON output. */
const DETAIL = 'told'

interface Found {
  readonly check: string
  readonly status: string
  readonly detail: string
  readonly remedy?: string
}

async function doctor(more: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await command(['doctor', '--json'], { env: { ...env, ...more } })
  assert.equal(err, '')
  const found = (JSON.parse(out).findings as Record<string, string>[]).map(
    ({ [DETAIL]: detail, ...finding }) => ({ ...finding, detail }) as Found,
  )
  const findings = new Map(found.map((finding) => [finding.check, finding]))
  return {
    code,
    checks: [...findings.keys()],
    of: (check: string) => findings.get(check) ?? assert.fail(`no finding about ${check}`),
  }
}

async function run(at: Database, texts: readonly string[]): Promise<void> {
  await at.transaction(async (tx) => {
    for (const text of texts) tx.write(statement('', text), [])
  })
}

const tables = statement<{ name: string }>(
  'test.tables',
  `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace order by 1`,
)
const migrations = statement<{ name: string }>('test.migrations', 'select name from migrations order by name')

describe('vitrine doctor', () => {
  test('finds stuck work, secrets sealed with a missing key, and files that others may read', async () => {
    await run(database, [
      `insert into jobs (id, kind, subject, run_at, attempts, attempts_max, last_error, dead_at)
       values ('job_dead', 'mail.deliver', 'mail_a', now(), 8, 8, 'no route to host', now())`,
      `insert into mails (id, kind, recipient, locale, subject, body_text, status, created_at, ended_at)
       values ('mail_a', 'a.b', 'a@b.c', 'en', 's', 't', 'failed', now(), now())`,
      `insert into installations (id, name, environment, created_at, updated_at) values ('ins_a', 'A', 'live', now(), now())`,
      `insert into payment_intents (id, kind, subject_id, purpose, environment, installation_id, provider, amount,
         currency, status, step, due_at, created_at, updated_at)
       values ('pay_a', 'charge', 'cks_a', 'checkout', 'live', 'ins_a', 'simulator', 1, 'EUR', 'unknown', 'capture',
         now(), now() - interval '20 minutes', now())`,
      `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, status, disabled_reason,
         disabled_at, created_at, updated_at)
       values ('whe_a', 'ins_a', 'live', 1, 'https://a.example/', '{*}', 'disabled', 'gone', now(), now(), now())`,
      `insert into webhook_secrets (endpoint_id, generation, key_id, sealed, hint, created_at)
       values ('whe_a', 1, '0123456789abcdef', decode(repeat('00', 60), 'hex'), 'abcd', now())`,
    ])
    await writeFile(join(folder, 'operator-token'), 'x')
    await chmod(join(folder, 'operator-token'), 0o644)

    const { code, of } = await doctor()
    assert.equal(code, 1)
    assert.deepEqual([of('jobs').status, of('jobs').detail], ['warning', '1 failed permanently'])
    assert.match(of('jobs').remedy ?? '', /^vitrine job list/)
    assert.match(of('payments').detail, /^1 with an unknown outcome \(live\), the oldest begun 20 minutes ago$/)
    assert.match(of('payments').remedy ?? '', /^vitrine payment list --environment live/)
    assert.equal(of('mails').detail, '1 failed permanently')
    assert.equal(of('webhooks').detail, '1 endpoint, 1 disabled')
    assert.deepEqual(
      [of('sealing key').status, /sealed with the key .*which this node does not have/.test(of('sealing key').detail)],
      ['failed', true],
    )
    assert.deepEqual(
      [of('key files').status, of('key files').detail],
      ['failed', 'other users may read operator-token'],
    )

    const other = await doctor({ SEALING_KEY: Buffer.alloc(32, 7).toString('base64') })
    assert.match(other.of('sealing key').detail, /sealed with the key 0123456789abcdef, which this node does not have/)
  })

  test('counts every connection that a process may open: for writes, reads, lost commits and notifications', async () => {
    assert.match((await doctor()).of('connections').detail, /^a process takes 24 of \d+$/)
    const most = { DATABASE_WRITERS: '200', DATABASE_READERS: '200' }
    assert.match((await doctor(most)).of('connections').detail, /^a process takes 404 of \d+$/)
  })

  test('reports that no worker is running also if jobs have failed permanently', async () => {
    await run(database, [
      `insert into jobs (id, kind, subject, run_at, attempts, attempts_max, last_error, dead_at)
       values ('job_gone', 'mail.deliver', 'mail_b', now(), 8, 8, 'no route to host', now())`,
      `insert into jobs (id, kind, subject, run_at, attempts, attempts_max)
       values ('job_late', 'mail.deliver', 'mail_c', now() - interval '2 hours', 0, 8)`,
    ])

    const { of } = await doctor()
    assert.match(of('jobs').detail, /^\d failed permanently$/)
    assert.deepEqual([of('worker').status, of('worker').detail], ['warning', '1 job due, the longest for 120 minutes'])
    assert.match(of('worker').remedy ?? '', /^No worker is running: .*--roles worker,operator/)
  })

  test('checks that the mail server responds, and reports its address if it does not', async () => {
    await using mail = await smtpServer()
    const there = (await doctor({ SMTP_URL: mail.url })).of('mail')
    assert.deepEqual([there.status, there.detail], ['ok', `${new URL(mail.url).host} greets`])

    const away = (await doctor({ SMTP_URL: 'smtp://somebody:hunter2@127.0.0.1:9' })).of('mail')
    assert.equal(away.status, 'failed')
    assert.match(away.detail, /^127\.0\.0\.1:9: .*ECONNREFUSED/)
    assert.doesNotMatch(JSON.stringify(away), /hunter2/)
  })

  test('signs in at the mail server, and reports a wrong password without naming it', async () => {
    await using mail = await smtpServer({}, { password: 'right-word' })
    const at = (password: string) => mail.url.replace('//', `//shop:${password}@`)
    const right = (await doctor({ SMTP_URL: at('right-word') })).of('mail')
    assert.deepEqual([right.status, right.detail], ['ok', `${new URL(mail.url).host} accepts the user and password`])
    const wrong = (await doctor({ SMTP_URL: at('wrong-word') })).of('mail')
    assert.equal(wrong.status, 'failed')
    assert.match(wrong.detail, /535 5\.7\.8 authentication failed/)
    assert.match(wrong.remedy ?? '', /^Check the user and password in SMTP_URL/)
    assert.doesNotMatch(JSON.stringify(wrong), /wrong-word/)
    assert.deepEqual(mail.received, [])
  })

  test('connects to the hosts of webhooks, and calls no endpoint', async (t) => {
    const { database: own, url: DATABASE_URL } = await testDatabase(t)
    const receiver = await startReceiver()
    await run(own, [
      `insert into installations (id, name, environment, created_at, updated_at) values ('ins_a', 'A', 'test', now(), now())`,
      `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, status, created_at, updated_at)
       values ('whe_a', 'ins_a', 'test', 1, '${receiver.url}/', '{*}', 'enabled', now(), now())`,
    ])
    const settings = { DATABASE_URL, WEBHOOK_ALLOWED_TARGETS: receiver.target }
    const there = await doctor(settings)
    assert.deepEqual(there.of('webhooks').detail, '1 endpoint, none disabled')
    assert.deepEqual(
      [there.of('webhook hosts').status, there.of('webhook hosts').detail],
      ['ok', '1 of 1 host can be reached from this machine'],
    )
    assert.deepEqual(receiver.arrivals, [])
    await run(own, [`update webhook_endpoints set url = 'http://127.0.0.1:9/'`])
    const away = (await doctor({ ...settings, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1:9' })).of('webhook hosts')
    assert.deepEqual([away.status, /The connection could not be established\.$/.test(away.detail)], ['warning', true])
    const inside = (await doctor({ DATABASE_URL })).of('webhook hosts')
    assert.match(inside.detail, /The host is not on the public internet\.$/)
  })

  test('finds doors with one port, and a port that the example shop of the demo shares', async () => {
    const { PUBLIC_PORT = '', PAGES_PORT = '' } = env
    const doors = (await doctor({ PAGES_PORT: PUBLIC_PORT })).of('ports')
    assert.deepEqual([doors.status, doors.remedy], ['failed', 'Give each door a port of its own.'])
    const shop = (await doctor({ SHOP_PORT: PAGES_PORT })).of('ports')
    assert.equal(shop.status, 'warning')
    assert.match(shop.detail, /^PAGES_PORT and SHOP_PORT are both \d+ on 127\.0\.0\.1: the example shop .* not start$/)
    const open = (await doctor({ SHOP_PORT: PAGES_PORT, PAGES_URL: 'https://pages.shop.example' })).of('ports')
    assert.doesNotMatch(open.detail, /SHOP_PORT/, 'where others reach the service, no demo is loaded')
  })

  test('says why a check failed, with the cause of its error', async () => {
    const { out } = await command(['doctor', '--production', '--json'], {
      env: { ...env, DATABASE_URL: 'postgres://vitrine@127.0.0.1:9/vitrine' },
    })
    const found = (JSON.parse(out).findings as Record<string, string>[]).find(({ check }) => check === 'own database')
    assert.match(found?.[DETAIL] ?? '', /^PostgreSQL could not be reached: .*ECONNREFUSED/)
  })

  test('names the rights that a restricted key of Stripe lacks, and says how late payments are without a webhook', async () => {
    const { url: STRIPE_API_URL, missingRights } = await startStripeStandIn()
    const stripe = { STRIPE_API_URL, STRIPE_TEST_KEY: STAND_IN_KEY }
    const late = (await doctor(stripe)).of('stripe')
    assert.deepEqual([late.status, /WEBHOOK_SECRET is not set/.test(late.detail)], ['warning', true])
    missingRights.add('rak_payment_intent_write')
    const lacking = (await doctor(stripe)).of('stripe')
    assert.deepEqual([lacking.status, lacking.detail], ['failed', 'STRIPE_TEST_KEY lacks PaymentIntents: write'])
    assert.ok(!(await doctor()).checks.includes('stripe'), 'where it is not configured, it is not asked about')
  })

  test('says whether the proxy in front of the operator door is trusted, where there is one', async () => {
    const OPERATOR_URL = 'https://console.shop.example'
    const unknown = (await doctor({ OPERATOR_URL })).of('operator proxies')
    assert.deepEqual([unknown.status, /all operators share its address$/.test(unknown.detail)], ['warning', true])
    const known = (await doctor({ OPERATOR_URL, OPERATOR_PROXIES: '10.0.0.5' })).of('operator proxies')
    assert.deepEqual([known.status, known.detail], ['ok', 'Subnet: IPv4 10.0.0.5/32'])
    assert.ok(!(await doctor()).checks.includes('operator proxies'))
  })

  test('says whether the identity provider of the operators answers, where it is configured', async () => {
    const { environment } = await testProvider()
    const answered = await doctor({ ...environment, OIDC_EMAIL_DOMAINS: 'shop.example' })
    assert.equal(answered.of('sign-in').status, 'ok')
    assert.match(answered.of('sign-in').detail, /back to http:\/\/127\.0\.0\.1:\d+\/sign-in\/return$/)
    const away = (await doctor({ ...environment, OIDC_ISSUER: 'http://127.0.0.1:9' })).of('sign-in')
    assert.deepEqual([away.status, away.detail.startsWith('OIDC_ISSUER: ')], ['failed', true], away.detail)
  })

  test('says whether VIES answers and gives consultation numbers, where it is configured', async () => {
    const { url: VIES_URL } = await startViesStandIn()
    const late = (await doctor({ VIES_URL })).of('vat numbers')
    assert.deepEqual([late.status, /no consultation numbers/.test(late.detail)], ['warning', true])
    assert.equal((await doctor({ VIES_URL, VIES_REQUESTER: 'DE136695976' })).of('vat numbers').status, 'ok')
    const away = (await doctor({ VIES_URL: 'http://127.0.0.1:9' })).of('vat numbers')
    assert.deepEqual([away.status, /format and check digits/.test(away.detail)], ['warning', true])
    assert.ok(!(await doctor()).checks.includes('vat numbers'))
  })

  test('says whether the tax service answers a sample and accepts the secret, where it is configured', async () => {
    const { url: TAX_SERVICE_URL, fails } = await startTaxServiceStandIn()
    const settings = { TAX_SERVICE_URL, TAX_SERVICE_SECRET }
    assert.equal((await doctor(settings)).of('tax service').status, 'ok')
    const other = (await doctor({ ...settings, TAX_SERVICE_SECRET: `not ${TAX_SERVICE_SECRET}` })).of('tax service')
    assert.deepEqual([other.status, other.remedy], ['failed', 'Check TAX_SERVICE_SECRET.'])
    assert.doesNotMatch(JSON.stringify(other), new RegExp(TAX_SERVICE_SECRET))
    fails('error')
    const busy = (await doctor(settings)).of('tax service')
    assert.deepEqual([busy.status, busy.detail], ['warning', 'TAX_SERVICE_URL: 503 busy'])
    assert.ok(!(await doctor()).checks.includes('tax service'))
  })

  test('says whether the object store takes, returns and removes a file, where it is configured', async () => {
    const objects = new Map<string, Buffer>()
    let refused = ''
    const bucket = createServer(async (request, response) => {
      const { method = '', url: path = '' } = request
      const body = await buffer(request)
      if (method === refused) return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      if (method === 'PUT') objects.set(path, body)
      if (method === 'DELETE') objects.delete(path)
      response.end(method === 'GET' ? objects.get(path) : '')
    })
    await new Promise<void>((listening) => bucket.listen(0, '127.0.0.1', listening))
    const MEDIA_ENDPOINT = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
    const settings = { MEDIA_ENDPOINT, MEDIA_BUCKET: 'pictures', MEDIA_KEY_ID: 'id', MEDIA_SECRET: 'a secret of tests' }
    assert.equal((await doctor(settings)).of('pictures').status, 'ok')
    assert.equal(objects.size, 0)
    refused = 'DELETE'
    const denied = (await doctor(settings)).of('pictures')
    assert.deepEqual([denied.status, /DELETE with 403 AccessDenied/.test(denied.detail)], ['failed', true])
    await new Promise((closed) => bucket.close(closed).closeAllConnections())
    const away = (await doctor(settings)).of('pictures')
    assert.match(away.detail, /^the bucket pictures at http:\/\/127\.0\.0\.1:\d+: fetch failed: .*ECONNREFUSED/)
    assert.ok(!(await doctor()).checks.includes('pictures'))
  })

  test('finds a replica that is another database', async () => {
    assert.equal((await doctor({ DATABASE_READ_URL: url })).of('replica').status, 'ok')
    const { url: other } = await testDatabase()
    const { status, detail } = (await doctor({ DATABASE_READ_URL: other })).of('replica')
    assert.deepEqual([status, /not a standby/.test(detail)], ['failed', true])
  })

  test('reports an empty database, and leaves it empty', async () => {
    const empty = await testDatabase()
    const admin = new Client({ connectionString: empty.url })
    await admin.connect()
    await admin.query('drop schema public cascade; create schema public')
    await admin.end()
    const { of, checks } = await doctor({ DATABASE_URL: empty.url })
    assert.equal(of('migrations').status, 'warning')
    assert.match(of('migrations').detail, /^\d+ pending: 0001_platform to \d{4}_\w+$/)
    assert.match(of('migrations').remedy ?? '', /^vitrine migrate runs them/)
    assert.equal(of('clock').status, 'ok', 'the server is looked at all the same')
    assert.ok(!checks.includes('stores'), 'and nothing that is not there')
    assert.deepEqual(await empty.database.reader.rows(tables), [])
  })

  test('reports a database that is behind or newer, and does not change it', async () => {
    const other = await testDatabase()
    const names = async () => (await other.database.reader.rows(migrations)).map(({ name }) => name)
    const [last = ''] = (await names()).slice(-1)
    await run(other.database, [`delete from migrations where name = '${last}'`])
    const behind = (await doctor({ DATABASE_URL: other.url })).of('migrations')
    assert.deepEqual([behind.status, behind.detail], ['warning', `1 pending: ${last}`])
    assert.ok(!(await names()).includes(last))

    await run(other.database, [`insert into migrations (name, timestamp) values ('9999_of_tomorrow', '2030-01-01')`])
    const { code, of } = await doctor({ DATABASE_URL: other.url })
    assert.equal(code, 1)
    assert.equal(of('migrations').status, 'failed')
    assert.match(of('migrations').detail, /newer than this code, which does not know 9999_of_tomorrow$/)
    assert.equal((await names()).at(-1), '9999_of_tomorrow')

    await run(other.database, [`insert into migrations (name, timestamp) values ('${last}', '2026-11-28')`])
    const added = await doctor({ DATABASE_URL: other.url })
    assert.equal(added.of('migrations').status, 'warning')
    assert.match(added.of('migrations').detail, /later version has added 9999_of_tomorrow, and this one still works$/)
    await run(other.database, [
      `update migrations set name = '9999_of_tomorrow_contract' where name = '9999_of_tomorrow'`,
    ])
    assert.equal((await doctor({ DATABASE_URL: other.url })).of('migrations').status, 'failed')
  })

  test('creates no database if there is none, and explains how to', async () => {
    const nowhere = await temporaryFolder()
    const { of } = await doctor({ DATABASE_URL: '', DATA_DIR: nowhere })
    assert.deepEqual([of('database').status, of('database').detail], ['warning', `there is none in ${nowhere} yet`])
    assert.match(of('database').remedy ?? '', /npm start/)
    assert.deepEqual(await readdir(nowhere), [])
  })

  test('names the setting to check if the database does not respond', async () => {
    const { code, of } = await doctor({ DATABASE_URL: 'postgres://postgres@127.0.0.1:9/none' })
    assert.equal(code, 1)
    assert.match(of('database').detail, /^The database cannot be used: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/)
  })

  test('prints each problem with its remedy below it', async () => {
    const { out } = await command(['doctor'], { env })
    assert.match(out, /^warning {2}webhooks +1 endpoint, 1 disabled\n +→ vitrine webhook list shows why/m)
  })
})

test('a command refuses a DATABASE_OWNER_URL that leads to another database before it migrates that, even if both are up to date', async (t) => {
  const { url: sameVersion } = await testDatabase(t)
  const { database: empty, url: emptyUrl } = await testDatabase(t)
  for (const text of ['drop schema public cascade', 'create schema public'])
    await empty.reader.rows(statement('', text))
  for (const owner of [sameVersion, emptyUrl]) {
    const { code, err } = await command(['migrate'], { env: { ...env, DATABASE_URL: url, DATABASE_OWNER_URL: owner } })
    assert.equal(code, 1)
    assert.match(err, /DATABASE_OWNER_URL leads to another database than DATABASE_URL/)
  }
  assert.deepEqual(await empty.reader.rows(tables), [])
})

test('a command names the URL that it cannot use', async () => {
  const owner = 'postgres://owner@127.0.0.1:9/vitrine'
  const { err } = await command(['migrate'], { env: { ...env, DATABASE_OWNER_URL: owner } })
  assert.match(err, /ECONNREFUSED.*Check DATABASE_OWNER_URL\.$/m)
})

test('a command names a DATABASE_OWNER_URL that leads to another database than DATABASE_URL', async (t) => {
  const { database: other, url: otherUrl } = await testDatabase(t)
  for (const text of ['drop schema public cascade', 'create schema public'])
    await other.reader.rows(statement('', text))
  const { code, err } = await command(['migrate'], { env: { ...env, DATABASE_URL: otherUrl, DATABASE_OWNER_URL: url } })
  assert.equal(code, 1)
  assert.match(err, /DATABASE_OWNER_URL leads to another database/)
})
