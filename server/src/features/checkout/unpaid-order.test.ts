import assert from 'node:assert/strict'
import { afterEach, before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import { JobRunner, logger } from '@vitrine/server'
import { dataOf } from '../../../../test/support/client.ts'
import { eligibility } from '../../../../test/support/commerce/after-sales.ts'
import {
  begunSession,
  checkoutClient,
  eventKindsOf,
  pressPay,
  readSession,
  type Session,
  stockOf,
} from '../../../../test/support/commerce/checkout.ts'
import { saveSeller } from '../../../../test/support/commerce/sellers.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../test/support/operator.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { present } from '../../kernel/assert.ts'
import type { TestOutcome } from '../payments/index.ts'

const DAY_MS = 86_400_000

let shop: Shop
let client: InstallationClient
let simulator: NonNullable<Shop['simulator']>
before(async () => {
  shop = await startShop({ simulator: true })
  client = await checkoutClient(shop)
  simulator = present(shop.simulator, 'the world was told to start one')
})
afterEach(() => simulator.reset())

interface Placed {
  readonly session: Session
  readonly chargeId: string
  readonly orderId: string
}

/** Places an order whose payment takes time. */
async function placed(outcome: TestOutcome, units: Readonly<Record<string, number>> = { MUG: 2 }): Promise<Placed> {
  const begun = await begunSession(shop, client, units)
  if (outcome === 'settles') simulator.misbehave({ fault: 'settles', operation: 'authorize', delayMs: 60_000 })
  const { chargeId } = await pressPay(shop, await readSession(client, begun.id), 'simulator', outcome)
  assert(chargeId !== null)
  await shop.app.payments.advance(chargeId)
  const session = await readSession(client, begun.id)
  return { session, chargeId, orderId: String(session.orderId) }
}

async function readOrder(orderId: string): Promise<Order> {
  return dataOf(await client.get(`/api/v1/open/storefront/orders/${orderId}`))
}

const rowsOf = (table: string, orderId: string) =>
  shop.query(`select * from ${table} where order_id = $1 order by id`, [orderId])
const mailsTo = async (orderId: string) => {
  const order = await readOrder(orderId)
  const mails = await shop.query(
    `select kind from mails where subject like '%' || $1 || '%' order by created_at, kind desc`,
    [order.number],
  )
  return mails.map(({ kind }) => kind)
}
const settle = async ({ chargeId }: Placed, isPaid: boolean) => {
  assert.ok(simulator.settle(`${chargeId}:authorize`, isPaid))
  return shop.app.payments.reconcileNow(chargeId)
}

describe('an order with a pending payment', () => {
  test('is placed pending, keeps its stock held, and is neither fulfilled nor invoiced', async () => {
    const before = await stockOf(shop, 'MUG')
    const { session, orderId } = await placed('settles')
    const order = await readOrder(orderId)
    assert.deepEqual([session.status, session.payment.status], ['completed', 'pending'])
    assert.deepEqual([order.status, order.paymentStatus, order.money.charged.amount], ['confirmed', 'pending', 0])
    assert.deepEqual(await stockOf(shop, 'MUG'), { ...before, held: before.held + 2 })
    assert.deepEqual([await rowsOf('fulfilment_intents', orderId), await rowsOf('invoices', orderId)], [[], []])
    assert.deepEqual(await mailsTo(orderId), ['orders.received'])
  })

  test('is paid on day three: stock is sold, fulfillment begins, and the shopper gets a mail', async () => {
    const before = await stockOf(shop, 'MUG')
    const order = await placed('settles')
    shop.clock.advance(3 * DAY_MS)
    await settle(order, true)
    const { paymentStatus, money, timeline, totals } = await readOrder(order.orderId)
    assert.deepEqual([paymentStatus, money.charged], ['paid', totals.total])
    assert.equal(timeline.at(-1)?.code, 'payment_captured')
    assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: before.onHand - 2, held: before.held })
    assert.deepEqual(
      (await rowsOf('fulfilment_intents', order.orderId)).map(({ status }) => status),
      ['pending'],
    )
    assert.deepEqual(await eventKindsOf(shop, order.orderId), ['order.created', 'order.updated'])
    assert.deepEqual(await mailsTo(order.orderId), ['orders.received', 'orders.paid'])
    assert.equal((await readSession(client, order.session.id)).payment.status, 'succeeded')
  })

  test('is canceled when the payment bounces, even on hold: its stock is released, and the shopper gets a mail', async () => {
    const before = await stockOf(shop, 'MUG')
    for (const isOnHold of [false, true]) {
      const order = await placed('settles')
      if (isOnHold) {
        await shop.run(`update orders set status = 'on_hold', held_from = 'confirmed' where id = $1`, [order.orderId])
      }
      await settle(order, false)
      const { status, paymentStatus, fulfillmentStatus } = await readOrder(order.orderId)
      assert.deepEqual([status, paymentStatus, fulfillmentStatus], ['canceled', 'failed', 'canceled'])
      assert.deepEqual(await stockOf(shop, 'MUG'), before)
      assert.deepEqual(await eventKindsOf(shop, order.orderId), ['order.created', 'order.updated', 'order.canceled'])
      assert.deepEqual(await mailsTo(order.orderId), ['orders.received', 'orders.canceled'])
      assert.equal((await readSession(client, order.session.id)).payment.status, 'failed')
    }
    const [mail] = await shop.query(
      `select body_text from mails where kind = 'orders.canceled' order by created_at desc limit 1`,
    )
    assert.match(String(mail?.body_text), /payment was not completed/)
  })

  test('is canceled after fourteen days without an answer, and its payment is voided', async () => {
    const before = await stockOf(shop, 'MUG')
    const order = await placed('settles')
    shop.clock.advance(14 * DAY_MS)
    await shop.app.payments.reconcileNow(order.chargeId)
    assert.equal((await readOrder(order.orderId)).paymentStatus, 'failed')
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
    assert.equal((await shop.app.payments.advance(order.chargeId)).status, 'canceled')
    assert.equal(simulator.settle(`${order.chargeId}:authorize`, true), false)
  })

  test('is not canceled after fourteen days while its provider is down, and is paid if the money has arrived', async () => {
    const order = await placed('settles')
    assert.ok(simulator.settle(`${order.chargeId}:authorize`, true))
    shop.clock.advance(14 * DAY_MS)
    simulator.misbehave({ fault: 'error_without_effect', operation: 'lookup' })
    await shop.app.payments.reconcileNow(order.chargeId)
    assert.equal((await readOrder(order.orderId)).paymentStatus, 'pending')
    await shop.app.payments.reconcileNow(order.chargeId)
    assert.equal((await readOrder(order.orderId)).paymentStatus, 'paid')
  })

  test('can be canceled by the shopper as a whole, not in part', async () => {
    const before = await stockOf(shop, 'MUG')
    const { orderId, chargeId } = await placed('settles')
    const [line] = (await readOrder(orderId)).lines
    const path = `/api/v1/open/storefront/orders/${orderId}/cancellations`
    const part = await client.post(path, { reason: 'customer_request', lines: [{ lineId: line!.id, quantity: 1 }] })
    assert.deepEqual([part.status, part.body.code], [409, 'order_not_cancelable'])
    const whole = await client.post(path, { reason: 'customer_request' })
    assert.equal(whole.status, 200, whole.text)
    assert.equal((await readOrder(orderId)).paymentStatus, 'voided')
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
    assert.equal((await shop.app.payments.advance(chargeId)).status, 'canceled')
    assert.equal((await readOrder(orderId)).paymentStatus, 'voided')
  })
})

