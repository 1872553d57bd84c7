import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import { bought } from '../../../../../test/support/commerce/after-sales.ts'
import { productLine } from '../../../../../test/support/commerce/catalog.ts'
import { begunSession, checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  CARTS,
  type CartBody,
  cartOf,
  FOR_EVERYONE,
  putInto,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import type { Decimal } from '../../../kernel/money.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { setStoreAccess } from '../../access/index.ts'
import { saveShippingZones, saveTaxRates } from '../../pricing/index.ts'
import { savePromotion } from '../../promotions/index.ts'
import { expireIdleCarts } from '../index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

async function read(cart: CartBody): Promise<CartBody> {
  return dataOf(await client.get(`${CARTS}/${cart.id}`))
}

async function messagesOf(cart: CartBody): Promise<string[][]> {
  return (await read(cart)).messages.map(({ type, code, severity, path }: CartBody) => [type, code, severity, path])
}

describe('getPublicCart', () => {
  test('200 returns what the previous write returned', async () => {
    const cart = await cartOf(shop, client, { MUG: 2, BOWL: 1 })
    assert.deepEqual(await read(cart), cart)
  })

  test('200 changes nothing, not even the expiry', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    shop.clock.advance(86_400_000)
    assert.equal((await read(cart)).expiresAt, cart.expiresAt)
  })

  test('200 for an unbound key too', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const reader = await shop.client({ installationId: client.installationId, bound: false })
    assert.deepEqual((await reader.get(`${CARTS}/${cart.id}`)).body.data.lines, cart.lines)
  })

  test('200 reports a price change since the line was added, and charges the new price', async () => {
    const cart = await cartOf(shop, client, { BOWL: 2 })
    await shop.setPrice('BOWL', 2500)
    assert.deepEqual(await messagesOf(cart), [['price', 'price_changed', 'warning', '/lines/0/unitPrice']])
    const { lines, totals } = await read(cart)
    assert.deepEqual([lines[0].priceAtAdd.amount, lines[0].unitPrice.amount], [2200, 2500])
    assert.equal(totals.itemsSubtotal.amount, 5000)
    await shop.setPrice('BOWL', 2000)
    assert.deepEqual(await messagesOf(cart), [['price', 'price_changed', 'info', '/lines/0/unitPrice']])
    await shop.setPrice('BOWL', 2200)
    assert.deepEqual(await messagesOf(cart), [])
  })

  test('200 reports low, insufficient and no stock', async () => {
    const cart = await cartOf(shop, client, { VASE: 2 })
    assert.deepEqual(await messagesOf(cart), [['stock', 'low_stock', 'info', '/lines/0/availability']])
    await shop.setStock('VASE', 1)
    assert.deepEqual(await messagesOf(cart), [['stock', 'insufficient_stock', 'blocking', '/lines/0/availability']])
    assert.equal((await read(cart)).lines[0].maxQuantity, 1)
    await shop.setStock('VASE', 0)
    assert.deepEqual(await messagesOf(cart), [['stock', 'out_of_stock', 'blocking', '/lines/0/availability']])
    await shop.setStock('VASE', 3)
  })

  test('200 has the quantities that a line can have', async () => {
    const { lines } = await read(await cartOf(shop, client, { CUP: 4 }))
    assert.deepEqual([lines[0].minQuantity, lines[0].maxQuantity, lines[0].step], [2, 10, 2])
  })

  test('200 keeps and reports a line whose SKU is no longer for sale', async () => {
    const cart = await cartOf(shop, client, { MUG: 1, BOWL: 1 })
    await shop.run(`update skus set status = 'withdrawn' where id = $1`, [shop.sku('BOWL')])
    assert.deepEqual(await messagesOf(cart), [['cart', 'sku_unavailable', 'blocking', '/lines/1']])
    const { lines } = await read(cart)
    assert.deepEqual([lines[1].availability, lines[1].maxQuantity, lines[1].name], ['unavailable', 0, 'Product bowl'])
    await shop.run(`update skus set status = 'offered' where id = $1`, [shop.sku('BOWL')])
  })

  test('200 keeps and reports a line whose store became restricted', async () => {
    const cart = await cartOf(shop, client, { NOVEL: 1 })
    await shop.run(`update stores set access_mode = 'password' where slug = 'books'`)
    assert.deepEqual(await messagesOf(cart), [['cart', 'sku_unavailable', 'blocking', '/lines/0']])
    await shop.run(`update stores set access_mode = 'open' where slug = 'books'`)
  })

  test('200 keeps the price at add if the SKU has no price now, and blocks checkout', async () => {
    const cart = await cartOf(shop, client, { VASE: 1 })
    await shop.run('delete from prices where sku_id = $1', [shop.sku('VASE')])
    assert.deepEqual((await messagesOf(cart))[0], ['price', 'currency_mismatch', 'blocking', '/lines/0'])
    assert.equal((await read(cart)).lines[0].unitPrice.amount, 8900)
    await shop.run(`insert into prices (sku_id, currency, amount) values ($1, 'EUR', 8900)`, [shop.sku('VASE')])
  })

  test('200 keeps a code that stopped applying, with the reason', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'soon' })
    assert.equal((await read(cart)).promotion.status, 'applied')
    shop.clock.advance(20 * 86_400_000)
    const { promotion, totals } = await read(cart)
    assert.deepEqual([promotion.status, promotion.code, promotion.reasonCode], ['inapplicable', 'soon', 'expired'])
    assert.equal(totals.itemsDiscount.amount, 0)
    assert.deepEqual(await messagesOf(cart), [['promotion', 'promotion_inapplicable', 'warning', '/promotion']])
  })

  test('200 for ended carts too', async () => {
    for (const state of ['converted', 'revoked', 'expired', 'locked']) {
      const cart = await cartOf(shop, client, { MUG: 1 })
      await putInto(shop, cart.id, state)
      const seen = await read(cart)
      assert.equal(seen.status, state)
      assert.deepEqual(seen.lines, cart.lines)
    }
  })

  test('200 of a locked cart has the prices that its checkout charges, not the current ones', async () => {
    const own = await startShop()
    const buyer = await checkoutClient(own)
    const { cartId, snapshot } = await begunSession(own, buyer, { MUG: 2 })
    const locked = async () => dataOf(await buyer.get(`${CARTS}/${cartId}`))
    const before = await locked()
    await own.setPrice('MUG', 9900)
    await own.run('update stock_levels set on_hand = 2, counted = true where sku_id = $1', [own.sku('MUG')])
    await own.refresh()
    for (let times = 0; times < 3; times += 1) {
      const cart = await locked()
      assert.equal(cart.status, 'locked')
      assert.deepEqual(cart.totals, snapshot.totals)
      assert.deepEqual(cart.lines[0].total, before.lines[0].total)
      assert.deepEqual(cart.messages, [])
    }
  })

  test('200 of a converted cart has the prices of its order, not the current ones', async () => {
    const own = await startShop()
    const buyer = await checkoutClient(own)
    const order = await bought(own, buyer, { MUG: 2 })
    await own.setPrice('MUG', 9900)
    await own.refresh()
    const cart = dataOf(await buyer.get(`${CARTS}/${order.cartId}`))
    assert.equal(cart.status, 'converted')
    assert.deepEqual([cart.totals.total, cart.messages], [order.totals.total, []])
  })

  test('200 returns an idle cart as expired, the same before and after the worker runs', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    shop.clock.advance(30 * 86_400_000)
    const seen = await read(cart)
    assert.deepEqual([seen.status, seen.version, seen.updatedAt], ['expired', 2, cart.expiresAt])
    assert.ok((await expireIdleCarts(shop.database, { now: shop.clock.now(), ids: shop.ids })) > 0)
    assert.deepEqual(await read(cart), seen)
  })

  test('200 reads no SKUs from the third read of an unchanged cart on', async () => {
    const cart = await cartOf(shop, client, { MUG: 2, BOWL: 1 })
    const queriesOf = async () => {
      const before = shop.database.counters()
      const shown = await read(cart)
      const after = shop.database.counters()
      return { shown, cost: [after.queries - before.queries, after.roundTrips - before.roundTrips] }
    }
    const reads = [await queriesOf(), await queriesOf(), await queriesOf()]
    assert.deepEqual(
      reads.map(({ cost }) => cost),
      [
        [4, 1],
        [4, 1],
        [3, 1],
      ],
    )
    for (const { shown } of reads) assert.deepEqual(shown, cart)
    await shop.setStock('BOWL', 1)
    const [changed, again, kept] = [await queriesOf(), await queriesOf(), await queriesOf()]
    assert.equal(changed.shown.lines[1].maxQuantity, 1)
    assert.deepEqual([again.shown, kept.shown], [changed.shown, changed.shown])
    assert.deepEqual([changed.cost, again.cost, kept.cost[0]], [[4, 2], [4, 1], 3])
  })

  describe('304', () => {
    const DAY = 86_400_000
    const effect = { kind: 'percentage', target: 'order', rate: '0.1' as Decimal } as const
    let own: Shop
    let shopper: InstallationClient
    before(async () => {
      own = await startShop()
      shopper = await own.client()
    })
    const readIf = (cart: CartBody, etag: string, as = shopper) =>
      as.get(`${CARTS}/${cart.id}`, { headers: { 'if-none-match': etag } })
    const versionOf = async (cart: CartBody) => (await shopper.get(`${CARTS}/${cart.id}`)).headers.get('etag') as string
    const saved = (work: (tx: Transaction) => void) => own.database.transaction(async (tx) => work(tx))

    test('is answered for an unchanged cart without pricing it, and without a body', async () => {
      const cart = await cartOf(own, shopper, { MUG: 2, NOVEL: 1 })
      const etag = await versionOf(cart)
      assert.match(etag, /^"[\w-]{22}"$/)
      const before = own.database.counters()
      const answer = await readIf(cart, etag)
      const after = own.database.counters()
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', etag])
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
      assert.deepEqual([after.queries - before.queries, after.roundTrips - before.roundTrips], [3, 1])
    })

    test('is answered to HEAD, without a length that would not be that of the body', async () => {
      const cart = await cartOf(own, shopper, { MUG: 1 })
      const headers = { 'if-none-match': await versionOf(cart) }
      const answer = await shopper.request('HEAD', `${CARTS}/${cart.id}`, undefined, { headers })
      assert.deepEqual([answer.status, answer.headers.get('content-length')], [304, null])
      assert.match(String(answer.headers.get('x-request-id')), /^req_/)
      assert.equal(answer.headers.get('etag'), headers['if-none-match'])
    })

    test('is not answered to an unbound key for the ETag of a bound one, which sees more', async () => {
      const cart = await cartOf(own, shopper, { MUG: 1 }, { contact: { email: 'ada@example.com' } })
      const unbound = await own.client({ installationId: shopper.installationId, bound: false })
      assert.equal((await readIf(cart, await versionOf(cart), unbound)).status, 200)
    })

    const changes: Readonly<Record<string, (cart: CartBody) => Promise<unknown>>> = {
      'its lines': (cart) => shopper.post(`${CARTS}/${cart.id}/items`, { skuId: own.sku('MUG'), quantity: 1 }),
      'a price': () =>
        own.import(
          [productLine('novel', { skus: [{ code: 'NOVEL', prices: [{ currency: 'EUR', amount: 1234 }] }] })],
          'books',
        ),
      'the stock of a line': () => own.run('update stock_levels set on_hand = 3 where sku_id = $1', [own.sku('MUG')]),
      'the tax of a store': () => saved((tx) => saveTaxRates(tx, own.storeId('books'), [])),
      'the shipping of a store': () => saved((tx) => saveShippingZones(tx, own.storeId('books'), [])),
      'a promotion': () =>
        saved((tx) =>
          savePromotion(
            tx,
            { ...FOR_EVERYONE, id: own.ids.next('prm'), storeId: null, code: null, title: { en: 'All' }, effect },
            own.clock.now(),
          ),
        ),
      'the time, when it expires': async () => own.clock.advance(31 * DAY),
      'access to a store': () =>
        own.database.transaction((tx) =>
          setStoreAccess(tx, { slug: 'books', mode: 'challenge', passwordHash: null }, own.clock.now()),
        ),
    }
    for (const [what, change] of Object.entries(changes)) {
      test(`is not answered after a change of ${what}`, async () => {
        const cart = await cartOf(own, shopper, { MUG: 2, NOVEL: 1 })
        const etag = await versionOf(cart)
        for (let times = 0; times < 2; times += 1) assert.equal(await versionOf(cart), etag)
        await change(cart)
        await own.refresh()
        const answer = await readIf(cart, etag)
        assert.equal(answer.status, 200)
        assert.notEqual(answer.headers.get('etag'), etag)
        for (let times = 0; times < 2; times += 1) {
          assert.deepEqual((await readIf(cart, etag)).body.data, answer.body.data)
        }
      })
    }
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => who.get(`${CARTS}/${cart.id}`)))

  test('404 not_found: a cart of the other environment', async () => {
    await shop.activateProduction()
    const live = await shop.client({ environment: 'live' })
    const cart = await cartOf(shop, live, { MUG: 1 })
    assertRefused(await client.get(`${CARTS}/${cart.id}`), 404, 'not_found')
  })
})
