import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AfterSales, Cancellation, Order } from '@vitrine/contract'
import {
  bought,
  lineOf,
  markArrived,
  postAfterSales,
  postCancellation,
  readOrder,
  settleRefunds,
} from '../support/commerce/after-sales.ts'
import { checkout, checkoutClient, paid, readyCart } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'

/**
 * A shop follows every request of its shoppers using only its list of orders, the order and its events. The operator decides with the
 * operator API.
 */
let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

/** The data of an object's events of a kind, in order. */
async function eventsOf(subjectId: string, kind: string) {
  const sql = `select convert_from(body, 'UTF8') as body from events where subject_id = $1 and kind = $2 order by sequence`
  return (await shop.query(sql, [subjectId, kind])).map(({ body }) => JSON.parse(String(body)).data)
}

async function summaryOf(orderId: string) {
  const { orders } = (await client.get(ORDERS)).body.data
  return orders.find(({ id }: { id: string }) => id === orderId)
}

const onlyRequest = ({ afterSales }: Order) => afterSales[0] as AfterSales
const onlyCancellation = ({ cancellations }: Order) => cancellations[0] as Cancellation

describe('a return', () => {
  test('is followed from the request to the refund by reading the order', async () => {
    const cart = await readyCart(shop, client, { MUG: 2 })
    const begun = await checkout(client, cart.id, { clientReferenceId: 'A-1044', metadata: { basket: 'web' } })
    const { orderId } = await paid(shop, client, begun.body.data)
    const order = await readOrder(client, orderId!)
    assert.deepEqual(
      [order.cartId, order.checkoutSessionId, order.clientReferenceId, order.metadata],
      [cart.id, begun.body.data.id, 'A-1044', { basket: 'web' }],
    )
    assert.deepEqual([order.customer.email, order.lines[0]?.code], ['ada@example.com', 'MUG'])
    await markArrived(shop, order)

    const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1 }]
    const asked = await postAfterSales(client, order.id, { lines, description: 'The handle is loose.' })
    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(onlyRequest(await readOrder(client, order.id)), asked.body.data)
    assert.deepEqual((await summaryOf(order.id)).open, { cancellations: 0, afterSales: 1 })

    const step = (name: string, body: object = {}) =>
      operator.change('POST', `/after-sales/${asked.body.data.id}/${name}`, body)
    const returnBy = new Date(shop.clock.now().getTime() + 7 * 86_400_000).toISOString()
    await step('approve', { instructions: 'Write RMA 77 on the parcel.', returnBy })
    const approved = onlyRequest(await readOrder(client, order.id))
    assert.deepEqual(
      [approved.status, approved.instructions, approved.deadlines, approved.refund],
      ['awaiting_return', 'Write RMA 77 on the parcel.', { returnBy }, undefined],
    )

    await step('received')
    assert.equal(onlyRequest(await readOrder(client, order.id)).status, 'received')
    await step('inspect', { accepted: true })
    await step('resolve')
    const resolving = await readOrder(client, order.id)
    assert.deepEqual(
      [onlyRequest(resolving).status, onlyRequest(resolving).refund],
      ['resolving', { status: 'pending', amount: resolving.money.refundPending }],
    )
    await settleRefunds(shop, order.id, { isDone: true })
    const closed = await readOrder(client, order.id)
    assert.deepEqual(
      [onlyRequest(closed).status, onlyRequest(closed).refund, closed.adjustments[0]?.reference],
      ['completed', { status: 'succeeded', amount: closed.money.refunded }, asked.body.data.id],
    )
    assert.deepEqual((await summaryOf(order.id)).open, { cancellations: 0, afterSales: 0 })

    const events = await eventsOf(asked.body.data.id, 'after_sales.updated')
    assert.deepEqual(
      events.map(({ status }) => status),
      ['awaiting_return', 'received', 'inspecting', 'resolving', 'completed'],
    )
    const { number } = order
    for (const { version: _, status: __, ...facts } of events) {
      assert.deepEqual(facts, {
        orderId: order.id,
        number,
        clientReferenceId: 'A-1044',
        storeIds: [shop.storeId('ceramics')],
        afterSalesId: asked.body.data.id,
        kind: 'return',
        instructions: 'Write RMA 77 on the parcel.',
        returnBy,
      })
    }
  })

  test('that is declined shows the reason', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1 }]
    const { id } = (await postAfterSales(client, order.id, { lines })).body.data
    await operator.change('POST', `/after-sales/${id}/decline`, { declineReason: 'It was used.' })
    const declined = onlyRequest(await readOrder(client, order.id))
    assert.deepEqual(
      [declined.status, declined.declineReason, declined.refund],
      ['declined', 'It was used.', undefined],
    )
  })
})

