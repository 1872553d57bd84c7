import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { stockOf } from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { REFUSED_LINES_MAX } from '../../../platform/line-files/invalid-line.ts'
import { beginImportedFulfillment } from '../../fulfillment/index.ts'
import { findOrderById, importOrders, type Order, shareOf, statusesOf } from '../index.ts'

let shop: Shop
let client: InstallationClient
let installationId: InstallationClient['installationId']
before(async () => {
  shop = await startShop()
  client = await shop.client()
  ;({ installationId } = client)
})

const importing = (source: readonly unknown[], installation: string | undefined = installationId) =>
  importOrders({
    database: shop.database,
    ids: shop.ids,
    installationId: installation,
    source: source.map((value, index) => ({ line: index + 1, value })),
    now: shop.clock.now(),
    beginFulfillment: beginImportedFulfillment,
  })

let made = 0
function line(more: object = {}, item: object = {}) {
  made += 1
  return {
    externalId: `order-${made}`,
    placedAt: '2025-11-03T09:14:00Z',
    currency: 'EUR',
    country: 'DE',
    email: 'ada@example.com',
    store: 'ceramics',
    lines: [{ sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000, ...item }],
    ...more,
  }
}

async function imported(more: object = {}, item: object = {}): Promise<Order> {
  const source = line(more, item)
  assert.deepEqual(await importing([source]), { read: 1, created: 1, unchanged: 0, refused: [] })
  const [row] = await shop.query('select id from orders where external_id = $1', [source.externalId])
  return findOrderById(shop.database.reader, String(row?.id))
}

