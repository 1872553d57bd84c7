import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Operation, Order } from '@vitrine/contract'
import { exampleOf } from '@vitrine/contract'
import { markDelivered, ship } from '../../server/src/features/fulfillment/index.ts'
import { findPageLogin } from '../../server/src/features/hosted-login/index.ts'
import { refundByOperator } from '../../server/src/features/orders/index.ts'
import {
  bought,
  decide,
  eligibility,
  lineOf,
  postAfterSales,
  postCancellation,
  readOrder,
  setPolicy,
  settleRefunds,
} from '../support/commerce/after-sales.ts'
import {
  begunSession,
  CANCEL_URL,
  quoted,
  RETURN_URL,
  readyCart,
  SESSIONS,
  terms,
} from '../support/commerce/checkout.ts'
import { ORDERS, orderedBy } from '../support/commerce/orders.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { logged, opened, WEBHOOKS } from '../support/commerce/webhook-endpoints.ts'
import type { Sent } from '../support/network/send.ts'
import { begun, LOGIN, RETURN_URL as LOGIN_RETURN_URL, returning } from '../support/pages/hosted-login.ts'
import { type NarrowedClient, narrowedClient, posterOf } from '../support/pages/oauth.ts'
import { askerOf, assertCode, type Credential, isGuarded, propertiesOf, rows } from '../support/rows.ts'

/** Return URLs that all clients have registered, so that only the cart can be the reason for a refusal. */
const returnUrls = [RETURN_URL, CANCEL_URL, LOGIN_RETURN_URL]
type Client = Awaited<ReturnType<Shop['client']>>

let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
let owner: Client
/** Clients without access: another installation, the other environment, another store. */
let outsiders: Readonly<Record<string, Client>>
let insiderToken: Client

before(async () => {
  shop = await startShop()
  ;({ ask } = askerOf(shop))
  await shop.activateProduction()
  owner = await shop.client({ returnUrls })
  const other = await shop.client({ returnUrls })
  outsiders = {
    'another installation': other,
    'a live installation': await shop.client({ environment: 'live', returnUrls }),
    // The objects below belong to this store.
    'an installation of the same store': await shop.client({ storeSlug: 'ceramics', returnUrls }),
    'an installation of another store': await shop.client({ storeSlug: 'books', returnUrls }),
    'a token narrowed to another store': await narrowedClient(shop, owner.installationId, shop.storeId('books')),
    'a token of another installation, narrowed to the same store': await narrowedClient(
      shop,
      other.installationId,
      shop.storeId('ceramics'),
    ),
  }
  insiderToken = await narrowedClient(shop, owner.installationId, shop.storeId('ceramics'))
})

const as = ({ key, proof }: Client): { as: Credential } => ({ as: { key: String(key), proof } })
const guarded = rows.filter(([, row]) => isGuarded(row))
const ofOrders = guarded.filter(([, { path }]) => /\{orderId\}/.test(path))

/** A response without its request id. */
function contentOf({ status, body }: Sent): unknown {
  const { requestId: _, ...rest } = body
  return { status, ...rest }
}

function bodyOf(row: Operation): unknown {
  if (!row.body) return null
  const {
    expectedVersion: _,
    shippingOptionId: __,
    quoteId: ___,
    ...body
  } = exampleOf(row.body) as Record<string, unknown>
  return 'skuId' in body ? { ...body, skuId: shop.sku('MUG') } : body
}

/** An object of the owner, and the values that identify it in paths, queries and bodies. */
interface Owned {
  readonly names: Readonly<Record<string, string>>
  /** Reads the object as its owner. */
  readonly read: () => Promise<unknown>
}

const readAt = async (path: string) => (await owner.get(path)).body.data

/** The objects, by the part of a path that names them. */
const OWNED: Readonly<Record<string, () => Promise<Owned>>> = {
  '/carts/{cartId}': async () => {
    const { id } = await cartOf(shop, owner, { MUG: 2 })
    return { names: { cartId: id, skuId: shop.sku('MUG') }, read: () => readAt(`${CARTS}/${id}`) }
  },
  '/sessions/{sessionId}': async () => {
    const { id } = await begunSession(shop, owner, { MUG: 1 })
    return { names: { sessionId: id }, read: () => readAt(`${SESSIONS}/${id}`) }
  },
  '/orders/{orderId}': async () => {
    const { id } = await orderedBy(shop, owner, { MUG: 1 })
    return { names: { orderId: id }, read: () => readAt(`${ORDERS}/${id}`) }
  },
  '/endpoints/{id}': async () => {
    const { id } = await endpointOfOwner()
    const read = async () => {
      const { endpoints } = (await readAt(WEBHOOKS.endpoints)).result
      return endpoints.find((each: { id: string }) => each.id === id)
    }
    return { names: { id }, read }
  },
  '/deliveries/{id}': async () => {
    const { id: endpointId } = await endpointOfOwner()
    const { id } = await logged(shop, { installationId: owner.installationId, endpointId })
    return { names: { id }, read: () => readAt(`${WEBHOOKS.deliveries}?endpointId=${endpointId}`) }
  },
}

