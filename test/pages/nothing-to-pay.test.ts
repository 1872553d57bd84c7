import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Promotion, savePromotion } from '../../server/src/features/promotions/index.ts'
import { dataOf } from '../support/client.ts'
import { postCancellation, readOrder } from '../support/commerce/after-sales.ts'
import { BERLIN, checkout, checkoutClient, readSession, type Session, stockOf } from '../support/commerce/checkout.ts'
import { shownIntents } from '../support/commerce/paid-orders.ts'
import { assertRefused, CARTS, cartOf, FOR_EVERYONE, type Shop, startShop } from '../support/commerce/shop.ts'
import { assertAccessible, openPage } from '../support/pages/browser.ts'
import type { InstallationClient } from '../support/world.ts'

/** A code for 100% off with free shipping: there is nothing to pay. */
let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({ simulator: true })
  await shop.openPages()
  client = await checkoutClient(shop)
  const promotions: readonly Omit<Promotion, 'id'>[] = [
    {
      ...FOR_EVERYONE,
      code: 'PRESENT',
      title: { en: 'A present' },
      effect: { kind: 'percentage', target: 'order', rate: '1' },
      usageLimit: 1,
      combinesWith: ['shipping'],
    },
    {
      ...FOR_EVERYONE,
      code: null,
      title: { en: 'On us' },
      effect: { kind: 'free_shipping' },
      combinesWith: ['order'],
    },
  ]
  await shop.database.transaction(async (tx) => {
    for (const each of promotions) savePromotion(tx, { ...each, id: shop.ids.next('prm') }, shop.clock.now())
  })
  await shop.refresh()
})

async function presented(): Promise<Session> {
  const cart = await cartOf(shop, client, { MUG: 2 })
  const applied = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'PRESENT' })
  assert.equal(applied.status, 200, applied.text)
  const address = { shipping: BERLIN, contact: { email: 'ada@example.com' } }
  assert.equal((await client.put(`${CARTS}/${cart.id}/address`, address)).status, 200)
  return dataOf(await checkout(client, cart.id))
}

const chooseShipping = async (page: Page) => {
  if ((await page.locator('input[name="ship_0"]').count()) > 0) await page.click('#step form button[type="submit"]')
}

describe('a checkout with nothing to pay', () => {
  test('becomes a paid order without a charge', async () => {
    const mugs = await stockOf(shop, 'MUG')
    const session = await presented()
    const page = await openPage()
    await page.goto(session.url)
    await chooseShipping(page)

    assert.match((await page.textContent('.totals .sum'))!, /€0\.00/)
    assert.match((await page.textContent('#step'))!, /No payment is needed\./)
    assert.equal(await page.locator('input[name="provider"]').count(), 0)
    assert.equal((await page.textContent('#step button >> nth=0'))?.trim(), 'Place order')
    await assertAccessible(page)
    await page.click('#step form button[type="submit"]')
    assert.equal((await page.textContent('h1'))?.trim(), 'Thank you for your order')

    const { status, payment, orderId } = await readSession(client, session.id)
    assert.deepEqual([status, payment.status], ['completed', 'succeeded'])
    const order = await readOrder(client, orderId!)
    assert.deepEqual([order.totals.total.amount, order.money.charged.amount], [0, 0])
    assert.deepEqual([order.status, order.paymentStatus, order.fulfillmentStatus], ['confirmed', 'paid', 'unfulfilled'])
    assert.deepEqual(await shownIntents(shop, order.id), ['manual pending 2'])
    assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: mugs.onHand - 2, held: 0 })
    assert.deepEqual(await shop.query('select id from payment_intents'), [])
    assert.deepEqual(shop.simulator!.books(), [])
    const confirmed = (await shop.mails()).filter(({ kind }) => kind === 'orders.confirmed')
    assert.equal(confirmed.length, 1)
  })

  test('uses up its promotion', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answer = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'PRESENT' })
    assertRefused(answer, 409, 'promotion_inapplicable')
    assert.match(answer.text, /usage_limit_reached/)
  })

  test('can be canceled at once without a provider', async () => {
    const [row] = await shop.query('select id from orders')
    const answer = await postCancellation(client, String(row?.id))
    assert.deepEqual([answer.status, answer.body.data.status], [200, 'completed'], answer.text)
    const { status, paymentStatus } = await readOrder(client, String(row?.id))
    assert.deepEqual([status, paymentStatus], ['canceled', 'paid'])
    assert.deepEqual(await shop.query('select id from payment_intents'), [])
  })
})
