import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { WebhookDelivery } from '@vitrine/contract'
import type { Answer } from '../../../../../test/support/client.ts'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { logged, opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
before(async () => {
  world = await startWorld()
})

/** An installation with an endpoint, and a function that writes into its log. */
async function listener() {
  const client = await world.client()
  const { id: endpointId } = await opened(client)
  const log = (more: Partial<Parameters<typeof logged>[1]> = {}) =>
    logged(world, { installationId: client.installationId, endpointId, ...more })
  const list = async (query = ''): Promise<readonly WebhookDelivery[]> =>
    (await client.get(WEBHOOKS.deliveries + query)).body.data.deliveries
  return { client, endpointId, log, list }
}

const idsOf = (deliveries: readonly { readonly id: string }[]) => deliveries.map(({ id }) => id)

describe('listInstallationWebhookDeliveries', () => {
  test('200 shows each delivery with all attempts, their duration and result', async () => {
    const { endpointId, log, list } = await listener()
    const { id, eventId } = await log({
      status: 'retrying',
      attempts: [
        { durationMs: 84, httpStatus: 503 },
        { durationMs: 15_000, error: 'timeout' },
      ],
    })
    const at = world.clock.now().toISOString()
    assert.deepEqual(await list(), [
      {
        id,
        endpointId,
        eventId,
        eventType: 'cart.revoked',
        sequence: 1,
        status: 'retrying',
        attempts: [
          { n: 1, at, durationMs: 84, httpStatus: 503 },
          { n: 2, at, durationMs: 15_000, error: 'timeout' },
        ],
        nextAttemptAt: at,
        version: 1,
        createdAt: at,
        updatedAt: at,
      },
    ])
  })

  test('200 filters by endpoint, status and event type, alone and combined', async () => {
    const { client, endpointId, log, list } = await listener()
    const { id: otherEndpoint } = await opened(client)
    const dead = await log({ status: 'dead' })
    const elsewhere = await log({ endpointId: otherEndpoint, status: 'dead', eventType: 'order.created' })
    const fine = await log({ eventType: 'order.created' })
    assert.deepEqual(idsOf(await list()), idsOf([fine, elsewhere, dead]))
    assert.deepEqual(idsOf(await list('?status=dead')), idsOf([elsewhere, dead]))
    assert.deepEqual(idsOf(await list('?eventType=order.created')), idsOf([fine, elsewhere]))
    assert.deepEqual(idsOf(await list(`?endpointId=${endpointId}`)), idsOf([fine, dead]))
    const all = `?endpointId=${otherEndpoint}&status=dead&eventType=order.created`
    assert.deepEqual(idsOf(await list(all)), [elsewhere.id])
  })

  test("200 shows no other installation's deliveries, even by endpoint id", async () => {
    const { endpointId, log } = await listener()
    await log()
    const other = await listener()
    assert.deepEqual(await other.list(), [])
    assert.deepEqual(await other.list(`?endpointId=${endpointId}`), [])
  })

  test('200 pages through several endpoints, each delivery once, while new ones arrive', async () => {
    const { client, log } = await listener()
    const { id: otherEndpoint } = await opened(client)
    const written: string[] = []
    for (let index = 0; index < 120; index += 1) {
      const { id } = await log({ status: 'dead', ...(index % 3 === 0 && { endpointId: otherEndpoint }) })
      written.unshift(id)
    }
    const walked: string[] = []
    for (let next: string | null = `${WEBHOOKS.deliveries}?status=dead`; next !== null; ) {
      const { data }: Answer['body'] = (await client.get(next)).body
      walked.push(...idsOf(data.deliveries))
      next = data.next
      await log({ status: 'dead' })
    }
    assert.deepEqual(walked, written)
  })

  test('200 takes as many queries for fifty deliveries as for one', async () => {
    const { client, log, list } = await listener()
    const countQueries = async () => {
      const before = world.database.counters().queries
      await list()
      return world.database.counters().queries - before
    }
    await log()
    await countQueries()
    const one = await countQueries()
    for (let index = 0; index < 49; index += 1) await log()
    await opened(client)
    await countQueries()
    assert.equal(await countQueries(), one)
  })

  test('400 unknown_event_type', async () => {
    const { client } = await listener()
    const answer = await client.get(`${WEBHOOKS.deliveries}?eventType=order.creatd`)
    assertRefused(answer, 400, 'unknown_event_type')
  })

  test('400 invalid_cursor: tampered with, or from other filters', async () => {
    const { client, log } = await listener()
    for (let index = 0; index < 51; index += 1) await log()
    const { next } = (await client.get(WEBHOOKS.deliveries)).body.data
    for (const wrong of [`${next}&status=dead`, next.replace(/.$/, '!'), next.replace('cursor=', 'cursor=x')]) {
      const answer = await client.get(wrong)
      assert.equal(answer.status, 400, answer.text)
    }
    assertRefused(await client.get(`${next}&status=dead`), 400, 'invalid_cursor')
    const other = await listener()
    assertRefused(await other.client.get(next), 400, 'invalid_cursor')
  })
})
