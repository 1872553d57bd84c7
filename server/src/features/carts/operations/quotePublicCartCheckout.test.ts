import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import { productLine } from '../../../../../test/support/commerce/catalog.ts'
import { checkout, checkoutClient, quoted, readyCart, SESSIONS } from '../../../../../test/support/commerce/checkout.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  CARTS,
  type CartBody,
  cartOf,
  putInto,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

const DIGITAL = productLine('e-book', {
  skus: [{ code: 'E-BOOK', prices: [{ currency: 'EUR', amount: 500 }], requiresShipping: false, weightGrams: 900 }],
})

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({ more: [DIGITAL] })
  client = await shop.client()
})

const SETTLED = {
  shipping: {
    recipientName: 'Ada Example',
    line1: 'Lindenstraße 9',
    city: 'Berlin',
    postalCode: '10969',
    countryCode: 'DE',
  },
  contact: { email: 'ada@example.com' },
}

const GONE = 'shp_01k5b7m2q8e9rtv3w4x5y6z7a8'

async function look(cart: CartBody, who = client): Promise<CartBody> {
  return dataOf(await who.get(`${CARTS}/${cart.id}/checkout-quote`))
}

function codesOf({ blockers }: CartBody): string[][] {
  return blockers.map(({ code, path }: CartBody) => [code, path])
}