/** The names that queries and bodies have for objects of an installation. */
const NAMED: Readonly<Record<string, () => Promise<string>>> = {
  cartId: async () => (await cartOf(shop, owner, { MUG: 1 })).id,
  endpointId: async () => (await endpointOfOwner()).id,
  loginSession: async () => (await begun(owner)).loginSession,
  quoteId: async () => quoted(owner, (await readyCart(shop, owner, { MUG: 1 })).id),
}

/** An installation has a limited number of endpoints. */
let endpoint: Promise<{ readonly id: string }> | null = null
function endpointOfOwner(): Promise<{ readonly id: string }> {
  endpoint ??= opened(owner)
  return endpoint
}

/** The rows with an object in their path. No row can be added without its kind of object. */
const ofObjects = guarded.flatMap(([id, row]) => {
  const part = Object.keys(OWNED).find((each) => row.path.includes(each))
  return part === undefined ? [] : [{ id, row, make: OWNED[part]! }]
})
const queryOf = (row: Operation) => propertiesOf(row.undeclaredQuery ?? row.query)
const membersOf = (row: Operation) => Object.keys({ ...queryOf(row), ...propertiesOf(row.body) })
const withNames = guarded.flatMap(([id, row]) =>
  membersOf(row).flatMap((name) => (NAMED[name] ? [{ id, row, name, make: NAMED[name] }] : [])),
)
const withoutPath = guarded.filter(([, { path, method }]) => method === 'GET' && !path.includes('{'))

const OUTSIDERS = [
  'another installation',
  'a live installation',
  'an installation of the same store',
  'an installation of another store',
  'a token narrowed to another store',
  'a token of another installation, narrowed to the same store',
] as const
const INSIDERS = ['its installation', 'a token narrowed to its store'] as const

describe(`${(ofObjects.length + withNames.length + withoutPath.length) * OUTSIDERS.length} cases of access by outsiders, ${
  ofObjects.length * INSIDERS.length
} by insiders`, () => {
  test('the cases include every row whose path, query or body names an object', () => {
    const covered = new Set<string>([...ofObjects, ...withNames].map(({ id }) => id))
    const isReference = (name: string) => /^id$|[a-z]Id$|^loginSession$/.test(name)
    // SKUs and the caller's references belong to no installation; the others are parts of an object that is named as well.
    const harmless = new Set(['skuId', 'exchangeSkuId', 'clientReferenceId', 'shippingOptionId'])
    const left = guarded.filter(([id, row]) => {
      const names = [...Object.keys(propertiesOf(row.params)), ...membersOf(row)]
      return !covered.has(id) && names.some((name) => isReference(name) && !harmless.has(name))
    })
    assert.deepEqual(
      left.map(([id]) => id),
      [],
    )
    const inPaths = guarded.filter(([, { path }]) => path.includes('{')).map(([id]) => id)
    // A product belongs to a store; for keys of one store, see the tests of the catalog below.
    assert.deepEqual(
      inPaths.filter((id) => !ofObjects.some((each) => each.id === id)),
      ['getApiKeyCatalogProduct'],
    )
    assert.deepEqual(Object.keys(outsiders), OUTSIDERS)
  })

  for (const { id, row, make } of ofObjects) {
    test(`${id}: answers outsiders exactly as if the object did not exist, and changes nothing`, async () => {
      const { names, read } = await make()
      const before = await read()
      const unknown = Object.fromEntries(
        Object.entries(names).map(([name, value]) => {
          return [name, name === 'skuId' ? value : String(exampleOf(propertiesOf(row.params)[name] as never))]
        }),
      )
      for (const [who, outsider] of Object.entries(outsiders)) {
        const asking = { ...as(outsider), body: bodyOf(row) }
        const answer = await ask(row, { ...asking, params: names })
        assertCode(answer, 404, 'not_found')
        assert.deepEqual(contentOf(answer), contentOf(await ask(row, { ...asking, params: unknown })), who)
      }
      assert.deepEqual(await read(), before)
    })

    test(`${id}: finds the object for insiders`, async () => {
      const isWebhook = row.path.includes('/webhooks/')
      for (const insider of [owner, ...(isWebhook ? [] : [insiderToken])]) {
        const { names } = await make()
        const { status, body } = await ask(row, { ...as(insider), params: names, body: bodyOf(row) })
        assert([200, 400, 409].includes(status), `${status} ${body.code}`)
      }
      if (!isWebhook) return
      // Webhooks belong to the grant that created them.
      const { names } = await make()
      assertCode(await ask(row, { ...as(insiderToken), params: names, body: bodyOf(row) }), 404, 'not_found')
    })
  }

  for (const { id, row, name, make } of withNames) {
    test(`${id}: refuses the owner's ${name} from outsiders`, async () => {
      const value = await make()
      for (const [who, outsider] of Object.entries(outsiders)) {
        if (name in queryOf(row)) {
          const { body } = await ask(row, { ...as(outsider), query: { [name]: value } })
          assert.deepEqual(body.data, { deliveries: [], next: null }, who)
          continue
        }
        // With the outsider's own cart, so that nothing else is refused.
        const { id: cartId } = await cartOf(shop, outsider, { [who.includes('another store') ? 'NOVEL' : 'MUG']: 1 })
        const named = { ...(bodyOf(row) as object), ...('cartId' in propertiesOf(row.body) && { cartId }) }
        const isCheckout = 'returnUrl' in named && 'cancelUrl' in named
        const body = { ...named, ...(isCheckout && terms), [name]: value }
        const asking = { ...as(outsider), ...(row.path.includes('{cartId}') && { params: { cartId } }) }
        assertCode(await ask(row, { ...asking, body }), 404, 'not_found')
      }
    })
  }

  for (const [id, row] of withoutPath) {
    test(`${id}: shows outsiders nothing of the object`, async () => {
      const made = await Promise.all(Object.values(OWNED).map((make) => make()))
      const ids = made.flatMap(({ names }) => Object.entries(names)).filter(([name]) => name !== 'skuId')
      for (const [who, outsider] of Object.entries(outsiders)) {
        const { status, text } = await ask(row, as(outsider))
        assert.equal(status, 200, text)
        assert.deepEqual(
          ids.filter(([, value]) => text.includes(value)),
          [],
          who,
        )
      }
    })
  }
})

