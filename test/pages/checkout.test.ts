// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findPageSession } from '../../server/src/features/checkout/index.ts'
import { invoicesOfOrder } from '../../server/src/features/orders/index.ts'
import { saveTaxScheme } from '../../server/src/features/pricing/index.ts'
import { dataOf } from '../support/client.ts'
import {
  BERLIN,
  begunSession,
  CANCEL_URL,
  checkout,
  checkoutClient,
  RETURN_URL,
  readSession,
  readyCart,
  type Session,
} from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import {
  assertAccessible,
  assertFits,
  assertFitsEveryWindow,
  assertFitsLargeText,
  NARROW,
  openPage,
  windows,
} from '../support/pages/browser.ts'
import { hiddenValue, pageVisitor } from '../support/pages/page-visitor.ts'
import { LOOK, siteOf } from '../support/pages/site.ts'
import type { InstallationClient } from '../support/world.ts'

const INSTRUCTIONS = 'Ceramics\nIBAN DE02 1203 0000 0000 2020 51'

let shop: Shop
let origin: string
let client: InstallationClient
let simulator: NonNullable<Shop['simulator']>
let site: ReturnType<typeof siteOf>
before(async () => {
  shop = await startShop({ simulator: true, environment: { PAYMENT_INSTRUCTIONS: INSTRUCTIONS } })
  origin = await shop.openPages()
  client = await checkoutClient(shop)
  simulator = shop.simulator!
  site = siteOf(shop)
})

/** A session without address or shipping. */
async function bareSession(units: Readonly<Record<string, number>> = { MUG: 2 }, more: object = {}) {
  const cart = await cartOf(shop, client, units, more)
  return dataOf(await checkout(client, cart.id)) as Session
}

/** A session ready to pay, with a chosen shipping option. */
async function payableSession(units: Readonly<Record<string, number>> = { MUG: 2 }, more: object = {}) {
  const cart = await readyCart(shop, client, units, more)
  const [option] = cart.shippingOptions
  const path = `/api/v1/open/storefront/carts/${cart.id}/address`
  assert.equal((await client.put(path, { shippingOptionId: option!.id })).status, 200)
  return dataOf(await checkout(client, cart.id)) as Session
}

const pathOf = ({ url }: Pick<Session, 'url'>) => new URL(url).pathname
const heading = async (page: Page) => (await page.textContent('h1'))?.trim()
const press = (page: Page) => page.click('#step form[method="post"]:not(.out form) button[type="submit"]')

/** The external URL a click navigates to. Nothing listens there. */
async function leaving(page: Page, selector: string): Promise<string> {
  const going = page.waitForRequest((request) => request.url().startsWith('https://shop.example/'))
  await page.click(selector, { noWaitAfter: true })
  return (await going).url()
}

/** A shopper without script on the page of a session. */
async function shopper(session: Session) {
  const visitor = pageVisitor(origin)
  const path = pathOf(session)
  const opened = await visitor.open(path)
  return {
    ...visitor,
    path,
    opened,
    look: () => visitor.open(path),
    pay: (more: Record<string, string> = {}) =>
      visitor.send(`${path}/pay`, {
        provider: 'simulator',
        version: hiddenValue(opened, 'version'),
        documents: hiddenValue(opened, 'documents'),
        accepted: 'yes',
        ...more,
      }),
    cancel: () => visitor.send(`${path}/cancel`),
  }
}

async function chargesOf({ id }: Session): Promise<number> {
  const [row] = await shop.query('select count(*) as charges from payment_intents where subject_id = $1', [id])
  return Number(row?.charges)
}

async function ordersOf({ id }: Session): Promise<number> {
  const [row] = await shop.query('select count(*) as orders from orders where session_id = $1', [id])
  return Number(row?.orders)
}

test('there is no checkbox without published documents', async () => {
  const { opened, pay, look } = await shopper(await payableSession())
  assert.doesNotMatch(opened.text, /name="accepted"/)
  assert.equal((await pay()).status, 303)
  assert.match((await look()).text, /Thank you for your order/)
})