test('a request to cancel an order is completed, without a refund, when its payment bounces', async () => {
  const operator = await operatorClient(shop)
  const order = await placed('settles')
  await operator.change('POST', `/orders/${order.orderId}/begin`, {})
  const path = `/api/v1/open/storefront/orders/${order.orderId}/cancellations`
  const asked = await client.post(path, { reason: 'customer_request' })
  assert.match(asked.text, /"status":"requested"/)
  await settle(order, false)
  const { status, cancellations, money } = await readOrder(order.orderId)
  assert.deepEqual([status, cancellations.map((each) => each.status)], ['canceled', ['completed']])
  assert.equal(money.refunded.amount + money.refundPending.amount, 0)
  assert.equal((await operator.get('/work?environment=test')).body.data.cancellations, 0)
})

describe('an order with an authorized payment', () => {
  test('waits for the shop, which captures all of it', async () => {
    const { orderId, chargeId } = await placed('reserves')
    assert.deepEqual(
      [(await readOrder(orderId)).paymentStatus, await rowsOf('fulfilment_intents', orderId)],
      ['authorized', []],
    )
    await shop.app.payments.capture(chargeId, null)
    const { paymentStatus, adjustments } = await readOrder(orderId)
    assert.deepEqual([paymentStatus, adjustments], ['paid', []])
    assert.equal((await rowsOf('fulfilment_intents', orderId)).length, 1)
  })

  test('is captured in part: the rest is released, and refunds never exceed what was charged', async () => {
    const { orderId, chargeId } = await placed('reserves')
    const { total } = (await readOrder(orderId)).totals
    const captured = total.amount - 700
    await shop.app.payments.capture(chargeId, BigInt(captured))
    const { paymentStatus, money, adjustments } = await readOrder(orderId)
    assert.deepEqual(
      [
        paymentStatus,
        money.charged.amount,
        money.refunded.amount,
        adjustments.map(({ kind, amount }) => [kind, amount.amount]),
      ],
      ['paid', captured, 0, [['release', 700]]],
    )
    assert.deepEqual(await mailsTo(orderId), ['orders.received', 'orders.paid'])
    const canceled = await client.post(`/api/v1/open/storefront/orders/${orderId}/cancellations`, {
      reason: 'customer_request',
    })
    assert.equal(canceled.status, 200, canceled.text)
    const after = await readOrder(orderId)
    assert.equal(after.money.refundPending.amount + after.money.refunded.amount, captured)
  })

  test('is captured without a missing unit: canceling this unit pays nothing back, canceling others what was paid for them', async () => {
    const { orderId, chargeId } = await placed('reserves', { MUG: 4 })
    const { totals, lines } = await readOrder(orderId)
    const line = present(lines[0], 'an order has a line')
    const unit = line.total.amount / 4
    const captured = totals.total.amount - unit
    await shop.app.payments.capture(chargeId, BigInt(captured))
    const path = `/api/v1/open/storefront/orders/${orderId}`
    const cancel = async (quantity: number) => {
      const request = { reason: 'customer_request', lines: [{ lineId: line.id, quantity }] }
      const canceled = await client.post(`${path}/cancellations`, request)
      assert.equal(canceled.status, 200, canceled.text)
      const { money, paymentStatus } = await readOrder(orderId)
      return [money.refundPending.amount + money.refunded.amount, paymentStatus]
    }
    const { preview } = await eligibility(client, orderId, 'cancellation')
    assert.equal(preview.refund.amount, captured)
    assert.deepEqual(await cancel(1), [0, 'paid'])
    assert.deepEqual(await cancel(1), [unit, 'paid'])
    assert.deepEqual(await cancel(2), [captured, 'paid'])
  })

  test('is canceled when the shop releases it', async () => {
    const before = await stockOf(shop, 'MUG')
    const { orderId, chargeId } = await placed('reserves')
    await shop.app.payments.release(chargeId)
    const { status, paymentStatus } = await readOrder(orderId)
    assert.deepEqual([status, paymentStatus], ['canceled', 'voided'])
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
  })
})