/** Outsiders get the same answer for an object as for one that does not exist. */
async function assertAbsent(row: Operation, params: Readonly<Record<string, string>>): Promise<void> {
  for (const [who, outsider] of Object.entries(outsiders)) {
    const asking = { ...as(outsider), body: bodyOf(row) }
    const answer = await ask(row, { ...asking, params })
    assertCode(answer, 404, 'not_found')
    assert.deepEqual(contentOf(answer), contentOf(await ask(row, asking)), who)
  }
}

describe('an order of one installation', () => {
  for (const [id, row] of ofOrders) {
    test(`${id}: answers others exactly like an unknown order, and changes nothing`, async () => {
      const { id: orderId } = await orderedBy(shop, owner, { MUG: 1 })
      const before = (await owner.get(`${ORDERS}/${orderId}`)).body.data
      await assertAbsent(row, { orderId })
      assert.deepEqual((await owner.get(`${ORDERS}/${orderId}`)).body.data, before)
    })
  }

  test('is not listed for others', async () => {
    await orderedBy(shop, owner, { MUG: 1 })
    for (const [who, outsider] of Object.entries(outsiders)) {
      assert.deepEqual((await outsider.get(ORDERS)).body.data, { orders: [], next: null }, who)
    }
  })
})

describe('an order of several stores, and a token narrowed to one of them', () => {
  const mixed = { MUG: 2, NOVEL: 3 }
  let marketplace: Client
  let ceramics: NarrowedClient
  let books: NarrowedClient
  before(async () => {
    marketplace = await shop.client({ returnUrls })
    ceramics = await narrowedClient(shop, marketplace.installationId, shop.storeId('ceramics'))
    books = await narrowedClient(shop, marketplace.installationId, shop.storeId('books'))
    await shop.setStock('NOVEL', 100)
  })

  /** Values that only the other store's token may read: ids, names and amounts of its lines, shipping, parcels and requests. */
  function secretsOf(order: Order, slug: string): readonly string[] {
    const storeId = shop.storeId(slug)
    const lines = order.lines.filter((line) => line.storeId === storeId)
    const ids = new Set(lines.map(({ id }) => id))
    const isOwn = (request: { lines: readonly { lineId: string }[] }) =>
      request.lines.every(({ lineId }) => ids.has(lineId))
    // Both stores ship for the same price.
    const shared = new Set([
      0,
      ...order.shipping.filter((each) => each.storeId !== storeId).map(({ total }) => total.amount),
    ])
    const amounts = [
      ...lines.flatMap(({ unitPrice, subtotal, total }) => [unitPrice, subtotal, total]),
      ...order.shipping.filter((each) => each.storeId === storeId).map(({ total }) => total),
      ...order.totals.byStore.filter((each) => each.storeId === storeId).map(({ total }) => total),
      order.totals.total,
    ]
    return [
      storeId,
      ...lines.flatMap(({ id, skuId, productId, code, name }) => [
        id,
        skuId,
        productId ?? id,
        `"${code}"`,
        `"${name}"`,
      ]),
      ...order.fulfillments.filter((each) => each.storeId === storeId).map(({ id }) => id),
      ...[...order.cancellations, ...order.afterSales].filter(isOwn).map(({ id }) => id),
      ...amounts.filter(({ amount }) => !shared.has(amount)).map(({ amount }) => `"amount":${amount},`),
    ]
  }

  async function summaryFor(client: Client, orderId: string) {
    const { orders } = (await client.get(ORDERS)).body.data
    return orders.find(({ id }: { id: string }) => id === orderId)
  }

  async function shares(order: Order) {
    const answers = await Promise.all([ceramics, books].map((token) => token.get(`${ORDERS}/${order.id}`)))
    for (const [index, { status, text }] of answers.entries()) {
      assert.equal(status, 200, text)
      const other = ['books', 'ceramics'][index]!
      assert.deepEqual(
        secretsOf(order, other).filter((secret) => text.includes(secret)),
        [],
        `of ${other}`,
      )
    }
    return answers.map(({ body }) => body.data as Order)
  }

  const moneyOf = ({ money, totals }: Order) => {
    return [...Object.values(money), totals.itemsSubtotal, totals.tax.amount, totals.total].map(({ amount }) => amount)
  }

  test('sees its share: lines, shipping, parcels, totals and money, which add up to the whole', async () => {
    const { id } = await bought(shop, marketplace, mixed)
    await decide(shop, (tx, by) => ship(tx, { orderId: id, reference: 'B-1', storeId: shop.storeId('books') }, by))
    const order = await readOrder(marketplace, id)
    const [ofCeramics, ofBooks] = (await shares(order)) as [Order, Order]

    assert.deepEqual([...ofCeramics.lines, ...ofBooks.lines], order.lines)
    assert.deepEqual([...ofCeramics.shipping, ...ofBooks.shipping], order.shipping)
    assert.deepEqual([ofCeramics.fulfillments, ofBooks.fulfillments], [[], order.fulfillments])
    assert.deepEqual([...ofCeramics.totals.byStore, ...ofBooks.totals.byStore], order.totals.byStore)
    const sums = moneyOf(ofCeramics).map((amount, index) => amount + moneyOf(ofBooks)[index]!)
    assert.deepEqual(sums, moneyOf(order))
    assert.deepEqual([order.status, ofCeramics.status, ofBooks.status], ['processing', 'processing', 'completed'])
    assert.deepEqual([ofCeramics.fulfillmentStatus, ofBooks.fulfillmentStatus], ['unfulfilled', 'fulfilled'])
    const codes = (each: Order) => each.timeline.map(({ code }) => code)
    assert.deepEqual([codes(ofCeramics), codes(ofBooks)], [['confirmed'], ['confirmed', 'parcel_dispatched']])
    for (const share of [ofCeramics, ofBooks]) {
      assert.deepEqual([share.cartId, share.checkoutSessionId, share.metadata], [undefined, undefined, {}])
      assert.deepEqual([share.addresses, share.customer], [order.addresses, order.customer])
    }
  })

  test('lists the share, with its counts, requests and total', async () => {
    const order = await bought(shop, marketplace, mixed)
    const [whole, ofCeramics, ofBooks] = await Promise.all(
      [marketplace, ceramics, books].map((client) => summaryFor(client, order.id)),
    )
    assert.deepEqual(whole.storeIds, [shop.storeId('ceramics'), shop.storeId('books')])
    assert.deepEqual([ofCeramics.storeIds, ofBooks.storeIds], [[shop.storeId('ceramics')], [shop.storeId('books')]])
    assert.deepEqual(
      [whole, ofCeramics, ofBooks].map(({ counts }) => [counts.lines, counts.units]),
      [
        [2, 5],
        [1, 2],
        [1, 3],
      ],
    )
    assert.equal(ofCeramics.total.amount + ofBooks.total.amount, whole.total.amount)
    const text = JSON.stringify(ofCeramics)
    assert.deepEqual(
      secretsOf(order, 'books').filter((secret) => text.includes(secret)),
      [],
    )
  })

  test('cancels within the share: without `lines`, all lines of its store, and no other line is named', async () => {
    const order = await bought(shop, marketplace, mixed)
    const [mug, novel] = [lineOf(shop, order, 'MUG'), lineOf(shop, order, 'NOVEL')]
    const asked = await eligibility(ceramics, order.id, 'cancellation')
    assert.deepEqual(asked.preview.restock, [{ lineId: mug.id, quantity: 2 }])
    const refused = await postCancellation(ceramics, order.id, { lines: [{ lineId: novel.id, quantity: 1 }] })
    const unknown = await postCancellation(ceramics, order.id, {
      lines: [{ lineId: shop.ids.next('oli'), quantity: 1 }],
    })
    assert.deepEqual([refused.status, refused.body.details], [400, unknown.body.details])

    const { eligibilityToken } = asked
    assert.equal((await postCancellation(marketplace, order.id, { eligibilityToken })).status, 400, 'of another share')
    const answer = await postCancellation(ceramics, order.id, { eligibilityToken })
    assert.equal(answer.status, 200, answer.text)
    const { scope, lines, refund, status } = answer.body.data
    assert.deepEqual([status, scope, lines], ['completed', 'full', [{ lineId: mug.id, quantity: 2 }]])
    assert.deepEqual(refund.amount, asked.preview.refund)

    const after = await readOrder(marketplace, order.id)
    assert.deepEqual([after.status, after.cancellations[0]?.scope], ['confirmed', 'partial'])
    const [ofCeramics, ofBooks] = (await shares(after)) as [Order, Order]
    assert.deepEqual([ofCeramics.status, ofCeramics.cancellations], ['canceled', [answer.body.data]])
    assert.deepEqual(ofCeramics.money.refundPending, ofCeramics.totals.total)
    assert.deepEqual([ofBooks.status, ofBooks.cancellations, ofBooks.adjustments], ['confirmed', [], []])
    assert.equal(ofBooks.money.refundPending.amount, 0)
    await settleRefunds(shop, order.id, { isDone: true })
    const [paidOut] = (await shares(await readOrder(marketplace, order.id))) as [Order]
    assert.deepEqual([paidOut.paymentStatus, paidOut.cancellations[0]?.refund.status], ['refunded', 'succeeded'])
  })

  test('sees its part of a cancellation of several stores, and of a refund without units', async () => {
    const order = await bought(shop, marketplace, mixed)
    const lines = order.lines.map(({ id }) => ({ lineId: id, quantity: 1 }))
    const answer = await postCancellation(marketplace, order.id, { lines })
    assert.equal(answer.status, 200, answer.text)
    await decide(shop, (tx, by) => refundByOperator(tx, { orderId: order.id, amount: 101n }, by))
    const after = await readOrder(marketplace, order.id)
    const [ofCeramics, ofBooks] = (await shares(after)) as [Order, Order]
    for (const share of [ofCeramics, ofBooks]) {
      const [cancellation] = share.cancellations
      assert.deepEqual([cancellation?.scope, cancellation?.lines.length], ['partial', 1])
      assert.deepEqual(cancellation?.refund.amount, share.adjustments[0]?.amount)
      assert.deepEqual(share.adjustments.length, 2)
      assert(!share.timeline.some(({ code }) => code === 'units_canceled'), 'an entry that counts the units of both')
    }
    const sums = moneyOf(ofCeramics).map((amount, index) => amount + moneyOf(ofBooks)[index]!)
    assert.deepEqual(sums, moneyOf(after))
  })

  test('is refused because another store has an open cancellation, without its id', async () => {
    const order = await bought(shop, marketplace, mixed)
    await setPolicy(shop, 'books', { cancellation: { automatic: false } })
    const theirs = await postCancellation(books, order.id)
    await setPolicy(shop, 'books', {})
    assert.deepEqual([theirs.status, theirs.body.data.status], [200, 'requested'])
    const answer = await postCancellation(ceramics, order.id)
    assert.deepEqual([answer.status, answer.body.code], [409, 'cancellation_exists'])
    assert(!answer.text.includes(theirs.body.data.id))
    assert.deepEqual((await summaryFor(ceramics, order.id)).open, { cancellations: 0, afterSales: 0 })
    assert.deepEqual((await summaryFor(books, order.id)).open, { cancellations: 1, afterSales: 0 })
    await shares(await readOrder(marketplace, order.id))
  })

  test('requests after-sales for its own lines, and sees only those requests', async () => {
    const order = await bought(shop, marketplace, mixed)
    for (const slug of ['ceramics', 'books']) {
      const parcel = { orderId: order.id, reference: slug, storeId: shop.storeId(slug) }
      const { id } = await decide(shop, (tx, by) => ship(tx, parcel, by))
      await decide(shop, (tx, by) => markDelivered(tx, id, by))
    }
    const [mug, novel] = [lineOf(shop, order, 'MUG'), lineOf(shop, order, 'NOVEL')]
    const asked = await eligibility(ceramics, order.id, 'after-sales')
    assert.deepEqual(asked.kinds?.find(({ kind }) => kind === 'return')?.maxByLine, { [mug.id]: 2 })
    const refused = await postAfterSales(ceramics, order.id, { lines: [{ lineId: novel.id, quantity: 1 }] })
    assert.deepEqual([refused.status, refused.body.code], [400, 'validation_failed'])
    const [own, theirs] = await Promise.all([
      postAfterSales(ceramics, order.id, { lines: [{ lineId: mug.id, quantity: 1 }] }),
      postAfterSales(books, order.id, { lines: [{ lineId: novel.id, quantity: 3 }] }),
    ])
    const both = await postAfterSales(marketplace, order.id, { lines: [{ lineId: mug.id, quantity: 1 }] })
    assert.deepEqual([own.status, theirs.status, both.body.code], [200, 200, 'after_sales_exists'])
    const [ofCeramics, ofBooks] = (await shares(await readOrder(marketplace, order.id))) as [Order, Order]
    assert.deepEqual([ofCeramics.afterSales, ofBooks.afterSales], [[own.body.data], [theirs.body.data]])
  })

  test('gets events of its share at its own endpoint, without gaps, and none that concern only other stores', async () => {
    const endpoints = [await opened(marketplace), await opened(ceramics), await opened(books)]
    const order = await bought(shop, marketplace, mixed)
    await postCancellation(ceramics, order.id)
    await shop.work()
    const bodiesAt = async ({ id }: { id: string }) => {
      const sql = `select convert_from(event.body, 'UTF8') as body from webhook_deliveries delivery
        join events event on event.id = delivery.event_id where delivery.endpoint_id = $1 order by event.id`
      const bodies = (await shop.query(sql, [id])).map(({ body }) => String(body))
      return bodies.filter((body) => body.includes(order.id) && !body.includes('checkout.session'))
    }
    const [whole, own, others] = (await Promise.all(endpoints.map(bodiesAt))) as [string[], string[], string[]]
    const told = (bodies: string[]) => bodies.map((body) => JSON.parse(body))
    const kindsOf = (bodies: string[]) =>
      told(bodies)
        .map(({ type }) => type)
        .sort()
    const ofCancellation = ['order.cancellation.decided', 'order.cancellation.requested']
    assert.deepEqual(kindsOf(whole), [...ofCancellation, 'order.created', 'order.updated'])
    assert.deepEqual(kindsOf(own), ['order.canceled', ...ofCancellation, 'order.created', 'order.updated'])
    assert.deepEqual(kindsOf(others), ['order.created'])
    const ofOrder = told(own).filter(({ data }) => data.cancellationId === undefined)
    ofOrder.sort((one, other) => one.sequence - other.sequence)
    assert.deepEqual(
      ofOrder.map(({ sequence, data }) => [sequence, data.status, data.storeIds]),
      ['confirmed', 'canceled', 'canceled'].map((status, index) => [index + 1, status, [shop.storeId('ceramics')]]),
    )
    const after = await readOrder(marketplace, order.id)
    for (const [bodies, other] of [
      [own, 'books'],
      [others, 'ceramics'],
    ] as const) {
      assert.deepEqual(
        secretsOf(after, other).filter((secret) => bodies.some((body) => body.includes(secret))),
        [],
      )
    }
  })
})

