import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type EventKind, type EventKindEntry, eventKinds, type WebhookDelivery } from '@vitrine/contract'
import { type WebhookEvent, webhookVerifier } from '@vitrine/sdk'
import { bought, markArrived, postAfterSales, postCancellation } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { change, opened, WEBHOOKS } from '../support/commerce/webhook-endpoints.ts'
import { type Arrival, answering, startReceiver } from '../support/network/receiver.ts'
import type { InstallationClient } from '../support/world.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let shop: Shop
let client: InstallationClient
before(async () => {
  receiver = await startReceiver()
  shop = await startShop({ environment: { WEBHOOK_ALLOWED_TARGETS: receiver.target } })
  client = await checkoutClient(shop)
})

/** The events that arrived since the last call, parsed by the SDK. */
async function received(...secrets: string[]): Promise<readonly WebhookEvent[]> {
  const verifier = webhookVerifier({ secret: secrets, now: () => shop.clock.now() })
  const arrived = receiver.arrivals.splice(0)
  return Promise.all(arrived.map(({ body, headers }) => verifier.verify(body, headers)))
}

const summary = (events: readonly WebhookEvent[]) => events.map(({ type, sequence }) => `${type} ${sequence}`).sort()

async function deliveries(query: string): Promise<readonly WebhookDelivery[]> {
  return (await client.get(`${WEBHOOKS.deliveries}?${query}`)).body.data.deliveries
}

describe('an installation with webhooks', () => {
  test('creates an endpoint, follows an order, rotates its secret, misses an event and replays it', async () => {
    const events = ['order.created', 'order.updated', 'order.canceled', 'cart.revoked']
    const { id, secret } = await opened(client, { url: `${receiver.url}/hooks`, events })

    // The endpoint receives only new events of its subscribed types.
    const order = await bought(shop, client, { MUG: 2 })
    await shop.work()
    const [created, ...others] = await received(secret)
    assert(created?.type === 'order.created' && others.length === 0, summary(others).join())
    assert.deepEqual(
      [created.sequence, created.environment, created.data.orderId, created.data.total],
      [1, 'test', order.id, { amount: 2 * 1254 + 490, currency: 'EUR' }],
    )

    // The sequence of one order has no gap, in whatever order events arrive.
    const canceled = await postCancellation(client, order.id)
    assert.equal(canceled.status, 200, canceled.text)
    await shop.work()
    const after = (await received(secret)).filter(({ type }) => type.startsWith('order.'))
    const numbers = [created, ...after].map(({ sequence }) => sequence).sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
    assert(after.some(({ type }) => type === 'order.canceled'))

    // During the rotation, a receiver with either secret verifies.
    const { secret: next } = (await change(client, id, { rotateSecret: true })).body.data
    const cart = await cartOf(shop, client, { MUG: 1 })
    await client.post(`${CARTS}/${cart.id}/revoke`, { reason: 'Started over' })
    await shop.work()
    const [arrival] = receiver.arrivals as [Arrival]
    for (const each of [secret, next]) {
      const verifier = webhookVerifier({ secret: each, now: () => shop.clock.now() })
      assert.equal((await verifier.verify(arrival.body, arrival.headers)).type, 'cart.revoked')
    }
    receiver.arrivals.splice(0)

    // The receiver was down; the installation replays the missed event: the same body and id.
    receiver.does(answering(503))
    const second = await cartOf(shop, client, { MUG: 1 })
    await client.post(`${CARTS}/${second.id}/revoke`, {})
    await shop.work()
    const [missed] = receiver.arrivals.splice(0) as [Arrival]
    const [waiting] = await deliveries(`endpointId=${id}&status=retrying`)
    assert.deepEqual(
      waiting?.attempts.map(({ n, httpStatus }) => [n, httpStatus]),
      [[1, 503]],
    )
    const early = await client.post(`${WEBHOOKS.deliveries}/${waiting?.id}/replay`, {})
    assert.deepEqual([early.status, early.body.code], [409, 'delivery_in_progress'])

    receiver.does(answering(204))
    shop.clock.advance(10_000)
    await shop.work()
    const replayed = await client.post(`${WEBHOOKS.deliveries}/${waiting?.id}/replay`, { reason: 'We lost it.' })
    assert.equal(replayed.status, 200, replayed.text)
    await shop.work()
    assert.equal(receiver.arrivals.length, 2, 'the retry and the replay')
    for (const each of receiver.arrivals) {
      assert.deepEqual([each.body, each.headers['webhook-id']], [missed.body, missed.headers['webhook-id']])
    }
    const numbered = receiver.arrivals.map(({ headers }) => headers['webhook-delivery-id'])
    assert.deepEqual(numbered, [waiting?.id, replayed.body.data.result.id])
    assert.deepEqual(summary(await received(next)), ['cart.revoked 1', 'cart.revoked 1'])
    const [last] = await deliveries(`endpointId=${id}`)
    assert.deepEqual([last?.status, last?.replayOf], ['succeeded', waiting?.id])
  })
})

const PREFIXES: Readonly<Record<EventKindEntry['subject'], string>> = {
  checkout_session: 'cks',
  order: 'ord',
  cancellation: 'can',
  after_sales: 'asr',
  cart: 'cart',
  product: 'prod',
  webhook_endpoint: 'whe',
}

test('an event is counted for the object that its reference names', async () => {
  const canceled = await bought(shop, client, { MUG: 1 })
  assert.equal((await postCancellation(client, canceled.id)).status, 200)
  const returned = await bought(shop, client, { MUG: 1 })
  await markArrived(shop, returned)
  const lines = [{ lineId: returned.lines[0]!.id, quantity: 1 }]
  assert.equal((await postAfterSales(client, returned.id, { lines })).status, 200)
  const cart = await cartOf(shop, client, { MUG: 1 })
  await client.post(`${CARTS}/${cart.id}/revoke`, {})
  const rows = await shop.query(
    "select distinct kind, split_part(subject_id, '_', 1) as prefix from events where body is not null order by kind",
    [],
  )
  const counted = rows.map(({ kind, prefix }) => [kind, prefix])
  const named = rows.map(({ kind }) => [kind, PREFIXES[eventKinds[kind as EventKind].subject]])
  assert.deepEqual(counted, named)
  assert.deepEqual(
    new Set(named.map(([, prefix]) => prefix)).intersection(new Set(['cks', 'ord', 'can', 'asr', 'cart'])).size,
    5,
  )
})
