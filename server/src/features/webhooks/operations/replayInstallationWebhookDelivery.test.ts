import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { change, logged, opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'

let world: World
let client: InstallationClient
let endpointId: Awaited<ReturnType<typeof opened>>['id']
before(async () => {
  world = await startWorld()
  client = await world.client()
  ;({ id: endpointId } = await opened(client))
})

const log = (more: Partial<Parameters<typeof logged>[1]> = {}) =>
  logged(world, { installationId: client.installationId, endpointId, ...more })
const replay = (id: string, body: object = {}, key?: string) =>
  client.post(`${WEBHOOKS.deliveries}/${id}/replay`, body, key === undefined ? {} : { key })

const copies = statement<{ id: string; replay_of: string | null; replay_reason: string | null }>(
  'test.copies',
  'select id, replay_of, replay_reason from webhook_deliveries where event_id = $1 order by id',
)
const disable = statement(
  'test.disable',
  `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone', disabled_at = $2 where id = $1`,
)

describe('replayInstallationWebhookDelivery', () => {
  for (const status of ['succeeded', 'dead'] as const) {
    test(`200 replays a ${status} delivery: a new delivery of the same event, due at once`, async () => {
      const { id, eventId } = await log({ status })
      world.clock.advance(60_000)
      const answer = await replay(id, { reason: 'Our server was down.' })
      const at = world.clock.now().toISOString()
      assert.equal(answer.status, 200, answer.text)
      const { operation, status: done, result } = answer.body.data
      assert.deepEqual([operation, done], ['replayInstallationWebhookDelivery', 'accepted'])
      assert.deepEqual(result, {
        id: result.id,
        endpointId,
        eventId,
        eventType: 'cart.revoked',
        sequence: 1,
        status: 'pending',
        attempts: [],
        nextAttemptAt: at,
        replayOf: id,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      assert.deepEqual(await world.database.reader.rows(copies, [eventId]), [
        { id, replay_of: null, replay_reason: null },
        { id: result.id, replay_of: id, replay_reason: 'Our server was down.' },
      ])
      const [listed] = (await client.get(WEBHOOKS.deliveries)).body.data.deliveries
      assert.deepEqual(listed, result)
    })
  }

  test('200 replays a repeated idempotency key with the first response, and delivers once', async () => {
    const { id, eventId } = await log()
    const [first, again] = [await replay(id, {}, 'replay-once'), await replay(id, {}, 'replay-once')]
    assert.equal(again.text, first.text)
    assert.equal((await world.database.reader.rows(copies, [eventId])).length, 2)
  })

  test('200 for each further request', async () => {
    const { id, eventId } = await log()
    for (let index = 0; index < 3; index += 1) assert.equal((await replay(id)).status, 200)
    assert.equal((await world.database.reader.rows(copies, [eventId])).length, 4)
  })

  test("404 not_found: another installation's delivery", async () => {
    const other = await world.client()
    const { id: theirs } = await opened(other)
    const { id } = await logged(world, { installationId: other.installationId, endpointId: theirs })
    for (const each of [id, 'whd_01k5b7m2q8e9rtv3w4x5y6z7a8']) assertRefused(await replay(each), 404, 'not_found')
  })

  for (const status of ['pending', 'delivering', 'retrying', 'canceled'] as const) {
    test(`409 delivery_in_progress: a ${status} delivery is not replayed, whatever its endpoint's status`, async () => {
      const own = await world.client()
      const { id: endpoint } = await opened(own)
      const { id } = await logged(world, { installationId: own.installationId, endpointId: endpoint, status })
      await world.database.transaction(async (tx) => tx.write(disable, [endpoint, world.clock.now()]))
      const answer = await own.post(`${WEBHOOKS.deliveries}/${id}/replay`, {})
      assertRefused(answer, 409, 'delivery_in_progress')
      assert.deepEqual(answer.body.conflict, { currentState: status, allowed: ['succeeded', 'dead'] })
      // Only a delivery that ends by itself can be replayed later.
      assert.equal(answer.body.retry.advice, status === 'canceled' ? 'do_not_retry' : 'same_request_later')
    })
  }

  test('409 endpoint_disabled: the endpoint is disabled or paused, until it is enabled', async () => {
    const own = await world.client()
    const { id: endpoint } = await opened(own)
    const { id } = await logged(world, { installationId: own.installationId, endpointId: endpoint, status: 'dead' })
    const again = () => own.post(`${WEBHOOKS.deliveries}/${id}/replay`, {})
    await world.database.transaction(async (tx) => tx.write(disable, [endpoint, world.clock.now()]))
    assertRefused(await again(), 409, 'endpoint_disabled')
    await change(own, endpoint, { status: 'paused' })
    const answer = await again()
    assertRefused(answer, 409, 'endpoint_disabled')
    assert.deepEqual(answer.body.conflict, { currentState: 'paused', allowed: ['updateInstallationWebhook'] })
    await change(own, endpoint, { status: 'enabled' })
    assert.equal((await again()).status, 200)
  })
})
