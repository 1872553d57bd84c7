import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  BERLIN,
  begunSession,
  checkout,
  checkoutClient,
  eventKindsOf,
  quoted,
  readSession,
  readyCart,
  stockOf,
} from '../../../../../test/support/commerce/checkout.ts'
import { checkoutRefusals } from '../../../../../test/support/commerce/checkout-refusals.ts'
import { assertRefused, CARTS, cartOf, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
let refusals: ReturnType<typeof checkoutRefusals>
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  refusals = checkoutRefusals(shop, client, (cartId, more) => checkout(client, cartId, more))
})

describe('checkoutPublicCart', () => {
  test('200 locks the cart, holds its stock and returns the page URL', async () => {
    const cart = await readyCart(shop, client, { MUG: 2, BOWL: 1 })
    const bowls = await stockOf(shop, 'BOWL')
    const answer = await checkout(client, cart.id, { clientReferenceId: 'A-1044', metadata: { basket: '7' } })
    assert.equal(answer.status, 200, answer.text)
    const session = answer.body.data
    const pages = await shop.openPages()
    assert.match(session.url, new RegExp(`^${pages}/checkout/${session.id}/[A-Za-z0-9_-]{43}$`))
    assert.deepEqual(session.nextAction, { type: 'redirect', url: session.url })
    assert.deepEqual(
      [session.status, session.version, session.cartId, session.payment.status, session.blockers],
      ['open', 1, cart.id, 'not_started', []],
    )
    assert.deepEqual([session.clientReferenceId, session.metadata], ['A-1044', { basket: '7' }])
    assert.deepEqual([session.snapshot.totals, session.snapshot.address], [cart.totals, BERLIN])
    assert.equal(Date.parse(session.expiresAt) - shop.clock.now().getTime(), 3_600_000)
    assert.deepEqual(await stockOf(shop, 'BOWL'), { ...bowls, held: bowls.held + 1 })
    const locked = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual(
      [locked.body.data.status, locked.body.data.version, locked.body.data.checkoutSessionId],
      ['locked', 3, session.id],
    )
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created'])
  })

  test('200 charges the quote, whatever has changed since', async () => {
    const cart = await readyCart(shop, client, { BOWL: 2 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SUMMER15' })
    const quoteId = await quoted(client, cart.id)
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    await shop.setPrice('BOWL', 9900)
    await shop.run(`update promotions set ends_at = $2 where id = $1`, [
      shop.promotionId('SUMMER15'),
      new Date(shop.clock.now().getTime() - 1000),
    ])
    await shop.run(`update products set status = 'archived' where id = (select product_id from skus where id = $1)`, [
      shop.sku('BOWL'),
    ])
    const answer = await checkout(client, cart.id, { quoteId })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.data.quoteId, answer.body.data.snapshot.totals], [quoteId, body.data.totals])
    await shop.run(`update products set status = 'published' where id = (select product_id from skus where id = $1)`, [
      shop.sku('BOWL'),
    ])
    await shop.run(`update promotions set ends_at = null where id = $1`, [shop.promotionId('SUMMER15')])
    await shop.setPrice('BOWL', 2200)
    await shop.refresh()
  })

  test('200 returns blockers for a cart without an address, which the page collects', async () => {
    const { id } = await cartOf(shop, client, { MUG: 1 })
    const { body } = await checkout(client, id)
    assert.equal(body.data.status, 'open')
    assert.deepEqual(
      body.data.blockers.map(({ code }: { code: string }) => code),
      ['email_missing', 'address_missing'],
    )
    assert.equal(body.data.snapshot.totals.tax.status, 'estimated')
  })

  test('200 returns the active session to a second request with other content', async () => {
    const cart = await readyCart(shop, client, { MUG: 1 })
    const first = await checkout(client, cart.id, { expectedVersion: 2 })
    const mugs = await stockOf(shop, 'MUG')
    const again = await checkout(client, cart.id, { expectedVersion: 2, clientReferenceId: 'another' })
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    assert.deepEqual(await stockOf(shop, 'MUG'), mugs)
  })

  test('200 starts a new session once the first is overdue, even before the worker runs', async () => {
    const first = await begunSession(shop, client, { MUG: 3 })
    const mugs = await stockOf(shop, 'MUG')
    shop.clock.advance(3_600_000)
    const answer = await checkout(client, String(first.cartId))
    assert.equal(answer.status, 200, answer.text)
    assert.notEqual(answer.body.data.id, first.id)
    assert.deepEqual(await stockOf(shop, 'MUG'), mugs)
    assert.deepEqual(await eventKindsOf(shop, first.id), ['checkout.session.created', 'checkout.session.expired'])
    assert.equal((await readSession(client, first.id)).status, 'expired')
  })

  test('200 oversells if the SKU allows it, and holds the available stock', async () => {
    const session = await begunSession(shop, client, { PLAN: 4 })
    assert.equal(session.status, 'open')
    assert.deepEqual(await stockOf(shop, 'PLAN'), { onHand: 0, held: 0 })
    await shop.setStock('PLAN', 3)
    await begunSession(shop, client, { PLAN: 5 })
    assert.deepEqual(await stockOf(shop, 'PLAN'), { onHand: 3, held: 3 })
  })

  test('200 takes at most four round trips and the same number of queries for any number of lines', async () => {
    const cost = async (units: Readonly<Record<string, number>>) => {
      const cart = await readyCart(shop, client, units)
      const quoteId = await quoted(client, cart.id)
      const before = { ...shop.database.counters() }
      assert.equal((await checkout(client, cart.id, { quoteId })).status, 200)
      const after = shop.database.counters()
      return { queries: after.queries - before.queries, roundTrips: after.roundTrips - before.roundTrips }
    }
    await cost({ MUG: 1 })
    const one = await cost({ MUG: 1 })
    const four = await cost({ MUG: 1, BOWL: 1, CUP: 2, NOVEL: 1 })
    assert.equal(four.queries, one.queries)
    // Three, and a fourth if a write is answered before the COMMIT is sent.
    for (const { roundTrips } of [one, four]) assert(roundTrips <= 4, `${roundTrips} round trips`)
  })

  test('400 validation_failed: only registered URLs', () => refusals.validation_failed())
  test('404 not_found: another installation’s cart, or a quote of another cart', () => refusals.not_found())
  test('409 cart_converted: it has an order already', () => refusals.ended('converted'))
  test('409 cart_revoked', () => refusals.ended('revoked'))
  test('409 cart_expired', () => refusals.ended('expired'))
  test('409 version_conflict: the expected version is not the current one', () => refusals.version_conflict())
  test('409 cart_empty', () => refusals.cart_empty())
  test('409 cart_incomplete: names what the address lacks', () => refusals.cart_incomplete())
  test('409 quote_expired: after 30 minutes', () => refusals.quote_expired())
  test('409 quote_stale: the cart has changed since', () => refusals.quote_stale())
  test('409 price_changed: without a quote', () => refusals.price_changed())
  test('409 sku_unavailable: without a quote', () => refusals.sku_unavailable())
  test('409 currency_mismatch: without a quote', () => refusals.currency_mismatch())
  test('409 quantity_exceeded: without a quote', () => refusals.quantity_exceeded())
  test('409 promotion_inapplicable: the last redemption is taken, with or without a quote', () =>
    refusals.promotion_inapplicable())
  test('409 out_of_stock: names the lines and holds nothing', () => refusals.out_of_stock())

  test('400 money_overflow: beyond what JSON carries exactly', async () => {
    const cart = await cartOf(shop, client, { GOLD: 1 })
    await shop.setPrice('GOLD', 9_007_199_254_740_991)
    await shop.run('update cart_lines set price_at_add = 9007199254740991 where cart_id = $1', [cart.id])
    const answer = await checkout(client, cart.id)
    assertRefused(answer, 400, 'money_overflow')
  })
})
