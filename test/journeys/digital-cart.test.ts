import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { importLicenses, openLicenseVault, ship } from '../../server/src/features/fulfillment/index.ts'
import { dataOf } from '../support/client.ts'
import { readOrder } from '../support/commerce/after-sales.ts'
import { productLine } from '../support/commerce/catalog.ts'
import { BERLIN, checkout, checkoutClient, readSession, type Session } from '../support/commerce/checkout.ts'
import { shownIntents } from '../support/commerce/paid-orders.ts'
import { cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { secretDeps } from '../support/secrets.ts'
import type { InstallationClient } from '../support/world.ts'

const digital = (id: string, amount: number) =>
  productLine(id, {
    skus: [{ code: id.toUpperCase(), prices: [{ currency: 'EUR', amount }], requiresShipping: false }],
  })

/** A shopper buys goods that are not shipped, on our page, without a shipping address. */
let shop: Shop
let client: InstallationClient
let origin: string
before(async () => {
  shop = await startShop({ simulator: true, more: [digital('voucher', 2500), digital('game', 1900)] })
  origin = await shop.openPages()
  client = await checkoutClient(shop)
  await shop.database.transaction(async (tx) => {
    const vault = await openLicenseVault(tx, secretDeps())
    const pool = { skuId: shop.sku('GAME'), environment: 'test' } as const
    await importLicenses(tx, pool, ['GAME-KEY-1'], { ids: shop.ids, now: shop.clock.now(), vault })
  })
})

async function begun(units: Readonly<Record<string, number>>, more: object = {}): Promise<Session> {
  const cart = await cartOf(shop, client, units, more)
  return dataOf(await checkout(client, cart.id))
}

describe('a cart of digital goods', () => {
  test('is paid with only an email address; keys arrive by mail, and the rest is delivered without a carrier', async () => {
    const session = await begun({ VOUCHER: 1, GAME: 1 })
    assert.deepEqual(
      session.blockers.map(({ code }) => code),
      ['email_missing'],
    )
    const { pathname } = new URL(session.url)
    const visitor = pageVisitor(origin)
    const contact = await visitor.open(pathname)
    assert.match(contact.text, /name="email"/)
    assert.doesNotMatch(contact.text, /name="line1"|Shipping|delivery/i)
    assert.equal((await visitor.send(`${pathname}/contact`, { email: 'not an address' })).status, 400)
    assert.equal((await visitor.send(`${pathname}/contact`, { email: 'ada@example.com' })).status, 303)
    const payment = await visitor.open(pathname)
    assert.match(payment.text, /Order and pay/)
    assert.match(payment.text, /<dt>Bill to<\/dt><dd>None<\/dd>/)
    assert.doesNotMatch(payment.text, /Ship to|Shipping|delivery address/i)
    const { version } = await readSession(client, session.id)
    const documents = /name="documents" value="([^"]*)"/.exec(payment.text)?.[1] ?? ''
    const paying = await visitor.send(`${pathname}/pay`, { provider: 'simulator', version: String(version), documents })
    assert.equal(paying.status, 303, paying.text)

    const { status, orderId } = await readSession(client, session.id)
    assert.equal(status, 'completed')
    const order = await readOrder(client, orderId!)
    assert.deepEqual([order.addresses, order.totals.total.amount, order.totals.shipping], [{}, 4400, undefined])
    const confirmed = (await shop.mails()).find(({ kind }) => kind === 'orders.confirmed')!
    assert.doesNotMatch(confirmed.text, /Shipping|Ship to/i)
    const [link] = /https?:\/\/\S+\/order\/\S+$/m.exec(confirmed.text) ?? assert.fail(confirmed.text)
    const page = (await pageVisitor(origin).open(link)).text
    assert.match(page, /Nothing has been sent yet\. What you bought will come by email\./)
    assert.doesNotMatch(page, /parcel|Address and shipping/)

    assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 1', 'manual pending 1'])
    await shop.work()
    const context = { ids: shop.ids, now: shop.clock.now() }
    await shop.database.transaction((tx) => ship(tx, { orderId: order.id, reference: 'card 1' }, context))
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1', 'manual confirmed 1'])
    assert.equal((await readOrder(client, order.id)).fulfillmentStatus, 'delivered')
    assert.deepEqual(
      (await shop.mails()).map(({ kind }) => kind).filter((kind) => kind === 'orders.parcel'),
      [],
    )
  })

  test('requires the billing address if tax depends on it, and uses it for tax', async () => {
    const session = await begun({ VOUCHER: 1 }, { country: 'US', contact: { email: 'ada@example.com' } })
    assert.deepEqual(
      session.blockers.map(({ code, path }) => [code, path]),
      [
        ['address_missing', '/billingAddress'],
        ['tax_not_calculated', '/totals/tax'],
      ],
    )
    const { pathname } = new URL(session.url)
    const visitor = pageVisitor(origin)
    const page = await visitor.open(pathname)
    assert.match(page.text, /Nothing is shipped\. The address is used for tax and for your invoice\./)
    const { recipientName, line1 } = BERLIN
    const oakland = { recipientName, line1, city: 'Oakland', region: 'CA', postalCode: '94607', countryCode: 'US' }
    assert.equal((await visitor.send(`${pathname}/billing`, oakland)).status, 303)
    const { blockers, snapshot } = await readSession(client, session.id)
    assert.deepEqual([blockers, snapshot.totals.tax.status, snapshot.address], [[], 'final', undefined])
    assert.equal(snapshot.lines[0]!.taxLines[0]!.rate, '0.0725')
  })
})
