import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { change, opened } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { answering, isSigned, type Receiver, startReceiver } from '../../../../../test/support/network/receiver.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { outboundHttp, readAllowedTargets } from '../../../platform/outbound/index.ts'
import { type EventContext, publishEvent } from '../../../platform/outbox/outbox.ts'
import { RolledBack, statement } from '../../../platform/postgres/index.ts'
import { keyring } from '../../../platform/secrets/keyring.ts'
import { sendTest } from '../operator.ts'
import { DeliveryRounds } from './rounds.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000

let world: World
let receiver: Receiver
let other: Receiver
let context: () => EventContext
before(async () => {
  receiver = await startReceiver()
  other = await startReceiver()
  world = await startWorld({ environment: { WEBHOOK_ALLOWED_TARGETS: `${receiver.target},${other.target}` } })
  context = () => ({ ids: world.ids, now: world.clock.now() })
})
beforeEach(async () => {
  // Cancels the deliveries that the previous test left.
  await world.database.transaction(async (tx) => tx.write(silence, []))
  await deliver()
  for (const each of [receiver, other]) {
    each.arrivals.length = 0
    each.does(answering(204))
  }
})

const setInstallation = statement('test.set_installation', 'update installations set status = $2 where id = $1')
/** Replays of a delivery that wait for their next attempt. */
const replays = statement(
  'test.replays',
  `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, status, attempts, attempted_at, due_at,
     replay_of, created_at, updated_at)
   select left(id, -5) || lpad(n::text, 5, '0'), endpoint_id, event_id, event_type, sequence, status, attempts, attempted_at,
     due_at + interval '30 minutes', id, created_at, updated_at
   from webhook_deliveries, generate_series(1, $2::integer) n where id = $1`,
)
const silence = statement('test.silence', "update webhook_endpoints set status = 'paused' where status = 'enabled'")

/** Publishes `cart.revoked`. */
async function revoked(installationId: string, cartId: string = world.ids.next('cart')): Promise<string> {
  await world.database.transaction(async (tx) =>
    publishEvent(
      tx,
      {
        kind: 'cart.revoked',
        environment: 'test',
        installationId,
        storeId: null,
        subjectId: cartId,
        data: { cartId, version: 1, revokedAt: world.clock.now().toISOString(), reason: 'größe "\\/"' },
      },
      context(),
    ),
  )
  return cartId
}

interface Row {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly due_at: Date | null
  readonly endpoint_id: string
}
const listed = statement<Row>(
  'test.deliveries',
  'select id, status, attempts, due_at, endpoint_id from webhook_deliveries where endpoint_id = $1 order by id',
)
const deliveriesOf = (endpointId: string) => world.database.reader.rows(listed, [endpointId])
const statusesOf = async (endpointId: string) => (await deliveriesOf(endpointId)).map(({ status }) => status)
const deliver = () => world.app.deliveries.runDue()
const [, ...delays] = limits.webhooks.attemptDelaysSeconds

/** Advances the clock to the next attempt, and makes it. */
async function nextAttempt(endpointId: string): Promise<number> {
  const [row] = await deliveriesOf(endpointId)
  const waitMs = row!.due_at!.getTime() - world.clock.now().getTime()
  world.clock.advance(waitMs - 1)
  const before = receiver.arrivals.length
  await deliver()
  assert.equal(receiver.arrivals.length, before, 'nothing is sent a millisecond before its time')
  world.clock.advance(1)
  await deliver()
  return waitMs / SECOND_MS
}

async function listening(
  at: Receiver = receiver,
  events: readonly string[] = ['*'],
  environment: Environment = 'test',
) {
  const client = await world.client({ environment })
  const endpoint = await opened(client, { url: `${at.url}/hooks`, events })
  return { client, endpoint, installationId: client.installationId }
}

