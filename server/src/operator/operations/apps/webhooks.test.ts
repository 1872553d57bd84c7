import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { logged, opened } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const ABSENT_ENDPOINT = 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8'
const ABSENT_DELIVERY = 'whd_01k5b7m2q8e9rtv3w4x5y6z7a8'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
async function endpoint() {
  world.clock.advance(1000)
  const client = await world.client()
  const { id } = await opened(client)
  return { id, installationId: client.installationId }
}

describe('webhook endpoints', () => {
  test('of all installations are listed newest first, in pages, and found by URL', async () => {
    const [first, second] = [await endpoint(), await endpoint()]
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await operator.get(`/webhook-endpoints?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.items.map((item: { endpoint: { id: string } }) => item.endpoint.id))
      cursor = body.data.nextCursor ?? ''
    } while (cursor)
    assert.deepEqual(seen.slice(0, 2), [second.id, first.id])
    const { endpoint: shown } = (await operator.get(`/webhook-endpoints/${first.id}`)).body.data
    const found = (await operator.get(`/webhook-endpoints?q=${encodeURIComponent(shown.url)}`)).body.data.items
    assert.ok(found.some((item: { endpoint: { id: string } }) => item.endpoint.id === first.id))
    assert.deepEqual((await operator.get('/webhook-endpoints?status=disabled')).body.data.items, [])
    assert.deepEqual(codeOf(await operator.get('/webhook-endpoints?cursor=eyJ9.abc')), [400, 'invalid_cursor'])
    assert.deepEqual(codeOf(await operator.get(`/webhook-endpoints/${ABSENT_ENDPOINT}`)), [404, 'not_found'])
  })

  test('are paused, which cancels pending deliveries, and enabled again; both are in the audit log', async () => {
    const { id, installationId } = await endpoint()
    const waiting = await logged(world, { installationId, endpointId: id, status: 'pending' })
    const paused = await operator.change('PATCH', `/webhook-endpoints/${id}`, { status: 'paused' })
    assert.equal(paused.endpoint.status, 'paused')
    const { delivery } = (await operator.get(`/webhook-deliveries/${waiting.id}`)).body.data
    assert.equal(delivery.status, 'canceled')
    const test = await operator.send('POST', `/webhook-endpoints/${id}/test`, { message: 'Hello' })
    assert.deepEqual([...codeOf(test), test.body.conflict.currentState], [409, 'state_conflict', 'paused'])
    world.clock.advance(1000)
    const enabled = await operator.change('PATCH', `/webhook-endpoints/${id}`, { status: 'enabled' })
    assert.equal(enabled.endpoint.status, 'enabled')
    const entries = (await operator.get(`/audit-log?subject=${id}`)).body.data.items
    const changes = entries.map((entry: { before: object; after: object }) => [entry.before, entry.after])
    assert.deepEqual(changes.reverse(), [
      [{ status: 'enabled' }, { status: 'paused' }],
      [{ status: 'paused' }, { status: 'enabled' }],
    ])
    const absent = await operator.send('PATCH', `/webhook-endpoints/${ABSENT_ENDPOINT}`, { status: 'paused' })
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })

  test('receive a test event, which is listed among the deliveries with its body', async () => {
    const { id } = await endpoint()
    await operator.change('POST', `/webhook-endpoints/${id}/test`, { message: 'Hello there' })
    await world.work()
    const { items } = (await operator.get(`/webhook-endpoints/${id}/deliveries`)).body.data
    assert.deepEqual([items.length, items[0].eventType], [1, 'webhook.test'])
    const read = (await operator.get(`/webhook-deliveries/${items[0].id}`)).body.data
    assert.equal(JSON.parse(read.body).data.message, 'Hello there')
    assert.equal(Buffer.byteLength(read.body), read.bodyBytes)
    const absent = await operator.send('POST', `/webhook-endpoints/${ABSENT_ENDPOINT}/test`, { message: 'Hello' })
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })
})

describe('webhook deliveries', () => {
  test('are listed newest first, by status and by kind', async () => {
    const { id, installationId } = await endpoint()
    const made: string[] = []
    for (const status of ['dead', 'succeeded', 'succeeded'] as const) {
      world.clock.advance(1000)
      made.unshift((await logged(world, { installationId, endpointId: id, status })).id)
    }
    const idsOf = async (query: string) => {
      const { body } = await operator.get(`/webhook-endpoints/${id}/deliveries${query}`)
      return body.data.items.map((item: { id: string }) => item.id)
    }
    assert.deepEqual(await idsOf(''), made)
    assert.deepEqual(await idsOf('?status=dead'), made.slice(2))
    assert.deepEqual(await idsOf('?eventType=order.created'), [])
    const path = `/webhook-endpoints/${id}/deliveries`
    const { nextCursor } = (await operator.get(`${path}?limit=2`)).body.data
    assert.deepEqual(await idsOf(`?limit=2&cursor=${nextCursor}`), made.slice(2))
    const foreign = await operator.get(`${path}?status=dead&cursor=${nextCursor}`)
    assert.deepEqual(codeOf(foreign), [400, 'invalid_cursor'])
    const absent = await operator.get(`/webhook-endpoints/${ABSENT_ENDPOINT}/deliveries`)
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
    assert.deepEqual(codeOf(await operator.get(`/webhook-deliveries/${ABSENT_DELIVERY}`)), [404, 'not_found'])
  })

  test('are replayed as new deliveries, unless they are in progress or the endpoint is not enabled', async () => {
    const { id, installationId } = await endpoint()
    const [dead, waiting] = [
      await logged(world, { installationId, endpointId: id, status: 'dead' }),
      await logged(world, { installationId, endpointId: id, status: 'retrying' }),
    ]
    const replay = await operator.change('POST', `/webhook-deliveries/${dead.id}/replay`, { reason: 'They were down.' })
    assert.deepEqual([replay.status, replay.replayOf, replay.eventId], ['pending', dead.id, dead.eventId])
    const early = await operator.send('POST', `/webhook-deliveries/${waiting.id}/replay`, {})
    assert.deepEqual([...codeOf(early), early.body.conflict.currentState], [409, 'delivery_in_progress', 'retrying'])
    await operator.change('PATCH', `/webhook-endpoints/${id}`, { status: 'paused' })
    const nowhere = await operator.send('POST', `/webhook-deliveries/${dead.id}/replay`, {})
    assert.deepEqual(codeOf(nowhere), [409, 'endpoint_disabled'])
    const absent = await operator.send('POST', `/webhook-deliveries/${ABSENT_DELIVERY}/replay`, {})
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })
})
