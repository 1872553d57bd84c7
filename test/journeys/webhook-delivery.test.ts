import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { webhookVerifier } from '@vitrine/sdk'
import { type Role, statement } from '@vitrine/server'
import { catalogOn, storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { type Arrival, answering, type Receiver, startReceiver } from '../support/network/receiver.ts'
import { type Service, startService } from '../support/processes/service.ts'

/*
 * An app receives events without polling, from a worker process that loses no event when it is restarted for an update.
 */

let receiver: Receiver
let startWith: (roles: readonly Role[]) => Promise<Service>
let shop: Service
before(async () => {
  receiver = await startReceiver()
  const { database, url } = await testDatabase()
  const environment = {
    // The last test makes rounds fail.
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOWED_TARGETS: receiver.target,
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  startWith = (roles) => startService({ databaseUrl: url, roles, environment })
  await catalogOn(database).has([storeLine('pots')])
  shop = await startWith(['public'])
})

type App = Awaited<ReturnType<Service['app']>>
async function revokedCart(app: App): Promise<string> {
  const cart = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
  await app.call('revokePublicCart', { params: { cartId: cart.id }, body: {} })
  return cart.id
}

/** The next delivery to arrive, and its response. */
function nextArrival(receive: ReturnType<typeof answering>): Promise<Arrival> {
  return new Promise((resolve) => {
    receiver.does((arrival, response) => {
      resolve(arrival)
      return receive(arrival, response)
    })
  })
}

describe('a subscribed app', () => {
  test('receives events as soon as a worker runs, including those published while none did', async () => {
    const app = await shop.app()
    const { secret = '' } = await app.call('createInstallationWebhook', {
      body: { url: `${receiver.url}/hooks`, events: ['cart.revoked'] },
    })
    const cartId = await revokedCart(app)
    const arriving = nextArrival(answering(204))

    const worker = await startWith(['worker'])
    const { body, headers } = await arriving
    const event = await webhookVerifier({ secret }).verify(body, headers)
    assert(event.type === 'cart.revoked')
    assert.equal(event.data.cartId, cartId)
    await worker.stop()
  })

  test('is not called twice if a worker is stopped during the request', async () => {
    const app = await shop.app()
    await app.call('createInstallationWebhook', { body: { url: `${receiver.url}/slow`, events: ['cart.revoked'] } })
    const worker = await startWith(['worker'])
    const release = Promise.withResolvers<void>()
    const arriving = nextArrival(async (_arrival, response) => {
      await release.promise
      response.writeHead(204).end()
    })
    await revokedCart(app)
    await arriving
    const stopped = worker.stop()
    release.resolve()
    await stopped

    const { deliveries } = await app.call('listInstallationWebhookDeliveries')
    assert.deepEqual(
      deliveries.map(({ status, attempts }) => [status, attempts.length]),
      [['succeeded', 1]],
    )
  })
})

test('a node is not ready while its webhook delivery is stalled, and ready again when it resumes', async () => {
  const node = await startWith(['worker', 'operator'])
  const rename = (from: string, to: string) =>
    node.database.transaction(
      async (tx) => void (await tx.rows(statement(`test.rename_to_${to}`, `alter table ${from} rename to ${to}`))),
    )
  const untilReady = async (status: number) => {
    while ((await fetch(`${node.running.doors.operator}/readyz`)).status !== status) await pause(50)
  }
  await untilReady(200)
  await rename('events_to_deliver', 'events_away')
  await untilReady(503)
  await rename('events_away', 'events_to_deliver')
  await untilReady(200)
  await node.stop()
})
