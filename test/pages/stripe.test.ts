import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { begunSession, checkoutClient, readSession, type Session, stockOf } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import {
  STAND_IN_KEY,
  STAND_IN_SECRET,
  type StripeStandIn,
  startStripeStandIn,
} from '../support/network/stripe-stand-in.ts'
import { operatorClient } from '../support/operator.ts'
import { assertAccessible, openPage } from '../support/pages/browser.ts'
import type { InstallationClient } from '../support/world.ts'

const DAY_MS = 86_400_000

let standIn: StripeStandIn
let shop: Shop
let client: InstallationClient
let origin: string
before(async () => {
  standIn = await startStripeStandIn()
  shop = await startShop({
    environment: {
      STRIPE_API_URL: standIn.url,
      STRIPE_TEST_KEY: STAND_IN_KEY,
      STRIPE_TEST_WEBHOOK_SECRET: STAND_IN_SECRET,
      STRIPE_CAPTURE: 'automatic',
    },
  })
  origin = await shop.openPages()
  client = await checkoutClient(shop)
})

let shared: BrowserContext | null = null
/** A page of one browser context, which all tests share. */
async function visitor(): Promise<Page> {
  if (shared) return shared.newPage()
  const page = await openPage()
  shared = page.context()
  return page
}

/** Chooses Stripe on the checkout page, which redirects to the page at Stripe. */
async function choose(page: Page): Promise<void> {
  const next = '#step form[method="post"]:not(.out form) button[type="submit"]'
  if ((await page.locator('input[name="ship_0"]').count()) > 0) await page.click(next)
  await page.check('input[name="provider"][value="stripe"]')
  await page.click(next)
  await page.waitForURL(`${standIn.url}/pay/**`)
}

/** A shopper on the page at Stripe. */
async function atStripe() {
  const session = await begunSession(shop, client, { MUG: 1 })
  const page = await visitor()
  await page.goto(session.url)
  await choose(page)
  return { session, page }
}

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = async (page: Page) => (await page.textContent('h1'))?.trim()
const chargesOf = ({ id }: Session) =>
  shop.query('select id, kind, status, amount from payment_intents where subject_id = $1 order by id', [id])
const orderOf = async ({ id }: Session): Promise<Order> => {
  const { orderId } = await readSession(client, id)
  return (await client.get(`${ORDERS}/${orderId}`)).body.data
}
/** The direct debit of a session succeeds or bounces, and Stripe sends a notification. */
async function settled(session: Session, isPaid: boolean) {
  const [charge] = await chargesOf(session)
  const intentId = String(charge!.id)
  standIn.books.settle(intentId, isPaid)
  const type = `checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`
  assert.equal(await notify(standIn.books.sessionOf(intentId)!, type), 200)
  return { intentId }
}
async function notify(about: Parameters<StripeStandIn['notification']>[0], type = 'charge.updated'): Promise<number> {
  const { headers, body } = standIn.notification(about, shop.clock.now(), { type })
  return (await fetch(`${origin}/payments/stripe/notifications`, { method: 'POST', headers, body })).status
}
async function movementsOf(session: Session) {
  const charges = (await chargesOf(session)).filter(({ kind }) => kind === 'charge')
  return charges.flatMap(({ id }) => standIn.books.movements(String(id)).map(({ operation }) => operation))
}

