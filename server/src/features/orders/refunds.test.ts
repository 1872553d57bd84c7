import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../test/support/client.ts'
import {
  bought,
  decide,
  postCancellation,
  readOrder,
  refundsOf,
  settleRefunds,
} from '../../../../test/support/commerce/after-sales.ts'
import { checkoutClient, RETURN_URL } from '../../../../test/support/commerce/checkout.ts'
import { orderedBy } from '../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import {
  cancellationRefundOutcome,
  cancellationsOf,
  completeRefundedCancellation,
  decideCancellation,
} from '../cancellations/index.ts'
import { stopFulfillment } from '../fulfillment/index.ts'
import { beginCharge, type Intent, intentOf } from '../payments/index.ts'
import {
  countFailedRefunds,
  recordRefundPaid,
  recordRefundReturned,
  refundByOperator,
  retryRefund,
  searchOrders,
} from './index.ts'

let shop: Shop
let client: InstallationClient
let reader: Shop['database']['reader']
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  ;({ reader } = shop.database)
})

const canceled = async (orderId: string, body: object = {}) => {
  return dataOf(await postCancellation(client, orderId, body))
}
const refund = (orderId: string, amount: bigint) =>
  decide(shop, (tx, by) => refundByOperator(tx, { orderId, amount }, by))
const retry = (reference: string) => decide(shop, (tx, by) => retryRefund(tx, reference, by))
const recordPaid = (reference: string) =>
  decide(shop, (tx, by) => recordRefundPaid(tx, reference, { cancellation: completeRefundedCancellation }, by))

const recordReturned = (reference: string) => decide(shop, (tx, by) => recordRefundReturned(tx, reference, by))

/** Applies a provider's answer to an intent. */
async function applyAnswer(intent: Intent, status: Intent['status']): Promise<void> {
  const outcome = cancellationRefundOutcome
  await decide(shop, async (tx, by) => {
    const settle = await outcome.lock(tx, intent)
    await settle({ ...intent, status }, by)
  })
}

describe('a refund of an order', () => {
  test('is retried after a failure, and paid once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await settleRefunds(shop, order.id, { isDone: false })
    const failed = await readOrder(client, order.id)
    assert.deepEqual([failed.money.refundPending, failed.paymentStatus], [order.totals.total, 'paid'])

    await retry(id)
    await settleRefunds(shop, order.id, { isDone: true })
    assert.deepEqual((await refundsOf(shop, order.id)).map(({ status }) => status).sort(), ['failed', 'succeeded'])
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await refuses('version_conflict', () => retry(id))
  })

  test('with an unknown outcome reserves its amount until the outcome is known', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await canceled(order.id)
    const [intent] = await refundsOf(shop, order.id)
    await applyAnswer(intent!, 'unknown')
    const unknown = await readOrder(client, order.id)
    assert.deepEqual([unknown.paymentStatus, unknown.money.unknown], ['unknown', order.totals.total])
    await refuses('payment_outcome_unknown', () => refund(order.id, 1n))
    await applyAnswer(intent!, 'succeeded')
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
  })

  test('does not change once it is paid, whatever the provider answers later', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await canceled(order.id)
    const [intent] = await refundsOf(shop, order.id)
    await applyAnswer(intent!, 'succeeded')
    const { version } = await readOrder(client, order.id)
    for (const status of ['succeeded', 'failed', 'unknown', 'requires_action'] as const)
      await applyAnswer(intent!, status)
    assert.equal((await readOrder(client, order.id)).version, version)
  })

  test('that its bank returns is owed again, counts as a task, and is paid once more', async () => {
    const count = () => countFailedRefunds(reader, 'test', 100, null)
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await settleRefunds(shop, order.id, { isDone: true })
    const [paid] = await refundsOf(shop, order.id)
    const before = await count()
    await shop.run(`update payment_intents set status = 'failed', failure_code = 'lost_card' where id = $1`, [paid!.id])
    await shop.run('update payment_intents set refund_asked = 0 where id = $1', [paid!.chargeId])

    await applyAnswer(paid!, 'failed')
    const owed = await readOrder(client, order.id)
    assert.deepEqual([owed.paymentStatus, owed.money.refunded.amount], ['paid', 0])
    assert.deepEqual([owed.money.refundPending, owed.timeline.at(-1)?.code], [order.totals.total, 'refund_failed'])
    assert.equal(await count(), before + 1)
    const found = await searchOrders(reader, { refunds: 'failed', environment: 'test' }, null, 100)
    assert.ok(found.some((each) => each.id === order.id))

    await retry(id)
    await settleRefunds(shop, order.id, { isDone: true })
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    assert.equal(await count(), before)
    assert.equal((await cancellationsOf(reader, order.id))[0]?.status, 'completed')
  })

  test('can be paid outside the provider after a failure, which an operator records once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await refuses('version_conflict', () => recordPaid(id))
    await settleRefunds(shop, order.id, { isDone: false })
    await recordPaid(id)
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await refuses('version_conflict', () => recordPaid(id))
  })

  test('that was paid outside the provider and has come back is owed again, once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { id } = await canceled(order.id)
    await settleRefunds(shop, order.id, { isDone: false })
    await refuses('version_conflict', () => recordReturned(id))
    await recordPaid(id)
    await recordReturned(id)
    const owed = await readOrder(client, order.id)
    assert.deepEqual([owed.paymentStatus, owed.money.refunded.amount], ['paid', 0])
    assert.deepEqual([owed.money.refundPending, owed.timeline.at(-1)?.code], [order.totals.total, 'refund_failed'])
    await refuses('version_conflict', () => recordReturned(id))

    await retry(id)
    await settleRefunds(shop, order.id, { isDone: true })
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await refuses('version_conflict', () => recordReturned(id))
  })
})

