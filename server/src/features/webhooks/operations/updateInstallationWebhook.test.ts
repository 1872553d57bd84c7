import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { change, logged, opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { keyring } from '../../../platform/secrets/keyring.ts'
import { signingSecrets } from '../endpoints/secret-store.ts'

let world: World
let client: InstallationClient
before(async () => {
  world = await startWorld()
  client = await world.client()
})

const ring = keyring([Buffer.alloc(32, 7)], { bytes: (length) => Buffer.alloc(length) })
const disable = statement(
  'test.disable',
  `update webhook_endpoints set status = 'disabled', disabled_reason = 'failing', disabled_at = $2 where id = $1`,
)

const fail = statement(
  'test.fail',
  `insert into webhook_health (endpoint_id, consecutive_failures, failing_since) values ($1, 12, $2)
   on conflict (endpoint_id) do update set consecutive_failures = 12, failing_since = $2`,
)

/** The active secrets of an endpoint, in the form shown to its owner. */
async function signing(id: string): Promise<readonly string[]> {
  const found = await signingSecrets(world.database.reader, ring, [id], world.clock.now())
  return (found.get(id) ?? []).map((secret) => `whsec_${secret.toString('base64')}`)
}

const HOUR = 3_600_000

describe('updateInstallationWebhook', () => {
  test('200 updates the given fields only, and bumps the version', async () => {
    const { secret: _, ...endpoint } = await opened(client, { description: 'Warehouse', events: ['order.created'] })
    world.clock.advance(1000)
    const { body } = await change(client, endpoint.id, { url: 'https://other.example/hooks' })
    assert.deepEqual(body.data, {
      ...endpoint,
      url: 'https://other.example/hooks',
      version: 2,
      updatedAt: world.clock.now().toISOString(),
      secretState: 'unchanged',
    })
    const { data } = (await change(client, endpoint.id, { events: ['*'], description: 'All of it' })).body
    assert.deepEqual([data.events, data.description, data.url, data.version], [['*'], 'All of it', body.data.url, 3])
  })

  test('200 pauses and enables, also a disabled endpoint', async () => {
    const { id } = await opened(client)
    assert.equal((await change(client, id, { status: 'paused' })).body.data.status, 'paused')
    assert.equal((await change(client, id, { status: 'enabled' })).body.data.status, 'enabled')

    await world.database.transaction(async (tx) => tx.write(disable, [id, world.clock.now()]))
    const updated = (await change(client, id, { description: 'Still out' })).body.data
    assert.deepEqual([updated.status, updated.disabledReason], ['disabled', 'failing'])
    const enabled = (await change(client, id, { status: 'enabled' })).body.data
    assert.deepEqual([enabled.status, 'disabledReason' in enabled], ['enabled', false])
  })

  test('200 cancels the waiting deliveries of an endpoint that is paused', async () => {
    const { id: endpointId } = await opened(client)
    const { id } = await logged(world, { installationId: client.installationId, endpointId, status: 'retrying' })
    await change(client, endpointId, { status: 'paused' })
    const { deliveries } = (await client.get(`${WEBHOOKS.deliveries}?endpointId=${endpointId}`)).body.data
    assert.deepEqual(
      deliveries.map((each: { id: string; status: string }) => [each.id, each.status]),
      [[id, 'canceled']],
    )
  })

  test('200 resets failures when it is enabled or gets a new URL, so that one more does not disable it', async () => {
    const { id } = await opened(client)
    const failing = () => world.database.transaction(async (tx) => tx.write(fail, [id, world.clock.now()]))
    for (const [body, failures] of [
      [{ description: 'x' }, 12],
      [{ status: 'enabled' }, 0],
      [{ url: 'https://other.example/' }, 0],
    ] as const) {
      await failing()
      const { data } = (await change(client, id, body)).body
      assert.equal(data.stats.consecutiveFailures, failures)
    }
    await failing()
    await change(await world.client(), id, { status: 'enabled' })
    const { data } = (await change(client, id, { description: 'y' })).body
    assert.equal(data.stats.consecutiveFailures, 12, 'another installation changes nothing')
  })

  test('200 rotates the secret: the old one also signs for 24 hours', async () => {
    const { id, secret: first } = await opened(client)
    const { data } = (await change(client, id, { rotateSecret: true })).body
    assert.equal(data.secretState, 'shown')
    assert.notEqual(data.secret, first)
    assert.equal(data.secretHint, `…${data.secret.slice(-5, -1)}`)
    assert.deepEqual(await signing(id), [data.secret, first])
    world.clock.advance(24 * HOUR - 1)
    assert.deepEqual(await signing(id), [data.secret, first])
    world.clock.advance(1)
    assert.deepEqual(await signing(id), [data.secret])
  })

  test('200 rotates again during a rotation: a lost response breaks no receiver', async () => {
    const { id, secret: first } = await opened(client)
    const shown = [first]
    for (let index = 0; index < 5; index += 1) {
      shown.unshift((await change(client, id, { rotateSecret: true })).body.data.secret)
    }
    assert.deepEqual(await signing(id), shown.slice(0, 4))
  })

  test('200 drops all old secrets at once with rotateSecret: "now"', async () => {
    const { id } = await opened(client)
    await change(client, id, { rotateSecret: true })
    const { data } = (await change(client, id, { rotateSecret: 'now' })).body
    assert.deepEqual([data.secretState, await signing(id)], ['shown', [data.secret]])
  })

  test('409 version_conflict: another administrator was first', async () => {
    const { id, version } = await opened(client)
    assert.equal((await change(client, id, { status: 'paused', expectedVersion: version })).status, 200)
    const stale = await change(client, id, {
      url: 'https://other.example/',
      rotateSecret: true,
      expectedVersion: version,
    })
    assertRefused(stale, 409, 'version_conflict')
    assert.deepEqual(stale.body.conflict, { expectedVersion: 1, currentVersion: 2, currentState: 'paused' })
    assert.equal((await signing(id)).length, 1)
  })

  test('200 replays a repeated idempotency key without the secret, and rotates once', async () => {
    const { id } = await opened(client)
    const rotate = () => client.patch(`${WEBHOOKS.endpoints}/${id}`, { rotateSecret: true }, { key: 'rotate-once' })
    const [first, again] = [await rotate(), await rotate()]
    const { secret: _, ...rest } = first.body.data
    assert.deepEqual(again.body.data, { ...rest, secretState: 'already_shown' })
    assert.equal((await signing(id)).length, 2)
  })

  test('200 for concurrent updates, each bumping the version', async () => {
    const { id } = await opened(client)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(client, id, { description: `Number ${index}` })),
    )
    const versions = answers.map(({ body }) => body.data.version).sort((a, b) => a - b)
    assert.deepEqual(versions, [2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('400 webhook_url_invalid, whether or not the endpoint exists', async () => {
    const { id } = await opened(client)
    for (const each of [id, 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8']) {
      assertRefused(await change(client, each, { url: 'https://[::1]/' }), 400, 'webhook_url_invalid')
    }
  })

  test('404 not_found: an endpoint of another installation or environment', async () => {
    const { id } = await opened(client)
    const other = await world.client()
    assertRefused(await change(other, id, { status: 'paused', events: ['nonsense.kind'] }), 404, 'not_found')
    assertRefused(await change(client, 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8', { status: 'paused' }), 404, 'not_found')
    const kept = (await client.get(WEBHOOKS.endpoints)).body.data.result.endpoints
    assert.equal(kept.find((each: { id: string }) => each.id === id).version, 1)
  })

  test('400 unknown_event_type changes nothing', async () => {
    const { id, version } = await opened(client)
    const answer = await change(client, id, { description: 'Not saved', events: ['order.creatd'], rotateSecret: true })
    assertRefused(answer, 400, 'unknown_event_type')
    assert.equal((await signing(id)).length, version)
  })

  test('400 for a body that changes nothing', async () => {
    const { id } = await opened(client)
    assertRefused(await change(client, id, {}), 400, 'validation_failed')
  })
})
