import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  bought,
  decide,
  markArrived,
  postAfterSales,
  postCancellation,
  setPolicy,
  settleRefunds,
} from '../../../../../test/support/commerce/after-sales.ts'
import { accessOf, checkout, checkoutClient, readyCart } from '../../../../../test/support/commerce/checkout.ts'
import { ORDERS } from '../../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { siteOf, TERMS } from '../../../../../test/support/pages/site.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { approveAfterSales, declineAfterSales, expireOverdueAfterSales, markReceived } from '../../after-sales/index.ts'
import { decideCancellation } from '../../cancellations/index.ts'
import { payFromPage } from '../../checkout/index.ts'
import { beginImportedFulfillment, ship, stopFulfillment } from '../../fulfillment/index.ts'
import { importOrders } from '../index.ts'

let shop: Shop
let client: InstallationClient
let ids: Shop['ids']
let clock: Shop['clock']
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  ;({ ids, clock } = shop)
})

/** The mails about an order, oldest first, by order number. */
async function mailsAbout(number: string, kind?: string) {
  const mails = (await shop.mails()).filter((mail) => mail.subject.includes(number))
  return mails.filter((mail) => kind === undefined || mail.kind === kind)
}
const mailsTo = async (address: string) => (await shop.mails()).filter(({ recipient }) => recipient === address)
const kindsAbout = async (number: string) => (await mailsAbout(number)).map(({ kind }) => kind).sort()

