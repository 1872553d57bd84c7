import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@vitrine/server'
import { bought, readOrder, refundsOf } from '../support/after-sales.ts'
import { checkoutClient, stockOf, toldOf } from '../support/checkout.ts'
import { client as clientOf } from '../support/client.ts'
import { background, freePorts, temporaryFolder } from '../support/command.ts'
import { ORDERS } from '../support/orders.ts'
import { startShop } from '../support/shop.ts'

/** A process of its own on the shop’s database, which kills itself where a cancellation is written and not committed. */
const WEBHOOK_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const shop = await startShop({ environment: { WEBHOOK_SECRET_KEY } })
const client = await checkoutClient(shop)

test('a process that dies while it cancels leaves nothing of it, and the same key then cancels once', async () => {
  const before = await stockOf(shop, 'MUG')
  const order = await bought(shop, client, { MUG: 2 })
  const ports = await freePorts()
  const crashing = background(['start', '--json', '--empty', '--roles', 'public'], {
    env: {
      ...ports,
      DATABASE_URL: shop.databaseUrl,
      DATA_DIR: await temporaryFolder(),
      PUBLIC_URL: shop.publicUrl,
      WEBHOOK_SECRET_KEY,
      CRASH_AT: 'cancellation.decided',
      LOG_LEVEL: 'error',
    },
  })
  await crashing.saying(/"doors"/)

  const path = `${ORDERS}/${order.id}/cancellations`
  const [body, key] = [{ reason: 'customer_request' }, { key: 'the-same-key' }]
  const origin = `http://127.0.0.1:${ports.PUBLIC_PORT}`
  const asSeen = { origin, publicUrl: shop.publicUrl, clock: systemClock, key: client.key!, proof: client.proof! }
  const answered = clientOf(asSeen)
    .post(path, body, key)
    .then(({ text }) => text)
  await assert.rejects(answered, 'nobody answers')
  assert.equal((await crashing.ended).code, null, 'it was killed')
  assert.deepEqual(await readOrder(client, order.id), order, 'nothing was written down')
  assert.deepEqual(await refundsOf(shop, order.id), [])

  const answers = [await client.post(path, body, key), await client.post(path, body, key)]
  assert.deepEqual([answers[0]?.status, answers[1]?.text], [200, answers[0]?.text])
  assert.equal((await refundsOf(shop, order.id)).length, 1)
  assert.deepEqual(await stockOf(shop, 'MUG'), before)
  assert.deepEqual(await toldOf(shop, answers[0]?.body.data.id), [
    'order.cancellation.requested',
    'order.cancellation.decided',
  ])
})
