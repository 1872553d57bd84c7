// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { listAddresses } from '../../server/src/features/accounts/addresses.ts'
import { findCustomerByEmail } from '../../server/src/features/accounts/customer-store.ts'
import type { Order } from '../../server/src/features/orders/index.ts'
import { readHomeCountry } from '../../server/src/features/storefront/index.ts'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { waitsForLock } from '../support/before-commit.ts'
import { type Accounts, accountsOf, startAccounts } from '../support/commerce/accounts.ts'
import { bought } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { paidBy } from '../support/commerce/paid-orders.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { assertFitsWithoutScript, openPage } from '../support/pages/browser.ts'
import { begun, carriedBack, customerTokenOf, LOGIN, RETURN_URL, returning } from '../support/pages/hosted-login.ts'
import { pageVisitor, type Visited, type Visitor } from '../support/pages/page-visitor.ts'
import type { InstallationClient } from '../support/world.ts'

const PASSWORD = 'the usual password here'
const HOUR_MS = 3_600_000

let shop: Shop
let accounts: Accounts
let client: InstallationClient
let origin: string
before(async () => {
  shop = await startShop()
  accounts = accountsOf(shop)
  origin = await shop.openPages()
  client = await checkoutClient(shop)
})

const takeAddress = statement('test.take_address', 'update customers set email = $2, email_key = $2 where id = $1')

let count = 0

/** The address and id of a new customer. */
async function customer(): Promise<{ readonly email: string; readonly id: string }> {
  count += 1
  const email = `customer${count}@example.com`
  await accounts.customer(email)
  const { id } = (await findCustomerByEmail(shop.database.reader, email)) ?? assert.fail(email)
  return { email, id }
}

/** A test order of a customer. */
function orderOf(customerId: string): Promise<Order> {
  return paidBy(shop, client, { MUG: 2 }, { customerId })
}

const orderPath = ({ id }: Pick<Order, 'id'>) => `/account/orders/${id}?environment=test`
const heading = async (page: Page) => (await page.textContent('h1')) ?? ''
const headingOf = ({ text }: Visited) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1]

async function signedIn(email: string, password = PASSWORD): Promise<Visitor> {
  const visitor = pageVisitor(origin)
  await visitor.open('/account')
  const answer = await visitor.send('/account', { email, password })
  assert.equal(answer.location, '/account', answer.text)
  return visitor
}

async function mailTo(recipient: string, kind: string) {
  await shop.work()
  const mail = (await shop.mails()).find((each) => each.recipient === recipient && each.kind === kind)
  return mail ?? assert.fail(`no ${kind} for ${recipient}`)
}

const linkTo = async (recipient: string, kind: string) => (await mailTo(recipient, kind)).link