describe('the shopper of an order', () => {
  test('gets one mail per parcel, however often it is reported', async () => {
    const order = await boughtMugs()
    const parcel = { orderId: order.id, reference: 'parcel-1', carrier: 'DHL', trackingNumber: '0034' }
    const report = () => decide(shop, (tx, by) => ship(tx, parcel, by))
    await Promise.all([report(), report(), report()])
    await report()
    const [mail, ...more] = await mailsAbout(order.number, 'orders.parcel')
    assert.deepEqual(more, [])
    assert.match(mail!.text, /^Carrier: DHL\nTracking number: 0034$/m)
  })

  test('gets one mail about a cancellation, however often the request is repeated, and none about a failed refund', async () => {
    const order = await boughtMugs()
    const [line] = order.lines
    const body = { lines: [{ lineId: line!.id, quantity: 1 }] }
    const ask = () =>
      client.post(
        `${ORDERS}/${order.id}/cancellations`,
        { reason: 'customer_request', ...body },
        { key: 'cancel-a-unit-of-it' },
      )
    const answers = await Promise.all([ask(), ask()])
    await ask()
    assert.ok(answers.some(({ status }) => status === 200))
    await settleRefunds(shop, order.id, { isDone: false })
    assert.deepEqual(await kindsAbout(order.number), ['orders.canceled_in_part', 'orders.confirmed'])
  })

  test('gets one mail about a refund, when it is paid', async () => {
    const order = await boughtMugs()
    assert.equal((await postCancellation(client, order.id)).status, 200)
    await settleRefunds(shop, order.id, { isDone: true })
    await settleRefunds(shop, order.id, { isDone: true })
    assert.deepEqual(await kindsAbout(order.number), ['orders.canceled', 'orders.confirmed', 'orders.refunded'])
    const [canceled] = await mailsAbout(order.number, 'orders.canceled')
    assert.match(canceled!.text, /We are refunding €29\.98/)
    const [refunded] = await mailsAbout(order.number, 'orders.refunded')
    assert.match(refunded!.text, /We have refunded €29\.98/)
  })

  test('gets a mail about an after-sales request, and one about its decision', async () => {
    const order = await boughtMugs()
    await markArrived(shop, order)
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    const first = await postAfterSales(client, order.id, { lines })
    assert.equal(first.status, 200, first.text)
    const decision = () =>
      decide(shop, (tx, by) => approveAfterSales(tx, first.body.data.id, { instructions: 'Use the label.' }, by))
    const decided = await Promise.allSettled([decision(), decision()])
    assert.equal(decided.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.match((await mailsAbout(order.number, 'orders.requested'))[0]!.text, /You will get an answer by/)
    const approved = await mailsAbout(order.number, 'orders.approved')
    assert.equal(approved.length, 1)
    assert.match(approved[0]!.text, /^Use the label\.\n\nPlease send the goods by/m)
  })

  test('gets the reason of a declined request', async () => {
    const order = await boughtMugs()
    await markArrived(shop, order)
    const request = await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    await decide(shop, (tx, by) => declineAfterSales(tx, request.body.data.id, 'It was worn.', by))
    assert.match((await mailsAbout(order.number, 'orders.declined'))[0]!.text, /^It was worn\.$/m)
  })

  test('gets a mail when an operator has to decide a cancellation, and one with the reason if it is declined', async () => {
    await setPolicy(shop, 'ceramics', { cancellation: { automatic: false } })
    const order = await boughtMugs()
    const { id } = (await postCancellation(client, order.id)).body.data
    await setPolicy(shop, 'ceramics', {})
    const no = { approve: false, declineReason: 'The parcel is packed.' } as const
    await decide(shop, (tx, by) => decideCancellation(tx, id, no, { stopFulfillment, ...by }))
    const [requested] = await mailsAbout(order.number, 'orders.cancellation_requested')
    assert.match(requested!.text, /will email you\.$/m)
    assert.match(requested!.text, /^2 × Mug/m)
    const [declined] = await mailsAbout(order.number, 'orders.cancellation_declined')
    assert.match(declined!.text, /for this reason:\n\nThe parcel is packed\.$/m)
    assert.equal((await mailsAbout(order.number)).length, 3)
  })

  test('gets a mail when the goods of a return have arrived, and one when they have not arrived in time', async () => {
    const approved = async () => {
      const order = await boughtMugs()
      await markArrived(shop, order)
      const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
      const { id } = (await postAfterSales(client, order.id, { lines })).body.data
      await decide(shop, (tx, by) => approveAfterSales(tx, id, { instructions: 'Use the label.' }, by))
      return { order, id }
    }
    const [sent, late] = [await approved(), await approved()]
    await decide(shop, (tx, by) => markReceived(tx, sent.id, by))
    const [received] = await mailsAbout(sent.order.number, 'orders.goods_received')
    assert.match(received!.text, /^You requested a return\. Your goods have arrived, and we will check them now\.$/m)
    const yearLater = new Date(clock.now().getTime() + 365 * 86_400_000)
    await expireOverdueAfterSales(shop.database, { ids, now: yearLater })
    const [expired] = await mailsAbout(late.order.number, 'orders.expired')
    assert.match(expired!.subject, /has expired$/)
    assert.deepEqual(await mailsAbout(sent.order.number, 'orders.expired'), [])
  })

  test('gets no mail about a rolled back change', async () => {
    const order = await boughtMugs()
    const undone = decide(shop, async (tx, by) => {
      await ship(tx, { orderId: order.id, reference: 'parcel-1' }, by)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await kindsAbout(order.number), ['orders.confirmed'])
  })

  test('gets no mail about an imported order', async () => {
    const source = {
      externalId: 'order-1',
      number: 'OLD-77',
      placedAt: '2025-11-03T09:14:00Z',
      currency: 'EUR',
      country: 'DE',
      email: 'old@example.com',
      store: 'ceramics',
      lines: [{ sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000 }],
    }
    const { installationId } = client
    const report = await importOrders({
      database: shop.database,
      ids,
      installationId,
      source: [{ line: 1, value: source }],
      now: clock.now(),
      beginFulfillment: beginImportedFulfillment,
    })
    assert.equal(report.created, 1)
    const [row] = await shop.query('select id from orders where external_id = $1', ['order-1'])
    assert.equal((await postCancellation(client, String(row?.id))).status, 200)
    assert.deepEqual(await mailsTo('old@example.com'), [])
  })

  test('who pays by transfer gets the bank details first, and the confirmation once the payment is confirmed', async () => {
    const text = { format: 'plain', text: 'Sei nett.' } as const
    await siteOf(shop).publish({ locale: 'de', title: 'Unsere Bedingungen', content: text })
    const before = await shop.mails()
    const cart = await readyCart(shop, client, { MUG: 2 }, { locale: 'de' })
    const { version, url } = (await checkout(client, cart.id)).body.data
    const { chargeId } = await decide(shop, (tx, by) =>
      payFromPage(
        shop.app.checkoutPage,
        tx,
        accessOf({ url }),
        {
          acceptedDocuments: [{ type: 'terms_of_use', version: TERMS.version }],
          provider: 'manual',
          expectedVersion: version,
        },
        by,
      ),
    )
    await shop.app.payments.advance(chargeId!)
    const sent = (await shop.mails()).filter(({ text }) => before.every((mail) => mail.text !== text))
    assert.deepEqual(
      sent.map(({ kind, recipient }) => [kind, recipient]),
      [['checkout.transfer', 'ada@example.com']],
    )

    const confirm = () => shop.app.payments.confirmManual(chargeId!, { isDone: true }).catch(() => undefined)
    await Promise.all([confirm(), confirm(), confirm()])
    await shop.app.payments.advance(chargeId!)
    const [mail, ...more] = (await shop.mails()).filter(({ subject }) => subject.includes('bestätigt'))
    assert.deepEqual([mail?.kind, mail?.recipient, more], ['orders.confirmed', 'ada@example.com', []])
    assert.match(mail!.subject, /^\[Test\] Deine Bestellung T-\d+ ist bestätigt$/)
    assert.match(mail!.text, /^2 × Becher: 25,08\s€$/m)
    const link = /^Unsere Bedingungen: (\S+)$/m.exec(mail!.text)![1]!
    await shop.openPages()
    assert.match(await (await fetch(link)).text(), /Sei nett\./)
  })
})

function boughtMugs() {
  return bought(shop, client, { MUG: 2 })
}
