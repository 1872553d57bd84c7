import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statement } from '@vitrine/server'
import { testDatabase } from '../support/database.ts'
import { connectionProxy } from '../support/network/connection-proxy.ts'
import { startService } from '../support/processes/service.ts'

/*
 * A load balancer sends shoppers only to a process that can serve them: liveness and readiness are separate checks.
 */

describe('a process that lost its database', () => {
  test('is alive, not ready, and answers that nothing was applied', async () => {
    const { url } = await testDatabase()
    const network = await connectionProxy(url)
    const { running, stop } = await startService({ databaseUrl: network.url, environment: { LOG_LEVEL: 'silent' } })
    const ask = async (path: string) => {
      const response = await fetch(running.doors.operator + path)
      return [response.status, await response.json()]
    }
    assert.deepEqual(await ask('/readyz'), [200, { status: 'ready' }])

    await network.close()

    assert.deepEqual(await ask('/readyz'), [503, { status: 'not_ready' }])
    assert.deepEqual(await ask('/livez'), [200, { status: 'alive' }])
    const answer = await fetch(`${running.doors.public}/api/v1/search?q=mug`)
    assert.equal(answer.status, 503)
    const { code, outcome, retry } = (await answer.json()) as { code: string; outcome: string; retry: object }
    assert.deepEqual([code, outcome, retry], ['unavailable', 'not_applied', { advice: 'same_key', afterMs: 1000 }])
    await stop()
  })
})

const refuseWrites = statement(
  'watching.refuse_writes',
  'alter table commit_markers add constraint no_room check (false) not valid',
)
const takeWrites = statement('watching.take_writes', 'alter table commit_markers drop constraint no_room')

describe('a process whose database takes no writes', () => {
  test('is not ready, and is again once it does', async () => {
    const { url, database } = await testDatabase()
    const { running, stop } = await startService({ databaseUrl: url, environment: { LOG_LEVEL: 'silent' } })
    const isReady = async () => (await fetch(`${running.doors.operator}/readyz`)).status === 200
    assert.equal(await isReady(), true)
    await database.reader.rows(refuseWrites)
    assert.equal(await isReady(), false)
    await database.reader.rows(takeWrites)
    assert.equal(await isReady(), true)
    await stop()
  })
})

describe('a process that cannot open one of its doors', () => {
  test('closes the others', async () => {
    const { url } = await testDatabase()
    const first = await startService({ databaseUrl: url })
    const { public: taken } = first.config.ports
    await assert.rejects(
      startService({ databaseUrl: url, environment: { PAGES_PORT: String(taken) }, roles: ['operator', 'pages'] }),
      { code: 'EADDRINUSE' },
    )
    assert.equal((await fetch(`${first.running.doors.operator}/readyz`)).status, 200)
  })
})
