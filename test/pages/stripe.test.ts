import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { begunSession, checkoutClient, readSession, type Session, stockOf } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import {
  STAND_IN_KEY,
  STAND_IN_SECRET,
  type StripeStandIn,
  startStripeStandIn,
} from '../support/network/stripe-stand-in.ts'
import { assertAccessible, openPage } from '../support/pages/browser.ts'
import type { InstallationClient } from '../support/world.ts'

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

/** Chooses Stripe on the checkout page, which leads to the page at Stripe. */
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
  const page = await openPage()
  await page.goto(session.url)
  await choose(page)
  return { session, page }
}

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = async (page: Page) => (await page.textContent('h1'))?.trim()
const chargesOf = ({ id }: Session) =>
  shop.query('select id, kind, status, amount from payment_intents where subject_id = $1 order by id', [id])
async function movementsOf(session: Session) {
  const charges = (await chargesOf(session)).filter(({ kind }) => kind === 'charge')
  return charges.flatMap(({ id }) => standIn.books.movements(String(id)).map(({ operation }) => operation))
}

describe('on the page at Stripe', () => {
  test('a shopper pays, and comes back to a placed order', async () => {
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

  test('a shopper who never pays holds no stock when the checkout has ended, and the page is closed', async () => {
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

  test('a shopper who pays after the shop has canceled gets all of it back, and no order', async () => {
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
})
