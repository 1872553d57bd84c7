import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SELLER } from '../../../../../test/operator/calls-of-stores.ts'
import { begunSession, checkoutClient, pressPay } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'

const ABSENT = '/payments/pay_01k5b7m2q8e9rtv3w4x5y6z7a8'

let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
let operator: OperatorClient
before(async () => {
  shop = await startShop({ simulator: true })
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

/** A payment, for a mug by default, sent to its provider. */
async function charged(
  provider: 'manual' | 'simulator',
  outcome: 'reserves' | null = null,
  units: Readonly<Record<string, number>> = { MUG: 1 },
): Promise<string> {
  shop.clock.advance(1000)
  const { chargeId } = await pressPay(shop, await begunSession(shop, client, units), provider, outcome)
  await shop.app.payments.advance(chargeId!)
  return chargeId!
}

/** The same, with an unknown outcome. */
async function lostSightOf(): Promise<string> {
  shop.simulator!.behave({ dead: true })
  const id = await charged('simulator')
  shop.simulator!.reset()
  return id
}

async function listed(view: string, environment = 'test') {
  const { body } = await operator.get(`/payments?environment=${environment}&view=${view}`)
  return body.data.items.map(({ id }: { id: string }) => id)
}
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

describe('payments', () => {
  test('with unknown outcomes are listed with the provider calls, and reconciled at once', async () => {
    const id = await lostSightOf()
    assert.deepEqual(await listed('unknown'), [id])
    const { payment, attempts } = (await operator.get(`/payments/${id}`)).body.data
    assert.deepEqual(
      [payment.status, payment.amount, payment.allowed],
      ['unknown', { amount: 1744, currency: 'EUR' }, ['reconcile']],
    )
    assert.deepEqual([attempts.length, attempts[0].action, attempts[0].answer], [1, 'send', 'unknown'])
    const found = await operator.change('POST', `/payments/${id}/reconcile`, {})
    assert.notEqual(found.status, 'unknown')
    assert.deepEqual(await listed('unknown'), [])
    assert.ok((await operator.get(`/payments/${id}`)).body.data.attempts.length > 1)
    assert.deepEqual(codeOf(await operator.send('POST', `${ABSENT}/reconcile`, {})), [404, 'not_found'])
    assert.deepEqual(codeOf(await operator.get(ABSENT)), [404, 'not_found'])
  })

  test('that wait for a confirmation are listed until it is given, once', async () => {
    const [came, never] = [await charged('manual'), await charged('manual')]
    assert.deepEqual(await listed('waiting'), [came, never])
    const confirmed = await operator.change('POST', `/payments/${came}/confirm`, { outcome: 'done' })
    assert.deepEqual([confirmed.status, confirmed.allowed], ['succeeded', []])
    assert.equal((await operator.change('POST', `/payments/${never}/confirm`, { outcome: 'never' })).status, 'failed')
    assert.deepEqual(await listed('waiting'), [])
    assert.ok((await listed('succeeded')).includes(came))
    assert.ok((await listed('failed')).includes(never))
    const again = await operator.send('POST', `/payments/${came}/confirm`, { outcome: 'done' })
    assert.deepEqual([...codeOf(again), again.body.conflict.currentState], [409, 'state_conflict', 'succeeded'])
    const absent = await operator.send('POST', `${ABSENT}/confirm`, { outcome: 'done' })
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
    const [entry] = (await operator.get(`/audit-log?subject=${never}`)).body.data.items
    assert.deepEqual(
      [entry.before.status, entry.after.status, entry.after.outcome],
      ['requires_action', 'failed', 'never'],
    )
  })

  test('back to a buyer that the bank returns are reversed once, owed again and paid with a second refund', async () => {
    const id = await charged('manual')
    const early = await operator.send('POST', `/payments/${id}/confirm`, { outcome: 'returned' })
    assert.deepEqual(codeOf(early), [409, 'state_conflict'])
    await operator.change('POST', `/payments/${id}/confirm`, { outcome: 'done' })
    const never = await operator.send('POST', `/payments/${id}/confirm`, { outcome: 'returned' })
    assert.deepEqual(codeOf(never), [409, 'state_conflict'])
    const { orderId } = (await operator.get(`/payments/${id}`)).body.data
    const { adjustments } = await operator.change('POST', `/orders/${orderId}/refunds`, { amount: 500 })
    const pathOf = async () => {
      const [refund] = (await operator.get(`/payments/${id}`)).body.data.refunds
      await shop.app.payments.advance(refund.id)
      return `/payments/${refund.id}/confirm`
    }
    const path = await pathOf()
    const paid = await operator.change('POST', path, { outcome: 'done' })
    assert.deepEqual([paid.status, paid.allowed], ['succeeded', ['reverse']])
    assert.equal((await operator.get(`/orders/${orderId}`)).body.data.order.money.refunded.amount, 500)

    shop.clock.advance(1000)
    const answers = await Promise.all([1, 2].map(() => operator.send('POST', path, { outcome: 'returned' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const { payment, refunds } = (await operator.get(`/payments/${id}`)).body.data
    assert.deepEqual([refunds[0].status, refunds[0].failureCode, refunds[0].allowed], ['failed', 'returned', []])
    assert.equal(payment.refundAsked.amount, 0)
    const owed = (await operator.get(`/orders/${orderId}`)).body.data
    assert.deepEqual([owed.order.money.refunded.amount, owed.order.money.refundPending.amount], [0, 500])
    assert.deepEqual([owed.adjustments[0].state, owed.adjustments[0].allowed], ['failed', ['retry', 'record_paid']])
    const [entry] = (await operator.get(`/audit-log?subject=${refunds[0].id}`)).body.data.items
    assert.deepEqual([entry.before.status, entry.after.outcome], ['succeeded', 'returned'])

    shop.clock.advance(1000)
    await operator.change('POST', `/orders/${orderId}/refunds/${adjustments[0].reference}/retry`, {})
    await operator.change('POST', await pathOf(), { outcome: 'done' })
    assert.equal((await operator.get(`/orders/${orderId}`)).body.data.order.money.refunded.amount, 500)
  })

  test('that are reserved show their deadline, and are captured in part or released, once', async () => {
    const [captured, released] = [await charged('simulator', 'reserves'), await charged('simulator', 'reserves')]
    const { payment, orderId } = (await operator.get(`/payments/${captured}`)).body.data
    assert.deepEqual(payment.allowed, ['capture', 'release', 'reconcile'])
    const daysLeft = (at: string) => Math.round((Date.parse(at) - shop.clock.now().getTime()) / 86_400_000)
    assert.deepEqual([daysLeft(payment.expiresAt), daysLeft(payment.capturesAt)], [7, 6])
    const beyond = await operator.send('POST', `/payments/${captured}/capture`, { amount: 1745 })
    assert.deepEqual(codeOf(beyond), [400, 'validation_failed'])
    const after = await operator.change('POST', `/payments/${captured}/capture`, { amount: 1000 })
    assert.deepEqual([after.status, after.captured], ['succeeded', { amount: 1000, currency: 'EUR' }])
    const { order, moneyLeft } = (await operator.get(`/orders/${orderId}`)).body.data
    assert.deepEqual([order.paymentStatus, moneyLeft.amount], ['paid', 1000])
    assert.equal((await operator.change('POST', `/payments/${released}/release`, {})).status, 'canceled')
    for (const [id, step] of [
      [captured, 'capture'],
      [released, 'release'],
    ]) {
      assert.deepEqual(codeOf(await operator.send('POST', `/payments/${id}/${step}`, {})), [409, 'state_conflict'])
      assert.deepEqual(codeOf(await operator.send('POST', `${ABSENT}/${step}`, {})), [404, 'not_found'])
    }
  })

  test('that are captured in part are invoiced with the capture: invoice less credit note is the money', async () => {
    await operator.change('PUT', '/seller-record', SELLER)
    const id = await charged('simulator', 'reserves')
    const { orderId } = (await operator.get(`/payments/${id}`)).body.data
    const issued = async () => (await operator.get(`/orders/${orderId}/invoices`)).body.data.items
    assert.deepEqual(await issued(), [])
    await operator.change('POST', `/payments/${id}/capture`, { amount: 1000 })
    const documents = (await issued()) as { kind: string; total: { amount: number } }[]
    assert.deepEqual(documents.map(({ kind, total }) => [kind, total.amount]).sort(), [
      ['credit_note', 744],
      ['invoice', 1744],
    ])
  })

  test('that are reserved are captured when the order ships, and it does not ship while that is unknown', async () => {
    const id = await charged('simulator', 'reserves')
    const { orderId } = (await operator.get(`/payments/${id}`)).body.data
    assert.ok((await operator.get(`/orders/${orderId}`)).body.data.allowed.includes('ship'))
    shop.simulator!.misbehave({ fault: 'effect_without_answer', operation: 'capture' })
    const early = await operator.send('POST', `/orders/${orderId}/parcels`, { carrier: 'DHL' })
    assert.deepEqual(codeOf(early), [409, 'payment_outcome_unknown'])
    const again = await operator.send('POST', `/orders/${orderId}/parcels`, { carrier: 'DHL' })
    assert.deepEqual(codeOf(again), [409, 'payment_outcome_unknown'])
    await operator.change('POST', `/payments/${id}/reconcile`, {})
    const shipped = await operator.change('POST', `/orders/${orderId}/parcels`, { carrier: 'DHL' })
    assert.deepEqual([shipped.order.paymentStatus, shipped.order.fulfillmentStatus], ['paid', 'fulfilled'])
    const next = (await operator.get(`/payments/${await charged('simulator', 'reserves')}`)).body.data.orderId
    const both = await operator.change('POST', `/orders/${next}/parcels`, { carrier: 'DHL' })
    assert.deepEqual([both.order.paymentStatus, both.order.fulfillmentStatus], ['paid', 'fulfilled'])
  })

  test('that are reserved and declined when the order ships cancel it, and the answer says so', async () => {
    const id = await charged('simulator', 'reserves')
    const { orderId } = (await operator.get(`/payments/${id}`)).body.data
    shop.simulator!.misbehave({ fault: 'decline', operation: 'capture' })
    const declined = await operator.send('POST', `/orders/${orderId}/parcels`, { carrier: 'DHL' })
    assert.deepEqual([...codeOf(declined), declined.body.conflict?.currentState], [409, 'state_conflict', 'canceled'])
    const { order } = (await operator.get(`/orders/${orderId}`)).body.data
    assert.deepEqual([order.status, order.paymentStatus, order.fulfillments], ['canceled', 'failed', []])
  })

  test('that are reserved stay so if there is nothing to ship: no money is captured for it', async () => {
    const id = await charged('simulator', 'reserves')
    const { orderId } = (await operator.get(`/payments/${id}`)).body.data
    const statusAfter = async (parcel: object) => {
      const { status } = await operator.send('POST', `/orders/${orderId}/parcels`, parcel)
      return [status, (await operator.get(`/payments/${id}`)).body.data.payment.status]
    }
    const { order } = (await operator.get(`/orders/${orderId}`)).body.data
    const lineId = order.lines[0].id
    assert.deepEqual(await statusAfter({ storeId: shop.storeId('books') }), [409, 'authorized'])
    assert.deepEqual(await statusAfter({ trackingUrl: 'ftp://example.com' }), [400, 'authorized'])
    assert.deepEqual((await statusAfter({ lines: [{ lineId, quantity: 2 }] }))[1], 'authorized')
    assert.deepEqual(await statusAfter({ lines: [{ lineId, quantity: 1 }] }), [200, 'succeeded'])
  })

  test('that are reserved name the lines with license keys, which are emailed with the capture and not shipped', async () => {
    const keys = await fetch(`${operator.origin}/operator/v1/licence-pools/${shop.sku('BOWL')}/keys?environment=test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
      body: 'KEY-1',
    })
    assert.equal(keys.status, 200)
    const read = async (units: Readonly<Record<string, number>>) => {
      const { payment } = (await operator.get(`/payments/${await charged('simulator', 'reserves', units)}`)).body.data
      return (await operator.get(`/orders/${payment.order.id}`)).body.data
    }
    const both = await read({ MUG: 1, BOWL: 1 })
    const [line] = both.order.lines.filter(({ skuId }: { skuId: string }) => skuId === shop.sku('BOWL'))
    assert.deepEqual(both.linesWithKeys, [line.id])
    assert.ok(both.allowed.includes('ship'))
    const shipped = await operator.change('POST', `/orders/${both.order.id}/parcels`, { carrier: 'DHL' })
    assert.deepEqual([shipped.linesWithKeys, shipped.order.fulfillmentStatus], [undefined, 'partially_fulfilled'])
    const one = await read({ BOWL: 1 })
    assert.ok(!one.allowed.includes('ship'), 'there is nothing to ship')
  })

  test('and their refunds name the order, in lists as well; a payment without an order names none', async () => {
    const id = await charged('simulator')
    const { payment, orderId } = (await operator.get(`/payments/${id}`)).body.data
    const { order } = (await operator.get(`/orders/${orderId}`)).body.data
    assert.deepEqual(payment.order, { id: orderId, number: order.number })
    shop.clock.advance(1000)
    await operator.change('POST', `/orders/${orderId}/refunds`, { amount: 100 })
    const named = (await operator.get('/payments?environment=test&view=all')).body.data.items
      .filter((each: { order?: { id: string } }) => each.order?.id === orderId)
      .map(({ kind, order }: { kind: string; order: { number: string } }) => [kind, order.number])
    assert.deepEqual(named, [
      ['refund', order.number],
      ['charge', order.number],
    ])
    const open = (await operator.get(`/payments/${await charged('manual')}`)).body.data
    assert.deepEqual([open.payment.order, open.orderId], [undefined, undefined])
  })

  test('of a provider are confirmed only by the provider', async () => {
    const id = await lostSightOf()
    const refused = await operator.send('POST', `/payments/${id}/confirm`, { outcome: 'done' })
    assert.deepEqual(codeOf(refused), [409, 'state_conflict'])
  })

  test('are confirmed by one of two operators at once, and the other gets version_conflict', async () => {
    const id = await charged('manual')
    const both = await Promise.all(
      ['done', 'never'].map((outcome) => operator.send('POST', `/payments/${id}/confirm`, { outcome })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    const { code } = both.find(({ status }) => status === 409)!.body
    assert.ok(['version_conflict', 'state_conflict'].includes(code))
  })

  test('are listed newest first, in pages', async () => {
    const all = await listed('all')
    assert.ok(all.length >= 5)
    const pages: string[] = []
    let cursor = ''
    do {
      const { body } = await operator.get(`/payments?environment=test&view=all&limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(...body.data.items.map(({ id }: { id: string }) => id))
      cursor = body.data.nextCursor ?? ''
    } while (cursor)
    assert.deepEqual(pages, all)
    assert.deepEqual(all, [...all].sort().reverse())
    assert.deepEqual(await listed('all', 'live'), [])
    assert.deepEqual(codeOf(await operator.get('/payments?cursor=eyJ9.abc')), [400, 'invalid_cursor'])
  })
})
