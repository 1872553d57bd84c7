import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  askToCancel,
  bought,
  decide,
  readOrder,
  refundsAreAnswered,
  refundsOf,
} from '../../../../test/support/after-sales.ts'
import { checkoutClient, RETURN_URL } from '../../../../test/support/checkout.ts'
import { orderedBy } from '../../../../test/support/orders.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { startShop } from '../../../../test/support/shop.ts'
import {
  cancellationRefundOutcome,
  cancellationsOf,
  completeRefundedCancellation,
  decideCancellation,
} from '../cancellations/index.ts'
import { stopFulfillment } from '../fulfillment/index.ts'
import { beginCharge, type Intent, intentOf } from '../payments/index.ts'
import { recordRefundPaid, refundByOperator, retryRefund } from './index.ts'

const shop = await startShop()
const client = await checkoutClient(shop)
const { reader } = shop.database

const canceled = async (orderId: string, body: object = {}) => {
  const answer = await askToCancel(client, orderId, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}
const refund = (orderId: string, amount: bigint) =>
  decide(shop, (tx, by) => refundByOperator(tx, { orderId, amount }, by))
const retry = (reference: string) => decide(shop, (tx, by) => retryRefund(tx, reference, by))
const paidByHand = (reference: string) =>
  decide(shop, (tx, by) => recordRefundPaid(tx, reference, { cancellation: completeRefundedCancellation }, by))

/** The provider's answer comes by an intent. */
async function hears(intent: Intent, status: Intent['status']): Promise<void> {
  const outcome = cancellationRefundOutcome
  await decide(shop, async (tx, by) => {
    await outcome.lock(tx, intent)
    await outcome.settle(tx, { ...intent, status }, by)
  })
}

describe('a refund of an order', () => {
  test('that was refused is asked for again, and given back once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await refundsAreAnswered(shop, order.id, { isDone: false })
    const failed = await readOrder(client, order.id)
    assert.deepEqual([failed.money.refundPending, failed.paymentStatus], [order.totals.total, 'paid'])

    await retry(id)
    await refundsAreAnswered(shop, order.id, { isDone: true })
    assert.deepEqual((await refundsOf(shop, order.id)).map(({ status }) => status).sort(), ['failed', 'succeeded'])
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await refuses('version_conflict', () => retry(id))
  })

  test('that nobody knows the end of holds its money back until somebody does', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await canceled(order.id)
    const [intent] = await refundsOf(shop, order.id)
    await hears(intent!, 'unknown')
    const unknown = await readOrder(client, order.id)
    assert.deepEqual([unknown.paymentStatus, unknown.money.unknown], ['unknown', order.totals.total])
    await refuses('payment_outcome_unknown', () => refund(order.id, 1n))
    await hears(intent!, 'succeeded')
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
  })

  test('takes the same answer twice as once, and none after the money has gone back', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await canceled(order.id)
    const [intent] = await refundsOf(shop, order.id)
    await hears(intent!, 'succeeded')
    const { version } = await readOrder(client, order.id)
    for (const status of ['succeeded', 'failed', 'unknown', 'requires_action'] as const) await hears(intent!, status)
    assert.equal((await readOrder(client, order.id)).version, version)
  })

  test('that was refused may go back another way, which an operator says once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await refuses('version_conflict', () => paidByHand(id))
    await refundsAreAnswered(shop, order.id, { isDone: false })
    await paidByHand(id)
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await refuses('version_conflict', () => paidByHand(id))
  })
})

describe('an order that was paid elsewhere', () => {
  test('is canceled by an operator, who says when the money has gone back', async () => {
    const order = await orderedBy(shop, client, { MUG: 1 }, { chargeId: null, sessionId: null, source: 'import' })
    const asked = await canceled(order.id)
    assert.equal(asked.status, 'requested')
    const verdict = { approve: true } as const
    await decide(shop, (tx, by) => decideCancellation(tx, asked.id, verdict, { stopFulfillment, ...by }))
    assert.deepEqual(await refundsOf(shop, order.id), [])
    assert.equal((await cancellationsOf(reader, order.id))[0]?.status, 'approved')
    await paidByHand(asked.id)
    assert.equal((await cancellationsOf(reader, order.id))[0]?.status, 'completed')
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
  })
})

describe('an order whose money was only reserved', () => {
  test('lets go of it instead of giving it back', async () => {
    const chargeId = await shop.database.transaction(async (tx) =>
      beginCharge(
        tx,
        {
          subjectId: shop.ids.next('cks'),
          purpose: 'checkout',
          environment: 'test',
          installationId: client.installationId,
          storeId: null,
          provider: 'manual',
          amount: 1744n,
          currency: 'EUR',
          returnUrl: RETURN_URL,
        },
        { ids: shop.ids, now: shop.clock.now() },
      ),
    )
    const order = await orderedBy(shop, client, { MUG: 1 }, { chargeId, charge: 'authorized' })
    const cancellation = await canceled(order.id)
    assert.deepEqual([cancellation.status, cancellation.refund.status], ['completed', 'not_needed'])
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'voided')
    assert.equal((await intentOf(reader, chargeId))?.status, 'canceled')
  })
})

describe('an operator', () => {
  test('gives back what no unit stands for, and units give back no more than is left', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { reference } = await refund(order.id, 100n)
    assert.match(reference, /^rfd_/)
    const { refund: rest } = await canceled(order.id)
    assert.equal(rest.amount.amount, order.totals.total.amount - 100)
    await refundsAreAnswered(shop, order.id, { isDone: true })
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.paymentStatus, after.money.refunded], ['refunded', after.money.charged])
    assert.deepEqual(
      after.adjustments.map(({ kind }) => kind),
      ['correction', 'cancellation'],
    )
  })

  test('gives back no more than is left, also where several do at once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const all = BigInt(order.totals.total.amount)
    const { facts } = await refuses('validation_failed', () => refund(order.id, all + 1n))
    assert.equal(facts.faults?.[0]?.params?.max, Number(all))
    await refuses('validation_failed', () => refund(order.id, 0n))
    const outcomes = await Promise.allSettled([refund(order.id, all), refund(order.id, all), refund(order.id, 1n)])
    assert((await refundsOf(shop, order.id)).reduce((sum, { amount }) => sum + amount, 0n) <= all)
    assert(outcomes.some(({ status }) => status === 'rejected'))
  })

  test('is told that there is no such order, and no such refund', async () => {
    await refuses('not_found', () => refund(shop.ids.next('ord'), 1n))
    await refuses('not_found', () => retry(shop.ids.next('can')))
  })
})
