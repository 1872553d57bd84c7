import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import {
  bought,
  eligibility,
  kindsWith,
  lineOf,
  loseOutcome,
  markArrived,
  postAfterSales,
  readOrder,
  refundsOf,
  setPolicy,
} from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient, eventKindsOf } from '../../../../../test/support/commerce/checkout.ts'
import { assertRefused, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const DAY_MS = 86_400_000

/** A delivered order. */
async function arrived(units: Readonly<Record<string, number>>) {
  const order = await bought(shop, client, units)
  await markArrived(shop, order)
  return readOrder(client, order.id)
}

async function requested(orderId: string, body: object) {
  return dataOf(await postAfterSales(client, orderId, body))
}

describe('requestStorefrontOrderAfterSales', () => {
  test('200 records a request with its refund estimate and deadline, and refunds nothing yet', async () => {
    const order = await arrived({ MUG: 2 })
    const [line] = order.lines
    const lines = [{ lineId: line!.id, quantity: 1, condition: 'opened' }]
    const evidence = [{ url: 'https://shop.example/1.jpg', mediaType: 'image/jpeg' }]
    const request = await requested(order.id, { lines, evidence, description: 'The handle is loose.' })

    assert.match(request.id, /^asr_/)
    assert.deepEqual(
      [request.orderId, request.status, request.kind, request.reasonCode, request.description],
      [order.id, 'requested', 'return', 'defective', 'The handle is loose.'],
    )
    assert.deepEqual([request.lines, request.evidence], [lines, evidence])
    assert.equal(request.refundEstimate.amount, line!.total.amount / 2)
    const decideBy = new Date(shop.clock.now().getTime() + 3 * DAY_MS).toISOString()
    assert.deepEqual(request.deadlines, { decideBy })
    assert.deepEqual(
      request.timeline.map(({ code, actor }: Record<string, string>) => [code, actor]),
      [['requested', 'installation']],
    )
    assert.deepEqual(await readOrder(client, order.id), { ...order, afterSales: [request] })
    assert.deepEqual(await refundsOf(shop, order.id), [])
    assert.deepEqual(await eventKindsOf(shop, request.id), ['after_sales.requested'])
  })

  test('200 accepts other lines of the order while a request is open', async () => {
    const order = await arrived({ MUG: 1, BOWL: 1 })
    for (const code of ['MUG', 'BOWL']) {
      await requested(order.id, { lines: [{ lineId: lineOf(shop, order, code).id, quantity: 1 }] })
    }
  })

  test('200 approves at once if the policy says so, with instructions and a return deadline', async () => {
    const kinds = kindsWith({ automatic: true })
    await setPolicy(shop, 'ceramics', { afterSales: { kinds, instructions: 'Use the box.', returnWithinDays: 7 } })
    const order = await arrived({ MUG: 2, BOWL: 1 })
    const lineOfSku = (code: string) => [{ lineId: lineOf(shop, order, code).id, quantity: 1 }]
    const back = await requested(order.id, { lines: lineOfSku('MUG') })
    assert.deepEqual(
      [back.status, back.instructions, back.deadlines],
      [
        'awaiting_return',
        'Use the box.',
        { returnBy: new Date(shop.clock.now().getTime() + 7 * DAY_MS).toISOString() },
      ],
    )
    assert.deepEqual(await eventKindsOf(shop, back.id), ['after_sales.requested', 'after_sales.updated'])
    const money = await requested(order.id, { kind: 'refund_only', lines: lineOfSku('BOWL') })
    assert.deepEqual([money.status, money.deadlines], ['approved', {}])
    assert.deepEqual(await refundsOf(shop, order.id), [], 'the operator requests the refund')
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 accepts an exchange SKU, without a refund', async () => {
    const order = await arrived({ MUG: 1 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1, exchangeSkuId: shop.sku('BOWL') }]
    const request = await requested(order.id, { kind: 'exchange', reasonCode: 'size_or_fit', lines })
    assert.deepEqual([request.lines, request.refundEstimate.amount], [lines, 0])
  })

  test('200 approves an exchange at once only if the replacement costs no more, because no money moves', async () => {
    await setPolicy(shop, 'ceramics', { afterSales: { kinds: kindsWith({ automatic: true }) } })
    const order = await arrived({ MUG: 1, BOWL: 1 })
    const exchange = (code: string, exchangeSkuId: string) =>
      requested(order.id, {
        kind: 'exchange',
        reasonCode: 'size_or_fit',
        lines: [{ lineId: lineOf(shop, order, code).id, quantity: 1, exchangeSkuId }],
      })
    assert.equal((await exchange('MUG', shop.sku('BOWL'))).status, 'requested', 'a mug for a bowl')
    assert.equal((await exchange('BOWL', shop.sku('MUG'))).status, 'awaiting_return', 'a bowl for a mug')
    await setPolicy(shop, 'ceramics', {})
  })

  test('200 answers a repeated key with the first answer', async () => {
    const order = await arrived({ MUG: 1 })
    const body = {
      kind: 'return',
      reasonCode: 'unwanted',
      lines: [{ lineId: order.lines[0]!.id, quantity: 1 }],
    }
    const path = `/api/v1/open/storefront/orders/${order.id}/after-sales`
    const ask = () => client.post(path, body, { key: `once-${order.id}` })
    const [first, second] = [await ask(), await ask()]
    assert.deepEqual([first.status, second.text], [200, first.text])
  })

  test('200 honors a token after window and policy have changed', async () => {
    await setPolicy(shop, 'ceramics', { afterSales: { kinds: kindsWith({ windowDays: 1 }) } })
    const order = await arrived({ MUG: 1 })
    shop.clock.advance(DAY_MS - 60_000)
    const { eligibilityToken } = await eligibility(client, order.id, 'after-sales')
    shop.clock.advance(120_000)
    await setPolicy(shop, 'ceramics', {
      afterSales: { kinds: kindsWith({ offered: false }) },
      finalSale: { skuIds: [shop.sku('MUG')] },
    })
    const body = { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] }
    assertRefused(await postAfterSales(client, order.id, body), 409, 'after_sales_ineligible')
    assert.equal((await requested(order.id, { ...body, eligibilityToken })).status, 'requested')
    await setPolicy(shop, 'ceramics', {})
  })

  test('400 quantity_invalid: a duplicate line', async () => {
    const order = await arrived({ MUG: 2 })
    const line = { lineId: order.lines[0]!.id, quantity: 1 }
    assertRefused(await postAfterSales(client, order.id, { lines: [line, line] }), 400, 'quantity_invalid')
  })

  test('400 validation_failed: evidence without https, an unknown line, a token of another order', async () => {
    const [order, other] = [await arrived({ MUG: 1 }), await arrived({ MUG: 1 })]
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    const { eligibilityToken } = await eligibility(client, other.id, 'after-sales')
    for (const [body, pointer] of [
      [{ lines, evidence: [{ url: 'http://shop.example/1.jpg', mediaType: 'image/jpeg' }] }, '/evidence/0/url'],
      [{ lines: [{ lineId: shop.ids.next('oli'), quantity: 1 }] }, '/lines/0/lineId'],
      [{ lines, kind: 'exchange' }, '/lines/0/exchangeSkuId'],
      [{ lines, eligibilityToken }, '/eligibilityToken'],
    ] as const) {
      const answer = await postAfterSales(client, order.id, body)
      assertRefused(answer, 400, 'validation_failed')
      assert.equal(answer.body.details[0].pointer, pointer)
    }
  })

  test('404 not_found: an order of another installation', async () => {
    const order = await arrived({ MUG: 1 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    assertRefused(await postAfterSales(await shop.client(), order.id, { lines }), 404, 'not_found')
  })

  test('409 version_conflict: the order has changed since it was read', async () => {
    const order = await arrived({ MUG: 1 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    const answer = await postAfterSales(client, order.id, { lines, expectedVersion: 1 })
    assertRefused(answer, 409, 'version_conflict')
    assert.equal(answer.body.conflict.currentVersion, order.version)
  })

  test('409 payment_outcome_unknown: no decision while money may have moved', async () => {
    const order = await arrived({ MUG: 1 })
    await loseOutcome(shop, order.id)
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    assertRefused(await postAfterSales(client, order.id, { lines }), 409, 'payment_outcome_unknown')
  })

  test('409 after_sales_ineligible: before shipping, after the window, and final sale', async () => {
    const early = await bought(shop, client, { MUG: 1 })
    const ask = (orderId: string, lineId: string) =>
      postAfterSales(client, orderId, { lines: [{ lineId, quantity: 1 }] })
    const first = await ask(early.id, early.lines[0]!.id)
    assertRefused(first, 409, 'after_sales_ineligible')
    assert.deepEqual(first.body.conflict.reasons, ['order_not_completed'])

    const order = await arrived({ MUG: 1, BOWL: 1 })
    const productId = (await shop.query('select product_id from skus where id = $1', [shop.sku('BOWL')]))[0]!.product_id
    await setPolicy(shop, 'ceramics', { finalSale: { productIds: [String(productId)] } })
    const final = await ask(order.id, lineOf(shop, order, 'BOWL').id)
    assertRefused(final, 409, 'after_sales_ineligible')
    assert.deepEqual(final.body.conflict.reasons, ['final_sale'])
    await setPolicy(shop, 'ceramics', {})

    shop.clock.advance(31 * DAY_MS)
    const late = await ask(order.id, lineOf(shop, order, 'MUG').id)
    assertRefused(late, 409, 'after_sales_ineligible')
    assert.deepEqual(late.body.conflict.reasons, ['window_closed'])
  })

  test('409 after_sales_exists: the line has an open request, and the answer names it', async () => {
    const order = await arrived({ MUG: 2 })
    const body = { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] }
    const first = await requested(order.id, body)
    const second = await postAfterSales(client, order.id, { ...body, kind: 'repair' })
    assertRefused(second, 409, 'after_sales_exists')
    assert.equal(second.body.conflict.heldBy, first.id)
  })

  test('409 after_sales_exists: one of two concurrent requests', async () => {
    const order = await arrived({ MUG: 2 })
    const body = { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] }
    const answers = await Promise.all([postAfterSales(client, order.id, body), postAfterSales(client, order.id, body)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assertRefused(answers.find(({ status }) => status === 409)!, 409, 'after_sales_exists')
  })

  test('409 sku_unavailable: the exchange SKU belongs to another store, is out of stock, or is unknown', async () => {
    const order = await arrived({ MUG: 4 })
    const lineId = order.lines[0]!.id
    for (const exchangeSkuId of [shop.sku('NOVEL'), shop.sku('VASE'), shop.ids.next('sku')]) {
      const lines = [{ lineId, quantity: 4, exchangeSkuId }]
      const answer = await postAfterSales(client, order.id, { kind: 'exchange', lines })
      assertRefused(answer, 409, 'sku_unavailable')
      assert.deepEqual(answer.body.conflict.lines, [{ lineId, skuId: exchangeSkuId, requestedQuantity: 4 }])
    }
  })

  test('409 quantity_exceeded: more units than were fulfilled', async () => {
    const order = await arrived({ MUG: 2 })
    const lineId = order.lines[0]!.id
    const answer = await postAfterSales(client, order.id, { lines: [{ lineId, quantity: 3 }] })
    assertRefused(answer, 409, 'quantity_exceeded')
    assert.deepEqual(answer.body.conflict.lines, [{ lineId, requestedQuantity: 3, availableQuantity: 2 }])
  })
})
