import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  assertRefusedWhenClosed,
  assertRefusedWhenStale,
  CARTS,
  type CartBody,
  cartOf,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const BERLIN = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}
const OAKLAND = {
  recipientName: 'Ada Example',
  line1: '1 Main Street',
  city: 'Oakland',
  region: 'California',
  postalCode: '94607',
  countryCode: 'US',
}

function set(who: Client, cart: CartBody, body: object) {
  return who.put(`${CARTS}/${cart.id}/address`, body)
}

async function settle(body: object, units = { MUG: 1 }): Promise<CartBody> {
  const answer = await set(client, await cartOf(shop, client, units), body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

describe('setPublicCartAddress', () => {
  test('200 makes the tax final with a complete address', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    assert.equal(cart.totals.tax.status, 'estimated')
    const { body } = await set(client, cart, { shipping: BERLIN })
    assert.equal(body.data.totals.tax.status, 'final')
    assert.deepEqual(body.data.addressState, { status: 'complete', missing: [], invalid: [] })
    assert.deepEqual(body.data.shippingAddress, BERLIN)
  })

  test('200 accepts an incomplete address and names what is missing', async () => {
    const { region: _, postalCode: __, ...bare } = OAKLAND
    const cart = await settle({ shipping: bare })
    assert.deepEqual(cart.addressState, { status: 'incomplete', missing: ['region', 'postalCode'], invalid: [] })
    assert.deepEqual(
      cart.messages.filter(({ type }: CartBody) => type === 'address').map(({ path }: CartBody) => path),
      ['/shippingAddress/region', '/shippingAddress/postalCode'],
    )
    assert.notEqual(cart.totals.tax.status, 'final')
  })

  test('200 stores the code of a region', async () => {
    const cart = await settle({ shipping: OAKLAND })
    assert.equal(cart.shippingAddress.region, 'CA')
    assert.equal(cart.lines[0].taxLines[0].rate, '0.0725')
    assert.deepEqual(
      cart.messages.map(({ code }: CartBody) => code),
      ['shipping_unavailable'],
    )
  })

  test('200 keeps absent fields and removes null ones', async () => {
    const cart = await settle({ shipping: BERLIN, billing: BERLIN, contact: { email: 'ada@example.com' } })
    const { body } = await set(client, cart, { billing: null, contact: { phone: '+493012345678' } })
    assert.deepEqual(body.data.shippingAddress, BERLIN)
    assert.equal(body.data.billingAddress, undefined)
    assert.deepEqual(body.data.contact, { phone: '+493012345678' })
    assert.equal(body.data.version, 3)
  })

  test('200 sets an offered shipping option and charges it', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const [cheap, quick] = cart.shippingOptions
    assert.deepEqual([cart.selectedShipping[0].optionId, cart.selectedShipping[0].chosen], [cheap.id, false])
    const { body } = await set(client, cart, { shippingOptionId: quick.id })
    assert.equal(body.data.shippingOptionId, quick.id)
    assert.equal(body.data.totals.shipping.amount, 990)
    assert.equal(body.data.selectedShipping[0].chosen, true)
  })

  test('200 sets one shipping option per store', async () => {
    const cart = await cartOf(shop, client, { MUG: 1, NOVEL: 1 })
    const quick = cart.shippingOptions.filter(({ price }: CartBody) => price.amount === 990)
    const { body } = await set(client, cart, { shippingOptionId: quick.map(({ id }: CartBody) => id).join('+') })
    assert.equal(body.data.totals.shipping.amount, 2 * 990)
  })

  test('400 validation_failed: a shipping option that is not offered', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const both = cart.shippingOptions.map(({ id }: CartBody) => id).join('+')
    for (const shippingOptionId of ['shp_01k5b7m2q8e9rtv3w4x5y6z7a8', both]) {
      const answer = await set(client, cart, { shippingOptionId })
      assertRefused(answer, 400, 'validation_failed')
      assert.equal(answer.body.details[0].pointer, '/shippingOptionId')
    }
  })

  test('400 address_invalid: unknown country, region or postal code, or blank fields', async () => {
    const cart = await cartOf(shop, client)
    const cases: [object, string, string][] = [
      [{ ...BERLIN, countryCode: 'ZZ' }, '/shipping/countryCode', 'unknown_country'],
      [{ ...BERLIN, postalCode: '1096' }, '/shipping/postalCode', 'wrong_format'],
      [{ ...OAKLAND, region: 'Kalifornien' }, '/shipping/region', 'unknown_region'],
      [{ ...BERLIN, line1: '   ' }, '/shipping/line1', 'blank'],
    ]
    for (const [shipping, pointer, code] of cases) {
      const answer = await set(client, cart, { shipping })
      assertRefused(answer, 400, 'address_invalid')
      assert.deepEqual(
        answer.body.details.map((each: CartBody) => [each.pointer, each.code]),
        [[pointer, code]],
      )
    }
    const billing = await set(client, cart, { billing: { ...BERLIN, postalCode: 'x' } })
    assert.equal(billing.body.details[0].pointer, '/billing/postalCode')
  })

  test('409 before 400: the state is checked before the address', async () => {
    const cart = await cartOf(shop, client)
    await client.post(`${CARTS}/${cart.id}/revoke`, {})
    assertRefused(await set(client, cart, { shipping: { ...BERLIN, countryCode: 'ZZ' } }), 409, 'cart_revoked')
  })

  test('400 validation_failed: a phone number that is not E.164', async () => {
    const answer = await set(client, await cartOf(shop, client), { contact: { phone: '030 12345678' } })
    assertRefused(answer, 400, 'validation_failed')
    assert.equal(answer.body.details[0].pointer, '/contact/phone')
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => set(who, cart, { shipping: BERLIN })))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => set(client, cart, { shipping: BERLIN })))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) =>
      set(client, cart, { shipping: BERLIN, expectedVersion }),
    ))
})
