import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { statement } from '@vitrine/server'
import { command, freePorts, temporaryFolder } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { smtpServer } from '../support/smtp.ts'

const folder = await temporaryFolder()
const { database, url } = await testDatabase()
const env = { DATABASE_URL: url, DATA_DIR: folder, ...(await freePorts()) }

interface Found {
  readonly check: string
  readonly status: string
  readonly told: string
  readonly remedy?: string
}

async function doctor(more: Readonly<Record<string, string>> = {}) {
  const { code, out, err } = await command(['doctor', '--json'], { env: { ...env, ...more }, cwd: folder })
  assert.equal(err, '')
  const findings = new Map((JSON.parse(out).findings as Found[]).map((finding) => [finding.check, finding]))
  return { code, of: (check: string) => findings.get(check) ?? assert.fail(`no finding about ${check}`) }
}

async function planted(texts: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [index, text] of texts.entries()) tx.write(statement(`test.doctor_${index}`, text), [])
  })
}

describe('vitrine doctor', () => {
  test('finds what got stuck, what is sealed with a key that is not there, and what others may read', async () => {
    await planted([
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
    assert.deepEqual([of('jobs').status, of('jobs').told], ['warning', '1 were given up'])
    assert.match(of('jobs').remedy ?? '', /^vitrine job list/)
    assert.match(of('payments').told, /^1 of unknown outcome \(live\), the oldest begun 20 minutes ago$/)
    assert.match(of('payments').remedy ?? '', /^vitrine payment list --environment live/)
    assert.equal(of('mails').told, '1 were given up')
    assert.equal(of('webhooks').told, '1 of 1 endpoints are disabled')
    assert.deepEqual(
      [of('webhook key').status, of('webhook key').told],
      ['failed', 'webhook secrets are sealed, and the key is not here'],
    )
    assert.deepEqual([of('key files').status, of('key files').told], ['failed', 'other users may read operator-token'])

    const other = await doctor({ WEBHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })
    assert.match(other.of('webhook key').told, /sealed with the key 0123456789abcdef, which this node does not have/)
  })

  test('hears whether the mail server greets, and says where it does not', async () => {
    await using mail = await smtpServer()
    const there = (await doctor({ SMTP_URL: mail.url })).of('mail')
    assert.deepEqual([there.status, there.told], ['ok', `${new URL(mail.url).host} greets`])

    const away = (await doctor({ SMTP_URL: 'smtp://somebody:hunter2@127.0.0.1:9' })).of('mail')
    assert.equal(away.status, 'failed')
    assert.match(away.told, /^127\.0\.0\.1:9: .*ECONNREFUSED/)
    assert.doesNotMatch(JSON.stringify(away), /hunter2/)
  })

  test('says on the screen what is wrong, and below it what to do', async () => {
    const { out } = await command(['doctor'], { env, cwd: folder })
    assert.match(out, /^warning {2}webhooks +1 of 1 endpoints are disabled\n +→ vitrine webhook list says why/m)
  })
})
