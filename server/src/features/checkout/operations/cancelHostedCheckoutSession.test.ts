import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  begunSession,
  checkout,
  checkoutClient,
  eventKindsOf,
  paid,
  pressPay,
  quoted,
  readSession,
  readyCart,
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

const cancel = (id: string, body: object = {}) => client.post(`${SESSIONS}/${id}/cancel`, body)

describe('cancelHostedCheckoutSession', () => {
  test('200 releases the cart and its stock', async () => {
    const before = await stockOf(shop, 'BOWL')
    const session = await begunSession(shop, client, { BOWL: 3 })
    const answer = await cancel(session.id, { reason: 'customer_request', note: 'Changed their mind.' })
    assert.equal(answer.status, 200, answer.text)
    const { status, cancelReason, canceledAt, version, nextAction, blockers } = answer.body.data
    assert.deepEqual(
      [status, cancelReason, canceledAt, version],
      ['canceled', 'customer_request', shop.clock.now().toISOString(), 2],
    )
    assert.deepEqual([nextAction, blockers], [{ type: 'none' }, []])
    assert.deepEqual(await stockOf(shop, 'BOWL'), before)
    const cart = await client.get(`${CARTS}/${session.cartId}`)
    assert.deepEqual([cart.body.data.status, cart.body.data.version], ['active', 4])
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.canceled'])
    assert.deepEqual(await readSession(client, session.id), answer.body.data)
  })

  test('200 releases the redemption of a code for others', async () => {
    const cart = await readyCart(shop, client, { MUG: 1 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'ONCE' })
    const quoteId = await quoted(client, cart.id)
    const { body } = await checkout(client, cart.id, { quoteId })
    const used = () => shop.query('select used from promotion_usage')
    assert.deepEqual(await used(), [{ used: 1 }])
    await cancel(body.data.id)
    assert.deepEqual(await used(), [{ used: 0 }])
    const again = await checkout(client, cart.id)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(await used(), [{ used: 1 }])
  })

  test('200 at once while the shopper has something to do: the payment is voided', async () => {
    const session = await begunSession(shop, client)
    const chargeId = await waitsForTransfer(shop, session)
    const answer = await cancel(session.id)
    assert.equal(answer.body.data.status, 'canceled')
    assert.equal((await shop.app.payments.advance(chargeId)).status, 'canceled')
    assert.equal((await readSession(client, session.id)).payment.status, 'failed')
  })

  test('200 at once if the charge was not sent yet', async () => {
    const session = await begunSession(shop, client)
    const { chargeId } = await pressPay(shop, session)
    const answer = await cancel(session.id)
    assert.deepEqual([answer.body.data.status, answer.body.data.payment.status], ['canceled', 'failed'])
    const [intent] = await shop.query('select status from payment_intents where id = $1', [chargeId])
    assert.equal(intent?.status, 'canceled')
  })

  test('200 replays the first response for a repeated key', async () => {
    const session = await begunSession(shop, client)
    const ask = () => client.post(`${SESSIONS}/${session.id}/cancel`, {}, { key: `cancel-${session.id}` })
    const [first, second] = [await ask(), await ask()]
    assert.deepEqual([second.text, second.status], [first.text, 200])
  })

  test('404 not_found: a session of another installation', async () => {
    const session = await begunSession(shop, client)
    const otherClient = await shop.client()
    assertRefused(await otherClient.post(`${SESSIONS}/${session.id}/cancel`, {}), 404, 'not_found')
    assertRefused(await cancel(shop.ids.next('cks')), 404, 'not_found')
    assert.equal((await readSession(client, session.id)).status, 'open')
  })

  test('409 session_expired: even before the worker has saved it', async () => {
    const session = await begunSession(shop, client)
    shop.clock.advance(3_600_000)
    const answer = await cancel(session.id)
    assertRefused(answer, 409, 'session_expired')
    assert.equal(answer.body.conflict.currentState, 'expired')
  })

  test('409 session_not_cancelable: a canceled or completed session', async () => {
    const session = await begunSession(shop, client)
    await cancel(session.id)
    const answer = await cancel(session.id)
    assertRefused(answer, 409, 'session_not_cancelable')
    assert.deepEqual(answer.body.conflict, {
      currentState: 'canceled',
      currentVersion: 2,
      allowed: ['getHostedCheckoutSession'],
    })
    const other = await begunSession(shop, client)
    await paid(shop, client, other)
    assertRefused(await cancel(other.id), 409, 'session_not_cancelable')
  })

  test('409 version_conflict: the expected version is not the current one', async () => {
    const session = await begunSession(shop, client)
    const answer = await cancel(session.id, { expectedVersion: 2 })
    assertRefused(answer, 409, 'version_conflict')
    assert.equal(answer.body.conflict.currentVersion, 1)
    assert.equal((await cancel(session.id, { expectedVersion: 1 })).status, 200)
  })

  test('409 payment_outcome_unknown: it may have been paid', async () => {
    const session = await begunSession(shop, client)
    await pressPay(shop, session)
    await shop.run(`update checkout_sessions set payment_status = 'unknown' where id = $1`, [session.id])
    const answer = await cancel(session.id)
    assertRefused(answer, 409, 'payment_outcome_unknown')
    assert.equal((await readSession(client, session.id)).status, 'processing')
  })
})

describe('revoking the cart of a session', () => {
  const revoke = (cartId?: string) => client.post(`${CARTS}/${cartId}/revoke`, {})

  test('cancels the session and releases what it holds', async () => {
    const before = await stockOf(shop, 'BOWL')
    const session = await begunSession(shop, client, { BOWL: 2 })
    const answer = await revoke(session.cartId)
    assert.deepEqual([answer.status, answer.body.data.status], [200, 'revoked'])
    const after = await readSession(client, session.id)
    assert.deepEqual([after.status, after.cancelReason], ['canceled', 'other'])
    assert.deepEqual(await stockOf(shop, 'BOWL'), before)
  })

  test('saves the expiry of an overdue session', async () => {
    const session = await begunSession(shop, client)
    shop.clock.advance(3_600_000)
    assert.equal((await revoke(session.cartId)).status, 200)
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.expired'])
  })

  test('409 payment_outcome_unknown while the payment is processing', async () => {
    const session = await begunSession(shop, client)
    await pressPay(shop, session)
    const answer = await revoke(session.cartId)
    assertRefused(answer, 409, 'payment_outcome_unknown')
    assert.equal(answer.body.conflict.heldBy, session.id)
  })
})
