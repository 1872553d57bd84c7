import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  decide,
  markArrived,
  postCancellation,
  putOnHold,
  readOrder,
  refundsOf,
  setPolicy,
  settleRefunds,
} from '../../../../test/support/commerce/after-sales.ts'
import { checkoutClient, eventKindsOf, owedTo, stockOf } from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { stopFulfillment } from '../fulfillment/index.ts'
import { type CancellationDecision, cancellationsIn, cancellationsOf, decideCancellation } from './index.ts'

let shop: Shop
let client: InstallationClient
let reader: Shop['database']['reader']
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  ;({ reader } = shop.database)
})

/** Requests a cancellation that needs a manual review. */
async function requested(units: Readonly<Record<string, number>>, body: object = {}) {
  await setPolicy(shop, 'ceramics', { cancellation: { automatic: false } })
  const order = await bought(shop, client, units)
  const answer = await postCancellation(client, order.id, body)
  assert.equal(answer.body?.data?.status, 'requested', answer.text)
  await setPolicy(shop, 'ceramics', {})
  return { order, id: String(answer.body.data.id) }
}

const says = (id: string, decision: CancellationDecision) =>
  decide(shop, (tx, by) => decideCancellation(tx, id, decision, { stopFulfillment, ...by }))
const yes = { approve: true } as const
const no = { approve: false, declineReason: 'The parcel is packed.' } as const

const firstPage = { limit: 100, after: null, environment: 'test', storeId: null } as const

