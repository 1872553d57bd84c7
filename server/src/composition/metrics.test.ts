import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testClock } from '../../../test/support/clock.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { createMetrics } from '../platform/observe/metrics.ts'
import { type Database, openDatabase, statement } from '../platform/postgres/index.ts'
import { observeQueues } from './metrics.ts'

const clock = testClock()
const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000)

const refuseWrites = statement(
  'test.refuse_writes',
  'alter table commit_markers add constraint no_room check (false) not valid',
)

async function samples(database: Database): Promise<string[]> {
  const metrics = createMetrics()
  observeQueues(metrics, { database, clock })
  const text = await (await metrics.everywhere()).metrics()
  return text.split('\n').filter((line) => /^vitrine_(?!request|security)/.test(line))
}

describe('metrics of queues', () => {
  test('report counts and ages, of jobs only those that no worker has', async () => {
    const { database } = await testDatabase()
    await database.transaction(async (tx) => {
      let written = 0
      const write = (text: string, values: readonly unknown[]) => {
        written += 1
        tx.write(statement(`test.figures_${written}`, text), values)
      }
      const job = `insert into jobs (id, kind, subject, run_at, attempts_max, dead_at, lease_until)
        values ($1, 'k', $1, $2, 8, $3, $4)`
      write(job, ['job_late', minutesAgo(3), null, minutesAgo(1)])
      write(job, ['job_soon', minutesAgo(-3), null, null])
      write(job, ['job_dead', minutesAgo(9), minutesAgo(8), null])
      write(job, ['job_long', minutesAgo(50), null, minutesAgo(-1)])
      const mail = `insert into mails (id, kind, recipient, locale, subject, body_text, status, created_at, ended_at)
        values ($1, 'a.b', 'a@b.c', 'en', 's', 't', $2, $3, $4)`
      write(mail, ['mail_a', 'waiting', minutesAgo(5), null])
      write(mail, ['mail_b', 'failed', minutesAgo(5), minutesAgo(4)])
      write(
        `insert into installations (id, name, environment, created_at, updated_at) values ('ins_a', 'A', 'live', $1, $1)`,
        [clock.now()],
      )
      write(
        `insert into payment_intents (id, kind, subject_id, purpose, environment, installation_id, provider, amount,
          currency, status, step, due_at, created_at, updated_at)
        values ('pay_a', 'charge', 'cks_a', 'checkout', 'live', 'ins_a', 'simulator', 1, 'EUR', 'unknown', 'capture',
          $2, $1, $2)`,
        [minutesAgo(20), clock.now()],
      )
      write(
        `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, created_at, updated_at)
         values ('whe_a', 'ins_a', 'live', 1, 'https://a.example/', '{*}', $1, $1)`,
        [clock.now()],
      )
    })
    assert.deepEqual(await samples(database), [
      'vitrine_database_reachable 1',
      'vitrine_database_writable 1',
      'vitrine_jobs_due 1',
      'vitrine_jobs_late_seconds 180',
      'vitrine_jobs_dead 1',
      'vitrine_mails{status="waiting"} 1',
      'vitrine_mails{status="failed"} 1',
      'vitrine_mails_waiting_seconds 300',
      'vitrine_webhook_endpoints{environment="live",status="disabled"} 0',
      'vitrine_webhook_endpoints{environment="live",status="enabled"} 1',
      'vitrine_webhook_endpoints{environment="live",status="paused"} 0',
      'vitrine_webhook_endpoints{environment="test",status="disabled"} 0',
      'vitrine_webhook_endpoints{environment="test",status="enabled"} 0',
      'vitrine_webhook_endpoints{environment="test",status="paused"} 0',
      'vitrine_payments_unsettled{environment="live",status="unknown"} 1',
      'vitrine_payments_unknown_seconds{environment="live"} 1200',
    ])
  })

  test('report an unreachable database, and omit all other samples', async () => {
    const unreachable = openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none' })
    assert.deepEqual(await samples(unreachable), ['vitrine_database_reachable 0', 'vitrine_database_writable 0'])
    await unreachable.close()
  })

  test('report a database that answers and commits nothing, as with a full disk', async () => {
    const { database } = await testDatabase()
    await database.reader.rows(refuseWrites)
    const [reachable, writable] = await samples(database)
    assert.deepEqual([reachable, writable], ['vitrine_database_reachable 1', 'vitrine_database_writable 0'])
  })
})