describe('an event', () => {
  test('arrives signed, with its stored body and its headers', async () => {
    const { endpoint, installationId } = await listening()
    const cartId = await revoked(installationId)
    await deliver()

    const [arrival, ...more] = receiver.arrivals
    assert.deepEqual(more, [])
    assert(arrival && isSigned(arrival, endpoint.secret))
    const [row] = await deliveriesOf(endpoint.id)
    const body = JSON.parse(arrival.body.toString())
    const { headers } = arrival
    assert.deepEqual(
      [body.type, body.data.cartId, body.sequence, headers['webhook-id'], headers['webhook-delivery-id']],
      ['cart.revoked', cartId, 1, body.id, row?.id],
    )
    assert.deepEqual([headers['webhook-attempt'], headers['content-type']], ['1', 'application/json'])
    assert.deepEqual([row?.status, row?.attempts, row?.due_at], ['succeeded', 1, null])
  })

  test('goes to each endpoint of its installation that is subscribed to its type, and to no other', async () => {
    const { client, endpoint, installationId } = await listening()
    const named = await opened(client, { url: `${receiver.url}/named`, events: ['cart.revoked'] })
    const deaf = await opened(client, { url: `${receiver.url}/deaf`, events: ['order.created'] })
    const paused = await opened(client, { url: `${receiver.url}/paused` })
    await change(client, paused.id, { status: 'paused' })
    const foreign = await listening()
    const live = await listening(receiver, ['*'], 'test')

    await revoked(installationId)
    await deliver()
    const counts = [endpoint, named, deaf, paused, foreign.endpoint, live.endpoint].map(async ({ id }) => {
      return (await deliveriesOf(id)).length
    })
    assert.deepEqual(await Promise.all(counts), [1, 1, 0, 0, 0, 0])
  })

  test('is delivered once, however many workers and rounds there are', async () => {
    const { endpoint, installationId } = await listening()
    await revoked(installationId)
    await Promise.all([deliver(), world.app.deliveries.round(), world.app.deliveries.round()])
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded'])
    assert.equal(receiver.arrivals.length, 1)
  })

  test('is not missed if its transaction commits after transactions that began later', async () => {
    const { endpoint, installationId } = await listening()
    await world.database.transaction(async (tx) => {
      const cartId = world.ids.next('cart')
      const data = { cartId, version: 1, revokedAt: world.clock.now().toISOString() }
      const event = {
        kind: 'cart.revoked',
        environment: 'test',
        installationId,
        storeId: null,
        subjectId: cartId,
      } as const
      publishEvent(tx, { ...event, data }, context())
      await revoked(installationId)
      await deliver()
      assert.equal(receiver.arrivals.length, 1)
    })
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded', 'succeeded'])
  })
})

describe('a failing receiver', () => {
  test('gets ten attempts on the schedule of the contract, each with the same body and its attempt number', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(500))
    await revoked(installationId)
    await deliver()
    const waits: number[] = []
    while ((await statusesOf(endpoint.id))[0] === 'retrying') waits.push(await nextAttempt(endpoint.id))

    assert.deepEqual(await statusesOf(endpoint.id), ['dead'])
    assert.equal(waits.length, delays.length)
    for (const [index, seconds] of waits.entries()) {
      const planned = delays[index]!
      assert(seconds >= planned * 0.9 && seconds <= planned * 1.1, `${seconds} s for ${planned} s`)
    }
    assert.equal(new Set(receiver.arrivals.map(({ body }) => body.toString('hex'))).size, 1)
    assert.equal(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.deepEqual(
      receiver.arrivals.map(({ headers }) => headers['webhook-attempt']),
      Array.from({ length: 10 }, (_, index) => String(index + 1)),
    )
  })

  for (const status of [301, 302, 307, 400, 404, 429, 503]) {
    test(`with ${status} is retried, and a redirect is not followed`, async () => {
      const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
      receiver.does(answering(status, { location: other.url }))
      await revoked(installationId)
      await deliver()
      assert.deepEqual(await statusesOf(endpoint.id), ['retrying'])
      assert.deepEqual(other.arrivals, [])
    })
  }

  test('can delay the retry by Retry-After, but not make it earlier', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(503, { 'retry-after': '120' }))
    await revoked(installationId)
    await deliver()
    assert.equal(await nextAttempt(endpoint.id), 120)
    receiver.does(answering(503, { 'retry-after': '0' }))
    await nextAttempt(endpoint.id)
    assert((await nextAttempt(endpoint.id)) >= 1800 * 0.9)
  })

  test('is not delayed by a clock that was an hour ahead', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(503))
    await revoked(installationId)
    await deliver()
    receiver.does(answering(200))
    world.clock.advance(3600 * SECOND_MS)
    await revoked(installationId)
    await deliver()
    receiver.does(answering(503))
    await revoked(installationId)
    await deliver()
    receiver.does(answering(200))

    world.clock.advance(-3600 * SECOND_MS)
    await deliver()
    world.clock.advance(6 * SECOND_MS)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded', 'succeeded', 'succeeded'])
  })

  test('that recovers ends the delivery, with each attempt in the log', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does((_arrival, response) => void response.destroy())
    await revoked(installationId)
    await deliver()
    receiver.does(answering(200))
    await nextAttempt(endpoint.id)
    const { body } = await client.get(`/api/v1/open/webhooks/deliveries?endpointId=${endpoint.id}`)
    const [delivery] = body.data.deliveries
    // Claimed and recorded twice.
    assert.deepEqual([delivery.status, delivery.version], ['succeeded', 5])
    assert.deepEqual(
      delivery.attempts.map(({ n, httpStatus, error }: Record<string, unknown>) => [n, httpStatus, error]),
      [
        [1, undefined, 'The connection was lost before the response was complete.'],
        [2, 200, undefined],
      ],
    )
  })
})