describe('on the page at Stripe', () => {
  test('a shopper pays, and returns to a placed order', async () => {
    const { session, page } = await atStripe()
    assert.equal(await page.locator('p').textContent(), `${session.snapshot.totals.total.amount} eur`)
    await act(page, 'Pay')
    await page.waitForURL(`${origin}/**`)
    assert.match((await heading(page)) ?? '', /Thank you for your order/)
    await assertAccessible(page)
    assert.deepEqual(await movementsOf(session), ['capture'])
    assert.equal((await readSession(client, session.id)).status, 'completed')
  })

  test('a shopper is declined, confirms with their bank, and pays once', async () => {
    const { session, page } = await atStripe()
    await act(page, 'Pay with a declined card')
    assert.equal(await heading(page), 'Your card was declined')
    await act(page, 'Pay with 3-D Secure')
    await act(page, 'Approve')
    await page.waitForURL(`${origin}/**`)
    assert.match((await heading(page)) ?? '', /Thank you for your order/)
    assert.deepEqual(await movementsOf(session), ['capture'])
  })

  test('a shopper goes back without paying, chooses again, and the page in another tab is closed', async () => {
    const { session, page } = await atStripe()
    const otherTab = await page.context().newPage()
    await otherTab.goto(page.url())
    await act(page, 'Back to the shop')
    await page.waitForURL(`${origin}/**`)
    assert.equal((await readSession(client, session.id)).status, 'open')
    assert.equal(await page.textContent('#declined'), 'Payment not completed')
    await assertAccessible(page)
    await choose(page)
    await act(otherTab, 'Pay')
    assert.equal(await heading(otherTab), 'This page is closed')
    await act(page, 'Pay')
    await page.waitForURL(`${origin}/**`)
    assert.match((await heading(page)) ?? '', /Thank you for your order/)
    assert.deepEqual(await movementsOf(session), ['capture'])
    assert.deepEqual((await chargesOf(session)).map(({ status }) => status).sort(), ['canceled', 'succeeded'])
  })

  test('a shopper who has paid and closes the window has their order from the notification', async () => {
    const { session, page } = await atStripe()
    const { id } = new URL(page.url()).pathname.match(/(?<id>cs_.*)$/)!.groups as { id: string }
    standIn.books.pay(id)
    await page.close()
    const { headers, body } = standIn.notification(standIn.books.sessions.get(id)!, shop.clock.now())
    const answer = await fetch(`${origin}/payments/stripe/notifications`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200)
    await shop.work()
    assert.equal((await readSession(client, session.id)).status, 'completed')
  })

  test('a shopper who never pays holds no stock after the checkout has expired, and the page is closed', async () => {
    const { held } = await stockOf(shop, 'MUG')
    const { session, page } = await atStripe()
    const later = await page.context().newPage()
    shop.clock.advance(60_000)
    await later.goto(session.url)
    assert.equal(await heading(later), 'Continue to payment')
    await assertAccessible(later)
    assert.equal(await later.getByRole('link', { name: 'Pay now' }).getAttribute('href'), page.url())
    shop.clock.advance(2 * 3_600_000)
    await shop.work()
    assert.equal((await readSession(client, session.id)).status, 'expired')
    assert.equal((await stockOf(shop, 'MUG')).held, held)
    await act(page, 'Pay')
    assert.equal(await heading(page), 'This page is closed')
    assert.deepEqual(await movementsOf(session), [])
  })

  test('a shopper who pays after the shop has canceled gets a full refund, and no order', async () => {
    const { session, page } = await atStripe()
    const canceled = await client.post(`/api/v1/open/hosted/checkout/sessions/${session.id}/cancel`, {})
    assert.equal(canceled.status, 200, canceled.text)
    // The page is open until a worker has closed it.
    await act(page, 'Pay')
    await page.waitForURL(`${origin}/**`)
    for (let second = 0; second < 3; second += 1) {
      shop.clock.advance(1000)
      await shop.work()
    }
    assert.deepEqual(await movementsOf(session), ['capture', 'refund'])
    const [orders] = await shop.query('select count(*) as count from orders where session_id = $1', [session.id])
    assert.equal(Number(orders!.count), 0)
  })

  test('a shopper pays in one tab, and the same page in another is closed', async () => {
    const { session, page } = await atStripe()
    const otherTab = await page.context().newPage()
    await otherTab.goto(page.url())
    await act(page, 'Pay')
    await page.waitForURL(`${origin}/**`)
    await act(otherTab, 'Pay')
    assert.equal(await heading(otherTab), 'This page is closed')
    assert.deepEqual(await movementsOf(session), ['capture'])
  })

  test('a shopper pays by direct debit: the order is placed, and paid on day three', async () => {
    const { session, page } = await atStripe()
    await act(page, 'Pay by direct debit')
    await page.waitForURL(`${origin}/**`)
    assert.match((await page.textContent('.lead')) ?? '', /Your payment is on its way/)
    await assertAccessible(page)
    const placed = await orderOf(session)
    assert.deepEqual([placed.status, placed.paymentStatus], ['confirmed', 'pending'])
    shop.clock.advance(3 * DAY_MS)
    const { intentId } = await settled(session, true)
    await shop.work()
    assert.deepEqual([(await orderOf(session)).paymentStatus, await movementsOf(session)], ['paid', ['capture']])
    assert.deepEqual(await notify(standIn.books.sessionOf(intentId)!), 200)
  })

  test('a shopper whose direct debit bounces gets no goods: the order is canceled, and its stock is released', async () => {
    const before = await stockOf(shop, 'MUG')
    const { session, page } = await atStripe()
    await act(page, 'Pay by direct debit')
    await page.waitForURL(`${origin}/**`)
    await settled(session, false)
    await shop.work()
    const { status, paymentStatus } = await orderOf(session)
    assert.deepEqual([status, paymentStatus], ['canceled', 'failed'])
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
    await page.reload()
    assert.equal(await heading(page), 'Your order was canceled')
    await assertAccessible(page)
  })

  test('a direct debit that arrives after its order was canceled is refunded in full', async () => {
    const { session, page } = await atStripe()
    await act(page, 'Pay by direct debit')
    await page.waitForURL(`${origin}/**`)
    const { id } = await orderOf(session)
    const canceled = await client.post(`${ORDERS}/${id}/cancellations`, { reason: 'customer_request' })
    assert.equal(canceled.status, 200, canceled.text)
    await shop.work()
    await settled(session, true)
    for (let hour = 0; hour < 3; hour += 1) {
      shop.clock.advance(3_600_000)
      await shop.work()
    }
    assert.deepEqual(await movementsOf(session), ['capture', 'refund'])
    assert.equal((await orderOf(session)).paymentStatus, 'voided')
  })

  test('a shopper disputes a payment: the order shows it, and the operator sees the deadline and a link to respond', async () => {
    const { session, page } = await atStripe()
    await act(page, 'Pay')
    await page.waitForURL(`${origin}/**`)
    const [charge] = await chargesOf(session)
    const created = Math.floor(shop.clock.now().getTime() / 1000)
    const dispute = standIn.books.dispute(String(charge!.id), { status: 'needs_response', created })
    assert.equal(await notify(dispute, 'charge.dispute.created'), 200)
    await shop.work()
    const { id, money, totals } = await orderOf(session)
    assert.deepEqual(money.disputed, totals.total)
    const operator = await operatorClient(shop)
    const [shown] = (await operator.get(`/orders/${id}`)).body.data.disputes
    assert.deepEqual(
      [shown.reason, shown.status, Date.parse(shown.respondBy) / 1000, shown.url],
      ['fraudulent', 'open', created + 7 * 86_400, `https://dashboard.stripe.com/test/disputes/${dispute.id}`],
    )
    standIn.books.dispute(String(charge!.id), { status: 'won', created })
    await notify({ ...dispute, status: 'won' }, 'charge.dispute.closed')
    await shop.work()
    assert.equal((await orderOf(session)).money.disputed.amount, 0)
  })
})