async function signInPage(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${origin}/account`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.click('button')
}

describe('in a browser', () => {
  test('a customer signs in, finds the order, cancels it and signs out', async () => {
    const { email, id } = await customer()
    const order = await bought(shop, client, { MUG: 2 })
    await shop.run('update orders set customer_id = $2 where id = $1', [order.id, id])
    const page = await openPage()
    await page.goto(`${origin}/account`)
    await assertFitsWithoutScript(page)
    await signInPage(page, email, 'not my password')
    assert.match(await page.innerText('.summary'), /Wrong email address or password/)
    await assertFitsWithoutScript(page)
    await signInPage(page, email)
    assert.equal(await heading(page), 'Your account')
    await assertFitsWithoutScript(page)
    await page.click('main >> text=Orders')
    assert.equal(await heading(page), 'Your orders')
    assert.match(await page.innerText('main'), /These are test orders/)
    await assertFitsWithoutScript(page)
    await page.click(`text=${order.number}`)
    assert.equal(await heading(page), `Order ${order.number}`)
    assert.match(await page.innerText('main'), /Lindenstraße 9/)
    await assertFitsWithoutScript(page)
    await page.click('text=Cancel items')
    await page.click('button')
    await page.click('button')
    assert.match(await page.innerText('main'), /This order was canceled/)
    await assertFitsWithoutScript(page)
    await page.goto(`${origin}/account`)
    await page.click('text=Sign out')
    assert.equal(await heading(page), 'Sign in')
  })

  test('a customer signs out to a page in the language of the account', async () => {
    const { email, id } = await customer()
    await shop.run("update customers set locale = 'de' where id = $1", [id])
    const page = await openPage({ locale: 'en' })
    await signInPage(page, email)
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  })

  test('a customer saves an address, and edits and removes it', async () => {
    const { email } = await customer()
    const page = await openPage()
    await signInPage(page, email)
    await page.click('main >> text=Addresses')
    await assertFitsWithoutScript(page)
    await page.click('text=Add address')
    await page.selectOption('#country', 'DE')
    await page.click('text=Change country')
    assert.equal(await page.inputValue('#recipientName'), 'Ada')
    await page.fill('#line1', 'Lindenstraße 9')
    await page.fill('#postalCode', '1')
    await page.fill('#city', 'Berlin')
    await page.click('text=Save address')
    assert.match((await page.textContent('#postalCode-error')) ?? '', /valid postal code/)
    await assertFitsWithoutScript(page)
    await page.fill('#postalCode', '10969')
    await page.click('text=Save address')
    assert.match(await page.innerText('.person'), /Default address\s+Ada\s+Lindenstraße 9\s+10969 Berlin/)
    await assertFitsWithoutScript(page)
    await page.click('text=Edit')
    assert.equal(await page.inputValue('#line1'), 'Lindenstraße 9')
    await assertFitsWithoutScript(page)
    await page.fill('#line1', 'Lindenstraße 10')
    await page.click('text=Save address')
    assert.match(await page.innerText('.person'), /Lindenstraße 10/)
    await page.click('text=Edit')
    await page.click('text=Remove address')
    assert.match(await page.innerText('main'), /not saved an address/)
  })

  test('a second click on a button saves one address, changes one password and says that an account is closed', async () => {
    const { email, id } = await customer()
    const visitor = await signedIn(email)
    await visitor.open('/account')
    const address = {
      countryCode: 'DE',
      recipientName: 'Ada',
      line1: 'Lindenstraße 9',
      postalCode: '10969',
      city: 'Berlin',
    }
    const twice = async (url: string, fields: Record<string, string>) => {
      const answers = [await visitor.send(url, fields), await visitor.send(url, fields)]
      return answers.map(({ location }) => location)
    }
    assert.deepEqual(await twice('/account/addresses/edit', address), ['/account/addresses', '/account/addresses'])
    assert.equal((await listAddresses(shop.database.reader, id)).length, 1)
    const passwords = { current: PASSWORD, newPassword: 'another password of mine' }
    const changed = '/account/security?done=password'
    assert.deepEqual(await twice('/account/security/password', passwords), [changed, changed])
    await visitor.open('/account/security')
    const closed = '/account/closed?locale=en'
    const password = 'another password of mine'
    assert.deepEqual(await twice('/account/privacy/close', { password }), [closed, closed])
  })

  test('a new address begins with the country of the saved one, else of the locale, else of the shops', async () => {
    const { email, id } = await customer()
    const visitor = await signedIn(email)
    const chosen = async () => /value="(..)" selected/.exec((await visitor.open('/account/addresses/edit')).text)?.[1]
    const home = await readHomeCountry(shop.database.reader)
    assert.equal(await chosen(), home)
    assert.notEqual(home, 'US')
    await shop.run(`update customers set locale = 'de-AT' where id = $1`, [id])
    assert.equal(await chosen(), 'AT')
    const address = {
      countryCode: 'FR',
      recipientName: 'Ada',
      line1: '1 rue Pavée',
      postalCode: '75004',
      city: 'Paris',
    }
    assert.equal((await visitor.send('/account/addresses/edit', address)).location, '/account/addresses')
    assert.equal(await chosen(), 'FR')
  })

  test('an error page has the language of the account, not that of the browser', async () => {
    const { email, id } = await customer()
    await shop.run(`update customers set locale = 'de' where id = $1`, [id])
    const visitor = await signedIn(email)
    const unknown = await visitor.open('/account/addresses/edit?id=adr_00000000000000000000000000')
    assert.match(unknown.text, /<html lang="de">[\s\S]*<h1>Seite nicht gefunden/)
    const asked = await visitor.open('/account/addresses/edit?id=adr_00000000000000000000000000&locale=en')
    assert.match(asked.text, /<html lang="en">[\s\S]*<h1>Page not found/)
  })

  test('a customer changes the profile, the language and the consent to news', async () => {
    const { email, id } = await customer()
    const page = await openPage()
    await signInPage(page, email)
    await page.click('main >> text=Profile')
    await page.fill('#phone', 'call me')
    await page.click('button')
    assert.match((await page.textContent('#phone-error')) ?? '', /phone number/)
    await assertFitsWithoutScript(page)
    await page.fill('#phone', '+49 (30) 123-4567')
    await page.fill('#lastName', 'Lovelace')
    await page.selectOption('#locale', 'de')
    await page.click('button')
    assert.match(await page.innerText('main'), /Dein Profil ist gespeichert/)
    assert.equal(await page.inputValue('#phone'), '+49301234567')
    await assertFitsWithoutScript(page)
    await page.goto(`${origin}/account/privacy`)
    assert.equal(await heading(page), 'Datenschutz')
    await page.click('text=Neuigkeiten und Angebote erhalten')
    assert.match(await page.innerText('main'), /Du erhältst Neuigkeiten/)
    shop.clock.advance(1000)
    await page.click('text=Keine Neuigkeiten und Angebote mehr')
    assert.match(await page.innerText('main'), /Widerrufen am/)
    await assertFitsWithoutScript(page)
    const history = await shop.query(
      'select is_given, source from customer_consents where customer_id = $1 order by at',
      [id],
    )
    assert.deepEqual(history, [
      { is_given: true, source: 'account' },
      { is_given: false, source: 'account' },
    ])
  })

  test('a customer changes the password, and other devices are signed out', async () => {
    const { email } = await customer()
    const other = await signedIn(email)
    const page = await openPage()
    await signInPage(page, email)
    await page.click('main >> text=Sign-in and security')
    assert.equal(await page.locator('.person').count(), 2)
    await assertFitsWithoutScript(page)
    await page.fill('#current', 'not my password')
    await page.fill('#newPassword', 'another password of mine')
    await page.click('text=Change password')
    assert.match((await page.textContent('#current-error')) ?? '', /not your current password/)
    await assertFitsWithoutScript(page)
    await page.fill('#current', PASSWORD)
    await page.fill('#newPassword', 'another password of mine')
    await page.click('text=Change password')
    assert.match(await page.innerText('main'), /Your password was changed/)
    assert.equal(await page.locator('.person').count(), 1)
    assert.equal(headingOf(await other.open('/account')), 'Sign in')
    assert.equal(await accounts.signIn(email, PASSWORD), null)
    await mailTo(email, 'accounts.changed')
  })

  test('a customer closes the account, and can no longer sign in', async () => {
    const { email } = await customer()
    const other = await signedIn(email)
    const page = await openPage()
    await signInPage(page, email)
    await page.click('main >> text=Privacy')
    await page.click('text=Close account')
    await page.waitForSelector('.danger[type=submit]')
    assert.equal(await heading(page), 'Close your account?')
    assert.match(
      await page.innerText('main'),
      /signed out on all devices[\s\S]*Your orders are kept[\s\S]*cannot be undone/,
    )
    await assertFitsWithoutScript(page)
    await page.fill('#password', 'not my password')
    await page.click('.danger')
    assert.match((await page.textContent('#password-error')) ?? '', /not your password/)
    await assertFitsWithoutScript(page)
    await page.fill('#password', PASSWORD)
    await page.click('.danger')
    await page.waitForURL('**/account/closed*')
    assert.equal(await heading(page), 'Your account is closed')
    await assertFitsWithoutScript(page)
    assert.equal(headingOf(await other.open('/account')), 'Sign in')
    assert.equal(await accounts.signIn(email, PASSWORD), null)
    await mailTo(email, 'accounts.closed')
    shop.clock.advance(1000)
    await accounts.customer(email)
    assert.equal(headingOf(await (await signedIn(email)).open('/account/orders')), 'Your orders')
  })
})

describe('an order', () => {
  /** Everyone else has to see the same page as for an order that does not exist. */
  const ABSENT = 'ord_00000000000000000000000000'

  async function seenBy(visitor: Visitor, order: Pick<Order, 'id'>): Promise<string[]> {
    const seen: string[] = []
    for (const path of [orderPath(order), `/account/orders/${order.id}`]) {
      const { status, text, location } = await visitor.open(path)
      seen.push(`${status} ${location} ${mainOf(text)}`)
    }
    const [below, query] = orderPath(order).split('?')
    for (const action of ['cancel', 'return', `invoices/${ABSENT}`]) {
      const { status, text, location } = await visitor.open(`${below}/${action}?${query}`)
      seen.push(`${status} ${location} ${mainOf(text)}`)
    }
    await visitor.open('/order')
    const posted = await visitor.send(`${below}/cancel?${query}`, { u1: '1', reason: 'other', version: '1' })
    seen.push(`${posted.status} ${posted.location} ${mainOf(posted.text)}`)
    return seen
  }

  test('is visible only to its customer: an order of another customer looks like an absent one', async () => {
    const [owner, foreigner] = [await customer(), await customer()]
    const order = await orderOf(owner.id)
    const own = await signedIn(owner.email)
    assert.equal((await own.open(orderPath(order))).status, 200)
    const expired = await signedIn(owner.email)
    shop.clock.advance(13 * HOUR_MS)
    const closing = await signedIn(owner.email)
    const visitors = {
      'another customer': await signedIn(foreigner.email),
      'a guest': pageVisitor(origin),
      'an expired session': expired,
    }
    for (const [who, visitor] of Object.entries(visitors)) {
      const [foreign, absent] = [await seenBy(visitor, order), await seenBy(visitor, { id: ABSENT })]
      assert.deepEqual(foreign, absent, who)
      assert(!foreign.some((seen) => seen.startsWith('200')), who)
    }
    // The other environment, for the customer as well.
    const [live, none] = await Promise.all(
      [order.id, ABSENT].map(async (id) => mainOf((await closing.open(`/account/orders/${id}`)).text)),
    )
    assert.equal(live, none)

    await closing.open('/account/privacy')
    await closing.send('/account/privacy/close', { password: PASSWORD })
    assert.deepEqual(await seenBy(closing, order), await seenBy(closing, { id: ABSENT }))
    const [row] = await shop.query('select version from orders where id = $1', [order.id])
    assert.equal(row?.version, order.version)
  })

  test('that is older is found on later pages', async () => {
    const { email, id } = await customer()
    const numbers: string[] = []
    for (let index = 0; index < 21; index += 1) {
      numbers.unshift((await orderOf(id)).number)
      shop.clock.advance(1000)
    }
    const visitor = await signedIn(email)
    const first = await visitor.open('/account/orders')
    const more = /href="(\/account\/orders\?[^"]*after=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&')
    assert(more, first.text)
    const second = await visitor.open(more)
    const shown = [first, second].flatMap(({ text }) => [...text.matchAll(/>(T-\d+)</g)].map(([, number]) => number))
    assert.deepEqual(shown, numbers)
  })

  test('400 for a list after a time that does not exist', async () => {
    const visitor = await signedIn((await customer()).email)
    for (const time of ['9999-99-99T99:99:99.999Z', '99999999999999999999', '1999-99-99T99:99:99.999Z']) {
      assert.equal((await visitor.open(`/account/orders?after=${time}_${ABSENT}`)).status, 400, time)
    }
  })
})

describe('a customer', () => {
  test('sees at the field why a password is too weak for a registration', async () => {
    const visitor = pageVisitor(origin)
    await visitor.open('/account/register')
    const { status, text } = await visitor.send('/account/register', {
      email: 'weak@example.com',
      password: 'password1',
    })
    assert.equal(status, 400)
    assert.match(text, /id="password-error">This password is too common/)
  })

  test('sees that a new password is too weak together with all other errors', async () => {
    const visitor = pageVisitor(origin)
    await visitor.open('/account/register')
    const registering = await visitor.send('/account/register', { email: 'not an address', password: 'password1' })
    assert.match(registering.text, /id="email-error"/)
    assert.match(registering.text, /id="password-error">This password is too common/)

    const known = await signedIn((await customer()).email)
    await known.open('/account/security')
    const fields = { current: 'not my password', newPassword: 'password1' }
    const changing = await known.send('/account/security/password', fields)
    assert.match(changing.text, /id="current-error">This is not your current password/)
    assert.match(changing.text, /id="newPassword-error">This password is too common/)
  })

  test('can type 00 for the + of a phone number, as in the checkout', async () => {
    const visitor = await signedIn((await customer()).email)
    for (const typed of ['0049 (30) 123-4567', '+49 30/123.4567']) {
      await visitor.open('/account/profile')
      assert.match((await visitor.send('/account/profile', { phone: typed, locale: 'en' })).location, /saved=yes/)
      assert.match((await visitor.open('/account/profile')).text, /value="\+49301234567"/)
    }
  })

  test('downloads everything that is stored about them', async () => {
    const { email, id } = await customer()
    const order = await orderOf(id)
    const visitor = await signedIn(email)
    await visitor.open('/account/privacy')
    await visitor.send('/account/privacy/consent', { consent: 'yes' })
    const answer = await visitor.open('/account/privacy/export')
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="my-data\.json"$/)
    const data = JSON.parse(answer.text)
    assert.equal(data.profile.email, email)
    assert.equal(data.marketing.history.length, 1)
    assert.equal(data.sessions.length, 1)
    assert.deepEqual(
      data.orders.test.map(({ id: each }: { id: string }) => each),
      [order.id],
    )
    assert.doesNotMatch(answer.text, /argon2|token/)
    assert.equal((await pageVisitor(origin).open('/account/privacy/export')).location, '/account')
  })

  test('changes the email address with a link that is sent to it and asks for the password', async () => {
    const { email, id } = await customer()
    const visitor = await signedIn(email)
    await visitor.open('/account/security')
    assert.match((await visitor.send('/account/security/email', { email: 'new@example.com' })).location, /done=email/)
    const link = await linkTo('new@example.com', 'accounts.address')
    const foreigner = pageVisitor(origin)
    assert.match((await foreigner.open(link)).text, /new@example\.com/)
    const token = new URL(link).searchParams.get('token') ?? ''
    const wrong = await foreigner.send('/account/email/confirm', { token, password: 'not the password' })
    assert.equal(wrong.status, 400)
    assert(await accounts.signIn(email, PASSWORD))
    const done = await foreigner.send('/account/email/confirm', { token, password: PASSWORD })
    assert.match(done.location, /^\/account\/email\/confirm\/done/)
    assert.equal(await accounts.signIn(email, PASSWORD), null)
    assert.equal((await accounts.signIn('new@example.com', PASSWORD))?.id, id)
    await mailTo(email, 'accounts.readdressed')
    assert.equal((await foreigner.open(link)).status, 400)
  })

  test('is refused an address that another customer confirms at the same moment', async () => {
    const [one, other] = [await customer(), await customer()]
    const visitor = await signedIn(one.email)
    await visitor.open('/account/security')
    await visitor.send('/account/security/email', { email: 'shared@example.com' })
    const token = new URL(await linkTo('shared@example.com', 'accounts.address')).searchParams.get('token') ?? ''
    const confirmer = pageVisitor(origin)
    await confirmer.open(`/account/email/confirm?token=${token}`)
    const confirming = await shop.database.transaction(async (tx) => {
      await tx.change(takeAddress, [other.id, 'shared@example.com'])
      const sent = confirmer.send('/account/email/confirm', { token, password: PASSWORD })
      while (!(await waitsForLock(shop.database))) await pause(5)
      return [sent]
    })
    const refused = await confirming[0]!
    assert.deepEqual([refused.status, headingOf(refused)], [400, 'This link is no longer valid'])
    assert.equal((await accounts.signIn(one.email, PASSWORD))?.id, one.id)
  })

  test('does not learn whether a new email address has an account; the owner of that address is informed', async () => {
    const [one, other] = [await customer(), await customer()]
    const visitor = await signedIn(one.email)
    const answers: string[] = []
    for (const email of [other.email, 'unknown@example.com']) {
      await visitor.open('/account/security')
      const { status, location } = await visitor.send('/account/security/email', { email })
      answers.push(`${status} ${location}`)
      await shop.work()
    }
    assert.equal(answers[0], answers[1])
    await mailTo(other.email, 'accounts.taken')
  })

  test('keeps the address if the link to the new one is older than a day', async () => {
    const { email } = await customer()
    const visitor = await signedIn(email)
    await visitor.open('/account/security')
    await visitor.send('/account/security/email', { email: 'late@example.com' })
    const link = await linkTo('late@example.com', 'accounts.address')
    shop.clock.advance(24 * HOUR_MS)
    assert.equal((await pageVisitor(origin).open(link)).status, 400)
  })

  test('ends one session of the list, or all others, and no one else’s', async () => {
    const [{ email }, other] = [await customer(), await customer()]
    const foreigner = await signedIn(other.email)
    const here = await signedIn(email)
    shop.clock.advance(1000)
    const [there, elsewhere] = [await signedIn(email), await signedIn(email)]
    const page = await here.open('/account/security')
    const [, session] = /name="session" value="([^"]+)"/.exec(page.text) ?? assert.fail(page.text)
    await foreigner.open('/account/security')
    await foreigner.send('/account/security/session', { session: session! })
    const isOpen = async (visitor: Visitor) => headingOf(await visitor.open('/account')) === 'Your account'
    assert.deepEqual([await isOpen(there), await isOpen(elsewhere)], [true, true])
    await here.open('/account/security')
    await here.send('/account/security/session', { session: session! })
    assert.equal([await isOpen(there), await isOpen(elsewhere)].filter(Boolean).length, 1)
    await here.open('/account/security')
    await here.send('/account/security/others')
    assert.deepEqual([await isOpen(here), await isOpen(there), await isOpen(elsewhere)], [true, false, false])
    assert(await isOpen(foreigner))
  })

  test('loses the customer token when closing the account', async () => {
    const { email } = await customer()
    const shopping = await shop.client({ returnUrls: [RETURN_URL] })
    const customerToken = await customerTokenOf(shop, shopping, email)
    const cart = () => shopping.post(CARTS, { currency: 'EUR', country: 'DE', locale: 'en', customerToken })
    assert.equal((await cart()).status, 200)
    const visitor = await signedIn(email)
    await visitor.open('/account/privacy')
    await visitor.send('/account/privacy/close', { password: PASSWORD })
    assert.notEqual((await cart()).status, 200)
  })

  test('cannot return to a shop after closing the account during a hosted login', async () => {
    const { email } = await customer()
    const shopping = await shop.client({ returnUrls: [RETURN_URL] })
    const carried = await carriedBack(shop, await begun(shopping), email)
    const visitor = await signedIn(email)
    await visitor.open('/account/privacy')
    await visitor.send('/account/privacy/close', { password: PASSWORD })
    const answer = await shopping.post(LOGIN.consume, returning(carried))
    assert.equal(answer.body.code, 'session_expired')
  })

  test('has ten guesses of a password in a quarter of an hour, on all pages together', async () => {
    const limited = await startAccounts({ environment: { RATE_LIMITS: '{}' } })
    const visitor = pageVisitor(await limited.world.openPages())
    await limited.customer('ada@example.com')
    await visitor.open('/account')
    await visitor.send('/account', { email: 'ada@example.com', password: PASSWORD })
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess += 1) {
      await visitor.open('/account/privacy')
      statuses.push((await visitor.send('/account/privacy/close', { password: `guess ${guess}` })).status)
      await visitor.open('/account/security')
      const fields = { current: `guess ${guess}`, newPassword: 'another password of mine' }
      statuses.push((await visitor.send('/account/security/password', fields)).status)
    }
    assert.deepEqual(statuses, [...Array(9).fill(400), 429])
    const guest = pageVisitor(await limited.world.openPages())
    await guest.open('/account')
    assert.equal((await guest.send('/account', { email: 'ADA@example.com', password: PASSWORD })).status, 429)
  })

  test('signs in by keyboard', async () => {
    const { email } = await customer()
    const page = await openPage()
    await page.goto(`${origin}/account`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Signed in as')
    const focused: string[] = []
    for (let index = 0; index < 7; index += 1) {
      await page.keyboard.press('Tab')
      focused.push(await page.evaluate('document.activeElement.textContent.trim()'))
    }
    assert.deepEqual(focused, [
      'Skip to content',
      'Orders',
      'Addresses',
      'Profile',
      'Sign-in and security',
      'Privacy',
      'Sign out',
    ])
  })

  test('sees and changes only their own addresses', async () => {
    const [one, other] = [await customer(), await customer()]
    const address = {
      recipientName: 'Ada',
      line1: 'Lindenstraße 9',
      city: 'Berlin',
      postalCode: '10969',
      countryCode: 'DE',
    }
    const [own, foreigner] = [await signedIn(one.email), await signedIn(other.email)]
    await own.open('/account/addresses/edit')
    await own.send('/account/addresses/edit', address)
    const page = await own.open('/account/addresses')
    const [, id] = /id=(adr_[0-9a-z]+)/.exec(page.text) ?? assert.fail(page.text)
    assert.equal((await foreigner.open(`/account/addresses/edit?id=${id}`)).status, 404)
    await foreigner.open('/account/addresses/edit')
    assert.equal((await foreigner.send(`/account/addresses/edit?id=${id}`, { ...address, line1: 'Mine' })).status, 404)
    await foreigner.open('/account/addresses/edit')
    await foreigner.send('/account/addresses/remove', { id: id! })
    assert.match((await own.open('/account/addresses')).text, /Lindenstraße 9/)
  })
})

function mainOf(page: string): string {
  return (/<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '').replaceAll(/form_token" value="[^"]+"/g, '')
}
