import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { dataOf } from '../../../../../test/support/client.ts'
import { checkout, checkoutClient, paid } from '../../../../../test/support/commerce/checkout.ts'
import { CARTS, type CartBody, cartOf, type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { startViesStandIn, type ViesStandIn } from '../../../../../test/support/network/vies-stand-in.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'
import { pageVisitor } from '../../../../../test/support/pages/page-visitor.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { saveTaxScheme } from '../index.ts'

const VIENNA = {
  recipientName: 'Ada Example',
  line1: 'Beispielgasse 2',
  city: 'Wien',
  postalCode: '1010',
  countryCode: 'AT',
}
/** With valid check digits each. */
const [REGISTERED, UNKNOWN, AWAY] = ['ATU13585627', 'ATU33864707', 'ATU57477929']
const BUSINESS = { name: 'Example GmbH', address: 'Beispielgasse 2, 1010 Wien' }

let vies: ViesStandIn
let shop: Shop
let client: InstallationClient
before(async () => {
  vies = await startViesStandIn()
  vies.says(REGISTERED, { valid: true, ...BUSINESS })
  vies.says(AWAY, { error: 'MS_UNAVAILABLE' })
  shop = await startShop({
    environment: { VIES_URL: vies.url, VIES_REQUESTER: 'DE136695976', PAYMENT_INSTRUCTIONS: 'IBAN' },
  })
  client = await checkoutClient(shop)
  const storeId = shop.storeId('ceramics')
  await shop.database.transaction(async (tx) => saveTaxScheme(tx, { storeId, country: 'DE', kind: 'destination' }))
  await shop.refresh()
})

/** A cart of a business in Vienna. */
async function cartWith(vatId: string): Promise<CartBody> {
  const cart = await cartOf(shop, client, { MUG: 1 })
  return dataOf(
    await client.put(`${CARTS}/${cart.id}/address`, {
      shipping: { ...VIENNA, vatId },
      contact: { email: 'ada@example.com' },
    }),
  )
}

const taxOf = ({ lines }: CartBody) => lines[0].taxLines[0].exemption ?? lines[0].taxLines[0].rate

/** Pays for a cart. @returns the VAT check that operators see with its order */
async function checkOfOrder(cart: CartBody) {
  const session = await paid(shop, client, (await checkout(client, cart.id)).body.data)
  const operator = await operatorClient(shop)
  return (await operator.get(`/orders/${session.orderId}`)).body.data.vatCheck
}

describe('the VAT number of an address', () => {
  test('makes goods exempt if the registry knows it, and the registry’s answer is kept with the order', async () => {
    const cart = await cartWith(REGISTERED)
    assert.equal(taxOf(cart), 'intra_community_supply')
    const { consultationNumber, checkedAt, ...check } = await checkOfOrder(cart)
    assert.deepEqual(check, { vatId: REGISTERED, outcome: 'valid', ...BUSINESS })
    assert.match(consultationNumber, /^WAPIAAAAW\d+$/)
    assert.equal(checkedAt, shop.clock.now().toISOString())
    await assert.rejects(shop.run("update order_vat_checks set outcome = 'invalid'"), /never changed/)
  })

  test('is checked once a day', async () => {
    const asked = vies.asked.length
    await Promise.all([cartWith(REGISTERED), cartWith(REGISTERED)])
    assert.equal(vies.asked.length, asked)
    shop.clock.advance(24 * 3_600_000)
    await cartWith(REGISTERED)
    assert.equal(vies.asked.length, asked + 1)
    vies.says(REGISTERED, { error: 'MS_UNAVAILABLE' })
    shop.clock.advance(24 * 3_600_000)
    assert.equal(taxOf(await cartWith(REGISTERED)), 'intra_community_supply')
  })

  test('with an earlier answer is checked again after a minute while the registry does not answer, not with each change', async () => {
    const asked = vies.asked.length
    await cartWith(REGISTERED)
    assert.equal(vies.asked.length, asked)
    shop.clock.advance(60_000)
    await cartWith(REGISTERED)
    assert.equal(vies.asked.length, asked + 1)
    const checkedAt = new Date(shop.clock.now().getTime() - 24 * 3_600_000 - 60_000).toISOString()
    assert.equal((await checkOfOrder(await cartWith(REGISTERED))).checkedAt, checkedAt, 'the earlier answer stays')
  })

  test('that the registry does not know is accepted, and the cart is taxed as a consumer’s', async () => {
    const cart = await cartWith(UNKNOWN)
    assert.equal(taxOf(cart), '0.2')
    assert.equal(taxOf((await client.get(`${CARTS}/${cart.id}`)).body.data), '0.2')
    assert.deepEqual((await checkOfOrder(cart)).outcome, 'invalid')
    const session = (await checkout(client, (await cartWith(UNKNOWN)).id)).body.data
    const page = await pageVisitor(await shop.openPages()).open(new URL(session.url).pathname)
    assert.match(page.text, /The VAT ID is not registered in VIES, so tax is charged/)
  })

  test('is accepted by format and check digits while the registry does not answer, and the order records that', async () => {
    const cart = await cartWith(AWAY)
    assert.equal(taxOf(cart), 'intra_community_supply')
    const check = await checkOfOrder(cart)
    assert.deepEqual([check.outcome, check.consultationNumber], ['unanswered', undefined])
  })

  test('changes the tax of every cart that has it, even of one that is read from the cache, once the registry answers', async () => {
    const cart = await cartWith(AWAY)
    const read = () => client.get(`${CARTS}/${cart.id}`)
    const [first] = [await read(), await read(), await read()]
    assert.equal(taxOf(first.body.data), 'intra_community_supply')
    vies.says(AWAY, { valid: false })
    shop.clock.advance(60_000)
    await cartWith(AWAY)
    const after = await read()
    assert.equal(taxOf(after.body.data), '0.2')
    assert.notEqual(after.headers.get('etag'), first.headers.get('etag'))
  })

  test('is not checked if it is malformed, or of a country that is not in VIES', async () => {
    const asked = vies.asked.length
    const cart = await cartOf(shop, client, { MUG: 1 })
    const wrong = { shipping: { ...VIENNA, vatId: 'ATU12345678' } }
    assert.equal((await client.put(`${CARTS}/${cart.id}/address`, wrong)).status, 400)
    const swiss = { ...VIENNA, countryCode: 'CH', postalCode: '8001', vatId: 'CHE107787577MWST' }
    assert.equal((await client.put(`${CARTS}/${cart.id}/address`, { billing: swiss })).status, 200)
    assert.equal(vies.asked.length, asked)
  })
})