describe('a disputed payment', () => {
  const dispute = async ({ chargeId }: Placed, status: 'open' | 'won' | 'lost') => {
    assert.ok(simulator.dispute(`${chargeId}:authorize`, status))
    return shop.app.payments.reconcileNow(chargeId)
  }
  const shownOf = async (orderId: string) => {
    const { money, paymentStatus, timeline } = await readOrder(orderId)
    return [money.disputed.amount, paymentStatus, timeline.at(-1)?.code]
  }

  test('is shown on the order, which has nothing to refund until the dispute is won', async () => {
    const order = await placed('pays')
    const { total } = (await readOrder(order.orderId)).totals
    await dispute(order, 'open')
    assert.deepEqual(await shownOf(order.orderId), [total.amount, 'paid', 'payment_disputed'])
    assert.deepEqual(await eventKindsOf(shop, order.orderId), ['order.created', 'order.updated'])
    await dispute(order, 'won')
    assert.deepEqual(await shownOf(order.orderId), [0, 'paid', 'dispute_won'])
  })

  test('is shown on the order of a customer who was erased, whose cart and session are deleted', async () => {
    const order = await placed('pays')
    const { total } = (await readOrder(order.orderId)).totals
    await shop.run('delete from carts where id = $1', [order.session.cartId])
    await dispute(order, 'open')
    assert.deepEqual(await shownOf(order.orderId), [total.amount, 'paid', 'payment_disputed'])
    await dispute(order, 'won')
    assert.deepEqual(await shownOf(order.orderId), [0, 'paid', 'dispute_won'])
  })

  test('is listed for operators by its deadline until it is decided, and mailed once to those who can act', async () => {
    const operator = await operatorClient(shop)
    const password = 'a pass phrase of the staff'
    for (const role of ['finance', 'support']) {
      await operator.change('POST', '/operators', { email: `${role}@operator.example`, role, password })
    }
    for (const email of ['linked@operator.example', 'invited@operator.example']) {
      await operator.change('POST', '/operators', { email, role: 'finance' })
    }
    await shop.run(
      `insert into operator_identities (issuer, subject, operator_id, bound_at, last_used_at)
       select 'https://login.example', 'linked', id, $1, $1 from operators where email = 'linked@operator.example'`,
      [shop.clock.now()],
    )
    const listed = async (view: string) => {
      const { items } = (await operator.get(`/disputes?environment=test&view=${view}`)).body.data
      return items.map(({ paymentId, dispute }: { paymentId: string; dispute: { status: string } }) => {
        return [paymentId, dispute.status]
      })
    }
    const waiting = async () => (await operator.get('/work?environment=test')).body.data.disputes
    const [first, second] = [await placed('pays'), await placed('pays')]
    await dispute(first, 'open')
    shop.clock.advance(DAY_MS)
    await dispute(second, 'open')
    await shop.app.payments.lookUpDisputes(second.chargeId)
    assert.deepEqual(await listed('open'), [
      [first.chargeId, 'open'],
      [second.chargeId, 'open'],
    ])
    const page = (await operator.get('/disputes?environment=test&limit=1')).body.data
    const { items } = (await operator.get(`/disputes?environment=test&limit=1&cursor=${page.nextCursor}`)).body.data
    assert.deepEqual([page.items[0].paymentId, items[0].paymentId], [first.chargeId, second.chargeId])
    assert.equal(items[0].order.id, second.orderId)
    assert.match(items[0].order.number, /^T-/)
    assert.equal(await waiting(), 2)
    const { database, clock, ids } = shop
    await saveSeller(shop, { timeZone: 'Europe/Berlin' })
    await new JobRunner(shop.app.jobs, { database, clock, ids, log: logger('silent') }).runDue()
    const mails = await shop.query(
      `select recipient, body_text from mails where kind = 'operators.dispute' order by created_at, id`,
    )
    assert.deepEqual(
      mails.map(({ recipient }) => recipient).sort(),
      ['finance', 'finance', 'linked', 'linked'].map((name) => `${name}@operator.example`),
    )
    const texts = mails.map(({ body_text }) => body_text).join()
    assert.match(texts, /by \w+ \d+, \d{4} at \d+:\d\d [AP]M GMT\+[12]\. Without/, 'in the time zone of the seller')
    assert.match(texts, new RegExp(`Without a response[^]*/payments/${first.chargeId}`))
    for (const each of [first, second]) await dispute(each, 'won')
    // Disputes of other tests may have been opened at the same time as the first.
    const own = [first.chargeId, second.chargeId]
    const decided = (await listed('decided')).flatMap(([id = '']: readonly string[]) => (own.includes(id) ? [id] : []))
    assert.deepEqual([await listed('open'), await waiting()], [[], 0])
    assert.deepEqual(decided, [second.chargeId, first.chargeId])
  })

  test('stays on the order when it is lost, and canceling the order pays nothing a second time', async () => {
    const order = await placed('pays')
    await dispute(order, 'open')
    await dispute(order, 'lost')
    const { total } = (await readOrder(order.orderId)).totals
    assert.deepEqual(await shownOf(order.orderId), [total.amount, 'paid', 'dispute_lost'])
    const canceled = await client.post(`/api/v1/open/storefront/orders/${order.orderId}/cancellations`, {
      reason: 'customer_request',
    })
    assert.equal(canceled.status, 200, canceled.text)
    const { money } = await readOrder(order.orderId)
    assert.deepEqual([money.refunded.amount, money.refundPending.amount], [0, 0])
  })
})