for (const [name, options] of Object.entries(windows)) {
  /** The pages are the same in each window, so the appearance in all windows is checked once. */
  async function assertGood(page: Page): Promise<void> {
    if (name !== 'a desktop') return assertFits(page)
    await assertFitsEveryWindow(page)
    await assertFitsLargeText(page)
  }

  describe(`in ${name}`, () => {
    test('a shopper enters an address, selects shipping, pays, sees the order number and returns to the shop', async () => {
      await site.publish()
      const session = await bareSession()
      const page = await openPage(options)
      await page.goto(session.url)
      assert.match((await heading(page)) ?? '', /^Checkout/)
      await assertGood(page)

      await page.fill('#email', 'ada')
      await page.fill('#phone', '030')
      await press(page)
      assert.match(await page.title(), /^Error: Checkout/)
      const errors = () => page.locator('.summary a').allTextContents()
      const phoneError = 'Enter the phone number with its country code, such as +49\u00a030\u00a01234567'
      assert.deepEqual(await errors(), [
        'Enter an email address such as ada@example.com',
        'Enter a name',
        'Enter the street address',
        'Enter the postal code',
        'Enter the city',
        phoneError,
      ])
      await assertGood(page)
      await page.fill('#postalCode', '1096')
      await press(page)
      assert.equal((await errors())[3], 'Enter a valid postal code for this country')
      await page.fill('#phone', '')

      await page.fill('#email', 'ada@example.com')
      await page.fill('#recipientName', BERLIN.recipientName)
      await page.fill('#line1', BERLIN.line1)
      await page.fill('#postalCode', '1096')
      await page.fill('#city', BERLIN.city)
      await press(page)
      assert.equal(await page.textContent('#postalCode-error'), 'Enter a valid postal code for this country')
      await page.fill('#postalCode', BERLIN.postalCode)
      await press(page)

      assert.match((await page.textContent('.steps [aria-current]')) ?? '', /Shipping/)
      assert.match((await page.textContent('.totals .sum'))!, /€29\.98/)
      await assertGood(page)
      await page.check('input[name="ship_0"] >> nth=1')
      await press(page)

      assert.match((await page.textContent('.totals .sum'))!, /€34\.98/)
      assert.match((await page.textContent('.given'))!, /Lindenstraße 9.*ada@example\.com/)
      await assertGood(page)
      await press(page)
      assert.equal(await page.textContent('#accepted-error'), 'Please accept the terms to continue')
      await assertGood(page)
      await page.check('#accepted')
      assert.equal((await page.textContent('#step button >> nth=0'))?.trim(), 'Order and pay €34.98')
      await press(page)

      assert.equal(await heading(page), 'Thank you for your order')
      const number = await page.textContent('.facts dd')
      await assertGood(page)
      const facts = (await page.textContent('.now'))!
      for (const fact of [
        /confirmation to ada@example\.com/,
        /Lindenstraße 9.*Berlin/,
        /1 days/,
        /Expected delivery/,
      ]) {
        assert.match(facts, fact)
      }
      const { orderId, status } = await readSession(client, session.id)
      const { body } = await client.get(`${ORDERS}/${orderId}`)
      assert.deepEqual([status, body.data.number, body.data.totals.total.amount], ['completed', number, 3498])
      assert.deepEqual(body.data.acceptedDocuments, [{ type: 'terms_of_use', version: '2026-03-01' }])

      assert.match((await page.getAttribute('.now a.button', 'href'))!, /\/order\/[\w-]+$/)
      assert.equal(await leaving(page, '.button.quiet'), `${RETURN_URL}?sessionId=${session.id}&status=completed`)
    })

    test('a shopper confirms with their bank and returns to the order', async () => {
      const session = await payableSession()
      simulator.misbehave({ fault: 'ask_shopper', operation: 'authorize' })
      const page = await openPage(options)
      await page.goto(session.url)
      await page.check('#accepted')
      await press(page)
      assert.equal(await heading(page), 'One more step')
      await assertGood(page)
      await page.click('.now .button')
      assert.equal(await heading(page), 'Confirm your payment')
      await page.click('button[value="approve"]')
      assert.equal(await heading(page), 'Thank you for your order')
      assert.deepEqual([await chargesOf(session), await ordersOf(session)], [1, 1])
    })

    test('a shopper with a declined card sees why and pays with another method', async () => {
      const session = await payableSession()
      simulator.misbehave({ fault: 'decline', operation: 'authorize' })
      const page = await openPage(options)
      await page.goto(session.url)
      await page.check('#accepted')
      await press(page)
      assert.match((await page.textContent('.summary'))!, /Your card was declined\. Nothing was charged/)
      await assertGood(page)

      await page.check('#provider-1')
      await page.check('#accepted')
      await press(page)
      assert.equal(await heading(page), 'Complete your bank transfer')
      await assertGood(page)
      const facts = await page.textContent('.facts')
      const { chargeId } = (await findPageSession(
        shop.app.checkoutPage,
        shop.database.reader,
        { sessionId: session.id, key: pathOf(session).split('/').at(-1)! },
        shop.clock.now(),
      ))!
      assert.match(facts!, /€29\.98/)
      assert(facts!.includes(chargeId!.slice(-10).toUpperCase()), 'the reference is the end of the charge id')
      assert.match(facts!, /IBAN\s*DE02 1203 0000 0000 2020 51/)
      assert.doesNotMatch(facts!, /UTC/)
      assert.equal(await page.locator('.code svg[role="img"]').count(), 1)

      await shop.app.payments.confirmManual(chargeId!, { isDone: true })
      await page.reload()
      assert.equal(await heading(page), 'Thank you for your order')
    })

    test('a shopper who cancels returns to the shop, and the page shows nothing was charged', async () => {
      const session = await payableSession()
      const page = await openPage(options)
      await page.goto(session.url)
      assert.equal(await leaving(page, '.out button'), `${CANCEL_URL}?sessionId=${session.id}&status=canceled`)

      const later = await openPage(options)
      await later.goto(session.url)
      assert.equal(await heading(later), 'Checkout canceled')
      assert.match((await later.textContent('main'))!, /You were not charged/)
      await assertGood(later)
    })
  })
}