describe('an operator deciding a cancellation', () => {
  test('sees open requests, oldest first', async () => {
    const first = await requested({ MUG: 1 })
    shop.clock.advance(1)
    const second = await requested({ MUG: 1 })
    const waiting = (await cancellationsIn(reader, 'requested', firstPage)).map(({ id }) => id)
    assert.deepEqual(waiting, [first.id, second.id])
    for (const id of waiting) await says(id, no)
    assert.deepEqual(await cancellationsIn(reader, 'requested', firstPage), [])
  })

  test('approves: units, fulfillment and stock change at once, and the refund completes it', async () => {
    const stock = await stockOf(shop, 'MUG')
    const { order, id } = await requested({ MUG: 2 })
    const { cancellation } = await says(id, yes)
    assert.equal(cancellation.status, 'approved')
    assert.equal(cancellation.refundAmount, BigInt(order.totals.total.amount))
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.status, after.money.refundPending], ['canceled', order.totals.total])
    assert.deepEqual(after.timeline.at(-1)?.actor, 'operator')
    assert.deepEqual(await stockOf(shop, 'MUG'), stock)

    await settleRefunds(shop, order.id, { isDone: true })
    const [settled] = await cancellationsOf(reader, order.id)
    assert.equal(settled?.status, 'completed')
    assert.equal((await readOrder(client, order.id)).paymentStatus, 'refunded')
    assert.deepEqual(await eventKindsOf(shop, id), ['order.cancellation.requested', 'order.cancellation.decided'])
  })

  test('restocks no oversold unit of an order that has shipped in part, and what still waits is owed', async () => {
    await shop.setStock('PLAN', 0)
    const order = await bought(shop, client, { PLAN: 5 })
    const units = (quantity: number) => [{ lineId: order.lines[0]!.id, quantity }]
    await markArrived(shop, order, units(1))
    for (const [quantity, owed] of [
      [1, 3],
      [3, 0],
    ] as const) {
      const answer = await postCancellation(client, order.id, { lines: units(quantity) })
      await says(answer.body.data.id, yes)
      assert.deepEqual([(await stockOf(shop, 'PLAN')).onHand, await owedTo(shop, order.id)], [0, owed])
      await settleRefunds(shop, order.id, { isDone: true })
    }
  })

  test('declines with a reason, and nothing else changes', async () => {
    const { order, id } = await requested({ MUG: 1 })
    const { cancellation } = await says(id, no)
    assert.equal(cancellation.status === 'declined' && cancellation.declineReason, 'The parcel is packed.')
    const { cancellations, ...rest } = await readOrder(client, order.id)
    assert.deepEqual({ ...rest, cancellations: [] }, order)
    assert.deepEqual([cancellations.length, cancellations[0]?.declineReason], [1, 'The parcel is packed.'])
    assert.deepEqual(await refundsOf(shop, order.id), [])
    assert.equal((await postCancellation(client, order.id)).status, 200, 'it can be requested again')
  })

  test('decides by the policy at the time of the request', async () => {
    const { order, id } = await requested({ MUG: 1 })
    await setPolicy(shop, 'ceramics', { cancellation: { refundsShipping: false, restocks: false } })
    const { cancellation } = await says(id, yes)
    assert.equal(cancellation.refundAmount, BigInt(order.totals.total.amount))
    await setPolicy(shop, 'ceramics', {})
  })

  test('decides once: the second time is refused with the current state', async () => {
    const { order, id } = await requested({ MUG: 1 })
    await says(id, yes)
    for (const decision of [yes, no]) {
      const { facts } = await refuses('version_conflict', () => says(id, decision))
      assert.equal(facts.conflict?.currentState, 'approved')
    }
    assert.equal((await refundsOf(shop, order.id)).length, 1)
  })

  test('decides once, also concurrently', async () => {
    const { order, id } = await requested({ MUG: 1 })
    const outcomes = await Promise.allSettled([says(id, yes), says(id, yes), says(id, no)])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert((await refundsOf(shop, order.id)).length <= 1)
    assert.equal((await eventKindsOf(shop, id)).length, 2)
  })

  test('cannot approve units that have shipped, and sees what is left', async () => {
    const { order, id } = await requested({ MUG: 2 })
    const lineId = order.lines[0]!.id
    await markArrived(shop, order, [{ lineId, quantity: 1 }])
    const { facts } = await refuses('order_not_cancelable', () => says(id, yes))
    assert.deepEqual(
      [facts.conflict?.reasons, facts.conflict?.lines],
      [['already_shipped'], [{ lineId, availableQuantity: 1 }]],
    )
    assert.equal((await says(id, no)).cancellation.status, 'declined')
  })

  test('cannot approve while the order is on hold', async () => {
    const { order, id } = await requested({ MUG: 1 })
    await putOnHold(shop, order.id)
    const { facts } = await refuses('order_not_cancelable', () => says(id, yes))
    assert.deepEqual(facts.conflict?.reasons, ['order_on_hold'])
  })

  test('has to give a valid reason', async () => {
    const { id } = await requested({ MUG: 1 })
    for (const declineReason of ['', ' ', 'x'.repeat(501)]) {
      await refuses('validation_failed', () => says(id, { approve: false, declineReason }))
    }
  })

  test('gets not_found for an unknown cancellation', async () => {
    await refuses('not_found', () => says(shop.ids.next('can'), yes))
  })
})

describe('the database', () => {
  test('allows one open cancellation per order', async () => {
    const { order, id } = await requested({ MUG: 2 })
    const again = shop.run(
      `insert into cancellations (id, order_id, status, version, scope, reason, refund_amount, policy_versions, created_at,
         updated_at)
       select $2, order_id, status, version, scope, reason, refund_amount, policy_versions, created_at, updated_at
       from cancellations where id = $1`,
      [id, shop.ids.next('can')],
    )
    await assert.rejects(again, { code: '23505' })
    assert.equal((await cancellationsOf(reader, order.id)).length, 1)
  })

  test('rejects facts that do not belong to the state', async () => {
    const { id } = await requested({ MUG: 1 })
    for (const change of [
      `status = 'approved'`,
      `decline_reason = 'No.'`,
      `status = 'completed', decided_at = now()`,
      `refund_amount = -1`,
    ]) {
      await assert.rejects(shop.run(`update cancellations set ${change} where id = $1`, [id]), { code: '23514' })
    }
  })
})
