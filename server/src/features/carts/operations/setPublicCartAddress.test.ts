import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Client, dataOf } from '../../../../../test/support/client.ts'
import { accountsOf } from '../../../../../test/support/commerce/accounts.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  assertRefusedWhenClosed,
  assertRefusedWhenStale,
  CARTS,
  type CartBody,
  cartOf,
  FOR_EVERYONE,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import { customerTokenOf, RETURN_URL } from '../../../../../test/support/pages/hosted-login.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { opaqueToken } from '../../../platform/auth/opaque-token.ts'
import { saveTaxScheme } from '../../pricing/index.ts'
import { savePromotion } from '../../promotions/index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client({ returnUrls: [RETURN_URL] })
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
  return dataOf(await set(client, await cartOf(shop, client, units), body))
}

describe('setPublicCartAddress for a customer', () => {
  const ADA = 'ada@example.com'
  before(async () => {
    await accountsOf(shop).customer(ADA)
    await accountsOf(shop).customer('bob@example.com')
    const forCustomers = {
      ...FOR_EVERYONE,
      id: shop.ids.next('prm'),
      code: 'MEMBERS',
      title: { en: 'Members' },
      effect: { kind: 'percentage', target: 'order', rate: '0.10' },
      usageLimitPerCustomer: 5,
    } as const
    await shop.database.transaction(async (tx) => savePromotion(tx, forCustomers, shop.clock.now()))
    await shop.refresh()
  })

  test("200 makes a guest's cart the customer's, and repeats are the same", async () => {
    const customerToken = await customerTokenOf(shop, client, ADA)
    const cart = await cartOf(shop, client, { MUG: 1 })
    assert.equal(cart.customer, undefined)
    const first = await set(client, cart, { customerToken })
    assert.match(first.body.data?.customer?.id, /^cus_/, first.text)
    const again = await set(client, cart, { customerToken })
    assert.deepEqual(again.body.data.customer, first.body.data.customer)
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual([body.data.customer, body.data.version], [first.body.data.customer, 3])
  })

  test('200 a code for customers applies from then on', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const refused = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'MEMBERS' })
    assertRefused(refused, 409, 'promotion_inapplicable')
    assert.deepEqual(refused.body.conflict.reasons, ['customer_required'])
    await shop.run('update carts set code = $2 where id = $1', [cart.id, 'MEMBERS'])
    const { body } = await set(client, cart, { customerToken: await customerTokenOf(shop, client, ADA) })
    assert.deepEqual([body.data.promotion.status, body.data.totals.itemsDiscount.amount], ['applied', 125])
  })

  for (const [what, tokenOf] of [
    ['that was never issued', async () => opaqueToken('cut_', Buffer.alloc(32, 7))],
    [
      'of another installation',
      async () => customerTokenOf(shop, await shop.client({ returnUrls: [RETURN_URL] }), ADA),
    ],
  ] as const) {
    test(`400 validation_failed: a customer token ${what}`, async () => {
      const cart = await cartOf(shop, client, { MUG: 1 })
      const answer = await set(client, cart, { customerToken: await tokenOf() })
      assertRefused(answer, 400, 'validation_failed')
      assert.equal(answer.body.details[0].pointer, '/customerToken')
    })
  }

  test('400 validation_failed: the cart of another customer stays theirs', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 }, { customerToken: await customerTokenOf(shop, client, ADA) })
    const answer = await set(client, cart, { customerToken: await customerTokenOf(shop, client, 'bob@example.com') })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual(
      answer.body.details.map(({ pointer, code }: CartBody) => [pointer, code]),
      [['/customerToken', 'other_customer']],
    )
    assert.deepEqual((await client.get(`${CARTS}/${cart.id}`)).body.data, cart)
  })

  test('200 merges metadata by key; an empty value removes its key', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 }, { metadata: { basket: 'A-1044', channel: 'app', note: 'x' } })
    const { body } = await set(client, cart, { metadata: { channel: 'web', note: '', table: '7' } })
    assert.deepEqual(body.data.metadata, { basket: 'A-1044', channel: 'web', table: '7' })
    const unchanged = await set(client, cart, { contact: { email: ADA } })
    assert.deepEqual(unchanged.body.data.metadata, body.data.metadata)
  })

  test('400 validation_failed: more than 20 metadata keys in all', async () => {
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${from + index}`, 'x']))
    const cart = await cartOf(shop, client, {}, { metadata: keys(0, 15) })
    const answer = await set(client, cart, { metadata: keys(15, 6) })
    assertRefused(answer, 400, 'validation_failed')
    assert.equal(answer.body.details[0].pointer, '/metadata')
    assert.equal((await set(client, cart, { metadata: keys(15, 5) })).status, 200)
  })
})

describe('setPublicCartAddress', () => {
  test('200 stores the VAT number of a business; 400 address_invalid for a number of another country', async () => {
    const { billingAddress } = await settle({ billing: { ...BERLIN, vatId: 'de 123 456 788' } })
    assert.equal(billingAddress.vatId, 'DE123456788')
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answer = await set(client, cart, { billing: { ...BERLIN, vatId: 'ATU12345678' } })
    assertRefused(answer, 400, 'address_invalid')
    assert.equal(answer.body.details[0].pointer, '/billing/vatId')
  })

  test('200 charges a business of another member state no tax on goods, with the note for its invoice', async () => {
    const storeId = (await settle({})).lines[0].storeId
    await shop.database.transaction(async (tx) => saveTaxScheme(tx, { storeId, country: 'DE', kind: 'destination' }))
    await shop.refresh()
    const vienna = { ...BERLIN, city: 'Wien', postalCode: '1010', countryCode: 'AT' }
    const consumer = await settle({ shipping: vienna })
    assert.deepEqual(consumer.lines[0].taxLines[0].rate, '0.2')
    const cart = await settle({ shipping: vienna, billing: { ...vienna, vatId: 'ATU13585627' } })
    assert.deepEqual(cart.totals.tax, { ...consumer.totals.tax, amount: { amount: 0, currency: 'EUR' } })
    const { exemption, country, note } = cart.lines[0].taxLines[0]
    assert.deepEqual([exemption, country], ['intra_community_supply', 'AT'])
    assert.match(note, /Article 138/)
    assert.equal(cart.selectedShipping[0].taxLines[0].exemption, 'intra_community_supply')
  })

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