describe('an endpoint', () => {
  test('that answers 410 is disabled, and the other endpoints receive the reason', async () => {
    const { client, endpoint, installationId } = await listening()
    const watching = await opened(client, { url: `${other.url}/watch`, events: ['webhook.endpoint.disabled'] })
    receiver.does(answering(410))
    await revoked(installationId)
    await deliver()

    assert.deepEqual(await statusesOf(endpoint.id), ['dead'])
    const { body } = await client.get('/api/v1/open/webhooks/endpoints')
    const shown = body.data.result.endpoints.find(({ id }: { id: string }) => id === endpoint.id)
    assert.deepEqual([shown.status, shown.disabledReason], ['disabled', 'gone'])
    assert.deepEqual(await statusesOf(watching.id), ['succeeded'])
    const event = JSON.parse(other.arrivals[0]!.body.toString())
    assert.deepEqual(
      [event.type, event.data.endpointId, event.data.reason],
      ['webhook.endpoint.disabled', endpoint.id, 'gone'],
    )

    await revoked(installationId)
    await deliver()
    assert.equal((await deliveriesOf(endpoint.id)).length, 1)
  })

  test('that fails ten times in a row is probed once a minute until it answers', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(500))
    for (let index = 0; index < 15; index += 1) await revoked(installationId)
    await deliver()
    const called = receiver.arrivals.length
    assert(called >= 10 && called <= 14, `${called} calls before the breaker opened`)

    world.clock.advance(59 * SECOND_MS)
    await deliver()
    assert.equal(receiver.arrivals.length, called)
    world.clock.advance(1 * SECOND_MS)
    await deliver()
    assert.equal(receiver.arrivals.length, called + 1)

    receiver.does(answering(200))
    world.clock.advance(60 * SECOND_MS)
    await deliver()
    world.clock.advance(400 * SECOND_MS)
    await deliver()
    assert.deepEqual(new Set(await statusesOf(endpoint.id)), new Set(['succeeded']))
  })

  test('that only failed for five days is disabled, with the reason', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(500))
    for (let day = 0; day < 5; day += 1) {
      await revoked(installationId)
      await deliver()
      world.clock.advance(DAY_MS - 1)
    }
    const statusOf = async () => {
      const { body } = await client.get('/api/v1/open/webhooks/endpoints')
      const [shown] = body.data.result.endpoints
      return [shown.status, shown.disabledReason]
    }
    await deliver()
    assert.deepEqual(await statusOf(), ['enabled', undefined])
    world.clock.advance(60 * SECOND_MS)
    await deliver()
    assert.deepEqual(await statusOf(), ['disabled', 'failing'])
    assert.deepEqual(new Set(await statusesOf(endpoint.id)), new Set(['canceled']))
  })

  test('that is paused has its waiting deliveries canceled', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(500))
    await revoked(installationId)
    await deliver()
    await revoked(installationId)
    await change(client, endpoint.id, { status: 'paused' })
    world.clock.advance(10 * SECOND_MS)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['canceled'])
    assert.equal(receiver.arrivals.length, 1)
  })

  test('that is paused has thousands of waiting deliveries canceled at once, and gets none of them when it is enabled', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(answering(500))
    await revoked(installationId)
    await deliver()
    const [first] = await deliveriesOf(endpoint.id)
    await world.database.transaction(async (tx) => tx.write(replays, [first!.id, 2500], { rows: 2500 }))
    receiver.does(answering(204))

    await change(client, endpoint.id, { status: 'paused' })
    await deliver()
    await change(client, endpoint.id, { status: 'enabled' })
    world.clock.advance(3600 * SECOND_MS)
    await deliver()

    assert.deepEqual(new Set(await statusesOf(endpoint.id)), new Set(['canceled']))
    assert.equal(receiver.arrivals.length, 1)
  })

  test('of a suspended installation receives nothing until it is active again, and its waiting deliveries are canceled', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    const set = (status: string) =>
      world.database.transaction(async (tx) => tx.write(setInstallation, [installationId, status]))
    receiver.does(answering(500))
    await revoked(installationId)
    await deliver()
    receiver.does(answering(204))
    await set('suspended')
    world.clock.advance(10 * SECOND_MS)
    await revoked(installationId)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['canceled'])
    await assert.rejects(
      world.database.transaction((tx) => sendTest(tx, { endpointId: endpoint.id, message: 'Hello' }, context())),
      { code: 'state_conflict' },
    )
    assert.equal(receiver.arrivals.length, 1)

    await set('active')
    await revoked(client.installationId)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['canceled', 'succeeded'])
  })

  test('has at most five requests in flight', async () => {
    const { installationId } = await listening(receiver, ['cart.revoked'])
    let open = 0
    let most = 0
    receiver.does(async (_arrival, response) => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 5))
      open -= 1
      response.writeHead(204).end()
    })
    for (let index = 0; index < 30; index += 1) await revoked(installationId)
    await deliver()
    assert.deepEqual([receiver.arrivals.length, most], [30, limits.webhooks.inFlightPerEndpointMax])
  })

  test('that does not answer does not delay others', async () => {
    const slow = await listening(receiver, ['cart.revoked'])
    const quick = await listening(other, ['cart.revoked'])
    const held: (() => void)[] = []
    receiver.does((_arrival, response) => void held.push(() => response.writeHead(204).end()))
    for (let index = 0; index < 20; index += 1) await revoked(slow.installationId)
    for (let index = 0; index < 20; index += 1) await revoked(quick.installationId)

    for (let rounds = 0; rounds < 200 && other.arrivals.length < 20; rounds += 1) {
      await world.app.deliveries.round()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual([other.arrivals.length, receiver.arrivals.length], [20, 5])
    receiver.does(answering(204))
    for (const answer of held) answer()
    await deliver()
    assert.deepEqual(new Set(await statusesOf(slow.endpoint.id)), new Set(['succeeded']))
  })
})

