import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import {
  bought,
  decide,
  eligibility,
  lineOf,
  loseOutcome,
  markArrived,
  postCancellation,
  putOnHold,
  readOrder,
  refundsOf,
  setPolicy,
  settleRefunds,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient, eventKindsOf, owedTo, stockOf } from '../../../../../test/support/commerce/checkout.ts'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { beginProcessing, lockOrderById, saveOrder } from '../../orders/index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const eur = (amount: number) => ({ amount, currency: 'EUR' })
const sum = (answers: readonly { refund: { amount: { amount: number } } }[]) =>
  answers.reduce((total, { refund }) => total + refund.amount.amount, 0)

/** An order that is being prepared. */
async function inPreparation(units: Readonly<Record<string, number>>) {
  const order = await bought(shop, client, units)
  await decide(shop, async (tx, by) => {
    const before = await lockOrderById(tx, order.id)
    await saveOrder(tx, before, beginProcessing(before, { now: by.now, actor: 'operator' }), by)
  })
  return readOrder(client, order.id)
}

async function canceled(orderId: string, body: object = {}) {
  return dataOf(await postCancellation(client, orderId, body))
}

describe('cancelStorefrontOrder', () => {
  test('200 cancels an unprepared order at once: units, fulfillment, stock and refund, in one transaction', async () => {
    const before = await stockOf(shop, 'MUG')
    const order = await bought(shop, client, { MUG: 2 })
    assert.equal((await stockOf(shop, 'MUG')).onHand, before.onHand - 2)

    const cancellation = await canceled(order.id, { note: 'Too blue.' })

    assert.equal(cancellation.status, 'completed')
    assert.equal(cancellation.scope, 'full')
    assert.deepEqual(cancellation.refund, { status: 'pending', amount: order.totals.total })
    assert.deepEqual(cancellation.lines, [{ lineId: order.lines[0]!.id, quantity: 2 }])
    const after = await readOrder(client, order.id)
    assert.deepEqual(cancellation.order, { status: 'canceled', version: after.version })
    assert.deepEqual([after.status, after.fulfillmentStatus], ['canceled', 'canceled'])
    assert.deepEqual(after.money.refundPending, order.totals.total)
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
    const [intent] = await shop.query('select status from fulfilment_intents where order_id = $1', [order.id])
    assert.equal(intent?.status, 'stopped')
    const [refund] = await refundsOf(shop, order.id)
    assert.deepEqual(
      [refund?.subjectId, refund?.purpose, refund?.amount],
      [cancellation.id, 'cancellation', BigInt(order.totals.total.amount)],
    )
    assert.deepEqual(await eventKindsOf(shop, cancellation.id), [
      'order.cancellation.requested',
      'order.cancellation.decided',
    ])
    assert((await eventKindsOf(shop, order.id)).includes('order.canceled'))
  })

  test('200 the answer of the provider settles the refund', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await canceled(order.id)
    await settleRefunds(shop, order.id, { isDone: true })
    const after = await readOrder(client, order.id)
    assert.equal(after.paymentStatus, 'refunded')
    assert.deepEqual([after.money.refunded, after.money.refundPending], [order.totals.total, eur(0)])
  })

  test('200 cancels units, and all parts refund exactly what was charged, shipping with the last', async () => {
    const order = await bought(shop, client, { MUG: 3, BOWL: 1, NOVEL: 2 })
    const units = (code: string, quantity: number) => ({ lines: [{ lineId: lineOf(shop, order, code).id, quantity }] })
    const parts = [
      await canceled(order.id, units('MUG', 1)),
      await canceled(order.id, units('NOVEL', 1)),
      await canceled(order.id, units('MUG', 2)),
      await canceled(order.id, units('BOWL', 1)),
      await canceled(order.id),
    ]
    assert.deepEqual(
      parts.map(({ scope }) => scope),
      ['partial', 'partial', 'partial', 'partial', 'full'],
    )
    assert.equal(sum(parts), order.totals.total.amount)
    await settleRefunds(shop, order.id, { isDone: true })
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.status, after.paymentStatus], ['canceled', 'refunded'])
    assert.deepEqual(after.money.refunded, after.money.charged)
    assert.equal(after.adjustments.length, 5)
  })

  test('200 records a request for an operator if the order is being prepared, and changes nothing yet', async () => {
    const stock = await stockOf(shop, 'MUG')
    const order = await inPreparation({ MUG: 1 })
    const cancellation = await canceled(order.id)
    assert.deepEqual(
      [cancellation.status, cancellation.refund.status, cancellation.decidedAt],
      ['requested', 'pending', undefined],
    )
    assert.deepEqual(cancellation.order, { status: 'processing', version: order.version })
    assert.deepEqual(await readOrder(client, order.id), { ...order, cancellations: [cancellation] })
    assert.equal((await stockOf(shop, 'MUG')).onHand, stock.onHand - 1)
    assert.deepEqual(await refundsOf(shop, order.id), [])
    assert.deepEqual(await eventKindsOf(shop, cancellation.id), ['order.cancellation.requested'])
  })

  test('200 leaves an order on hold to an operator', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await putOnHold(shop, order.id)
    assert.equal((await canceled(order.id)).status, 'requested')
  })

  test('200 answers a repeated key with the first answer, and refunds once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const path = `/api/v1/open/storefront/orders/${order.id}/cancellations`
    const ask = () => client.post(path, { reason: 'duplicate' }, { key: `once-${order.id}` })
    const [first, second] = [await ask(), await ask()]
    assert.equal(second.text, first.text)
    assert.equal((await refundsOf(shop, order.id)).length, 1)
  })

  test('200 restocks nothing and keeps shipping if the policy says so', async () => {
    await setPolicy(shop, 'books', { cancellation: { restocks: false, refundsShipping: false } })
    const order = await bought(shop, client, { NOVEL: 1 })
    const stock = await stockOf(shop, 'NOVEL')
    const { refund } = await canceled(order.id)
    assert.deepEqual(refund.amount, order.lines[0]!.total)
    assert.deepEqual(await stockOf(shop, 'NOVEL'), stock)
    await setPolicy(shop, 'books', {})
  })

  test('200 restocks what was in stock, and no oversold unit', async () => {
    await shop.setStock('PLAN', 1)
    const onHand = async () => (await stockOf(shop, 'PLAN')).onHand
    const order = await bought(shop, client, { PLAN: 3 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 2 }]
    await canceled(order.id, { lines })
    assert.equal(await onHand(), 0)
    await canceled(order.id)
    assert.equal(await onHand(), 1)
  })

  test('200 owes no canceled unit, although the policy restocks nothing', async () => {
    await setPolicy(shop, 'ceramics', { cancellation: { restocks: false } })
    await shop.setStock('PLAN', 1)
    const order = await bought(shop, client, { PLAN: 4 })
    const left = async () => [(await stockOf(shop, 'PLAN')).onHand, await owedTo(shop, order.id)]
    await canceled(order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    assert.deepEqual(await left(), [0, 2])
    await canceled(order.id)
    assert.deepEqual(await left(), [0, 0])
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 honors a token after the window has closed', async () => {
    await setPolicy(shop, 'ceramics', { cancellation: { windowMinutes: 5 } })
    const order = await bought(shop, client, { MUG: 1 })
    shop.clock.advance(4 * 60_000)
    const { eligibilityToken } = await eligibility(client, order.id, 'cancellation')
    shop.clock.advance(2 * 60_000)
    assertRefused(await postCancellation(client, order.id), 409, 'order_not_cancelable')
    assert.equal((await canceled(order.id, { eligibilityToken })).status, 'completed')
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 honors a token after the policy has changed', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { eligibilityToken, preview } = await eligibility(client, order.id, 'cancellation')
    await setPolicy(shop, 'ceramics', { cancellation: { automatic: false, refundsShipping: false } })
    const cancellation = await canceled(order.id, { eligibilityToken })
    assert.deepEqual([cancellation.status, cancellation.refund.amount], ['completed', preview.refund])
    await setPolicy(shop, 'ceramics', {})
  })

  test('400 quantity_invalid: a duplicate line', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    const line = { lineId: order.lines[0]!.id, quantity: 1 }
    const twice = await postCancellation(client, order.id, { lines: [line, line] })
    assertRefused(twice, 400, 'quantity_invalid')
    assert.equal(twice.body.details[0].pointer, '/lines/1/lineId')
  })

  test('400 validation_failed: an empty list of lines', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const answer = await postCancellation(client, order.id, { lines: [] })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual([answer.body.details[0].pointer, answer.body.details[0].code], ['/lines', 'wrong_length'])
  })

  test('400 validation_failed: a line of another order', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const answer = await postCancellation(client, order.id, { lines: [{ lineId: shop.ids.next('oli'), quantity: 1 }] })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual([answer.body.details[0].pointer, answer.body.details[0].code], ['/lines/0/lineId', 'unknown_line'])
  })

  test('400 validation_failed: a token that was changed, expired, or issued for another order or question', async () => {
    const [order, other] = [await bought(shop, client, { MUG: 1 }), await bought(shop, client, { MUG: 1 })]
    const token = async (id: string, question: 'cancellation' | 'after-sales') =>
      (await eligibility(client, id, question)).eligibilityToken
    const own = await token(order.id, 'cancellation')
    for (const [eligibilityToken, code] of [
      [`${own.slice(0, 4)}x${own.slice(5)}`, 'invalid'],
      [await token(other.id, 'cancellation'), 'invalid'],
      [await token(order.id, 'after-sales'), 'invalid'],
    ] as const) {
      const answer = await postCancellation(client, order.id, { eligibilityToken })
      assertRefused(answer, 400, 'validation_failed')
      assert.deepEqual([answer.body.details[0].pointer, answer.body.details[0].code], ['/eligibilityToken', code])
    }
    shop.clock.advance(600_000)
    const late = await postCancellation(client, order.id, { eligibilityToken: own })
    assertRefused(late, 400, 'validation_failed')
    assert.equal(late.body.details[0].code, 'expired')
    assert.equal((await readOrder(client, order.id)).status, 'confirmed')
  })

  test('404 not_found: an order of another installation is indistinguishable from none', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const other = await shop.client()
    const [seen, none] = [await postCancellation(other, order.id), await postCancellation(other, shop.ids.next('ord'))]
    assertRefused(seen, 404, 'not_found')
    const { requestId: _, ...body } = seen.body
    const { requestId: __, ...bodyOfNone } = none.body
    assert.deepEqual(body, bodyOfNone)
  })

  test('409 version_conflict: the order has changed since it was read', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const stale = await postCancellation(client, order.id, { expectedVersion: 7 })
    assertRefused(stale, 409, 'version_conflict')
    assert.deepEqual(stale.body.conflict, {
      expectedVersion: 7,
      currentVersion: order.version,
      currentState: 'confirmed',
    })
    await canceled(order.id, { expectedVersion: order.version })
  })

  test('409 payment_outcome_unknown: no decision while money may have moved', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await loseOutcome(shop, order.id)
    const answer = await postCancellation(client, order.id)
    assertRefused(answer, 409, 'payment_outcome_unknown')
    assert.equal(answer.body.retry.advice, 'same_request_later')
  })

  test('409 order_not_cancelable: everything has shipped, or is canceled', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const shipped = await postCancellation(client, order.id)
    assertRefused(shipped, 409, 'order_not_cancelable')
    assert.deepEqual(shipped.body.conflict, {
      currentState: 'completed',
      currentVersion: 3,
      reasons: ['already_shipped'],
    })
    const other = await bought(shop, client, { MUG: 1 })
    await canceled(other.id)
    const again = await postCancellation(client, other.id)
    assertRefused(again, 409, 'order_not_cancelable')
    assert.deepEqual(again.body.conflict.reasons, ['order_canceled'])
  })

  test('409 cancellation_exists: one is open already, and the answer names it', async () => {
    const order = await inPreparation({ MUG: 2 })
    const first = await canceled(order.id)
    const second = await postCancellation(client, order.id)
    assertRefused(second, 409, 'cancellation_exists')
    assert.equal(second.body.conflict.heldBy, first.id)
  })

  test('409 cancellation_exists: one of two concurrent requests', async () => {
    const order = await inPreparation({ MUG: 2 })
    const answers = await Promise.all([postCancellation(client, order.id), postCancellation(client, order.id)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assertRefused(answers.find(({ status }) => status === 409)!, 409, 'cancellation_exists')
  })

  test('409 quantity_exceeded: more units than are left, with the number left', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    const line = order.lines[0]!
    const answer = await postCancellation(client, order.id, { lines: [{ lineId: line.id, quantity: 3 }] })
    assertRefused(answer, 409, 'quantity_exceeded')
    assert.deepEqual(answer.body.conflict.lines, [{ lineId: line.id, requestedQuantity: 3, availableQuantity: 2 }])
  })

  test('409 quantity_exceeded: a token binds rules, not goods', async () => {
    const order = await bought(shop, client, { MUG: 2 })
    const { eligibilityToken } = await eligibility(client, order.id, 'cancellation')
    const lines = [{ lineId: order.lines[0]!.id, quantity: 2 }]
    await markArrived(shop, order, [{ ...lines[0]!, quantity: 1 }])
    assertRefused(await postCancellation(client, order.id, { eligibilityToken, lines }), 409, 'quantity_exceeded')
  })

  test('of two concurrent cancellations, one succeeds and refunds once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const answers = await Promise.all([postCancellation(client, order.id), postCancellation(client, order.id)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await refundsOf(shop, order.id)).length, 1)
  })
})