describe('an idempotency key of one installation', () => {
  test('belongs only to that installation: others create their own cart with the same key', async () => {
    const key = 'order-4711'
    const ids = new Set<string>()
    for (const client of [owner, ...Object.values(outsiders)]) {
      const { status, body, headers } = await client.post(CARTS, { currency: 'EUR', country: 'DE' }, { key })
      assert.deepEqual([status, headers.get('idempotent-replayed')], [200, null])
      ids.add(body.data.id)
    }
    assert.equal(ids.size, 1 + Object.keys(outsiders).length)
  })

  test('is shared by its API keys: a rotated key gets the response of the old one', async () => {
    const rotated = await shop.client({ installationId: owner.installationId })
    const body = { currency: 'EUR', country: 'DE' }
    const first = await owner.post(CARTS, body, { key: 'rotation' })
    const again = await rotated.post(CARTS, body, { key: 'rotation' })
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  })

  test('returns nothing to a revoked key', async () => {
    const client = await shop.client()
    const body = { currency: 'EUR', country: 'DE' }
    await client.post(CARTS, body, { key: 'revoked' })
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [client.keyId, shop.clock.now()])
    const answer = await client.post(CARTS, body, { key: 'revoked' })
    assert.deepEqual([answer.status, answer.body.code], [401, 'credential_revoked'])
  })
})