/** Another worker on the same database. */
function anotherWorker(timeoutMs: number, database = world.database) {
  const { clock, ids } = world
  const randomness = testRandomness('another worker')
  return new DeliveryRounds({
    database,
    clock,
    ids,
    randomness,
    keyring: keyring([Buffer.alloc(32, 7)], randomness),
    outboundHttp: outboundHttp({ allowed: readAllowedTargets(`${receiver.target},${other.target}`), timeoutMs }),
    log: logger('silent'),
  })
}

describe('a worker', () => {
  test('times out a receiver that stalls or drips, and retries on schedule', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does((_arrival, response) => void response.writeHead(200).write('.'))
    await revoked(installationId)
    await anotherWorker(100).runDue()
    const [row] = await deliveriesOf(endpoint.id)
    assert.deepEqual([row?.status, row?.attempts], ['retrying', 1])
    assert(row!.due_at!.getTime() >= world.clock.now().getTime() + 4.5 * SECOND_MS)
  })

  test('that is stopped claims no more deliveries, and releases those that do not finish in time', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    receiver.does(() => {})
    await revoked(installationId)
    const stopping = anotherWorker(10_000)
    await stopping.round()
    while (receiver.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await revoked(installationId)
    await stopping.close(20)

    assert.equal((await deliveriesOf(endpoint.id)).length, 1, 'the second event waits for another worker')
    receiver.does(answering(204))
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded', 'succeeded'])
    const { body } = await client.get(`/api/v1/open/webhooks/deliveries?endpointId=${endpoint.id}`)
    const attempts = body.data.deliveries.flatMap(({ attempts }: { attempts: { error?: string }[] }) => attempts)
    assert.deepEqual(attempts.map(({ error }: { error?: string }) => error).filter(Boolean), [
      'The request was interrupted by a shutdown.',
    ])
  })

  test('that loses the database for longer than a lease records the attempts that it has sent, once', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    await revoked(installationId)
    await revoked(installationId)
    let isAway = false
    const transaction: typeof world.database.transaction = async (work) => {
      if (isAway) throw new RolledBack(new Error('away'))
      return world.database.transaction(work)
    }
    const worker = anotherWorker(10_000, { ...world.database, transaction })
    await worker.round()
    isAway = true
    await assert.rejects(worker.runDue(), RolledBack)
    world.clock.advance(45 * SECOND_MS)
    await assert.rejects(worker.round(), RolledBack)
    isAway = false
    world.clock.advance(2 * SECOND_MS)
    await worker.runDue()

    assert.deepEqual(
      (await deliveriesOf(endpoint.id)).map(({ status, attempts }) => [status, attempts]),
      [
        ['succeeded', 1],
        ['succeeded', 1],
      ],
    )
    assert.equal(receiver.arrivals.length, 2)
  })

  test('that died is replaced by another when its lease expires, and not before', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    await revoked(installationId)
    const held = Promise.withResolvers<void>()
    receiver.does((_arrival, response) => void held.promise.then(() => response.writeHead(204).end()))
    const dying = anotherWorker(10_000)
    await dying.round()
    receiver.does(answering(204))

    world.clock.advance(29 * SECOND_MS)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['delivering'])
    world.clock.advance(1 * SECOND_MS)
    await deliver()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded'])

    // It was only slow: its late result is ignored.
    held.resolve()
    await dying.runDue()
    const [row] = await deliveriesOf(endpoint.id)
    assert.deepEqual([row?.status, row?.attempts], ['succeeded', 2])
  })

  test('that was slow continues if the worker that replaced it died', async () => {
    const { endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    await revoked(installationId)
    const stalled = Promise.withResolvers<void>()
    receiver.does((_arrival, response) => void stalled.promise.then(() => response.writeHead(204).end()))
    const [slow, dying] = [anotherWorker(10_000), anotherWorker(10_000)]
    for (const worker of [slow, dying, dying]) {
      await worker.round()
      world.clock.advance(30 * SECOND_MS)
    }
    stalled.resolve()
    await slow.runDue()
    assert.deepEqual(await statusesOf(endpoint.id), ['succeeded'])
  })
})

describe('a replay', () => {
  test('sends the same event as a new delivery', async () => {
    const { client, endpoint, installationId } = await listening(receiver, ['cart.revoked'])
    await revoked(installationId)
    await deliver()
    const [first] = await deliveriesOf(endpoint.id)
    const answer = await client.post(`/api/v1/open/webhooks/deliveries/${first!.id}/replay`, {})
    assert.equal(answer.status, 200, answer.text)
    await deliver()
    const [one, two] = receiver.arrivals
    assert.deepEqual(one?.body, two?.body)
    assert.equal(one?.headers['webhook-id'], two?.headers['webhook-id'])
    assert.notEqual(one?.headers['webhook-delivery-id'], two?.headers['webhook-delivery-id'])
  })
})
