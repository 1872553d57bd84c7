import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approveAfterSales, resolveAfterSales } from '../../server/src/features/after-sales/index.ts'
import { decideCancellation } from '../../server/src/features/cancellations/index.ts'
import { ship, stopFulfillment } from '../../server/src/features/fulfillment/index.ts'
import { refundByOperator } from '../../server/src/features/orders/index.ts'
import {
  bought,
  decide,
  markArrived,
  postAfterSales,
  postCancellation,
  readOrder,
  refundsOf,
  setPolicy,
} from '../support/commerce/after-sales.ts'
import { checkoutClient, stockOf } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import type { InstallationClient } from '../support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const ROUNDS = 8

describe('units of an order', () => {
  test('are shipped or canceled, never both and never neither', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = await bought(shop, client, { MUG: 1 })
      const parcel = { orderId: order.id, reference: `parcel-${round}` }
      const [canceled, shipped] = await Promise.allSettled([
        postCancellation(client, order.id),
        decide(shop, (tx, by) => ship(tx, parcel, by)),
      ])
      const isCanceled = canceled.status === 'fulfilled' && canceled.value.status === 200
      assert.notEqual(isCanceled, shipped.status === 'fulfilled')
      const after = await readOrder(client, order.id)
      assert.equal(after.status, isCanceled ? 'canceled' : 'completed')
      assert.equal((await refundsOf(shop, order.id)).length, isCanceled ? 1 : 0)
    }
  })

  test('of many orders are restocked concurrently, and none is lost', async () => {
    const before = [await stockOf(shop, 'MUG'), await stockOf(shop, 'BOWL')]
    const orders = []
    for (let round = 0; round < ROUNDS; round += 1) {
      orders.push(await bought(shop, client, round % 2 === 0 ? { MUG: 1, BOWL: 1 } : { BOWL: 1, MUG: 1 }))
    }
    const answers = await Promise.all(orders.map(({ id }) => postCancellation(client, id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepEqual([await stockOf(shop, 'MUG'), await stockOf(shop, 'BOWL')], before)
  })
})

describe('the refund of an order', () => {
  test('is made once, however many request it concurrently', async () => {
    await setPolicy(shop, 'ceramics', { cancellation: { automatic: false } })
    const order = await bought(shop, client, { MUG: 2, BOWL: 1 })
    const [mug, bowl] = order.lines
    await markArrived(shop, order, [{ lineId: bowl!.id, quantity: 1 }])
    const lines = [{ lineId: mug!.id, quantity: 2 }]
    const cancellation = (await postCancellation(client, order.id, { lines })).body.data.id
    const body = { kind: 'refund_only', lines: [{ lineId: bowl!.id, quantity: 1 }] }
    const request = (await postAfterSales(client, order.id, body)).body.data.id
    await decide(shop, (tx, by) => approveAfterSales(tx, request, {}, by))
    const all = BigInt(order.totals.total.amount)

    const decision = { approve: true } as const
    await Promise.allSettled([
      decide(shop, (tx, by) => decideCancellation(tx, cancellation, decision, { stopFulfillment, ...by })),
      decide(shop, (tx, by) => decideCancellation(tx, cancellation, decision, { stopFulfillment, ...by })),
      decide(shop, (tx, by) => resolveAfterSales(tx, request, {}, by)),
      decide(shop, (tx, by) => resolveAfterSales(tx, request, {}, by)),
      decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 300n }, by)),
      decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: all }, by)),
    ])
    const asked = (await refundsOf(shop, order.id)).reduce((sum, { amount }) => sum + amount, 0n)
    const { money } = await readOrder(client, order.id)
    assert(asked <= all, `${asked} of ${all}`)
    assert.equal(BigInt(money.refundPending.amount), asked, 'the order has all refunds')
    await setPolicy(shop, 'ceramics', {})
  })
})