describe('a key', () => {
  test('identifies its own installation only', async () => {
    for (const client of [owner, ...Object.values(outsiders)]) {
      const { body } = await client.get('/api/v1/open/identity')
      assert.deepEqual([body.data.keyId, body.data.installation.id], [client.keyId, client.installationId])
      const identity = await client.get('/api/v1/open/installation/identity')
      assert.equal(identity.body.data.installationId, client.installationId)
    }
  })

  test("of one store sees that store's catalog only", async () => {
    const books = await shop.client({ storeSlug: 'books' })
    const { body } = await books.get('/api/v1/open/catalog/products')
    const stores = new Set(body.data.map((product: { store: { slug: string } }) => product.store.slug))
    assert.deepEqual([...stores], ['books'])
    const [product] = (await shop.client().then((each) => each.get('/api/v1/open/catalog/products'))).body.data.filter(
      (each: { store: { slug: string } }) => each.store.slug === 'ceramics',
    )
    assert.equal((await books.get(`/api/v1/open/catalog/products/${product.slug}`)).status, 404)
  })

  test("of one store cannot add another store's products to its cart", async () => {
    const books = await shop.client({ storeSlug: 'books' })
    const lines = [{ skuId: shop.sku('MUG'), quantity: 1 }]
    const answer = await books.post(CARTS, { currency: 'EUR', country: 'DE', lines })
    assert.deepEqual([answer.status, answer.body.code], [409, 'sku_unavailable'])
  })

  test("accepts proofs of its own key pair only: another installation's is refused", async () => {
    const [, outsider] = Object.entries(outsiders)[0] as [string, Client]
    assert.notEqual(guarded.length, 0)
    for (const [, row] of guarded) {
      const credential = { key: String(owner.key), proof: outsider.proof }
      const answer = await ask(row, { as: credential })
      assertCode(answer, 401, 'invalid_dpop_proof')
    }
  })
})

