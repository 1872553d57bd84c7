import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  begunSession,
  checkoutClient,
  eventKindsOf,
  paid,
  readSession,
  SESSIONS,
  stockOf,
  waitsForTransfer,
} from '../../../../../test/support/commerce/checkout.ts'
import { assertRefused, CARTS, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

describe('getHostedCheckoutSession', () => {
  test('200 returns the session as created', async () => {
    const session = await begunSession(shop, client)
    assert.deepEqual(await readSession(client, session.id), session)
  })

  test('200 has the order id once paid', async () => {
    const session = await begunSession(shop, client, { BOWL: 2 })
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: 40, held: 2 })
    const after = await paid(shop, client, session)
    assert.deepEqual(
      [after.status, after.payment.status, after.nextAction],
      ['completed', 'succeeded', { type: 'none' }],
    )
    assert.match(after.orderId ?? '', /^ord_/)
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: 38, held: 0 })
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.completed'])
    const cart = await client.get(`${CARTS}/${session.cartId}`)
    assert.deepEqual([cart.body.data.status, cart.body.data.orderId], ['converted', after.orderId])
  })

  test('200 redirects to the checkout page for three days while a bank transfer is pending', async () => {
    const session = await begunSession(shop, client)
    await waitsForTransfer(shop, session)
    const waiting = await readSession(client, session.id)
    assert.deepEqual([waiting.status, waiting.payment.status], ['requires_action', 'pending'])
    assert.deepEqual(waiting.nextAction, { type: 'redirect', url: session.url })
    assert.equal(Date.parse(waiting.expiresAt) - shop.clock.now().getTime(), 259_200_000)
  })

  test('404 not_found: a session of another installation', async () => {
    const session = await begunSession(shop, client)
    const otherClient = await shop.client()
    const seen = await otherClient.get(`${SESSIONS}/${session.id}`)
    const missing = await otherClient.get(`${SESSIONS}/${shop.ids.next('cks')}`)
    assertRefused(seen, 404, 'not_found')
    assert.deepEqual({ ...seen.body, requestId: '' }, { ...missing.body, requestId: '' })
  })
})
