import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  eligibility,
  markArrived,
  postCancellation,
  setPolicy,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { ORDERS } from '../../../../../test/support/commerce/orders.ts'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const asked = (orderId: string) => eligibility(client, orderId, 'cancellation')

describe('getStorefrontOrderCancellationEligibility', () => {
  test('200 eligible, with the refund and what is restocked', async () => {
    const order = await bought(shop, client, { MUG: 2, NOVEL: 1 })
    const answer = await asked(order.id)
    assert.deepEqual([answer.decision, answer.reasons, answer.until], ['eligible', [], undefined])
    assert.deepEqual(answer.preview.refund, order.totals.total)
    assert.deepEqual(answer.preview.shippingRefund, order.totals.shipping)
    assert.deepEqual(
      answer.preview.restock,
      order.lines.map(({ id, quantity }) => ({ lineId: id, quantity: quantity.ordered })),
    )
    assert.deepEqual([answer.orderVersion, answer.evaluatedAt], [order.version, shop.clock.now().toISOString()])
    const { body } = await postCancellation(client, order.id, { eligibilityToken: answer.eligibilityToken })
    assert.deepEqual(body.data.refund.amount, answer.preview.refund, 'the refund is the previewed one')
  })

  test('200 shows the deadline, and what is not refunded', async () => {
    await setPolicy(shop, 'ceramics', {
      cancellation: { windowMinutes: 30, restocks: false, refundsShipping: false },
    })
    const order = await bought(shop, client, { MUG: 1 })
    const answer = await asked(order.id)
    assert.equal(answer.until, new Date(Date.parse(order.placedAt) + 1_800_000).toISOString())
    assert.deepEqual([answer.preview.refund, answer.preview.restock], [order.lines[0]!.total, []])
    assert.equal(answer.preview.shippingRefund.amount, 0)
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 ineligible, with reason and message and an empty preview', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const answer = await asked(order.id)
    assert.equal(answer.decision, 'ineligible')
    assert.deepEqual(answer.reasons, [{ code: 'already_shipped', message: 'Everything has shipped.' }])
    assert.deepEqual([answer.preview.refund.amount, answer.preview.restock], [0, []])
  })

  test('200 gives the same answer again, and changes nothing', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    assert.deepEqual(await asked(order.id), await asked(order.id))
  })

  test('404 not_found: an order of another installation', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const other = await shop.client()
    assertRefused(await other.get(`${ORDERS}/${order.id}/cancellation-eligibility`), 404, 'not_found')
  })
})