describe('an imported order', () => {
  test('keeps its contents, and is paid by default', async () => {
    const tax = { name: 'VAT', rate: '0.19', amount: 431, included: true }
    const order = await imported(
      { shipping: [{ amount: 490 }], total: 3190 },
      { discounts: [{ title: 'Sale', code: 'SALE', amount: 300 }], taxes: [tax], total: 2700 },
    )
    const [mug] = order.lines
    assert.deepEqual(
      [mug?.skuId, mug?.storeId, mug?.subtotal, mug?.total, mug?.taxLines[0]?.taxable],
      [shop.sku('MUG'), shop.storeId('ceramics'), 3000n, 2700n, 2269n],
    )
    const { itemsSubtotal, itemsDiscount, shipping, tax: taxes, total, byStore } = order.totals
    assert.deepEqual(
      [
        itemsSubtotal.amount,
        itemsDiscount.amount,
        shipping?.amount,
        taxes.amount.amount,
        taxes.added.amount,
        total.amount,
      ],
      [3000, 300, 490, 431, 0, 3190],
    )
    assert.deepEqual(
      byStore.map((each) => [each.storeId, each.total.amount]),
      [[shop.storeId('ceramics'), 3190]],
    )
    assert.deepEqual(statusesOf(order), {
      status: 'confirmed',
      paymentStatus: 'paid',
      fulfillmentStatus: 'unfulfilled',
    })
    assert.deepEqual([order.money.charged, order.source, order.version], [3190n, 'import', 1])
    assert.deepEqual(order.placedAt, new Date('2025-11-03T09:14:00Z'))
  })

  test('keeps what the shopper saw, and the references of the other system', async () => {
    const image = { url: 'https://media.example/mug.jpg', alt: 'A mug', width: 800, height: 1000 }
    const origin = { clientReferenceId: 'A-1044', metadata: { channel: 'shop' }, phone: '+493012345678' }
    const options = [{ name: 'Color', value: 'Blue' }]
    const { id } = await imported({ ...origin, shipping: [{ amount: 490, name: 'Standard' }] }, { options, image })
    const { body } = await client.get(`/api/v1/open/storefront/orders/${id}`)
    const { clientReferenceId, metadata, customer, lines, shipping } = body.data
    assert.deepEqual({ clientReferenceId, metadata, phone: customer.phone }, origin)
    assert.deepEqual([lines[0].code, lines[0].optionLabels, lines[0].image], ['MUG', options, image])
    assert.equal(shipping[0].name, 'Standard')
  })

  test('has its history, under the rules of every order', async () => {
    const order = await imported({
      canceled: [{ line: 1, quantity: 1 }],
      parcels: [
        {
          lines: [{ line: 1, quantity: 1 }],
          dispatchedAt: '2025-11-04T08:00:00Z',
          deliveredAt: '2025-11-05T08:00:00Z',
        },
        { lines: [{ line: 1, quantity: 1 }], dispatchedAt: '2025-11-04T09:00:00Z', carrier: 'DHL' },
      ],
      returned: [{ line: 1, quantity: 1 }],
      returnedAt: '2025-11-20T08:00:00Z',
      refunds: [{ at: '2025-11-03T10:00:00Z', amount: 1000, lines: [{ line: 1, quantity: 1 }] }],
    })
    assert.deepEqual(statusesOf(order), {
      status: 'completed',
      paymentStatus: 'partially_refunded',
      fulfillmentStatus: 'fulfilled',
    })
    assert.deepEqual(order.lines[0]?.units, { ordered: 3, canceled: 1, fulfilled: 2, returned: 1, refunded: 1 })
    const times = order.timeline.map(({ at }) => at.getTime())
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
  })

  for (const [status, more] of Object.entries({
    confirmed: {},
    processing: {},
    on_hold: {},
    completed: {},
    canceled: { payment: 'voided' },
  })) {
    test(`is ${status} if only the status is given`, async () => {
      assert.equal((await imported({ status, ...more })).status, status)
    })
  }

  test('keeps items that are not in the catalog, under a stable id', async () => {
    const [one, two] = [await imported({}, { sku: 'GONE-1' }), await imported({}, { sku: 'GONE-1' })]
    assert.match(one.lines[0]!.skuId, /^sku_[0-7]/)
    assert.equal(one.lines[0]!.skuId, two.lines[0]!.skuId)
    const answer = await client.get(`/api/v1/open/storefront/orders/${one.id}`)
    assert.equal(answer.status, 200, answer.text)
  })

  test('publishes no event and changes no stock', async () => {
    const stock = await stockOf(shop, 'MUG')
    const { id } = await imported()
    assert.deepEqual(await shop.query('select kind from events where subject_id = $1', [id]), [])
    assert.deepEqual(await stockOf(shop, 'MUG'), stock)
  })

  test('is imported once, however often its line is repeated', async () => {
    const source = line()
    const { created, unchanged } = await importing([source, source])
    assert.deepEqual([created, unchanged], [1, 1])
    assert.equal((await importing([source])).unchanged, 1)
    const changed = await importing([{ ...source, email: 'grace@example.com' }])
    assert.match(changed.refused[0]!.reason, /with other contents/)
    const other = await shop.client()
    assert.equal((await importing([source], other.installationId)).created, 1, 'of another installation')
  })

  test('is imported once by two concurrent imports', async () => {
    const sources = Array.from({ length: 30 }, () => line())
    const both = await Promise.all([importing(sources), importing(sources)])
    assert.equal(both[0].created + both[1].created, 30)
    assert.equal(both[0].unchanged + both[1].unchanged, 30)
    assert.deepEqual([...both[0].refused, ...both[1].refused], [])
    const [row] = await shop.query('select count(*) as count from orders where external_id = any($1)', [
      sources.map(({ externalId }) => externalId),
    ])
    assert.equal(Number(row?.count), 30)
  })

  test('of several stores can have refunds beyond their items and shipping, and its shares add up to it', async () => {
    const at = '2025-11-04T08:00:00Z'
    const refunds = [
      { at, amount: 300, shipping: true },
      { at, amount: 150, shipping: true },
      { at, amount: 600, lines: [{ line: 2, quantity: 1 }] },
    ]
    const lines = [
      { sku: 'MUG', name: 'Mug', quantity: 1, unitPrice: 1000 },
      { sku: 'NOVEL', name: 'Novel', quantity: 1, unitPrice: 500, store: 'books' },
    ]
    const order = await imported({ lines, shipping: [{ amount: 300 }], refunds })
    const [ceramics, books] = ['ceramics', 'books'].map((slug) => shareOf(order, shop.storeId(slug)).money)
    assert.deepEqual([ceramics?.charged, books?.charged], [1300n, 500n])
    assert.equal(ceramics!.refunded + books!.refunded, 1050n)
    assert.ok(ceramics!.refunded >= 300n && books!.refunded <= 500n)
  })

  test('that the database rejects affects no other order', async () => {
    const [one, two, three] = [line({ number: 'SAME' }), line({ number: 'SAME' }), line()]
    const report = await importing([one, two, three])
    assert.deepEqual(
      [report.created, report.refused],
      [2, [{ line: 2, reason: '/number: SAME belongs to another order.' }]],
    )
  })

  const parcel = { dispatchedAt: '2025-11-04T08:00:00Z' }
  const wrong: readonly (readonly [string, object, object, RegExp])[] = [
    ['a currency that is not for payments', { currency: 'XXX' }, {}, /^\/currency/],
    ['no country', { country: undefined }, {}, /country/],
    ['an unknown store', { store: 'nowhere' }, {}, /no store nowhere/],
    ['no store, for an installation of several stores', { store: undefined }, {}, /Set store/],
    ['no SKU', {}, { sku: undefined }, /^\/lines\/0/],
    ['a reserved number', { number: 'V-10001' }, {}, /^\/number/],
    ['a total that is not the sum', { total: 2999 }, {}, /^\/total/],
    ['a line whose total is not the sum', {}, { total: 2999 }, /^\/lines\/0\/total/],
    ['discounts above the price', {}, { discounts: [{ title: 'x', amount: 3001 }] }, /discounts/],
    ['an amount that is too large for JSON', {}, { unitPrice: Number.MAX_SAFE_INTEGER }, /too large/],
    ['an invalid time', { placedAt: '2025-13-41T00:00:00Z' }, {}, /placedAt/],
    ['an unknown line', { canceled: [{ line: 2, quantity: 1 }] }, {}, /^\/canceled\/0\/line/],
    ['more canceled than ordered', { canceled: [{ line: 1, quantity: 4 }] }, {}, /^\/canceled\/0\/quantity/],
    ['a duplicate line', { canceled: [1, 1].map((each) => ({ line: each, quantity: 1 })) }, {}, /list each line once/],
    [
      'more dispatched than ordered',
      { parcels: [{ ...parcel, lines: [{ line: 1, quantity: 4 }] }] },
      {},
      /^\/parcels\/0/,
    ],
    ['more returned than dispatched', { returned: [{ line: 1, quantity: 1 }] }, {}, /^\/returned\/0/],
    [
      'a refund above the payment',
      { refunds: [{ at: parcel.dispatchedAt, amount: 3001 }] },
      {},
      /^\/refunds\/0\/amount/,
    ],
    [
      'a refund of an unpaid order',
      { payment: 'pending', refunds: [{ at: parcel.dispatchedAt, amount: 1 }] },
      {},
      /^\/refunds\/0/,
    ],
    [
      'a status that its units contradict',
      { status: 'confirmed', canceled: [{ line: 1, quantity: 3 }] },
      {},
      /^\/status/,
    ],
    [
      'a completed status after all units were canceled',
      { status: 'completed', canceled: [{ line: 1, quantity: 3 }] },
      {},
      /^\/status/,
    ],
    ['an unknown member', { color: 'blue' }, {}, /color/],
  ]
  for (const [what, more, item, reason] of wrong) {
    test(`is refused with ${what}`, async () => {
      const source = JSON.parse(JSON.stringify(line(more, item)))
      const { created, refused } = await importing([source])
      assert.equal(created, 0)
      assert.match(refused[0]!.reason, reason)
    })
  }

  test('is only counted once as many lines are refused as an import reports', async () => {
    const texts = Array.from({ length: REFUSED_LINES_MAX + 2 }, () => '7')
    const { read, refused } = await importOrders({
      database: shop.database,
      ids: shop.ids,
      source: texts,
      now: shop.clock.now(),
      beginFulfillment: beginImportedFulfillment,
    })
    assert.deepEqual([read, refused.length], [texts.length, REFUSED_LINES_MAX])
  })

  test('belongs to an existing installation and its store', async () => {
    const { refused } = await importing([line({ installation: shop.ids.next('ins') }), 7, null])
    assert.match(refused[0]!.reason, /no installation/)
    assert.equal(refused.length, 3)
    const ofBooks = await shop.client({ storeSlug: 'books' })
    assert.match((await importing([line()], ofBooks.installationId)).refused[0]!.reason, /does not belong to store/)
    assert.equal((await importing([line({ store: undefined })], ofBooks.installationId)).created, 1)
    assert.match(
      (
        await importOrders({
          database: shop.database,
          ids: shop.ids,
          source: [JSON.stringify(line())],
          now: shop.clock.now(),
          beginFulfillment: beginImportedFulfillment,
        })
      ).refused[0]!.reason,
      /^Set installation/,
    )
  })
})