describe('a shop that captures when it ships', () => {
  let later: Shop
  before(async () => {
    later = await startShop({
      environment: { STRIPE_API_URL: standIn.url, STRIPE_TEST_KEY: STAND_IN_KEY, STRIPE_TEST_CAPTURE: 'later' },
    })
    await later.openPages()
  })

  test('captures a part of an authorization before its deadline, and refunds it in two parts', async () => {
    const buyer = await checkoutClient(later)
    standIn.books.captureBefore = Math.floor(later.clock.now().getTime() / 1000) + 5 * 86_400
    const session = await begunSession(later, buyer, { MUG: 1 })
    const page = await visitor()
    await page.goto(session.url)
    await choose(page)
    await act(page, 'Pay with 3-D Secure')
    await act(page, 'Approve')
    await page.waitForURL(`${new URL(session.url).origin}/**`)
    assert.match((await page.textContent('.lead')) ?? '', /Your payment is reserved/)
    await assertAccessible(page)

    const { orderId = '' } = await readSession(buyer, session.id)
    const operator = await operatorClient(later)
    const { order, chargeId } = (await operator.get(`/orders/${orderId}`)).body.data
    assert.equal(order.paymentStatus, 'authorized')
    const { payment } = (await operator.get(`/payments/${chargeId}`)).body.data
    assert.equal(Date.parse(payment.expiresAt) / 1000, standIn.books.captureBefore)
    await operator.change('POST', `/payments/${chargeId}/capture`, { amount: 1000 })
    for (const amount of [400, 600]) {
      await operator.change('POST', `/orders/${orderId}/refunds`, { amount })
      await later.work()
    }
    assert.deepEqual(
      standIn.books.movements(chargeId).map(({ operation, amount }) => [operation, Number(amount)]),
      [
        ['capture', 1000],
        ['refund', 400],
        ['refund', 600],
      ],
    )
    assert.equal((await operator.get(`/orders/${orderId}`)).body.data.order.paymentStatus, 'refunded')
  })
})