describe('a cancellation that an operator has to decide', () => {
  /** Requested while the order is being prepared. */
  async function requested(units: Readonly<Record<string, number>>, code?: string) {
    const order = await bought(shop, client, units)
    await operator.change('POST', `/orders/${order.id}/begin`, {})
    const lines = code === undefined ? {} : { lines: [{ lineId: lineOf(shop, order, code).id, quantity: 1 }] }
    const answer = await postCancellation(client, order.id, lines)
    assert.equal(answer.status, 200, answer.text)
    const waiting = await readOrder(client, order.id)
    assert.deepEqual(onlyCancellation(waiting), answer.body.data)
    assert.deepEqual((await summaryOf(order.id)).open, { cancellations: 1, afterSales: 0 })
    return { order, id: answer.body.data.id }
  }

  test('shows its approval, and its refund until it is paid', async () => {
    const { order, id } = await requested({ MUG: 1 })
    await operator.change('POST', `/cancellations/${id}/approve`, {})
    const approved = await readOrder(client, order.id)
    assert.deepEqual(
      [approved.status, onlyCancellation(approved).status, onlyCancellation(approved).refund],
      ['canceled', 'approved', { status: 'pending', amount: approved.money.refundPending }],
    )
    await settleRefunds(shop, order.id, { isDone: true })
    const { status, refund } = onlyCancellation(await readOrder(client, order.id))
    assert.deepEqual([status, refund.status], ['completed', 'succeeded'])
  })

  test('shows why it was declined', async () => {
    const { order, id } = await requested({ MUG: 1 })
    await operator.change('POST', `/cancellations/${id}/decline`, { declineReason: 'The parcel is packed.' })
    const { status, declineReason, decidedAt } = onlyCancellation(await readOrder(client, order.id))
    assert.deepEqual(
      [status, declineReason, decidedAt],
      ['declined', 'The parcel is packed.', shop.clock.now().toISOString()],
    )
    const [decided] = await eventsOf(id, 'order.cancellation.decided')
    assert.deepEqual([decided.orderId, decided.number, decided.status], [order.id, order.number, 'declined'])
  })

  test('for one of two stores names that store, and does not affect the other', async () => {
    const { order, id } = await requested({ MUG: 1, NOVEL: 1 }, 'NOVEL')
    await operator.change('POST', `/cancellations/${id}/approve`, {})
    const after = await readOrder(client, order.id)
    assert.deepEqual(
      [after.status, onlyCancellation(after).scope, lineOf(shop, after, 'MUG').quantity.canceled],
      ['processing', 'partial', 0],
    )
    assert.equal(lineOf(shop, after, 'NOVEL').quantity.canceled, 1)
    const events = [
      ...(await eventsOf(id, 'order.cancellation.requested')),
      ...(await eventsOf(id, 'order.cancellation.decided')),
    ]
    assert.deepEqual(
      events.map(({ storeIds, status }) => [storeIds, status]),
      [
        [[shop.storeId('books')], 'requested'],
        [[shop.storeId('books')], 'approved'],
      ],
    )
  })
})