describe('a token narrowed to a store', () => {
  let ceramics: NarrowedClient
  let books: NarrowedClient
  let marketplace: Client
  before(async () => {
    marketplace = await shop.client({ returnUrls })
    ceramics = await narrowedClient(shop, marketplace.installationId, shop.storeId('ceramics'))
    books = await narrowedClient(shop, marketplace.installationId, shop.storeId('books'))
  })
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

  test('reaches the carts, sessions and orders of its store, whichever credential created them', async () => {
    const cart = await cartOf(shop, marketplace, { MUG: 1 })
    const added = await ceramics.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('BOWL'), quantity: 1 })
    assert.equal(added.status, 200, added.text)
    const session = await begunSession(shop, marketplace, { MUG: 1 })
    assert.equal((await ceramics.get(`${SESSIONS}/${session.id}`)).status, 200)
    const order = await orderedBy(shop, marketplace, { MUG: 1 })
    assert.equal((await ceramics.get(`${ORDERS}/${order.id}`)).status, 200)
    assert.deepEqual(idsOf((await ceramics.get(ORDERS)).body.data.orders), [order.id])
  })

  test('sees nothing of carts and sessions with lines of several stores, and nothing of empty carts', async () => {
    const mixed = { MUG: 1, NOVEL: 1 }
    const [cart, empty] = [await cartOf(shop, marketplace, mixed), await cartOf(shop, marketplace, {})]
    const session = await begunSession(shop, marketplace, mixed)
    for (const token of [ceramics, books]) {
      for (const path of [`${CARTS}/${cart.id}`, `${CARTS}/${empty.id}`, `${SESSIONS}/${session.id}`]) {
        assert.equal((await token.get(path)).status, 404, path)
      }
    }
  })

  test("does not share its cart with another store, whichever credential adds that store's products", async () => {
    const cart = await cartOf(shop, ceramics, { MUG: 1 })
    for (const client of [ceramics, marketplace]) {
      const answer = await client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('NOVEL'), quantity: 1 })
      assert.deepEqual([answer.status, answer.body.code], [409, 'sku_unavailable'])
    }
    assert.equal((await books.get(`${CARTS}/${cart.id}`)).status, 404)
    assert.equal((await marketplace.get(`${CARTS}/${cart.id}`)).status, 200)
  })

  test('has its own webhooks: they get the events of its store, and end with its grant', async () => {
    const own = await shop.client()
    const ending = await narrowedClient(shop, own.installationId, shop.storeId('ceramics'))
    const [theirs, endpoint] = [await opened(own), await opened(ending)]
    assert.deepEqual(idsOf((await ending.get(WEBHOOKS.endpoints)).body.data.result.endpoints), [endpoint.id])
    assert.deepEqual((await ceramics.get(WEBHOOKS.endpoints)).body.data.result.endpoints, [])
    assert.equal((await ending.patch(`${WEBHOOKS.endpoints}/${theirs.id}`, { status: 'paused' })).status, 404)

    const orders = [await orderedBy(shop, own, { MUG: 1 }), await orderedBy(shop, own, { NOVEL: 1 })]
    const revoked = await cartOf(shop, own, { BOWL: 1 })
    for (const cart of [revoked, await cartOf(shop, own, { BOWL: 1, NOVEL: 1 })]) {
      assert.equal((await own.post(`${CARTS}/${cart.id}/revoke`, {})).status, 200)
    }
    await shop.work()
    const subjectsAt = async (id: string) => {
      const sql = `select event.subject_id from webhook_deliveries delivery join events event on event.id = delivery.event_id
        where delivery.endpoint_id = $1`
      return (await shop.query(sql, [id])).map(({ subject_id: subject }) => subject).sort()
    }
    assert.deepEqual(await subjectsAt(endpoint.id), [revoked.id, orders[0]?.id])
    assert.equal((await subjectsAt(theirs.id)).length, 4)

    assert.equal((await posterOf(shop).revoke(ending.app, ending.refreshToken)).status, 200)
    const { endpoints } = (await own.get(WEBHOOKS.endpoints)).body.data.result
    assert.deepEqual(idsOf(endpoints), [theirs.id])
  })

  test('has its own hosted logins', async () => {
    const installation = await shop.client({ returnUrls: [LOGIN_RETURN_URL] })
    const [one, other] = await Promise.all(
      ['ceramics', 'books'].map((slug) => narrowedClient(shop, installation.installationId, shop.storeId(slug))),
    )
    const login = await begun(one!)
    const answer = await other!.post(
      LOGIN.consume,
      returning({ loginSession: login.loginSession, code: 'guessed', state: 'af0ifjsldkj' }),
    )
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])

    assert.equal((await posterOf(shop).revoke(one!.app, one!.refreshToken)).status, 200)
    assert.equal(await findPageLogin(shop.database.reader, login.loginSession, shop.clock.now()), null)
    const late = { loginSession: login.loginSession, code: 'guessed', state: 'af0ifjsldkj' }
    const afterwards = await installation.post(LOGIN.consume, returning(late))
    assert.deepEqual([afterwards.status, afterwards.body.code], [404, 'not_found'])
  })

  test('leaves its carts and sessions to the installation when its grant ends', async () => {
    const ending = await narrowedClient(shop, marketplace.installationId, shop.storeId('ceramics'))
    const session = await begunSession(shop, ending, { MUG: 1 })
    assert.equal((await posterOf(shop).revoke(ending.app, ending.refreshToken)).status, 200)
    assert.equal((await ending.get(`${SESSIONS}/${session.id}`)).body.code, 'credential_revoked')
    for (const client of [marketplace, ceramics]) {
      assert.equal((await client.get(`${SESSIONS}/${session.id}`)).status, 200)
      assert.equal((await client.get(`${CARTS}/${session.cartId}`)).status, 200)
    }
  })
})

describe('a test key', () => {
  test('takes no live stock: its purchases leave stock for others', async () => {
    const live = outsiders['a live installation'] as Client
    await shop.setStock('VASE', 3)
    const { id } = await cartOf(shop, owner, { VASE: 3 })
    assert((await owner.get(`${CARTS}/${id}`)).body.data.lines.length === 1)
    const theirs = await cartOf(shop, live, { VASE: 3 })
    assert.equal(theirs.lines[0].quantity, 3)
  })

  test('writes rows of its own environment only', async () => {
    const live = outsiders['a live installation'] as Client
    await cartOf(shop, owner, { MUG: 1 })
    await cartOf(shop, live, { MUG: 1 })
    for (const table of ['carts', 'idempotency_keys', 'events']) {
      const mixed = await shop.query(
        `select count(*)::int as count from ${table} t join installations i on i.id = t.installation_id
         where t.environment <> i.environment`,
      )
      assert.deepEqual(mixed, [{ count: 0 }], table)
    }
  })
})
