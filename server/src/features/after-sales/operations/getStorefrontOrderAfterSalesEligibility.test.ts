import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  eligibility,
  kindsWith,
  lineOf,
  markArrived,
  postAfterSales,
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

const asked = (orderId: string) => eligibility(client, orderId, 'after-sales')
const inDays = (count: number) => new Date(shop.clock.now().getTime() + count * 86_400_000).toISOString()

describe('getStorefrontOrderAfterSalesEligibility', () => {
  test('200 shows units and deadlines per kind and line', async () => {
    const order = await bought(shop, client, { MUG: 2, BOWL: 1 })
    const mug = lineOf(shop, order, 'MUG')
    await markArrived(shop, order, [{ lineId: mug.id, quantity: 2 }])
    const answer = await asked(order.id)
    assert.equal(answer.decision, 'manual_review')
    assert.deepEqual(
      answer.kinds?.map(({ kind, decision, windowEndsAt, maxByLine }) => [kind, decision, windowEndsAt, maxByLine]),
      [
        ['refund_only', 'manual_review', inDays(30), { [mug.id]: 2 }],
        ['return', 'manual_review', inDays(30), { [mug.id]: 2 }],
        ['exchange', 'manual_review', inDays(30), { [mug.id]: 2 }],
        ['repair', 'manual_review', inDays(730), { [mug.id]: 2 }],
      ],
    )
    assert.deepEqual(
      answer.kinds?.[1]?.reasons.map(({ code, lineId }) => [code, lineId]),
      [
        ['approval_required', undefined],
        ['not_shipped', lineOf(shop, order, 'BOWL').id],
      ],
    )
    assert.deepEqual([answer.preview.refund, answer.preview.shippingRefund.amount], [mug.total, 0])
    assert.deepEqual(answer.preview.restock, [{ lineId: mug.id, quantity: 2 }])
  })

  test('200 includes the shipping of a store with its last unit', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const { preview } = await asked(order.id)
    assert.deepEqual([preview.refund, preview.shippingRefund], [order.totals.total, order.totals.shipping])
  })

  test('200 ineligible before anything has shipped, with an empty preview', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const answer = await asked(order.id)
    assert.deepEqual(
      [answer.decision, answer.reasons.map(({ code }) => code), answer.preview.refund.amount],
      ['ineligible', ['order_not_completed'], 0],
    )
  })

  test('200 excludes a line with an open request', async () => {
    await setPolicy(shop, 'ceramics', { afterSales: { kinds: kindsWith({ automatic: true }) } })
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    assert.equal((await asked(order.id)).decision, 'eligible')
    await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    const answer = await asked(order.id)
    assert.deepEqual([answer.decision, answer.reasons.map(({ code }) => code)], ['ineligible', ['open_request_exists']])
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 finds final sale by a parent category', async () => {
    const order = await bought(shop, client, { NOVEL: 1 })
    await markArrived(shop, order)
    const categoryId = shop.ids.next('cat')
    const ofNovel = 'id = (select product_id from skus where id = $1)'
    await shop.run(`update products set lineage = array[$2] where ${ofNovel}`, [shop.sku('NOVEL'), categoryId])
    await setPolicy(shop, 'books', { finalSale: { categoryIds: [categoryId] } })
    assert.deepEqual(
      (await asked(order.id)).reasons.map(({ code }) => code),
      ['final_sale'],
    )
    await setPolicy(shop, 'books', {})
  })

  test('404 not_found: an order of another installation', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const other = await shop.client()
    assertRefused(await other.get(`${ORDERS}/${order.id}/after-sales-eligibility`), 404, 'not_found')
  })
})
