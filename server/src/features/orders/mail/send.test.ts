import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  arrives,
  askAfterSales,
  askToCancel,
  bought,
  decide,
  refundsAreAnswered,
} from '../../../../../test/support/after-sales.ts'
import { accessOf, checkout, checkoutClient, readyCart } from '../../../../../test/support/checkout.ts'
import { ORDERS } from '../../../../../test/support/orders.ts'
import { startShop } from '../../../../../test/support/shop.ts'
import { siteOf, TERMS } from '../../../../../test/support/site.ts'
import { approveAfterSales, declineAfterSales } from '../../after-sales/index.ts'
import { payFromPage } from '../../checkout/index.ts'
import { beginImportedFulfillment, ship } from '../../fulfillment/index.ts'
import { importOrders } from '../index.ts'

const shop = await startShop()
const client = await checkoutClient(shop)
const { ids, clock } = shop

/** The mails that tell of an order, the oldest first, by the number that people say. */
async function mailsAbout(number: string, kind?: string) {
  const mails = (await shop.mails()).filter((mail) => mail.subject.includes(number))
  return mails.filter((mail) => kind === undefined || mail.kind === kind)
}
const mailsTo = async (address: string) => (await shop.mails()).filter(({ recipient }) => recipient === address)
const kindsAbout = async (number: string) => (await mailsAbout(number)).map(({ kind }) => kind).sort()

describe('the shopper of an order', () => {
  test('gets a mail for each parcel, however often and by how many it is reported', async () => {
    const order = await orderedAndOwed()
    const parcel = { orderId: order.id, reference: 'parcel-1', carrier: 'DHL', trackingNumber: '0034' }
    const report = () => decide(shop, (tx, by) => ship(tx, parcel, by))
    await Promise.all([report(), report(), report()])
    await report()
    const [mail, ...more] = await mailsAbout(order.number, 'orders.parcel')
    assert.deepEqual(more, [])
    assert.match(mail!.text, /^Carrier: DHL\nTracking number: 0034$/m)
  })

  test('who cancels is told so once, however often the request is repeated, and of no refund that failed', async () => {
    const order = await orderedAndOwed()
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
    await refundsAreAnswered(shop, order.id, { isDone: false })
    assert.deepEqual(await kindsAbout(order.number), ['orders.canceled', 'orders.confirmed'])
  })

  test('gets the mail of a refund once, when it was paid out', async () => {
    const order = await orderedAndOwed()
    assert.equal((await askToCancel(client, order.id)).status, 200)
    await refundsAreAnswered(shop, order.id, { isDone: true })
    await refundsAreAnswered(shop, order.id, { isDone: true })
    assert.deepEqual(await kindsAbout(order.number), ['orders.canceled', 'orders.confirmed', 'orders.refunded'])
    const [canceled] = await mailsAbout(order.number, 'orders.canceled')
    assert.match(canceled!.text, /We are giving you back €29\.98/)
    const [refunded] = await mailsAbout(order.number, 'orders.refunded')
    assert.match(refunded!.text, /We have paid out €29\.98 to you/)
  })

  test('who asks for something after the sale is told that, and once how it was decided', async () => {
    const order = await orderedAndOwed()
    await arrives(shop, order)
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1 }]
    const first = await askAfterSales(client, order.id, { lines })
    assert.equal(first.status, 200, first.text)
    const decision = () =>
      decide(shop, (tx, by) => approveAfterSales(tx, first.body.data.id, { instructions: 'Use the label.' }, by))
    const decided = await Promise.allSettled([decision(), decision()])
    assert.equal(decided.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.match((await mailsAbout(order.number, 'orders.requested'))[0]!.text, /You will have an answer by/)
    const approved = await mailsAbout(order.number, 'orders.approved')
    assert.equal(approved.length, 1)
    assert.match(approved[0]!.text, /^Use the label\.\n\nPlease send the goods by/m)
  })

  test('is told why something was declined', async () => {
    const order = await orderedAndOwed()
    await arrives(shop, order)
    const request = await askAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    await decide(shop, (tx, by) => declineAfterSales(tx, request.body.data.id, 'It was worn.', by))
    assert.match((await mailsAbout(order.number, 'orders.declined'))[0]!.text, /^It was worn\.$/m)
  })

  test('gets no mail of a change that was undone', async () => {
    const order = await orderedAndOwed()
    const undone = decide(shop, async (tx, by) => {
      await ship(tx, { orderId: order.id, reference: 'parcel-1' }, by)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual(await kindsAbout(order.number), ['orders.confirmed'])
  })

  test('gets nothing from us for an order that came from elsewhere', async () => {
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
    assert.equal((await askToCancel(client, String(row?.id))).status, 200)
    assert.deepEqual(await mailsTo('old@example.com'), [])
  })

  test('who pays by transfer is told nothing before the money is here, and then once', async () => {
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
    assert.deepEqual(await shop.mails(), before)

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

function orderedAndOwed() {
  return bought(shop, client, { MUG: 2 })
}