describe('quotePublicCartCheckout', () => {
  test('200 is ready without blockers, and previews a quote', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    await client.put(`${CARTS}/${cart.id}/address`, SETTLED)
    const { ready, quote, current, blockers } = await look(cart)
    assert.deepEqual([ready, quote, blockers], [true, null, []])
    assert.equal(current.totals.total.amount, 2 * 1254 + 490)
    assert.equal(current.totals.tax.status, 'final')
    assert.equal(current.lines[0].name, 'Mug')
    assert.equal(current.shippingOptions.length, 2)
  })

  test('200 names each blocker with its path in the cart', async () => {
    assert.deepEqual(codesOf(await look(await cartOf(shop, client))), [
      ['cart_empty', '/lines'],
      ['address_missing', '/shippingAddress'],
      ['email_missing', '/contact/email'],
    ])
    const cart = await cartOf(shop, client, { VASE: 3, NOVEL: 1 }, { country: 'FR' })
    await shop.setStock('VASE', 1)
    const readiness = await look(cart)
    await shop.setStock('VASE', 3)
    assert.equal(readiness.ready, false)
    assert.deepEqual(codesOf(readiness), [
      ['insufficient_stock', '/lines/0/availability'],
      ['shipping_unavailable', '/totals/byStore/0/shipping'],
      ['shipping_unavailable', '/totals/byStore/1/shipping'],
      ['address_missing', '/shippingAddress'],
      ['email_missing', '/contact/email'],
      ['tax_not_calculated', '/totals/tax'],
    ])
  })

  test('200 needs only an email address if nothing is shipped, and offers no shipping', async () => {
    const cart = await cartOf(shop, client, { 'E-BOOK': 1 })
    assert.deepEqual(
      [cart.shippingOptions, cart.totals.shipping, cart.messages, cart.lines[0].requiresShipping],
      [[], undefined, [], false],
    )
    assert.deepEqual(codesOf(await look(cart)), [['email_missing', '/contact/email']])
    await client.put(`${CARTS}/${cart.id}/address`, { contact: { email: 'ada@example.com' } })
    const { ready, current } = await look(cart)
    assert.deepEqual([ready, current.totals.tax.status, current.totals.total.amount], [true, 'final', 500])
    const answer = await client.post(`${CARTS}/${cart.id}/quote`, { shippingOptionId: 'shp_x' })
    assertRefused(answer, 409, 'cart_incomplete')
    assert.equal((await client.post(`${CARTS}/${cart.id}/quote`, {})).status, 200)
  })

  test('200 taxes digital goods at the billing address, and needs one where tax differs by region', async () => {
    const cart = await cartOf(shop, client, { 'E-BOOK': 1 })
    const austria = { ...SETTLED.shipping, city: 'Wien', postalCode: '1010', countryCode: 'AT' }
    await client.put(`${CARTS}/${cart.id}/address`, { ...SETTLED, billing: austria })
    assert.deepEqual(
      (await look(cart)).current.lines[0].taxLines.map(({ rate }: CartBody) => rate),
      ['0.2'],
    )
    const overseas = await cartOf(shop, client, { 'E-BOOK': 1 }, { country: 'US', contact: SETTLED.contact })
    assert.deepEqual(codesOf(await look(overseas))[0], ['address_missing', '/billingAddress'])
    const billing = { ...austria, city: 'Oakland', postalCode: '94607', countryCode: 'US' }
    const { body } = await client.put(`${CARTS}/${overseas.id}/address`, { billing })
    assert.deepEqual(body.data.addressState, { status: 'incomplete', missing: ['region'], invalid: [] })
    assert.deepEqual(codesOf(await look(overseas))[0], ['address_incomplete', '/billingAddress/region'])
    await client.put(`${CARTS}/${overseas.id}/address`, { billing: { ...billing, region: 'CA' } })
    assert.deepEqual([(await look(overseas)).ready, (await look(overseas)).current.totals.tax.status], [true, 'final'])
  })

  test('200 charges shipping only for the lines of a mixed cart that are shipped', async () => {
    const cart = await cartOf(shop, client, { 'E-BOOK': 1, MUG: 1 })
    assert.equal(cart.totals.shipping.amount, 490)
    assert.deepEqual(codesOf(await look(cart))[0], ['address_missing', '/shippingAddress'])
    const apart = await cartOf(shop, client, { 'E-BOOK': 1, NOVEL: 1 })
    assert.deepEqual(
      apart.selectedShipping.map(({ storeId }: CartBody) => storeId),
      [shop.storeId('books')],
    )
    assert.deepEqual(
      codesOf(await look(apart))
        .flat()
        .includes('shipping_unavailable'),
      false,
    )
  })

  test('200 is not ready where quote and checkout are refused: an option is gone, or a quantity is no longer sold', async () => {
    const buyer = await checkoutClient(shop)
    const refused = async (cart: CartBody) => {
      for (const answer of [await buyer.post(`${CARTS}/${cart.id}/quote`, {}), await checkout(buyer, cart.id)]) {
        assertRefused(answer, 409, 'cart_incomplete')
      }
    }
    for (const units of [{ MUG: 1 }, { MUG: 1, NOVEL: 1 }]) {
      const cart = await readyCart(shop, buyer, units)
      const [{ optionId }, ...others] = cart.selectedShipping
      const choice = others.length === 0 ? GONE : `${optionId}+${GONE}`
      await shop.run('update carts set shipping_option_id = $2 where id = $1', [cart.id, choice])
      const readiness = await look(cart, buyer)
      assert.deepEqual(
        [readiness.ready, codesOf(readiness)],
        [false, [['shipping_option_unavailable', '/shippingOptionId']]],
      )
      await refused(cart)
    }
    const cart = await readyCart(shop, buyer, { MUG: 1, BOWL: 3 })
    await shop.run('update skus set min_quantity = 2, step = 2 where id = $1', [shop.sku('BOWL')])
    const readiness = await look(cart, buyer)
    assert.deepEqual([readiness.ready, codesOf(readiness)], [false, [['quantity_invalid', '/lines/1/quantity']]])
    await refused(cart)
    await shop.run('update skus set min_quantity = 1, step = 1 where id = $1', [shop.sku('BOWL')])
    assert.equal((await look(cart, buyer)).ready, true)
    assert.equal((await checkout(buyer, cart.id)).status, 200)
  })

  test('200 has a blocker for an ended cart', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, cart.id, 'revoked')
    assert.deepEqual(codesOf(await look(cart))[0], ['cart_revoked', ''])
  })

  test('200 returns the latest quote as in_force, stale or expired', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const first = (await client.post(`${CARTS}/${cart.id}/quote`, {})).body.data
    assert.deepEqual((await look(cart)).quote, first)
    shop.clock.advance(30 * 60_000 - 1)
    assert.equal((await look(cart)).quote.status, 'in_force')
    shop.clock.advance(1)
    assert.equal((await look(cart)).quote.status, 'expired')
    const second = (await client.post(`${CARTS}/${cart.id}/quote`, {})).body.data
    assert.equal((await look(cart)).quote.id, second.id)
    await client.put(`${CARTS}/${cart.id}/address`, SETTLED)
    assert.equal((await look(cart)).quote.status, 'stale')
  })

  test('200 keeps a quote in force during its checkout, and stale after a cancellation', async () => {
    const buyer = await checkoutClient(shop)
    const begun = async () => {
      const cart = await readyCart(shop, buyer, { MUG: 1 })
      const quoteId = await quoted(buyer, cart.id)
      const { body } = await checkout(buyer, cart.id, { quoteId })
      assert.deepEqual([body.data.status, (await look(cart, buyer)).quote.id], ['open', quoteId])
      return { cart, sessionId: body.data.id }
    }
    const [{ cart, sessionId }, slow] = [await begun(), await begun()]
    assert.equal((await look(cart, buyer)).quote.status, 'in_force')
    assert.equal((await buyer.post(`${SESSIONS}/${sessionId}/cancel`, {})).status, 200)
    assert.equal((await look(cart, buyer)).quote.status, 'stale')
    shop.clock.advance(30 * 60_000)
    assert.equal((await look(slow.cart, buyer)).quote.status, 'expired')
  })

  test('200 changes nothing', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await look(cart)
    assert.deepEqual((await client.get(`${CARTS}/${cart.id}`)).body.data, cart)
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => who.get(`${CARTS}/${cart.id}/checkout-quote`)))
})
