import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import {
  ADDRESS,
  changeOrder,
  draftOf,
  ORDERS,
  orderedBy,
  PAGES_URL,
} from '../../../../../test/support/commerce/orders.ts'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { placeOrder, recordCanceled, recordDelivered, recordParcel, refundBegun, refundSettled } from '../index.ts'
import { refundFor } from '../order/refund-amounts.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const read = async (id: string) => {
  return dataOf(await client.get(`${ORDERS}/${id}`))
}
const eur = (amount: number) => ({ amount, currency: 'EUR' })

describe('getStorefrontOrder', () => {
  test('200 shows the order as quoted', async () => {
    const placed = await orderedBy(
      shop,
      client,
      { MUG: 2, NOVEL: 1 },
      {
        acceptedDocuments: [{ type: 'terms_of_use', version: '2026-03-01' }],
      },
    )
    const order = await read(placed.id)
    assert.match(order.number, /^T-1\d{4}$/)
    assert.deepEqual(
      [order.status, order.paymentStatus, order.fulfillmentStatus, order.version],
      ['confirmed', 'paid', 'unfulfilled', 1],
    )
    assert.deepEqual(order.totals, placed.totals)
    assert.deepEqual(order.money, {
      charged: placed.totals.total,
      refunded: eur(0),
      refundPending: eur(0),
      unknown: eur(0),
      disputed: eur(0),
    })
    const [mug, novel] = order.lines
    assert.deepEqual(
      [mug.skuId, mug.name, mug.unitPrice, mug.quantity, mug.refundable, mug.status],
      [
        shop.sku('MUG'),
        'Mug',
        eur(1254),
        { ordered: 2, current: 2, fulfilled: 0, returned: 0, canceled: 0 },
        mug.total,
        'open',
      ],
    )
    assert.equal(mug.taxLines[0].rate, '0.19')
    assert.equal(novel.taxLines[0].rate, '0.07')
    assert.deepEqual(order.addresses, { shipping: ADDRESS })
    assert.deepEqual(order.acceptedDocuments, [{ type: 'terms_of_use', version: '2026-03-01' }])
    assert.deepEqual([order.source, order.fulfillments, order.adjustments], ['hosted_checkout', [], []])
    assert.deepEqual(
      order.timeline.map(({ code, actor }: Record<string, unknown>) => [code, actor]),
      [['confirmed', 'system']],
    )
  })

  test('200 shows the references of the checkout, the catalog data of the lines, and the shipping of each store', async () => {
    const references = { clientReferenceId: 'A-1044', metadata: { basket: 'web' } }
    const draft = await draftOf(shop, client, { MUG: 2, NOVEL: 1 }, references)
    const image = { url: 'https://media.example/mug.jpg', alt: 'A mug', width: 800, height: 1000 }
    const lines = draft.lines.map((line) => (line.skuId === shop.sku('MUG') ? { ...line, image } : line))
    const context = { ids: shop.ids, now: shop.clock.now(), pagesUrl: PAGES_URL }
    const { id } = await shop.database.transaction((tx) => placeOrder(tx, { ...draft, lines }, context))
    const order = await read(id)
    assert.deepEqual(
      [order.cartId, order.checkoutSessionId, order.clientReferenceId, order.metadata, order.country, order.locale],
      [draft.cartId, draft.sessionId, 'A-1044', { basket: 'web' }, 'DE', draft.locale],
    )
    const [mug] = order.lines
    assert.deepEqual(
      [mug.storeId, mug.productId, mug.code, mug.image, mug.optionLabels, mug.subtotal],
      [shop.storeId('ceramics'), draft.lines[0]?.productId, 'MUG', image, draft.lines[0]?.optionLabels, eur(2508)],
    )
    assert.deepEqual(
      order.shipping.map((each: { storeId: string; name: string; amount: object }) => [each.storeId, each.amount]),
      draft.selectedShipping.map(({ storeId, amount }) => [storeId, amount]),
    )
    assert.equal(order.shipping[0].name, '2 days')
    assert.deepEqual([order.cancellations, order.afterSales], [[], []])
  })

  test('200 stays as ordered when prices, products, codes and shipping methods change', async () => {
    const placed = await orderedBy(shop, client, { BOWL: 1 })
    const before = await read(placed.id)
    await shop.setPrice('BOWL', 9900)
    const [method] = await shop.query('select name from shipping_methods where id = $1', [placed.shipping[0]?.optionId])
    const methodIs = (name: unknown) =>
      shop.run('update shipping_methods set name = $2 where id = $1', [
        placed.shipping[0]?.optionId,
        JSON.stringify(name),
      ])
    await methodIs({ en: 'Pigeon' })
    await shop.run(`update skus set status = 'withdrawn', code = 'OTHER' where id = $1`, [shop.sku('BOWL')])
    assert.deepEqual(await read(placed.id), before)
    await shop.run(`update skus set status = 'offered', code = 'BOWL' where id = $1`, [shop.sku('BOWL')])
    await methodIs(method?.name)
  })

  test('200 shows the customer, and only the masked email address to an unbound key', async () => {
    const customerId = shop.ids.next('cus')
    const [email, phone] = ['grace.hopper@example.com', '+493012345678']
    const { id } = await orderedBy(shop, client, { MUG: 1 }, { email, phone, customerId })
    const masked = { id: customerId, emailMasked: 'g…@example.com' }
    assert.deepEqual((await read(id)).customer, { ...masked, email, phone })
    const reader = await shop.client({ installationId: client.installationId, bound: false })
    const answer = await reader.get(`${ORDERS}/${id}`)
    assert.deepEqual(answer.body.data.customer, masked)
    assert.ok(!answer.text.includes('hopper'))
  })

  test('200 shows current parcels, units and amounts', async () => {
    const placed = await orderedBy(shop, client, { MUG: 3 })
    const lineId = placed.lines[0]!.id
    const context = { now: shop.clock.now(), actor: 'operator' } as const
    const parcelId = shop.ids.next('ful')
    const reference = shop.ids.next('can')
    await changeOrder(shop, placed.id, (order) => {
      const parcel = {
        id: parcelId,
        carrier: 'DHL',
        trackingNumber: '003404',
        trackingUrl: 'https://dhl.example/003404',
      }
      const sent = recordParcel(order, { ...parcel, lines: [{ lineId, quantity: 2 }] }, context)
      const units = [{ lineId, quantity: 1 }]
      const canceled = recordCanceled(sent, units, context)
      const refund = refundFor(canceled, { units, shippingOf: [] })
      return refundBegun(canceled, { reference, kind: 'cancellation', refund }, context)
    })
    await changeOrder(shop, placed.id, (order) => refundSettled(order, { reference, outcome: 'succeeded' }, context))
    await changeOrder(shop, placed.id, (order) => recordDelivered(order, parcelId, context))

    const order = await read(placed.id)
    assert.deepEqual(
      [order.status, order.paymentStatus, order.fulfillmentStatus],
      ['completed', 'partially_refunded', 'delivered'],
    )
    assert.deepEqual(order.lines[0].quantity, {
      ordered: 3,
      current: 2,
      fulfilled: 2,
      returned: 0,
      canceled: 1,
    })
    assert.deepEqual([order.lines[0].total, order.lines[0].refundable], [eur(3762), eur(2508)])
    assert.deepEqual(order.money.refunded, eur(1254))
    assert.deepEqual(order.fulfillments, [
      {
        id: parcelId,
        storeId: shop.storeId('ceramics'),
        status: 'delivered',
        carrier: 'DHL',
        trackingNumber: '003404',
        trackingUrl: 'https://dhl.example/003404',
        shippedAt: shop.clock.now().toISOString(),
        deliveredAt: shop.clock.now().toISOString(),
        lines: [{ lineId, quantity: 2 }],
      },
    ])
    assert.deepEqual(order.adjustments, [
      { kind: 'cancellation', amount: eur(1254), at: shop.clock.now().toISOString(), reference },
    ])
    assert.deepEqual(
      order.timeline.map(({ code }: Record<string, unknown>) => code),
      ['confirmed', 'parcel_dispatched', 'units_canceled', 'completed', 'refund_begun', 'refunded', 'parcel_delivered'],
    )
    assert.equal(order.version, 6)
  })

  test('200 can be read with an unbound key, without addresses and email address', async () => {
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    const reader = await shop.client({ installationId: client.installationId, bound: false })
    const { customer, ...whole } = await read(id)
    const { email: _, ...masked } = customer
    assert.deepEqual((await reader.get(`${ORDERS}/${id}`)).body.data, { ...whole, customer: masked, addresses: {} })
  })

  test("404 not_found: another installation's order is indistinguishable from none", async () => {
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    const other = await shop.client()
    const seen = await other.get(`${ORDERS}/${id}`)
    const missing = await other.get(`${ORDERS}/${shop.ids.next('ord')}`)
    assertRefused(seen, 404, 'not_found')
    const { requestId: _, ...body } = seen.body
    const { requestId: __, ...bodyOfNone } = missing.body
    assert.deepEqual(body, bodyOfNone)
  })
})
