import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { change, logged, opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { listEndpoints } from '../endpoints/store.ts'

let world: World
let client: InstallationClient
before(async () => {
  world = await startWorld()
  client = await world.client()
})

const setStats = statement(
  'test.set_stats',
  `insert into webhook_health (endpoint_id, consecutive_failures, failing_since, last_attempt_at, last_success_at,
     last_failure_at, delivered_count, failed_count)
   values ($1, 3, $2, $2, $2, $2, 1204, 2)`,
)

describe('listInstallationWebhooks', () => {
  test('200 lists the endpoints of the installation, newest first, without secrets', async () => {
    const first = await opened(client)
    world.clock.advance(1000)
    const second = await opened(client, { description: 'The second' })
    await opened(await world.client())
    const { body, text } = await client.get(WEBHOOKS.endpoints)
    const { secret, secretState: _, ...shown } = second
    assert.deepEqual(
      [body.data.operation, body.data.status, body.data.result.next],
      ['listInstallationWebhooks', 'succeeded', null],
    )
    assert.deepEqual(
      body.data.result.endpoints.map((each: { id: string }) => each.id),
      [second.id, first.id],
    )
    assert.deepEqual(body.data.result.endpoints[0], shown)
    assert.equal(text.includes(secret), false)
  })

  test('200 includes the statistics of each endpoint', async () => {
    const own = await world.client()
    const { id: endpointId } = await opened(own)
    const now = world.clock.now()
    for (const status of ['pending', 'retrying', 'delivering', 'succeeded'] as const) {
      await logged(world, { installationId: own.installationId, endpointId, status })
    }
    await world.database.transaction(async (tx) => tx.write(setStats, [endpointId, now]))
    const [{ stats }] = (await own.get(WEBHOOKS.endpoints)).body.data.result.endpoints
    const at = now.toISOString()
    assert.deepEqual(stats, {
      deliveredCount: 1204,
      failedCount: 2,
      pendingCount: 3,
      consecutiveFailures: 3,
      lastSuccessAt: at,
      lastFailureAt: at,
    })
    const changed = await change(own, endpointId, { description: 'As before' })
    assert.deepEqual(changed.body.data.stats, stats)
  })

  test('200 takes as many queries for sixteen endpoints as for one', async () => {
    const own = await world.client()
    const countQueries = async () => {
      const before = world.database.counters().queries
      await own.get(WEBHOOKS.endpoints)
      return world.database.counters().queries - before
    }
    await opened(own)
    await countQueries()
    const one = await countQueries()
    for (let index = 0; index < 15; index += 1) await opened(own)
    assert.equal(await countQueries(), one)
  })

  test('pages continue after the last endpoint of the previous page', async () => {
    const own = await world.client()
    const owner = { installationId: own.installationId, environment: 'test', narrowedTo: null } as const
    for (let index = 0; index < 5; index += 1) await opened(own)
    const walked: string[] = []
    for (let afterId: string | null = null; ; afterId = walked.at(-1) ?? null) {
      const page = await listEndpoints(world.database.reader, owner, { afterId, limit: 2 })
      walked.push(...page.map((each) => each.id))
      if (page.length < 2) break
    }
    const all = await listEndpoints(world.database.reader, owner, { afterId: null, limit: 50 })
    assert.deepEqual(
      walked,
      all.map((each) => each.id),
    )
    assert.equal(walked.length, 5)
  })

  test('400 invalid_cursor: from another list, or made up', async () => {
    const answer = await client.get(`${WEBHOOKS.endpoints}?cursor=ImEi.AAAAAAAAAAAAAAAAAAAAAA`)
    assertRefused(answer, 400, 'invalid_cursor')
  })
})