describe('a session that is being canceled', () => {
  test('places no order when its payment turns out to be pending: the payment is voided', async () => {
    const begun = await begunSession(shop, client)
    simulator.misbehave({ fault: 'settles', operation: 'authorize' })
    const { chargeId } = await pressPay(shop, await readSession(client, begun.id), 'simulator')
    await client.post(`/api/v1/open/hosted/checkout/sessions/${begun.id}/cancel`, {})
    await shop.app.payments.advance(chargeId!)
    const { status, orderId } = await readSession(client, begun.id)
    assert.deepEqual([status, orderId], ['canceled', undefined])
  })
})

describe('a payment whose session is deleted before its outcome is known', () => {
  const deleted = async ({ isCanceled }: { readonly isCanceled: boolean }) => {
    const begun = await begunSession(shop, client)
    const { chargeId } = await pressPay(shop, await readSession(client, begun.id), 'simulator')
    await shop.app.payments.advance(chargeId!)
    if (isCanceled) await client.post(`/api/v1/open/hosted/checkout/sessions/${begun.id}/cancel`, {})
    const before = await shop.app.payments.advance(chargeId!)
    await shop.run('delete from carts where id = $1', [begun.cartId])
    shop.clock.advance(DAY_MS)
    return { before, after: await shop.app.payments.reconcileNow(chargeId!) }
  }

  test('is voided if the session was canceled', async () => {
    simulator.misbehave({ fault: 'ask_shopper', operation: 'authorize' })
    simulator.misbehave({ fault: 'no_effect_no_answer', operation: 'void' })
    const { before, after } = await deleted({ isCanceled: true })
    assert.deepEqual([before.status, after.status], ['unknown', 'canceled'])
  })

  test('is refunded if it was captured', async () => {
    simulator.misbehave({ fault: 'effect_without_answer', operation: 'capture' })
    const { before, after } = await deleted({ isCanceled: false })
    assert.deepEqual([before.status, after.status], ['unknown', 'succeeded'])
    const [refund] = await shop.query('select purpose, amount from payment_intents where charge_id = $1', [after.id])
    assert.deepEqual(refund, { purpose: 'late_success', amount: after.amount })
  })
})
