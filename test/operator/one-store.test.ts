import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bought } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { newCancellation } from './marketplace.ts'

/*
 * Operators of one store, in a marketplace of two stores: one order of each store, and one of both. every-row.test.ts compares the
 * answers about another store with those about absent objects; these tests cover the data that the operators see.
 */

const PASSWORD = 'a pass phrase of this store'

let shop: Shop
let commandLine: OperatorClient
let ceramics: OperatorClient
let books: OperatorClient
const orders: Record<'ceramics' | 'books' | 'both', Awaited<ReturnType<typeof bought>>> = {} as never
before(async () => {
  shop = await startShop()
  commandLine = await operatorClient(shop)
  const client = await checkoutClient(shop)
  orders.ceramics = await bought(shop, client, { MUG: 1 })
  shop.clock.advance(1000)
  orders.books = await bought(shop, client, { NOVEL: 1 })
  shop.clock.advance(1000)
  orders.both = await bought(shop, client, { MUG: 1, NOVEL: 1 })
  await newCancellation({ app: client, operator: commandLine }, orders.books)
  ceramics = await managerOf('ceramics')
  books = await managerOf('books')
})

async function managerOf(store: string): Promise<OperatorClient> {
  const email = `${store}@operator.example`
  await commandLine.change('POST', '/operators', { email, role: 'manager', store, password: PASSWORD })
  const anonymous = await operatorClient(shop, {})
  const { headers, body } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
  assert.equal(body.data.operator.store, store)
  return operatorClient(shop, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
}

const itemsOf = async (client: OperatorClient, path: string) => (await client.get(path)).body.data.items

describe('an operator of one store', () => {
  test('lists the orders of the store, and only the share of an order of several stores', async () => {
    const listed = await itemsOf(ceramics, '/orders?environment=test')
    assert.deepEqual(
      listed.map(({ order }: { order: { id: string } }) => order.id),
      [orders.both.id, orders.ceramics.id],
    )
    assert.deepEqual(listed[0].order.total, listed[1].order.total, 'each has one mug of this store')
    assert.ok(listed[0].order.total.amount < orders.both.totals.total.amount)

    const { order, stores, chargeId, fulfilments, allowed, ordersOfBuyer } = (
      await ceramics.get(`/orders/${orders.both.id}`)
    ).body.data
    assert.deepEqual(
      stores.map(({ slug }: { slug: string }) => slug),
      ['ceramics'],
    )
    assert.deepEqual([order.lines.length, chargeId, fulfilments.length, allowed], [1, undefined, 1, ['ship']])
    assert.doesNotMatch(JSON.stringify(order), /Novel|NOVEL/)
    assert.equal(ordersOfBuyer, 2, 'as many as are listed')
    assert.equal((await commandLine.get(`/orders/${order.id}`)).body.data.ordersOfBuyer, 3)
    assert.equal((await ceramics.get(`/orders/${orders.books.id}`)).status, 404)
  })

  test('ships the goods of the store, and changes nothing else of an order of several stores', async () => {
    const held = await ceramics.send('POST', `/orders/${orders.both.id}/hold`, { reason: 'later' })
    assert.equal(held.status, 404)
    const [waiting] = await itemsOf(books, '/fulfilments?environment=test&status=pending')
    assert.equal(waiting.store.slug, 'books')
    const path = `/orders/${orders.both.id}/parcels`
    const shipped = await ceramics.change('POST', path, { trackingNumber: 'OURS-1', storeId: shop.storeId('books') })
    assert.equal(shipped.fulfilments.length, 1)
    assert.equal(shipped.order.lines.length, 1)
    const theirs = (await itemsOf(books, '/fulfilments?environment=test&status=pending')) as { orderNumber: string }[]
    assert.ok(
      theirs.some(({ orderNumber }) => orderNumber === orders.both.number),
      'the novel has not shipped',
    )
  })

  test('is not told of parcels and categories of other stores by a conflict with them', async () => {
    const path = `/orders/${orders.both.id}/parcels`
    const novel = orders.both.lines.find(({ skuId }) => skuId === shop.sku('NOVEL'))
    const answers = []
    for (const lines of [undefined, [{ lineId: novel?.id, quantity: 1 }], [{ lineId: novel?.id, quantity: 2 }]]) {
      const { status, body } = await books.send('POST', path, { reference: 'OURS-1', ...(lines && { lines }) })
      answers.push([status, body.code, /ful_/.test(JSON.stringify(body))])
    }
    assert.deepEqual(answers, Array(3).fill([409, 'name_taken', false]))

    const hats = { slug: 'hats', store: 'ceramics', names: { en: 'Hats' } }
    const { id } = await ceramics.change('POST', '/categories', hats)
    const below = async (parentId: string) => {
      const { status, body } = await books.send('POST', '/categories', { ...hats, store: 'books', parentId })
      const { requestId: _, ...answer } = body
      return { status, ...answer }
    }
    assert.deepEqual(await below(id), await below('cat_01k5b7m2q8e9rtv3w4x5y6z7a8'))
  })

  test('counts, finds and sees only the data of the store', async () => {
    const work = async (client: OperatorClient) => (await client.get('/work?environment=test')).body.data
    assert.deepEqual([(await work(ceramics)).cancellations, (await work(books)).cancellations], [0, 1])
    assert.deepEqual((await itemsOf(ceramics, '/cancellations')).length, 0)
    assert.deepEqual((await itemsOf(books, '/cancellations')).length, 1)

    const sales = (await ceramics.get('/sales?environment=test')).body.data
    assert.equal(sales.current.orders[0].orders, 1)
    assert.deepEqual(
      sales.products.map(({ name }: { name: string }) => name),
      ['Mug'],
    )

    const found = (await ceramics.get('/find?environment=test&q=ada@')).body.data
    assert.deepEqual(
      found.orders.map(({ id }: { id: string }) => id),
      [orders.ceramics.id],
    )
    assert.deepEqual(found.customers, [])
    const named = async (client: OperatorClient) => (await client.get('/find?q=novel')).body.data.products.length
    assert.deepEqual([await named(ceramics), await named(books)], [0, 1])

    const slugs = async (path: string, field: string) => {
      return [...new Set((await itemsOf(ceramics, path)).map((each: Record<string, string>) => each[field]))]
    }
    assert.deepEqual(await slugs('/stores', 'slug'), ['ceramics'])
    assert.deepEqual(await slugs('/products', 'store'), ['ceramics'])
    assert.deepEqual(await slugs('/products?store=ceramics', 'store'), ['ceramics'])
    assert.deepEqual(await slugs('/products?store=books', 'store'), [])
    const mails = await itemsOf(ceramics, '/mails?limit=100')
    const all = await itemsOf(commandLine, '/mails?limit=100')
    assert.ok(mails.length > 0 && mails.length < all.length, `${mails.length} of ${all.length}`)
  })

  test('cannot resume the store, or create objects of the marketplace', async () => {
    const { version } = (await ceramics.get('/stores/ceramics')).body.data
    const activate = await ceramics.send('PATCH', '/stores/ceramics', { status: 'active', expectedVersion: version })
    assert.deepEqual([activate.status, activate.body.code], [403, 'role_insufficient'])
    const category = { slug: 'ours', names: { en: 'Ours' } }
    assert.equal((await ceramics.send('POST', '/categories', category)).body.code, 'role_insufficient')
    await ceramics.change('POST', '/categories', { ...category, store: 'ceramics' })
  })

  test('is narrowed from the next request on, and an owner never is', async () => {
    const { items } = (await commandLine.get('/operators')).body.data
    const { id } = items.find(({ store }: { store?: string }) => store === 'books')
    await commandLine.change('PATCH', `/operators/${id}`, { store: null })
    assert.equal((await books.get(`/orders/${orders.ceramics.id}`)).status, 200)
    await commandLine.change('PATCH', `/operators/${id}`, { store: 'books' })
    assert.equal((await books.get(`/orders/${orders.ceramics.id}`)).status, 404)
    const owner = await commandLine.send('PATCH', `/operators/${id}`, { role: 'owner' })
    assert.deepEqual([owner.status, owner.body.details[0].pointer], [400, '/store'])
    const absent = await commandLine.send('PATCH', `/operators/${id}`, { store: 'none-of-this-name' })
    assert.equal(absent.status, 404)
  })

  test('exports the orders of the store, and only the share of an order of several stores', async () => {
    const numbers = Object.values(orders).map(({ number }) => number)
    const exportedBy = async (operator: OperatorClient) => {
      const [, ...rows] = (await operator.get('/exports/orders?environment=test')).text.trim().split('\r\n')
      const cells = rows.map((row: string) => row.split(','))
      return cells.flatMap((row: readonly string[]) =>
        numbers.includes(row[0]!) ? [{ number: row[0], total: row[8], refunded: row[9], name: row[19] }] : [],
      )
    }
    const [both, mug] = await exportedBy(ceramics)
    assert.deepEqual([both?.number, mug?.number], [orders.both.number, orders.ceramics.number])
    assert.deepEqual({ ...both, number: mug?.number }, mug, 'each has one mug of this store')
    assert.deepEqual((await exportedBy(ceramics)).length, 2)
    assert.equal((await exportedBy(commandLine)).length, 4)
  })

  test('exports, lists and downloads the documents of the store as the seller, and not those of other stores that sell for the marketplace', async () => {
    const client = await checkoutClient(shop)
    const exportedBy = async (operator: OperatorClient, store: string) => {
      const { text } = await operator.get(`/stores/${store}/invoices?environment=test&from=2020-01-01&to=2040-01-01`)
      return text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[4])
    }
    await saveSeller(shop)
    const numberOf = async (units: Record<string, number>) => {
      shop.clock.advance(1000)
      return (await bought(shop, client, units)).number
    }
    const [mug, novel, both] = [
      await numberOf({ MUG: 1 }),
      await numberOf({ NOVEL: 1 }),
      await numberOf({ MUG: 1, NOVEL: 1 }),
    ]
    assert.deepEqual(new Set(await exportedBy(commandLine, 'ceramics')), new Set([mug, novel, both]))
    assert.deepEqual(new Set(await exportedBy(ceramics, 'ceramics')), new Set([mug]))

    await saveSeller(shop, { storeId: shop.storeId('ceramics'), legalName: 'Ceramics UG' })
    const shared = await bought(shop, client, { MUG: 1, NOVEL: 1 })
    const own = [await numberOf({ MUG: 1 }), shared.number]
    assert.deepEqual(
      new Set(await exportedBy(ceramics, 'ceramics')),
      new Set(own),
      'its own documents, whatever the order',
    )
    const documents = `/orders/${shared.id}/invoices`
    assert.equal((await itemsOf(commandLine, documents)).length, 2)
    const [invoice, ...others] = await itemsOf(ceramics, documents)
    assert.deepEqual([invoice.seller, others], ['Ceramics UG', []])
    assert.deepEqual(await itemsOf(books, documents), [], 'the marketplace issued the other one')
    const statuses = [ceramics, books].map(
      async (operator) => (await operator.get(`/invoices/${invoice.id}/pdf`)).status,
    )
    assert.deepEqual(await Promise.all(statuses), [200, 404])
  })
})
