// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { idSource, logger, openDatabase, systemClock, systemRandomness } from '@vitrine/server'
import { DeliveryRounds } from '../../server/src/features/webhooks/index.ts'
import { outboundHttp, readAllowedTargets } from '../../server/src/platform/outbound/index.ts'
import { publishEvent } from '../../server/src/platform/outbox/outbox.ts'
import { keyring } from '../../server/src/platform/secrets/keyring.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { connectionProxy } from '../support/network/connection-proxy.ts'
import { answering, startReceiver } from '../support/network/receiver.ts'
import { background, type Running, temporaryFolder } from '../support/processes/command.ts'
import { runsOf } from '../support/runs.ts'

/**
 * Workers that die, compete, or lose the database: every event arrives and is one delivery per endpoint. It arrives twice only
 * if a worker died, or could not write, between the response and its record; crash-matrix.test.ts covers exactly that moment.
 */
const SEALING_KEY = Buffer.alloc(32, 7)
const ENDPOINTS = 4
let shop: Shop
let dataDirectory: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
before(async () => {
  receiver = await startReceiver()
  shop = await startShop({ environment: { WEBHOOK_ALLOWED_TARGETS: receiver.target } })
  dataDirectory = await temporaryFolder()
})

/** Creates installations with an endpoint each, and publishes events spread over them. */
async function publishEvents(events: number): Promise<readonly string[]> {
  receiver.arrivals.length = 0
  receiver.does(answering(204))
  const each = Array.from({ length: ENDPOINTS }, async (_, index) => {
    const client = await shop.client()
    await opened(client, { url: `${receiver.url}/${index}`, events: ['cart.revoked'] })
    await revoked(client.installationId, events / ENDPOINTS)
    return client.installationId
  })
  const rows = await shop.query("select id from events where kind = 'cart.revoked' and installation_id = any($1)", [
    await Promise.all(each),
  ])
  assert.equal(rows.length, events)
  return rows.map(({ id }) => String(id))
}

/** Publishes `cart.revoked` events, a hundred per transaction. */
async function revoked(installationId: string, count: number): Promise<void> {
  const context = { ids: idSource(systemClock, systemRandomness()), now: new Date() }
  const cartIds = Array.from({ length: count }, () => context.ids.next('cart'))
  for (let from = 0; from < count; from += 100) {
    await shop.database.transaction(async (tx) => {
      for (const cartId of cartIds.slice(from, from + 100)) {
        const data = { cartId, version: 1, revokedAt: context.now.toISOString() }
        const whose = { environment: 'test', installationId, storeId: null, subjectId: cartId } as const
        publishEvent(tx, { kind: 'cart.revoked', ...whose, data }, context)
      }
    })
  }
}

/** Starts a worker, and waits until it works: a process that still loads is ended by a signal that it does not handle yet. */
async function worker(): Promise<Running> {
  const started = background(['start', '--json', '--empty', '--roles', 'worker'], {
    env: {
      DATABASE_URL: shop.databaseUrl,
      DATA_DIR: dataDirectory,
      SEALING_KEY: SEALING_KEY.toString('base64'),
      WEBHOOK_ALLOWED_TARGETS: receiver.target,
      LOG_LEVEL: 'error',
    },
  })
  await started.saying(/"doors"/)
  return started
}

/** The deliveries of events by status. */
async function statuses(eventIds: readonly string[]): Promise<Record<string, number>> {
  const rows = await shop.query(
    'select status, count(*)::integer as count from webhook_deliveries where event_id = any($1) group by status',
    [eventIds],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]))
}

async function until(holds: () => boolean | Promise<boolean>, seconds = 120): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await holds())) {
    assert(performance.now() < end, `not within ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Expires leases by moving the clock by half a minute. */
const leasesRunOut = () =>
  shop.run("update webhook_deliveries set lease_until = '2026-01-01' where lease_until is not null")

/** Asserts that every event arrived and is one delivery. Returns how many arrived more than once. */
async function assertDelivered(eventIds: readonly string[]): Promise<number> {
  const expected = eventIds.length
  await until(async () => (await statuses(eventIds)).succeeded === expected)
  assert.deepEqual(await statuses(eventIds), { succeeded: expected })
  const arrived = new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']))
  assert.equal(arrived.size, expected, 'every event arrived')
  return receiver.arrivals.length - expected
}

/** The number of deliveries in flight at once, which may arrive again for each killed worker. */
const IN_FLIGHT_MAX = limits.webhooks.inFlightPerEndpointMax * ENDPOINTS

describe('deliveries', () => {
  test('of hundreds of events arrive with two workers, killed one after another', async () => {
    const events = runsOf({ full: 10_000, short: 500 })
    const kills = runsOf({ full: 4, short: 2 })
    const eventIds = await publishEvents(events)
    const working = await Promise.all([worker(), worker()])
    for (let killed = 1; killed <= kills; killed += 1) {
      await until(() => receiver.arrivals.length >= (killed * events) / 6)
      const victim = working.shift()!
      victim.child.kill('SIGKILL')
      await victim.ended
      await leasesRunOut()
      working.push(await worker())
    }
    const again = await assertDelivered(eventIds)
    // Advancing the clock expires the leases of live workers as well.
    assert(again <= kills * 2 * IN_FLIGHT_MAX, `${again} arrived again`)
    for (const each of working) each.child.kill('SIGTERM')
    for (const each of working) assert.equal((await each.ended).code, 0)
  })

  test('arrive if the database connection is lost repeatedly', async () => {
    const eventIds = await publishEvents(runsOf({ full: 2000, short: 500 }))
    const proxy = await connectionProxy(shop.databaseUrl)
    const database = openDatabase({ url: proxy.url, onConnectionError: () => {} })
    const calls = outboundHttp({ allowed: readAllowedTargets(receiver.target), timeoutMs: 5000 })
    const randomness = systemRandomness()
    const rounds = new DeliveryRounds({
      database,
      clock: systemClock,
      ids: idSource(systemClock, randomness),
      randomness,
      keyring: keyring([SEALING_KEY], randomness),
      outboundHttp: calls,
      log: logger('silent'),
    })
    let losses = 0
    let isDone = false
    const cutting = (async () => {
      for (const how of ['before', 'after', 'all', 'before', 'after', 'before', 'all'] as const) {
        const seen = receiver.arrivals.length
        await until(() => receiver.arrivals.length >= seen + 100 || isDone)
        if (how === 'all') proxy.cutAll()
        else void proxy.failNextCommit(how)
        losses += 1
      }
    })()
    let failures = 0
    for (;;) {
      try {
        await rounds.runDue()
        const { succeeded = 0 } = await statuses(eventIds)
        if (succeeded === eventIds.length) break
      } catch (error) {
        failures += 1
        assert(failures < 200, String(error))
      }
      await leasesRunOut()
    }
    isDone = true
    await cutting
    const again = await assertDelivered(eventIds)
    assert(losses === 7 && again <= losses * IN_FLIGHT_MAX, `${again} arrived again after ${losses} losses`)
    calls.close()
    await database.close()
    await proxy.close()
  })
})
