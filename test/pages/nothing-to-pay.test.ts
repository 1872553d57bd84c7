import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { HostedCheckoutSession } from '@vitrine/contract'
import type { Page } from 'playwright-core'
import { type Promotion, savePromotion } from '../../server/src/features/promotions/index.ts'
import { askToCancel, readOrder } from '../support/after-sales.ts'
import { assertAccessible, openPage } from '../support/browser.ts'
import { BERLIN, checkout, checkoutClient, readSession, stockOf } from '../support/checkout.ts'
import { shownIntents } from '../support/paid-orders.ts'
import { assertRefused, CARTS, cartOf, FOR_EVERYBODY, startShop } from '../support/shop.ts'

/** A code that takes everything off, beside shipping that costs nothing: there is nothing left to pay. */
const shop = await startShop({ simulator: true })
await shop.openPages()
const client = await checkoutClient(shop)

before(async () => {
  const promotions: readonly Omit<Promotion, 'id'>[] = [
    {
      ...FOR_EVERYBODY,
      code: 'PRESENT',
      title: { en: 'A present' },
      effect: { kind: 'percentage', target: 'order', rate: '1' },
      usageLimit: 1,
      combinesWith: ['shipping'],
    },
    {
      ...FOR_EVERYBODY,
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

async function presented(): Promise<HostedCheckoutSession> {
  const cart = await cartOf(shop, client, { MUG: 2 })
  const applied = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'PRESENT' })
  assert.equal(applied.status, 200, applied.text)
  const address = { shipping: BERLIN, contact: { email: 'ada@example.com' } }
  assert.equal((await client.put(`${CARTS}/${cart.id}/address`, address)).status, 200)
  const answer = await checkout(client, cart.id)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const chooseShipping = async (page: Page) => {
  if ((await page.locator('input[name="ship_0"]').count()) > 0) await page.click('#step form button[type="submit"]')
}

describe('a checkout with nothing to pay', () => {
  test('asks for no payment, and becomes an order that is paid, owed and told, without a charge', async () => {
    const mugs = await stockOf(shop, 'MUG')
    const session = await presented()
    const page = await openPage()
    await page.goto(session.url)
    await chooseShipping(page)

    assert.match((await page.textContent('.totals .sum'))!, /€0\.00/)
    assert.match((await page.textContent('#step'))!, /There is nothing to pay\./)
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

  test('used its promotion up: the next cart with the code is told so', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answer = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'PRESENT' })
    assertRefused(answer, 409, 'promotion_inapplicable')
    assert.match(answer.text, /usage_limit_reached/)
  })

  test('is canceled at once: there is no money to wait for, and no provider is asked', async () => {
    const [row] = await shop.query('select id from orders')
    const answer = await askToCancel(client, String(row?.id))
    assert.deepEqual([answer.status, answer.body.data.status], [200, 'completed'], answer.text)
    const { status, paymentStatus } = await readOrder(client, String(row?.id))
    assert.deepEqual([status, paymentStatus], ['canceled', 'paid'])
    assert.deepEqual(await shop.query('select id from payment_intents'), [])
  })
})
