import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testDatabase } from '../../test/support/database.ts'
import { startService } from '../../test/support/processes/service.ts'
import { systemClock, systemRandomness } from './index.ts'
import { idSource } from './kernel/ids.ts'
import { enqueue } from './platform/jobs/index.ts'
import { composeMail, sendMail } from './platform/mail/index.ts'
import { statement } from './platform/postgres/index.ts'

const RESET_JOB = 'accounts.reset'
const jobs = statement<{ kind: string; last_error: string | null }>(
  'test.jobs_of_process',
  "select kind, last_error from jobs where kind in ('mail.deliver', 'accounts.reset')",
)

/** A mail server that accepts connections and never says anything. */
async function silentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('a process whose mail server does not answer', () => {
  test('runs other jobs while mails wait for it', async () => {
    const { url, database } = await testDatabase()
    const smtp = await silentServer()
    const ids = idSource(systemClock, systemRandomness())
    const now = new Date(systemClock.now().getTime() - 1000)
    const content = { language: 'en', siteName: 'Market', title: 'Hello', paragraphs: [], closing: [] }
    const mail = { kind: 'a.mail', recipient: 'ada@example.com', locale: 'en', subject: 'Hello' }
    await database.transaction(async (tx) => {
      for (let count = 0; count < 4; count += 1) sendMail(tx, { ...mail, bodies: composeMail(content) }, { ids, now })
      enqueue(tx, { kind: RESET_JOB, subject: 'rst_unknown', runAt: systemClock.now() }, ids)
    })
    const { stop } = await startService({
      databaseUrl: url,
      roles: ['worker'],
      environment: { SMTP_URL: smtp.url, LOG_LEVEL: 'silent' },
    })
    let left = await database.reader.rows(jobs)
    for (; left.some(({ kind }) => kind === RESET_JOB); await pause(50)) left = await database.reader.rows(jobs)
    assert.ok(left.some(({ last_error }) => last_error === null))
    smtp.close()
    await stop()
  })
})
