import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import {
  approveAfterSales,
  inspectAfterSales,
  markInTransit,
  markReceived,
  resolveAfterSales,
} from '../../server/src/features/after-sales/index.ts'
import { findPageSession, payFromPage } from '../../server/src/features/checkout/index.ts'
import { importLicenses, markDelivered, openLicenseVault, ship } from '../../server/src/features/fulfillment/index.ts'
import { dataOf } from '../support/client.ts'
import {
  accessOf,
  checkout,
  checkoutClient,
  eventKindsOf,
  quoted,
  readSession,
  readyCart,
  stockOf,
} from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { secretDeps } from '../support/secrets.ts'
import type { InstallationClient } from '../support/world.ts'

/**
 * A shopper buys two mugs and a plan through a shop that uses the API, pays on our page, gets a key by mail and the mugs in two
 * parcels, returns one, and gets a refund. The operator uses the functions behind the console.
 */
let shop: Shop
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let app: Shop['app']
let client: InstallationClient
before(async () => {
  shop = await startShop({ simulator: true })
  ;({ database, ids, clock, app } = shop)
  client = await checkoutClient(shop)
})

const context = () => ({ ids, now: clock.now() })
const HOUR_MS = 3_600_000

const cents = (amount: number) => ({ amount, currency: 'EUR' })
const readOrder = async (id: string): Promise<Order> => dataOf(await client.get(`${ORDERS}/${id}`))
const standing = ({ status, paymentStatus, fulfillmentStatus }: Order) => [status, paymentStatus, fulfillmentStatus]
const lineOf = (order: Order, code: string) => order.lines.find(({ skuId }) => skuId === shop.sku(code))!