describe('a completed step', () => {
  test('can be opened again, and left without changes', async () => {
    const { look, path } = await shopper(await payableSession())
    const { open } = pageVisitor(origin)
    const back = /href="([^"]+)">Back without changes</
    assert.doesNotMatch((await look()).text, back)
    for (const edit of ['address', 'billing', 'shipping']) {
      assert.equal(back.exec((await open(`${path}?edit=${edit}`)).text)?.[1], `${path}#step`, edit)
    }
    const { text } = await open(pathOf(await bareSession()))
    assert.doesNotMatch(text, back, 'the first step is not complete')
  })
})

describe('paying once', () => {
  test('submitting twice, in one tab or two, makes one payment and one order', async () => {
    const session = await payableSession()
    const [one, other] = [await shopper(session), await shopper(session)]
    const answers = await Promise.all([one.pay(), one.pay(), other.pay()])

    assert.deepEqual(
      answers.map(({ status, location }) => [status, location]),
      Array(3).fill([303, one.path]),
    )
    assert.deepEqual([await chargesOf(session), await ordersOf(session)], [1, 1])
    const again = await other.pay()
    assert.deepEqual(
      [again.status, again.location],
      [303, other.path],
      'going back and submitting again shows the order',
    )
    assert.deepEqual([await chargesOf(session), await ordersOf(session)], [1, 1])
  })

  test('the page of an order that was canceled since then says so, and links to the order', async () => {
    const session = await payableSession()
    const { pay, look } = await shopper(session)
    await pay()
    const { orderId } = await readSession(client, session.id)
    dataOf(await client.post(`${ORDERS}/${orderId}/cancellations`, { reason: 'customer_request' }))
    const { text } = await look()
    assert.match(text, /<h1>Your order was canceled<\/h1>/)
    assert.match(text, /Nothing more is delivered\. You get back what you paid/)
    assert.match(text, /href="[^"]+\/order\/[^"]+">View your order</)
    assert.doesNotMatch(text, /Thank you|Your order is paid|We’ll pack your order/)
  })

  test('a change in another tab is shown before payment', async () => {
    const session = await payableSession()
    const [one, other] = [await shopper(session), await shopper(session)]
    const fields = { email: 'bea@example.com', ...BERLIN, recipientName: 'Bea Example' }
    assert.equal((await other.send(`${other.path}/address`, fields)).status, 303)

    const answer = await one.pay()
    assert.equal(answer.status, 409)
    assert.match(answer.text, /Your order has changed/)
    assert.match(answer.text, /Bea Example/)
    assert.equal(await chargesOf(session), 0)
  })

  test('with an unknown outcome the page asks not to pay again', async () => {
    const session = await payableSession()
    const { pay, look, cancel } = await shopper(session)
    simulator.misbehave({ fault: 'effect_without_answer', operation: 'authorize' })
    await pay()

    const waiting = await look()
    assert.match(waiting.text, /We don’t know yet if your payment went through/)
    assert.match(waiting.text, /Please do not pay again/)
    assert.match(waiting.headers.get('refresh') ?? '', /^\d+; url=\/checkout\/[^#]+$/)
    const refused = await cancel()
    assert.equal(refused.status, 409)
    assert.match(refused.text, /You can’t cancel right now/)
    assert.equal(refused.headers.get('refresh'), waiting.headers.get('refresh'), 'not the URL of the form')

    const page = await openPage({ viewport: NARROW })
    // Meanwhile the page must not refresh.
    await page.route(session.url, async (route) => {
      const response = await route.fetch()
      const { refresh, ...headers } = response.headers()
      assert(refresh)
      await route.fulfill({ response, headers })
    })
    await page.goto(session.url)
    await assertAccessible(page)
    await assertFits(page)
  })

  test('the page after the payment button updates itself once the outcome is known', async () => {
    const session = await payableSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.check('#accepted')
    simulator.misbehave({ fault: 'effect_without_answer', operation: 'authorize' })
    await press(page)
    assert.equal(await heading(page), 'We don’t know yet if your payment went through')

    shop.clock.advance(10 * 60_000)
    await shop.work()
    await page.waitForSelector('.mark')
    assert.equal(await heading(page), 'Thank you for your order')
    assert.deepEqual([await chargesOf(session), await ordersOf(session)], [1, 1])
  })

  test('canceling during a payment shows that it is in progress, then its outcome', async () => {
    const session = await payableSession()
    const [one, other] = [await shopper(session), await shopper(session)]
    simulator.misbehave({ fault: 'delay', operation: 'authorize', delayMs: 1500 })
    const paying = one.pay()
    for (let look = 0; (await chargesOf(session)) === 0; look += 1) assert.ok(look < 2000, 'the payment begins')

    const canceled = await other.cancel()
    assert.deepEqual([canceled.status, canceled.location], [303, other.path])
    await paying
    await shop.work()
    const { status } = await readSession(client, session.id)
    const { text } = await other.look()
    if (status === 'completed') assert.match(text, /Thank you for your order/)
    else assert.match(text, /Checkout canceled/)
    assert.equal(await ordersOf(session), status === 'completed' ? 1 : 0)
  })
})

describe('the test card', () => {
  /** Pays on the page with an outcome, by its label. */
  async function payWith(outcome: string) {
    const session = await payableSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.getByLabel(outcome, { exact: true }).check()
    await page.check('#accepted')
    await assertAccessible(page)
    await press(page)
    return { page, session }
  }

  test('pays, is declined, or leads to the bank, as the shopper chooses', async () => {
    const paid = await payWith('Pays')
    assert.equal(await heading(paid.page), 'Thank you for your order')

    const declined = await payWith('Is declined')
    assert.match((await declined.page.textContent('.summary'))!, /Your card was declined/)

    const asked = await payWith('Bank asks')
    assert.equal(await heading(asked.page), 'One more step')
    await asked.page.click('.now .button')
    await assertAccessible(asked.page)
    assert.equal(await asked.page.textContent('.amount'), '€29.98')
    await asked.page.click('button[value="decline"]')
    assert.match((await asked.page.textContent('.summary'))!, /The payment was not confirmed/)
  })

  test('without an answer, the outcome is unknown for a few lookups, then the order is shown', async () => {
    const { page, session } = await payWith('No answer')
    assert.equal(await heading(page), 'We don’t know yet if your payment went through')
    assert.equal((await readSession(client, session.id)).payment.status, 'unknown')
    for (let lookup = 0; lookup < 3; lookup += 1) {
      shop.clock.advance(60_000)
      await shop.work()
    }
    await page.waitForSelector('.mark')
    assert.deepEqual([await chargesOf(session), await ordersOf(session)], [1, 1])
  })

  test('offers no outcome for a bank transfer', async () => {
    const page = await openPage()
    await page.goto((await payableSession()).url)
    assert.equal(await page.isVisible('#outcome-0'), true)
    await page.check('#provider-1')
    assert.equal(await page.isVisible('#outcome-0'), false)
  })
})

describe('the seller', () => {
  test('is the store, with its design and documents, or the marketplace if several stores sell', async () => {
    await site.draft(shop.storeId('ceramics'), { ...LOOK, theme: { ...LOOK.theme, primaryColor: '#ffd400' } })
    await site.publishDecorationDraft(shop.storeId('ceramics'))
    await site.publish({ type: 'imprint', title: 'Imprint of Ceramics' }, { storeId: shop.storeId('ceramics') })
    const page = await openPage()
    await page.goto((await payableSession()).url)
    assert.equal(await page.textContent('.name'), 'Ceramics')
    assert.match((await page.textContent('footer'))!, /Imprint of Ceramics/)
    assert.match((await page.textContent('#step'))!, /You’re buying from Ceramics/)
    const color = 'getComputedStyle(document.querySelector(".actions button")).backgroundColor'
    assert.notEqual(await page.evaluate(color), 'rgb(23, 89, 74)')
    await assertFitsEveryWindow(page)

    await page.goto((await payableSession({ MUG: 1, NOVEL: 1 })).url)
    assert.equal(await page.textContent('.stores'), 'with Ceramics and books')
    assert.equal(await page.textContent('.name'), 'Vitrine')
  })
})

describe('on a phone', () => {
  test('the summary is collapsed until the order is paid, and the first field is visible', async () => {
    const page = await openPage({ viewport: NARROW })
    await page.goto((await bareSession()).url)
    assert.equal(await page.isVisible('.lines'), false)
    assert.match((await page.textContent('.bought summary'))!, /€29\.98|€25\.08/)
    const { y } = (await page.locator('#email').boundingBox())!
    assert(y < NARROW.height, `the first field is at ${y}`)
    await page.click('.bought summary')
    assert.equal(await page.isVisible('.lines'), true)
    await page.goto((await payableSession()).url)
    assert.equal(await page.isVisible('.totals .sum'), true)
  })
})

describe('a promotion code at checkout', () => {
  const enter = async (page: Page, code: string) => {
    if (!(await page.isVisible('#code'))) await page.click('.promo summary')
    await page.fill('#code', code)
    await page.click('.promo button')
  }

  test('changes the total, is redeemed once, and can be removed', async () => {
    const session = await payableSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.click('.promo summary')
    await assertAccessible(page)
    await enter(page, 'SUMMER15')
    assert.match((await page.textContent('.totals'))!, /SUMMER15\)−€3\.76/)
    assert.equal((await page.textContent('#step button >> nth=0'))?.trim(), 'Order and pay €26.22')
    await page.click('.promo button')
    assert.equal((await page.textContent('#step button >> nth=0'))?.trim(), 'Order and pay €29.98')

    await enter(page, 'ONCE')
    await page.check('#accepted')
    await press(page)
    const { orderId } = await readSession(client, session.id)
    const { body } = await client.get(`${ORDERS}/${orderId}`)
    assert.equal(body.data.totals.total.amount, 2622)
    const [{ used }] = (await shop.query('select used from promotion_usage where promotion_id = $1', [
      shop.promotionId('ONCE'),
    ])) as [{ used: number }]
    assert.equal(Number(used), 1)
  })

  test('that cannot be used shows the reason, and does not change the order', async () => {
    const page = await openPage()
    await page.goto((await payableSession()).url)
    for (const [code, why] of [
      ['NOPE', 'This code is not valid'],
      ['OVER', 'This code has expired'],
      ['BIG', 'Your order does not reach the minimum for this code'],
    ]) {
      await enter(page, code!)
      assert.equal(await page.textContent('#code-error'), why)
      assert.equal(await page.inputValue('#code'), code)
    }
    await assertAccessible(page)
    assert.equal((await page.textContent('#step button >> nth=0'))?.trim(), 'Order and pay €29.98')
  })
})

describe('a guest who has paid', () => {
  test('can create an account with the address of the order', async () => {
    const { pay, look, send } = await shopper(await payableSession())
    await pay()
    const { text } = await look()
    const [, path] = /action="([^"]*register\/begin)"/.exec(text)!
    const begun = await send(path!, { email: /name="email" value="([^"]*)"/.exec(text)![1]! })
    assert.equal(begun.status, 200)
    assert.match(begun.text, /<h1>Create account<\/h1>[\s\S]*value="ada@example\.com"/)
  })
})

