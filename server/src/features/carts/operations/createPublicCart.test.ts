import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Answer } from '../../../../../test/support/client.ts'
import { accountsOf } from '../../../../../test/support/commerce/accounts.ts'
import {
  assertRefused,
  CARTS,
  type CartBody,
  cartOf,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'
import { customerTokenOf, RETURN_URL } from '../../../../../test/support/pages/hosted-login.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { opaqueToken } from '../../../platform/auth/opaque-token.ts'
import { hashPassword } from '../../../platform/auth/password-hash.ts'

const CUSTOMER = 'ada@example.com'
let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client({ returnUrls: [RETURN_URL] })
  await accountsOf(shop).customer(CUSTOMER)
})

function create(body: object, options = {}) {
  return client.post(CARTS, { currency: 'EUR', country: 'DE', ...body }, options)
}

function line(code: string, quantity: number) {
  return { skuId: shop.sku(code), quantity }
}

function assertNoToken(answer: Answer): void {
  assertRefused(answer, 400, 'validation_failed')
  assert.deepEqual([answer.body.details[0].in, answer.body.details[0].pointer], ['body', '/customerToken'])
}

describe('createPublicCart', () => {
  test('200 creates an empty cart that expires after 30 days', async () => {
    const { status, body, text } = await create({
      metadata: { basket: 'A-1044' },
      contact: { email: 'ada@example.com' },
    })
    assert.equal(status, 200, text)
    const { data } = body
    assert.equal(data.status, 'active')
    assert.equal(data.version, 1)
    assert.deepEqual(data.lines, [])
    assert.deepEqual(data.metadata, { basket: 'A-1044' })
    assert.deepEqual(data.contact, { email: 'ada@example.com' })
    assert.deepEqual(data.addressState, { status: 'absent', missing: [], invalid: [] })
    assert.equal(data.totals.total.amount, 0)
    assert.equal(Date.parse(data.expiresAt) - Date.parse(data.createdAt), 30 * 86_400_000)
  })

  test('200 creates a cart with lines in the given order', async () => {
    const cart = await cartOf(shop, client, { VASE: 1, MUG: 2, NOVEL: 1 })
    assert.deepEqual(
      cart.lines.map((each: CartBody) => [each.name, each.quantity]),
      [
        ['Product vase', 1],
        ['Mug', 2],
        ['Product novel', 1],
      ],
    )
    assert.equal(cart.version, 1)
    assert.deepEqual(
      cart.totals.byStore.map((totals: CartBody) => totals.storeId),
      [shop.storeId('ceramics'), shop.storeId('books')],
    )
  })

  test('200 merges lines of the same SKU', async () => {
    const { body } = await create({ lines: [line('MUG', 2), line('BOWL', 1), line('MUG', 3)] })
    assert.deepEqual(
      body.data.lines.map((each: CartBody) => each.quantity),
      [5, 1],
    )
  })

  test('200 uses the requested locale, else the best match for the caller', async () => {
    const asked = await create({ locale: 'de-AT', lines: [line('MUG', 1)] })
    assert.equal(asked.body.data.locale, 'de')
    assert.equal(asked.body.data.lines[0].name, 'Becher')
    const accepted = await create({}, { headers: { 'accept-language': 'fr, de;q=0.8' } })
    assert.equal(accepted.body.data.locale, 'de')
    const neither = await create({}, { headers: { 'accept-language': 'fr' } })
    assert.equal(neither.body.data.locale, 'en')
  })

  test('200 replays the first response for a repeated key and creates nothing', async () => {
    const first = await create({}, { key: 'once' })
    const second = await create({}, { key: 'once' })
    assert.equal(second.text, first.text)
    const carts = await shop.query('select id from carts where id = $1', [first.body.data.id])
    assert.equal(carts.length, 1)
  })

  test("200 supports a store's own currencies and countries, and all of them in the marketplace", async () => {
    const books = await shop.client({ storeSlug: 'books' })
    assertRefused(await books.post(CARTS, { currency: 'USD', country: 'DE' }), 400, 'unsupported_currency')
    assert.equal((await books.post(CARTS, { currency: 'EUR', country: 'FR' })).status, 200)
    assert.equal((await create({ currency: 'USD', country: 'FR' })).status, 200)
  })

  test('400 quantity_invalid: outside 1 to 999 units or the steps of the SKU', async () => {
    const answer = await create({ lines: [line('MUG', 1), line('BOWL', 1000)] })
    assertRefused(answer, 400, 'quantity_invalid')
    assert.equal(answer.body.details[0].pointer, '/lines/1/quantity')
    const odd = await create({ lines: [line('CUP', 1)] })
    assertRefused(odd, 400, 'quantity_invalid')
    assert.equal(odd.body.details[0].pointer, '/lines/0/quantity')
  })

  test('400 unsupported_currency: lists the supported ones', async () => {
    const answer = await create({ currency: 'JPY' })
    assertRefused(answer, 400, 'unsupported_currency')
    assert.equal(answer.body.details[0].pointer, '/currency')
    assert.equal(answer.body.details[0].message, 'Supported: EUR, USD.')
  })

  test('400 unsupported_locale: lists the supported ones', async () => {
    const answer = await create({ locale: 'fr' })
    assertRefused(answer, 400, 'unsupported_locale')
    assert.equal(answer.body.details[0].message, 'Supported: en, de.')
  })

  test('400 validation_failed: a country no store ships to', async () => {
    const answer = await create({ country: 'JP' })
    assertRefused(answer, 400, 'validation_failed')
    assert.equal(answer.body.details[0].pointer, '/country')
  })

  test('200 creates carts for the customer of a token, any number of times', async () => {
    const customerToken = await customerTokenOf(shop, client, CUSTOMER)
    const [first, second] = [await create({ customerToken }), await create({ customerToken })]
    assert.match(first.body.data.customer.id, /^cus_/)
    assert.deepEqual(second.body.data.customer, first.body.data.customer)
    const { body } = await client.get(`${CARTS}/${first.body.data.id}`)
    assert.deepEqual(body.data.customer, first.body.data.customer)
    assert.equal((await create({})).body.data.customer, undefined)
  })

  for (const [what, customerToken] of [
    ['that was never issued', opaqueToken('cut_', Buffer.alloc(32, 7))],
    ['with a typing error', 'cut_9f8e7d6c5b4a'],
  ] as const) {
    test(`400 validation_failed: a customer token ${what}`, async () => assertNoToken(await create({ customerToken })))
  }

  test('400 validation_failed: the customer token of another installation', async () => {
    const other = await shop.client({ returnUrls: [RETURN_URL] })
    assertNoToken(await create({ customerToken: await customerTokenOf(shop, other, CUSTOMER) }))
  })

  test('400 validation_failed: a customer token from before a password change', async () => {
    const customerToken = await customerTokenOf(shop, client, CUSTOMER)
    await shop.run('update customers set password_hash = $1', [await hashPassword('another password')])
    assertNoToken(await create({ customerToken }))
  })

  test('400 validation_failed: a customer token from before the customer was signed out everywhere', async () => {
    const customerToken = await customerTokenOf(shop, client, CUSTOMER)
    const [customer] = await shop.query('select id from customers where email = $1', [CUSTOMER])
    await (await operatorClient(shop)).change('POST', `/customers/${customer?.id}/end-sessions`, {})
    assertNoToken(await create({ customerToken }))
    assert.equal((await create({ customerToken: await customerTokenOf(shop, client, CUSTOMER) })).status, 200)
  })

  test('400 validation_failed: the customer token of a blocked customer, and one from before the block', async () => {
    const customerToken = await customerTokenOf(shop, client, CUSTOMER)
    await shop.run("update customers set status = 'blocked'")
    assertNoToken(await create({ customerToken }))
    await shop.run("update customers set status = 'active'")
    assertNoToken(await create({ customerToken }))
  })

  test('400 validation_failed: a customer token after twelve hours', async () => {
    const customerToken = await customerTokenOf(shop, client, CUSTOMER)
    shop.clock.advance(12 * 3_600_000 - 1)
    assert.equal((await create({ customerToken })).status, 200)
    shop.clock.advance(1)
    assertNoToken(await create({ customerToken }))
  })

  test('409 sku_unavailable: names the line', async () => {
    const answer = await create({ lines: [line('MUG', 1), { skuId: shop.ids.next('sku'), quantity: 1 }] })
    assertRefused(answer, 409, 'sku_unavailable')
    assert.equal(answer.body.details[0].pointer, '/lines/1/skuId')
  })

  test('409 currency_mismatch: a SKU without a price in the currency', async () => {
    assertRefused(await create({ currency: 'USD', country: 'US', lines: [line('BOWL', 1)] }), 409, 'currency_mismatch')
  })

  test('409 quantity_exceeded: in total over all lines of the SKU', async () => {
    const answer = await create({ lines: [line('PLAN', 600), line('PLAN', 400)] })
    assertRefused(answer, 409, 'quantity_exceeded')
    assert.equal(answer.body.details[0].pointer, '/lines/1/quantity')
  })

  test('409 out_of_stock: more than the stock', async () => {
    assertRefused(await create({ lines: [line('VASE', 4)] }), 409, 'out_of_stock')
  })

  test('400 money_overflow: more than JSON carries exactly', async () => {
    assertRefused(await create({ lines: [line('GOLD', 2)] }), 400, 'money_overflow')
  })
})
