import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import type { HostedCheckoutSession } from '@vitrine/contract'
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
} from '../../../../test/support/commerce/checkout.ts'
import { assertRefused, CARTS, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { present } from '../../kernel/assert.ts'
import type { FaultKind } from '../payments/providers/simulator/faults.ts'

let shop: Shop
let client: InstallationClient
let simulator: NonNullable<Shop['simulator']>
before(async () => {
  shop = await startShop({ simulator: true, environment: { PAYMENT_INSTRUCTIONS: 'IBAN DE02' } })
  client = await checkoutClient(shop)
  simulator = present(shop.simulator, 'the world was told to start one')
})

afterEach(() => simulator.reset())

/** Pays by card with these provider faults. @returns the charge and the session after it */
async function paysByCard(session: HostedCheckoutSession, ...faults: FaultKind[]) {
  simulator.misbehave(...faults.map((fault) => ({ fault })))
  const { chargeId } = await pressPay(shop, await readSession(client, session.id), 'simulator')
  assert(chargeId !== null)
  await shop.app.payments.advance(chargeId)
  return { chargeId, session: await readSession(client, session.id) }
}

const cancel = (id: string) => client.post(`${SESSIONS}/${id}/cancel`, {})
const ordersOf = (sessionId: string) => shop.query('select id, total from orders where session_id = $1', [sessionId])
const refundsOf = (sessionId: string) =>
  shop.query(
    `select id, status, amount from payment_intents where subject_id = $1 and purpose = 'late_success'
     order by created_at, id`,
    [sessionId],
  )
const statusesOf = async (sessionId: string) => (await refundsOf(sessionId)).map(({ status }) => status)

describe('a paid checkout', () => {
  test('becomes an order in the transaction that saves the success', async () => {
    const { session } = await paysByCard(await begunSession(shop, client, { MUG: 2 }))
    assert.deepEqual([session.status, session.payment.status], ['completed', 'succeeded'])
    const answer = await client.get(`/api/v1/open/storefront/orders/${session.orderId}`)
    const order = answer.body.data
    assert.deepEqual(order.totals, session.snapshot.totals)
    assert.deepEqual([order.status, order.paymentStatus, order.source], ['confirmed', 'paid', 'hosted_checkout'])
    assert.deepEqual(
      order.addresses.billing,
      order.addresses.shipping,
      'the shipping address is the default billing address',
    )
    assert.deepEqual(await eventKindsOf(shop, String(session.orderId)), ['order.created'])
    const [owed] = await shop.query('select status from fulfilment_intents where order_id = $1', [session.orderId])
    assert.equal(owed?.status, 'pending')
  })

  test('has the quoted price, even if price, promotion and product have changed since', async () => {
    const cart = await readyCart(shop, client, { BOWL: 2, MUG: 1 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SUMMER15' })
    const quoteId = await quoted(client, cart.id)
    const { body } = await client.get(`${CARTS}/${cart.id}/checkout-quote`)
    const quote = body.data.quote
    assert.equal(quote.promotion.status, 'applied')

    await shop.setPrice('BOWL', 9900)
    for (const [table, change, id] of [
      ['products', `status = 'archived'`, 'id = (select product_id from skus where id = $1)'],
      ['skus', `status = 'withdrawn'`, 'id = $1'],
      ['stock_levels', 'offered = false', 'sku_id = $1'],
    ]) {
      await shop.run(`update ${table} set ${change} where ${id}`, [shop.sku('MUG')])
    }
    await shop.run('update promotions set ends_at = $2 where id = $1', [
      shop.promotionId('SUMMER15'),
      new Date(shop.clock.now().getTime() - 1000),
    ])
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()

    const begun = await checkout(client, cart.id, { quoteId })
    assert.equal(begun.status, 200, begun.text)
    const { session } = await paysByCard(begun.body.data)
    assert.equal(session.quoteId, quoteId)
    const answer = await client.get(`/api/v1/open/storefront/orders/${session.orderId}`)
    const order = answer.body.data
    const priced = ['skuId', 'name', 'unitPrice', 'discountAllocations', 'taxLines', 'total']
    const pricesOf = (line: object) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => priced.includes(name)))
    assert.deepEqual(order.totals, quote.totals)
    assert.deepEqual(order.lines.map(pricesOf), quote.lines.map(pricesOf))
    assert.deepEqual(order.money.charged, quote.totals.total)
  })

  test('publishes one event, however often the provider reports it', async () => {
    const { chargeId, session } = await paysByCard(await begunSession(shop, client, { CUP: 2 }))
    await shop.app.payments.reconcileNow(chargeId)
    await shop.work()
    assert.equal((await ordersOf(session.id)).length, 1)
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.completed'])
    assert.deepEqual(await refundsOf(session.id), [])
  })
})

describe('a declined payment', () => {
  test('reopens the session with everything still held, and the next attempt can succeed', async () => {
    const begun = await begunSession(shop, client, { NOVEL: 2 })
    const { session: declined } = await paysByCard(begun, 'decline')
    assert.deepEqual([declined.status, declined.payment.status], ['open', 'failed'])
    assert.deepEqual(declined.nextAction, { type: 'redirect', url: begun.url })
    assert.deepEqual(await stockOf(shop, 'NOVEL'), { onHand: 20, held: 2 })
    const { session } = await paysByCard(begun)
    assert.equal(session.status, 'completed')
    assert.deepEqual(await stockOf(shop, 'NOVEL'), { onHand: 18, held: 0 })
  })
})

describe('a payment with an unknown outcome', () => {
  test('keeps the session from ending or expiring', async () => {
    const begun = await begunSession(shop, client, { BOWL: 1 })
    const { chargeId, session } = await paysByCard(begun, 'effect_without_answer', 'no_effect_no_answer')
    assert.deepEqual([session.status, session.payment.status], ['processing', 'unknown'])
    assert.deepEqual(session.nextAction, { type: 'wait' })
    assertRefused(await cancel(session.id), 409, 'payment_outcome_unknown')
    assertRefused(await client.post(`${CARTS}/${session.cartId}/revoke`, {}), 409, 'payment_outcome_unknown')
    shop.clock.advance(7_200_000)
    assert.equal((await readSession(client, session.id)).status, 'processing')
    simulator.reset()
    await shop.app.payments.reconcileNow(chargeId)
    assert.equal((await readSession(client, session.id)).status, 'completed')
    assert.equal((await ordersOf(session.id)).length, 1)
  })
})

describe('a session canceled while its payment is processing', () => {
  test('waits for the outcome and is canceled if the payment fails', async () => {
    const begun = await begunSession(shop, client, { CUP: 2 })
    const held = await stockOf(shop, 'CUP')
    const { session: waiting } = await paysByCard(begun, 'ask_shopper')
    assert.equal(waiting.status, 'requires_action')
    await shop.run(`update checkout_sessions set status = 'processing' where id = $1`, [begun.id])
    const answer = await cancel(begun.id)
    assert.deepEqual([answer.body.data.status, answer.body.data.nextAction], ['cancel_pending', { type: 'wait' }])
    assertRefused(await cancel(begun.id), 409, 'session_not_cancelable')
    assert.deepEqual(await stockOf(shop, 'CUP'), held, 'nothing is released before the outcome is known')
    await shop.work()
    const after = await readSession(client, begun.id)
    assert.deepEqual([after.status, after.payment.status], ['canceled', 'failed'])
    assert.deepEqual(await stockOf(shop, 'CUP'), { ...held, held: held.held - 2 })
    assert.deepEqual(await eventKindsOf(shop, begun.id), ['checkout.session.created', 'checkout.session.canceled'])
  })
})

describe('a late payment', () => {
  test('for an expired session is refunded and creates no order', async () => {
    const stock = await stockOf(shop, 'BOWL')
    const session = await begunSession(shop, client, { BOWL: 1 })
    const chargeId = await waitsForTransfer(shop, session)
    shop.clock.advance(604_800_000)
    assert.equal((await readSession(client, session.id)).status, 'expired')
    await shop.app.payments.confirmManual(chargeId, { isDone: true })
    const after = await readSession(client, session.id)
    assert.deepEqual([after.status, after.payment.status], ['expired', 'succeeded'])
    assert.deepEqual(await ordersOf(session.id), [])
    const [refund, ...more] = await refundsOf(session.id)
    assert.deepEqual([Number(refund?.amount), more], [session.snapshot.totals.total.amount, []])
    assert.deepEqual(await stockOf(shop, 'BOWL'), stock)
    const cart = await client.get(`${CARTS}/${session.cartId}`)
    assert.equal(cart.body.data.status, 'active')
  })

  test('is retried every hour if the refund fails', async () => {
    const session = await begunSession(shop, client, { BOWL: 1 })
    const chargeId = await waitsForTransfer(shop, session)
    shop.clock.advance(604_800_000)
    await shop.app.payments.confirmManual(chargeId, { isDone: true })
    await shop.work()
    const [first] = await refundsOf(session.id)
    shop.clock.advance(1)
    await shop.app.payments.confirmManual(String(first?.id), { isDone: false })
    await shop.work()
    assert.deepEqual(await statusesOf(session.id), ['failed', 'created'])
    shop.clock.advance(3_600_000)
    await shop.work()
    const [, second] = await refundsOf(session.id)
    await shop.app.payments.confirmManual(String(second?.id), { isDone: true })
    assert.deepEqual(await statusesOf(session.id), ['failed', 'succeeded'])
    const [charge] = await shop.query('select amount, refund_asked from payment_intents where id = $1', [chargeId])
    assert.equal(charge?.refund_asked, charge?.amount)
  })
})

describe('an order in a live shop', () => {
  test('invalidates cached responses only if the public stock level changes', async () => {
    await shop.activateProduction()
    const live = await checkoutClient(shop, { environment: 'live' })
    const shown = async () =>
      (await shop.anonymous.get('/api/v1/catalog/products?locale=en&store=ceramics')).headers.get('etag')
    const revision = async () => {
      const [row] = await shop.query('select revision from revisions where subject = $1', [
        `catalog/${shop.storeId('ceramics')}`,
      ])
      return Number(row?.revision)
    }
    await shown()
    await shop.setStock('CUP', 200)
    const before = await revision()
    const many = await begunSession(shop, live, { CUP: 10 })
    assert.equal(await revision(), before, 'more than 50 is shown as 50')
    await live.post(`${SESSIONS}/${many.id}/cancel`, {})
    assert.equal(await revision(), before)
    const few = await begunSession(shop, live, { VASE: 1 })
    assert.equal(await revision(), before + 1, 'two of three left')
    await paid(shop, live, few)
    assert.equal(await revision(), before + 1, 'what was held is sold, and as many are left')
    await begunSession(shop, client, { VASE: 1 })
    assert.equal(await revision(), before + 1, 'a test order takes no live stock')
  })
})