describe('the checkout page', () => {
  test('is the same 404 for a wrong key and an unknown session', async () => {
    const session = await payableSession()
    const visitor = pageVisitor(origin)
    const wrongKey = pathOf(session).replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    const noSession = pathOf(session).replace(session.id, shop.ids.next('cks'))
    const answers = await Promise.all([wrongKey, noSession].map((path) => visitor.open(path)))
    const bodies = answers.map(({ text }) => text.replaceAll(/req_\w+|"\/checkout[^"]*"/g, ''))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    )
    assert.equal(bodies[0], bodies[1])
    const { send } = await shopper(session)
    assert.equal((await send(`${wrongKey}/pay`, { version: '1', provider: 'manual' })).status, 404)
    assert.equal(await chargesOf(session), 0)
  })

  test('uses the language and formats of the cart, unless another is requested', async () => {
    const session = await payableSession({ MUG: 2 }, { locale: 'de' })
    const page = await openPage({ locale: 'en' })
    await page.goto(session.url)
    assert.equal(await page.getAttribute('html', 'lang'), 'de')
    assert.match((await page.textContent('.totals .sum'))!, /29,98\s€/)
    assert.match((await page.textContent('#step button >> nth=0'))!, /Zahlungspflichtig bestellen\s+29,98\s€/)
    await assertAccessible(page)
    await page.click('text=English')
    assert.match((await heading(page)) ?? '', /^Checkout/)
    assert.match((await page.textContent('.totals .sum'))!, /€29\.98/)
  })

  test('has error pages in the language of the cart', async () => {
    const session = await payableSession({ MUG: 2 }, { locale: 'de' })
    const { status, text } = await pageVisitor(origin).send(`${pathOf(session)}/pay`)
    assert.equal(status, 403)
    assert.match(text, /<html lang="de">[\s\S]*Dieses Formular ist abgelaufen/)
  })

  test('takes a phone number for the carrier, and asks about a likely typo in the email address', async () => {
    const session = await bareSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.fill('#email', 'ada@gmial.com')
    for (const field of ['recipientName', 'line1', 'postalCode', 'city'] as const) {
      await page.fill(`#${field}`, BERLIN[field]!)
    }
    await page.fill('#phone', '030 1234')
    await press(page)
    assert.match((await page.textContent('#phone-error'))!, /with its country code/)
    await page.fill('#phone', '0049 30 123-4567')
    await press(page)
    assert.match((await page.textContent('#step .note'))!, /Did you mean ada@gmail\.com\?/)
    await page.click('#step .note a')
    assert.equal(await page.inputValue('#phone'), '+49301234567')
  })

  test('has a button for the country, and no button to copy, without script', async () => {
    const page = await openPage({ javaScriptEnabled: false })
    await page.goto((await bareSession()).url)
    await page.selectOption('#country', 'US')
    await page.click('.country button')
    assert.equal(await page.locator('#region').count(), 1)
  })

  test('has the fields the country requires, and reports countries without shipping', async () => {
    const session = await bareSession()
    const page = await openPage()
    await page.goto(session.url)
    assert.equal(await page.isVisible('.country button'), false)
    assert.equal(await page.getAttribute('#postalCode', 'inputmode'), 'numeric')
    await page.selectOption('#country', 'US')
    await page.waitForSelector('#region')
    assert.equal(await page.getAttribute('#postalCode', 'inputmode'), null, 'a ZIP code may have a hyphen')
    assert.equal((await page.locator('#region option').count()) > 50, true)
    await page.fill('#email', 'ada@example.com')
    await page.fill('#recipientName', 'Ada Example')
    await page.fill('#line1', '1 Example Street')
    await page.fill('#city', 'Oakland')
    await page.selectOption('#region', 'CA')
    await page.fill('#postalCode', '94607')
    await press(page)
    assert.match((await page.textContent('#step .note'))!, /We can’t ship to this address/)
    assert.equal(await page.locator('input[name="provider"]').count(), 0)
    await assertAccessible(page)
  })

  test('takes a billing address and can remove it again', async () => {
    const session = await payableSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.click('.given a >> nth=1')
    await page.fill('#recipientName', 'Example GmbH')
    await page.fill('#line1', 'Beispielweg 2')
    await page.fill('#postalCode', '10115')
    await page.fill('#city', 'Berlin')
    await assertAccessible(page)
    await press(page)
    assert.match((await page.textContent('.given'))!, /Example GmbH.*Beispielweg 2/)
    await page.click('.given a >> nth=1')
    await page.click('text=Use delivery address')
    assert.match((await page.textContent('.given'))!, /Same as delivery address/)
  })

  test('takes the VAT ID of a business, whose order and invoice have no tax, with the reason', async () => {
    await saveSeller(shop)
    const storeId = shop.storeId('ceramics')
    await shop.database.transaction(async (tx) => saveTaxScheme(tx, { storeId, country: 'DE', kind: 'destination' }))
    await shop.refresh()
    const session = await bareSession({ MUG: 2 })
    const page = await openPage()
    await page.goto(`${session.url}?country=AT`)
    await page.fill('#email', 'ada@example.com')
    await page.fill('#recipientName', 'Ada Example')
    await page.fill('#company', 'Example GmbH')
    await page.fill('#vatId', 'DE136695976')
    await page.fill('#line1', 'Beispielgasse 2')
    await page.fill('#postalCode', '1010')
    await page.fill('#city', 'Wien')
    await press(page)
    assert.deepEqual(await page.locator('.summary a').allTextContents(), [
      'Enter a VAT ID of this country, or leave the field empty',
    ])
    assert.match((await page.textContent('#vatId-error')) ?? '', /VAT ID of this country/)
    await assertFitsEveryWindow(page)

    await page.fill('#vatId', '')
    await press(page)
    assert.match((await page.textContent('.bought'))!, /Includes tax: €5\.00/)
    await page.click('.given a >> nth=0')
    await page.fill('#vatId', 'atu 135 856 27')
    await press(page)
    assert.match(await page.innerText('.given'), /Example GmbH\n[\s\S]*VAT ID ATU13585627/)
    await press(page)
    const totals = await page.innerText('.bought')
    assert.match(totals, /Tax\s+€0\.00\s+Total\s+€29\.98\s+VAT exempt intra-Community supply of goods \(Article 138/)
    assert.doesNotMatch(totals, /Includes tax/)
    await assertFitsEveryWindow(page)
    const accept = page.locator('#accepted')
    if ((await accept.count()) > 0) await accept.check()
    await press(page)
    assert.equal(await heading(page), 'Thank you for your order')
    const { orderId } = await readSession(client, session.id)
    const [invoice] = await invoicesOfOrder(shop.database.reader, orderId!)
    assert.equal(invoice!.facts.shippingAddress?.vatId, 'ATU13585627')
    for (const { taxLines } of invoice!.lines) assert.equal(taxLines[0]?.exemption, 'intra_community_supply')
  })

  test('works with the keyboard only', async () => {
    const session = await payableSession()
    const page = await openPage()
    await page.goto(session.url)
    await page.focus('#provider-0')
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.isChecked('#provider-1'), true)
    await page.focus('#accepted')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.facts')
    assert.equal(await heading(page), 'Complete your bank transfer')
  })

  test('shows an expired session without payment and with a link to the shop', async () => {
    const session = await begunSession(shop, client)
    const late = await shopper(session)
    shop.clock.advance(1.5 * 3_600_000)
    const paid = await late.pay()
    assert.deepEqual([paid.status, paid.location], [303, late.path])
    const { text } = await late.look()
    assert.match(text, /This checkout has expired/)
    const back = await late.open(`${late.path}/back`)
    assert.equal(back.location, `${CANCEL_URL}?sessionId=${session.id}&status=expired`)
    assert.equal(await chargesOf(session), 0)
  })

  test('announces the refund of a late payment', async () => {
    const session = await payableSession()
    const { cancel, look } = await shopper(session)
    await cancel()
    for (const [status, said] of [
      ['succeeded', /A payment arrived after that\. It is being refunded in full/],
      ['unknown', /If it still arrives, we’ll refund it in full/],
    ] as const) {
      await shop.run('update checkout_sessions set payment_status = $2 where id = $1', [session.id, status])
      const { text } = await look()
      assert.match(text, said)
      assert.doesNotMatch(text, /You were not charged/)
    }
  })

  test('allows only its own image sources and form targets', async () => {
    const { opened } = await shopper(await payableSession())
    const policy = opened.headers.get('content-security-policy')!
    assert.match(policy, /form-action 'self' https:\/\/shop\.example;/)
    assert.match(policy, /default-src 'none'/)
    assert.equal(opened.headers.get('referrer-policy'), 'no-referrer')
  })
})