describe('an order that was paid elsewhere', () => {
  test('is canceled by an operator, who records the refund', async () => {
    const order = await orderedBy(shop, client, { MUG: 1 }, { chargeId: null, sessionId: null, source: 'import' })
    const asked = await canceled(order.id)
    assert.equal(asked.status, 'requested')
    const decision = { approve: true } as const
    await decide(shop, (tx, by) => decideCancellation(tx, asked.id, decision, { stopFulfillment, ...by }))
    assert.deepEqual(await refundsOf(shop, order.id), [])
    assert.equal((await cancellationsOf(reader, order.id))[0]?.status, 'approved')
    await recordPaid(asked.id)
    assert.equal((await cancellationsOf(reader, order.id))[0]?.status, 'completed')
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    await recordReturned(asked.id)
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'paid')
    await recordPaid(asked.id)
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
  })
})

describe('an order with an authorized payment', () => {
  test('is voided instead of refunded', async () => {
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
  test('refunds an amount without units, which lowers later refunds of units', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const { reference } = await refund(order.id, 100n)
    assert.match(reference, /^rfd_/)
    const { refund: rest } = await canceled(order.id)
    assert.equal(rest.amount.amount, order.totals.total.amount - 100)
    await settleRefunds(shop, order.id, { isDone: true })
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.paymentStatus, after.money.refunded], ['refunded', after.money.charged])
    assert.deepEqual(
      after.adjustments.map(({ kind }) => kind),
      ['correction', 'cancellation'],
    )
  })

  test('refunds no more than is left, also concurrently', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const all = BigInt(order.totals.total.amount)
    const { facts } = await refuses('validation_failed', () => refund(order.id, all + 1n))
    assert.equal(facts.faults?.[0]?.params?.max, Number(all))
    await refuses('validation_failed', () => refund(order.id, 0n))
    const outcomes = await Promise.allSettled([refund(order.id, all), refund(order.id, all), refund(order.id, 1n)])
    assert((await refundsOf(shop, order.id)).reduce((sum, { amount }) => sum + amount, 0n) <= all)
    assert(outcomes.some(({ status }) => status === 'rejected'))
  })

  test('gets not_found for an unknown order and an unknown refund', async () => {
    await refuses('not_found', () => refund(shop.ids.next('ord'), 1n))
    await refuses('not_found', () => retry(shop.ids.next('can')))
  })
})
