import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { webhookVerifier } from '@vitrine/sdk'
import { catalogOn, storeLine } from '../support/catalogue.ts'
import { testDatabase } from '../support/database.ts'
import { type ServingHouse, startHouse } from '../support/house.ts'
import { type Arrival, answering, startReceiver } from '../support/receiver.ts'

/*
 * In order that a warehouse need not ask again and again, an app is told of what happens by a process that does nothing else
 * for it than to run, and that loses nothing when it is stopped for an update.
 */

const receiver = await startReceiver()
const { database, url } = await testDatabase()
const environment = {
  WEBHOOK_ALLOWED_TARGETS: receiver.target,
  WEBHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const house = (roles: readonly ('public' | 'worker')[]) => startHouse({ databaseUrl: url, roles, environment })
let shop: ServingHouse
before(async () => {
  await catalogOn(database).has([storeLine('pots')])
  shop = await house(['public'])
})

type App = Awaited<ReturnType<ServingHouse['app']>>
async function revokedCart(app: App): Promise<string> {
  const cart = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
  await app.call('revokePublicCart', { params: { cartId: cart.id }, body: {} })
  return cart.id
}

/** The next delivery that arrives, and what its receiver does with it. */
function nextArrival(receive: ReturnType<typeof answering>): Promise<Arrival> {
  return new Promise((resolve) => {
    receiver.does((arrival, response) => {
      resolve(arrival)
      return receive(arrival, response)
    })
  })
}

describe('an app that listens', () => {
  test('hears what happened as soon as a worker runs, also what happened while none did', async () => {
    const app = await shop.app()
    const { secret = '' } = await app.call('createInstallationWebhook', {
      body: { url: `${receiver.url}/hooks`, events: ['cart.revoked'] },
    })
    const cartId = await revokedCart(app)
    const arriving = nextArrival(answering(204))

    const worker = await house(['worker'])
    const { body, headers } = await arriving
    const event = await webhookVerifier({ secret }).verify(body, headers)
    assert(event.type === 'cart.revoked')
    assert.equal(event.data.cartId, cartId)
    await worker.stop()
  })

  test('is not called twice because a worker is stopped while it is called', async () => {
    const app = await shop.app()
    await app.call('createInstallationWebhook', { body: { url: `${receiver.url}/slow`, events: ['cart.revoked'] } })
    const worker = await house(['worker'])
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
