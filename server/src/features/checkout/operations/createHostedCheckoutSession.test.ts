import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  checkoutClient,
  eventKindsOf,
  quoted,
  readyCart,
  SESSIONS,
  stockOf,
  terms,
} from '../../../../../test/support/commerce/checkout.ts'
import { checkoutRefusals } from '../../../../../test/support/commerce/checkout-refusals.ts'
import { assertRefused, CARTS, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
let refusals: ReturnType<typeof checkoutRefusals>
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  refusals = checkoutRefusals(shop, client, (cartId, more) => client.post(SESSIONS, { cartId, ...terms, ...more }))
})

const market = { currency: 'EUR', country: 'DE' }
const ofLines = (lines: readonly object[], more: object = {}) =>
  client.post(SESSIONS, { lines, ...market, ...terms, ...more })
const line = (code: string, quantity = 1) => ({ skuId: shop.sku(code), quantity })

describe('createHostedCheckoutSession', () => {
  test('200 with a cart and its quote charges the quote', async () => {
    const cart = await readyCart(shop, client, { MUG: 2 })
    const quoteId = await quoted(client, cart.id)
    const answer = await client.post(SESSIONS, { cartId: cart.id, quoteId, ...terms })
    assert.equal(answer.status, 200, answer.text)
    const { snapshot, ...session } = answer.body.data
    assert.deepEqual([session.quoteId, session.cartId, snapshot.totals], [quoteId, cart.id, cart.totals])
  })

  test('200 with only a cart quotes its current price', async () => {
    const cart = await readyCart(shop, client, { MUG: 2 })
    const answer = await client.post(SESSIONS, { cartId: cart.id, ...terms })
    assert.deepEqual(answer.body.data.snapshot.totals, cart.totals)
    const { body } = await client.get(`${CARTS}/${cart.id}/checkout-quote`)
    assert.equal(body.data.quote.id, answer.body.data.quoteId)
  })

  test('200 with lines creates a cart and locks it', async () => {
    const bowls = await stockOf(shop, 'BOWL')
    const answer = await ofLines([line('BOWL', 2), line('MUG')], { locale: 'de', metadata: { till: '4' } })
    assert.equal(answer.status, 200, answer.text)
    const session = answer.body.data
    assert.deepEqual(
      session.snapshot.lines.map(({ name, quantity }: { name: string; quantity: number }) => [name, quantity]),
      [
        ['Product bowl', 2],
        ['Becher', 1],
      ],
    )
    assert.deepEqual(await stockOf(shop, 'BOWL'), { ...bowls, held: bowls.held + 2 })
    const { body } = await client.get(`${CARTS}/${session.cartId}`)
    assert.deepEqual([body.data.status, body.data.checkoutSessionId], ['locked', session.id])
    assert.deepEqual([session.metadata, body.data.metadata], [{ till: '4' }, {}])
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created'])
  })

  test('200 returns the session checkoutPublicCart started: a cart has one', async () => {
    const cart = await readyCart(shop, client, { MUG: 1 })
    const first = await client.post(`${CARTS}/${cart.id}/checkout`, terms)
    const second = await client.post(SESSIONS, { cartId: cart.id, ...terms })
    assert.deepEqual(second.body, first.body)
  })

  test('400 validation_failed: either a cart or lines, with their currency and country', async () => {
    const cart = await readyCart(shop, client, { MUG: 1 })
    const lines = [line('MUG')]
    for (const body of [{}, { lines }, { cartId: cart.id, lines, ...market }, { ...market }]) {
      assertRefused(await client.post(SESSIONS, { ...body, ...terms }), 400, 'validation_failed')
    }
    assertRefused(await ofLines(lines, { country: 'JP' }), 400, 'validation_failed')
  })

  test('400 validation_failed: a cart cannot be combined with members for lines', async () => {
    const cart = await readyCart(shop, client, { MUG: 1 })
    for (const [more, pointers] of [
      [{ lines: [line('BOWL', 7)] }, ['/lines']],
      [{ currency: 'USD', country: 'US' }, ['/currency', '/country']],
      [{ locale: 'de' }, ['/locale']],
    ] as const) {
      const answer = await client.post(SESSIONS, { cartId: cart.id, ...more, ...terms })
      assertRefused(answer, 400, 'validation_failed')
      const details = answer.body.details as readonly { pointer: string; code: string }[]
      assert.deepEqual(
        details.map(({ pointer, code }) => [pointer, code]),
        pointers.map((pointer) => [pointer, 'not_allowed']),
      )
    }
    assert.equal((await client.get(`${CARTS}/${cart.id}`)).body.data.status, 'active')
  })

  test('400 validation_failed: a quote needs a cart, not lines', async () => {
    const quoteId = await quoted(client, (await readyCart(shop, client, { MUG: 1 })).id)
    const answer = await ofLines([line('MUG')], { quoteId })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual(
      answer.body.details.map(({ pointer }: { pointer: string }) => pointer),
      ['/quoteId'],
    )
  })

  test('400 validation_failed: only registered URLs', () => refusals.validation_failed())

  test('400 quantity_invalid: not in the steps of the SKU', async () => {
    const answer = await ofLines([line('MUG'), line('CUP', 3)])
    assertRefused(answer, 400, 'quantity_invalid')
    assert.equal(answer.body.details[0].pointer, '/lines/1/quantity')
    assertRefused(await ofLines([line('MUG', 0)]), 400, 'quantity_invalid')
  })

  test('400 unsupported_currency: no store sells in it', async () => {
    assertRefused(await ofLines([line('MUG')], { currency: 'CHF' }), 400, 'unsupported_currency')
  })

  test('400 unsupported_locale: no store has it', async () => {
    assertRefused(await ofLines([line('MUG')], { locale: 'fr' }), 400, 'unsupported_locale')
  })

  test('404 not_found: another installation’s cart, or a quote of another cart', () => refusals.not_found())
  test('409 cart_converted: it has an order already', () => refusals.ended('converted'))
  test('409 cart_revoked', () => refusals.ended('revoked'))
  test('409 cart_expired', () => refusals.ended('expired'))
  test('409 version_conflict: the expected version is not the current one', () => refusals.version_conflict())

  test('409 cart_empty', async () => {
    await refusals.cart_empty()
    assertRefused(await ofLines([]), 409, 'cart_empty')
  })

  test('409 cart_incomplete: names what the address lacks', () => refusals.cart_incomplete())
  test('409 quote_expired: after 30 minutes', () => refusals.quote_expired())
  test('409 quote_stale: the cart has changed since', () => refusals.quote_stale())
  test('409 price_changed: without a quote', () => refusals.price_changed())

  test('409 sku_unavailable: not for sale here', async () => {
    await refusals.sku_unavailable()
    const answer = await ofLines([line('MUG'), { skuId: shop.ids.next('sku'), quantity: 1 }])
    assertRefused(answer, 409, 'sku_unavailable')
    assert.equal(answer.body.details[0].pointer, '/lines/1/skuId')
  })

  test('409 currency_mismatch: no price in this currency', async () => {
    await refusals.currency_mismatch()
    assertRefused(await ofLines([line('BOWL')], { currency: 'USD' }), 409, 'currency_mismatch')
  })

  test('409 quantity_exceeded: more than the SKU allows', async () => {
    await refusals.quantity_exceeded()
    assertRefused(await ofLines([line('CUP', 12)]), 409, 'quantity_exceeded')
  })

  test('409 promotion_inapplicable: the last redemption is taken, with or without a quote', () =>
    refusals.promotion_inapplicable())

  test('409 out_of_stock: names the lines and leaves no cart behind', async () => {
    await refusals.out_of_stock()
    const carts = () => shop.query('select count(*) from carts')
    const before = await carts()
    const answer = await ofLines([line('MUG'), line('VASE', 4)])
    assertRefused(answer, 409, 'out_of_stock')
    assert.deepEqual(answer.body.conflict.lines[0].availableQuantity, 3)
    assert.deepEqual(await carts(), before)
  })

  test('400 money_overflow: beyond what JSON carries exactly', async () => {
    assertRefused(await ofLines([line('GOLD', 2)]), 400, 'money_overflow')
  })
})