describe('from checkout to return', () => {
  test('a shopper pays the quoted price, gets the items, and gets a refund for a return', async () => {
    await database.transaction(async (tx) => {
      const vault = await openLicenseVault(tx, secretDeps())
      const pool = { skuId: shop.sku('PLAN'), environment: 'test' } as const
      await importLicenses(tx, pool, ['PLAN-KEY-1', 'PLAN-KEY-2'], { ...context(), vault })
    })

    // The shop quotes: 2 × 12.54 + 1.00 + 4.90 for shipping. The price rises in the meantime, and the quote is honored.
    const cart = await readyCart(shop, client, { MUG: 2, PLAN: 1 })
    const quoteId = await quoted(client, cart.id)
    await shop.setPrice('MUG', 1999)
    const session = dataOf(await checkout(client, cart.id, { quoteId, clientReferenceId: 'cart-17' }))
    assert.deepEqual([session.status, session.snapshot.totals.total], ['open', cents(3098)])
    assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: 500, held: 2 })
    assert.equal(dataOf(await client.get(`${CARTS}/${cart.id}`)).status, 'locked')

    // The shopper pays on our page.
    const access = accessOf(session)
    const page = await findPageSession(app.checkoutPage, database.reader, access, clock.now())
    assert.deepEqual([page?.contact?.email, page?.session.snapshot.totals.total], ['ada@example.com', cents(3098)])
    const { chargeId } = await database.transaction((tx) => {
      const consent = { acceptedDocuments: [], provider: 'simulator', expectedVersion: session.version }
      return payFromPage(app.checkoutPage, tx, access, consent, context())
    })
    await app.payments.advance(chargeId!)
    const paid = await readSession(client, session.id)
    assert.deepEqual([paid.status, paid.payment.status, paid.clientReferenceId], ['completed', 'succeeded', 'cart-17'])
    assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: 498, held: 0 })
    assert.equal(dataOf(await client.get(`${CARTS}/${cart.id}`)).orderId, paid.orderId)

    const orderId = paid.orderId!
    const ordered = await readOrder(orderId)
    assert.deepEqual(standing(ordered), ['confirmed', 'paid', 'unfulfilled'])
    assert.deepEqual(ordered.money.charged, cents(3098))
    assert.deepEqual(lineOf(ordered, 'MUG').unitPrice, cents(1254))
    const listed = dataOf(await client.get(ORDERS))
    assert.deepEqual([listed.orders.length, listed.orders[0].id, listed.next], [1, orderId, null])

    // A worker mails the key; the operator ships the mugs one by one.
    await shop.work()
    const mail = (await shop.mails()).find(({ kind }) => kind === 'fulfilment.keys')
    assert.match(mail!.text, /^PLAN-KEY-1$/m)
    assert.deepEqual(standing(await readOrder(orderId)), ['processing', 'paid', 'partially_fulfilled'])
    const mug = lineOf(ordered, 'MUG').id
    const parcels = []
    for (const reference of ['P-1', 'P-2']) {
      const lines = [{ lineId: mug, quantity: 1 }]
      const carriage = { carrier: 'DHL', trackingNumber: `00340-${reference}` }
      parcels.push(await database.transaction((tx) => ship(tx, { orderId, reference, lines, ...carriage }, context())))
    }
    assert.deepEqual(standing(await readOrder(orderId)), ['completed', 'paid', 'fulfilled'])
    clock.advance(24 * HOUR_MS)
    for (const { id } of parcels) await database.transaction((tx) => markDelivered(tx, id, context()))
    const arrived = await readOrder(orderId)
    assert.deepEqual(standing(arrived), ['completed', 'paid', 'delivered'])
    assert.deepEqual(
      arrived.fulfillments.map(({ status, carrier, trackingNumber }) => [status, carrier, trackingNumber]),
      [
        ['delivered', undefined, undefined],
        ['delivered', 'DHL', '00340-P-1'],
        ['delivered', 'DHL', '00340-P-2'],
      ],
    )

    // The shopper returns one mug. The shop checks eligibility, learns that an operator decides, and sends the token.
    clock.advance(HOUR_MS)
    const eligibility = dataOf(await client.get(`${ORDERS}/${orderId}/after-sales-eligibility`))
    const offer = eligibility.kinds.find(({ kind }: { kind: string }) => kind === 'return')
    assert.deepEqual([offer.decision, offer.maxByLine[mug]], ['manual_review', 2])
    const request = dataOf(
      await client.post(`${ORDERS}/${orderId}/after-sales`, {
        kind: 'return',
        reasonCode: 'unwanted',
        lines: [{ lineId: mug, quantity: 1, condition: 'unopened' }],
        eligibilityToken: eligibility.eligibilityToken,
        expectedVersion: eligibility.orderVersion,
      }),
    )
    assert.deepEqual([request.status, request.refundEstimate], ['requested', cents(1254)])
    assert.deepEqual((await readOrder(orderId)).money.refundPending, cents(0), 'a request refunds nothing')

    // The operator approves the return, inspects the mug and refunds it.
    const steps = [
      (id: string) => database.transaction((tx) => approveAfterSales(tx, id, {}, context())),
      (id: string) => database.transaction((tx) => markInTransit(tx, id, context())),
      (id: string) => database.transaction((tx) => markReceived(tx, id, context())),
      (id: string) => database.transaction((tx) => inspectAfterSales(tx, id, { accepted: true }, context())),
      (id: string) => database.transaction((tx) => resolveAfterSales(tx, id, {}, context())),
    ]
    const states = []
    for (const step of steps) states.push((await step(request.id)).request.status)
    assert.deepEqual(states, ['awaiting_return', 'in_transit', 'received', 'inspecting', 'resolving'])
    await shop.work()
    const ended = await readOrder(orderId)
    assert.deepEqual(standing(ended), ['completed', 'partially_refunded', 'delivered'])
    assert.deepEqual([ended.money.charged, ended.money.refunded], [cents(3098), cents(1254)])
    assert.deepEqual(lineOf(ended, 'MUG').quantity, {
      ordered: 2,
      current: 2,
      fulfilled: 2,
      returned: 1,
      canceled: 0,
    })
    assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: 499, held: 0 })

    // The provider did each step once, and every change was published, without a gap.
    const books = shop.simulator!.books().map(({ operation, amount }) => [operation, Number(amount)])
    assert.deepEqual(books, [
      ['authorize', 3098],
      ['capture', 3098],
      ['refund', 1254],
    ])
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.completed'])
    const updates = (count: number) => Array.from({ length: count }, () => 'order.updated')
    assert.deepEqual(await eventKindsOf(shop, orderId), [
      'order.created',
      // License key, and two parcels.
      ...updates(3),
      'order.fulfilled',
      // The parcels arrive; the mug is returned; its refund is requested and paid.
      ...updates(5),
    ])
    assert.deepEqual(await eventKindsOf(shop, request.id), [
      'after_sales.requested',
      ...Array.from({ length: steps.length + 1 }, () => 'after_sales.updated'),
    ])
    const sequences = await shop.query(
      'select sequence from events where subject_id = $1 and body is not null order by 1',
      [orderId],
    )
    assert.deepEqual(
      sequences.map(({ sequence }) => Number(sequence)),
      sequences.map((_, index) => index + 1),
    )
  })
})
