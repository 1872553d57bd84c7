// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Accounts, accountsOf } from '../support/commerce/accounts.ts'
import { assertRefused, type Shop, startShop } from '../support/commerce/shop.ts'
import { begun, LOGIN, RETURN_URL, returning } from '../support/pages/hosted-login.ts'
import { pageVisitor, type Visited } from '../support/pages/page-visitor.ts'
import { startWorld } from '../support/world.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'the usual password here'

let shop: Shop
let accounts: Accounts
let origin: string
let client: Awaited<ReturnType<Shop['client']>>
before(async () => {
  shop = await startShop()
  accounts = accountsOf(shop)
  origin = await shop.openPages()
  client = await shop.client({ returnUrls: [RETURN_URL] })
  await accounts.customer(EMAIL, PASSWORD)
  await accounts.customer('grace@example.com', PASSWORD)
})

/** A login and a browser on its page. */
async function arrive(more: object = {}) {
  const login = await begun(client, more)
  const visitor = pageVisitor(origin)
  const page = await visitor.open(login.loginUrl)
  return { login, visitor, page, path: (name: string) => `${name}?session=${login.loginSession}` }
}

const signingIn = { email: EMAIL, password: PASSWORD }

/** The query of the redirect to the installation. */
function carriedBy(answer: Visited): Record<string, string> {
  assert.equal(answer.status, 303, answer.text)
  const url = new URL(answer.location)
  assert.equal(`${url.origin}${url.pathname}`, RETURN_URL)
  return Object.fromEntries(url.searchParams)
}

const customerCookie = 'vitrine-customer'
const heading = ({ text }: Visited) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1]

function consume(carried: Record<string, string>) {
  const { loginSession = '', code = '', state = '' } = carried
  return client.post(LOGIN.consume, returning({ loginSession, code, state }))
}

describe('signing in', () => {
  test('returns with a code for the customer', async () => {
    const { login, visitor, page, path } = await arrive()
    assert.equal(heading(page), 'Sign in')
    const carried = carriedBy(await visitor.send(path('/login'), signingIn))
    assert.deepEqual(
      { ...carried, code: '' },
      { loginSession: login.loginSession, code: '', state: 'af0ifjsldkj', iss: shop.publicUrl },
    )
    const answer = await consume(carried)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.customer.email, EMAIL)
  })

  test('returns the state unchanged', async () => {
    const state = 'a&code=planted#x=%0d%0a "<script>'
    const { visitor, path } = await arrive({ state })
    const carried = carriedBy(await visitor.send(path('/login'), signingIn))
    assert.equal(carried.state, state)
    assert.notEqual(carried.code, 'planted')
  })

  test('shows the same message for an unknown address and a wrong password', async () => {
    const { visitor, path } = await arrive()
    const tried = async (email: string) => {
      const { status, text } = await visitor.send(path('/login'), { email, password: 'not the password' })
      return [status, text.replaceAll(email, 'EMAIL')]
    }
    const [known, unknown] = [await tried(EMAIL), await tried('nobody@example.com')]
    assert.deepEqual(known, unknown)
    assert.equal(known[0], 400)
    assert.match(String(known[1]), /Wrong email address or password/)
    assert(!visitor.cookies.has(customerCookie))
  })

  test('never renders a password again, and names missing fields', async () => {
    const { visitor, path } = await arrive()
    const wrong = await visitor.send(path('/login'), { email: EMAIL, password: 'my secret' })
    assert(!wrong.text.includes('my secret'))
    const empty = await visitor.send(path('/login'), { email: '', password: '' })
    assert.equal(empty.status, 400)
    assert.match(empty.text, /Enter your email address.*Enter your password/s)
  })

  test('is rate limited, with the time to wait', async () => {
    const RATE_LIMITS = JSON.stringify({ 'sign-in-account': { limit: 2, windowSeconds: 60, burst: 2 } })
    const strict = await startWorld({ sharedWith: shop, environment: { RATE_LIMITS } })
    const visitor = pageVisitor(await strict.openPages())
    const { loginSession } = await begun(client)
    await visitor.open(`/login?session=${loginSession}`)
    const wrong = { email: 'grace@example.com', password: 'a guess' }
    for (const status of [400, 400, 429]) {
      assert.equal((await visitor.send(`/login?session=${loginSession}`, wrong)).status, status)
    }
  })
})

describe('submitting twice', () => {
  test('returns with the same code, which works once', async () => {
    const { visitor, path } = await arrive()
    const answers = await Promise.all([
      visitor.send(path('/login'), signingIn),
      visitor.send(path('/login'), signingIn),
    ])
    assert.equal(answers[0]!.location, answers[1]!.location)
    const consumed = []
    for (const answer of answers) consumed.push(await consume(carriedBy(answer)))
    assert.equal(consumed.filter(({ status }) => status === 200).length, 1)
  })

  test('is refused for another customer', async () => {
    const { visitor, path } = await arrive()
    carriedBy(await visitor.send(path('/login'), signingIn))
    await visitor.open(`${path('/login')}&other=yes`)
    const answer = await visitor.send(path('/login'), { ...signingIn, email: 'grace@example.com' })
    assert.deepEqual([answer.status, answer.location], [409, ''])
  })
})

describe('a customer with a session', () => {
  async function signedIn() {
    const first = await arrive()
    await first.visitor.send(first.path('/login'), signingIn)
    const { loginSession } = await begun(client)
    const path = (name: string) => `${name}?session=${loginSession}`
    return { visitor: first.visitor, path, page: await first.visitor.open(path('/login')) }
  }

  test('continues with one click', async () => {
    const { visitor, path, page } = await signedIn()
    assert.equal(heading(page), 'Continue with this account?')
    assert.match(page.text, /<p class="person">ada@example\.com<\/p>/)
    const answer = await consume(carriedBy(await visitor.send(path('/login/continue'))))
    assert.equal(answer.body.data.customer.email, EMAIL)
  })

  test('can use another account, which ends the first session', async () => {
    const { visitor, path } = await signedIn()
    const before = visitor.cookies.get(customerCookie)!
    assert.equal(heading(await visitor.open(`${path('/login')}&other=yes`)), 'Sign in')
    const carried = carriedBy(await visitor.send(path('/login'), { ...signingIn, email: 'grace@example.com' }))
    assert.equal((await consume(carried)).body.data.customer.email, 'grace@example.com')
    assert.equal(await accounts.whoIs(before), null)
    assert.equal(await accounts.whoIs(visitor.cookies.get(customerCookie)!), 'grace@example.com')
  })

  test('signs in again if the session ended after the page was rendered', async () => {
    const { visitor, path } = await signedIn()
    shop.clock.advance(599_999)
    await shop.run('delete from customer_sessions')
    const { status, location } = await visitor.send(path('/login/continue'))
    assert.deepEqual([status, location], [303, path('/login')])
    assert.equal(heading(await visitor.open(location)), 'Sign in')
  })

  test('cannot use a form from before the sign-in', async () => {
    const { visitor, path } = await arrive()
    const { text } = await visitor.open(path('/login'))
    const [, old] = /name="form_token" value="([^"]+)"/.exec(text)!
    await visitor.send(path('/login'), signingIn)
    const next = await begun(client)
    const answer = await visitor.send(`/login/continue?session=${next.loginSession}`, { form_token: old! })
    assert.equal(answer.status, 403)
  })
})

describe('returning to the installation', () => {
  test('without signing in reports access_denied once', async () => {
    const { login, visitor, path } = await arrive()
    const carried = carriedBy(await visitor.send(path('/login/cancel')))
    const { loginSession } = login
    assert.deepEqual(carried, { loginSession, error: 'access_denied', state: 'af0ifjsldkj', iss: shop.publicUrl })
    shop.clock.advance(11_000)
    assert.equal((await visitor.send(path('/login/cancel'))).status, 409)
    const answer = await consume({ ...carried, code: 'made-up' })
    assertRefused(answer, 409, 'login_return_consumed')
    assert.equal(answer.body.conflict.currentState, 'failed')
  })

  test('is allowed only to the origin of the return URL', async () => {
    const { page } = await arrive()
    const policy = String(page.headers.get('content-security-policy'))
    assert.match(policy, /form-action 'self' https:\/\/shop\.example; frame-ancestors 'none'/)
    assert.equal(page.headers.get('cache-control'), 'private, no-store')
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.doesNotMatch(page.text, /<script|\son\w+=/i)
  })

  for (const name of ['returnUrl', 'redirect_uri', 'return_to', 'next']) {
    test(`follows no ${name} in the URL`, async () => {
      const { visitor, path } = await arrive()
      const address = `${path('/login')}&${name}=https://evil.example/`
      assert.equal((await visitor.open(address)).status, 400)
      assert.equal((await visitor.send(address, signingIn)).status, 400)
      const sent = await visitor.send(path('/login'), { ...signingIn, [name]: 'https://evil.example/' })
      assert.equal(sent.status, 400)
      assert.equal(sent.location, '')
    })
  }

  test('is refused for a removed return URL or a suspended installation', async () => {
    for (const change of ["return_urls = '{}'", "status = 'suspended'"]) {
      const { visitor, path } = await arrive()
      await shop.run(`update installations set ${change} where id = $1`, [client.installationId])
      for (const answer of [
        await visitor.open(path('/login')),
        await visitor.send(path('/login'), signingIn),
        await visitor.send(path('/login/cancel')),
      ]) {
        assert.deepEqual([answer.status, answer.location], [404, ''])
      }
      await shop.run(`update installations set return_urls = $2, status = 'active' where id = $1`, [
        client.installationId,
        [RETURN_URL],
      ])
    }
  })
})

describe('an ended login', () => {
  test('links back to the installation', async () => {
    const { visitor, path } = await arrive()
    await consume(carriedBy(await visitor.send(path('/login'), signingIn)))
    const page = await visitor.open(path('/login'))
    assert.deepEqual([page.status, heading(page)], [409, 'This sign-in has ended'])
    assert.match(page.text, /href="https:\/\/shop\.example"/)
    await visitor.open((await begun(client)).loginUrl)
    assert.equal((await visitor.send(path('/login'), signingIn)).status, 409)
    assert.equal((await visitor.send(path('/login/continue'))).status, 409)
  })

  test('ends after ten minutes, even during a sign-in', async () => {
    const { visitor, path } = await arrive()
    shop.clock.advance(600_000)
    const answer = await visitor.send(path('/login'), signingIn)
    assert.deepEqual([answer.status, heading(answer)], [409, 'This sign-in has ended'])
    assert(!visitor.cookies.has(customerCookie))
    assert.deepEqual(await shop.query('select 1 from customer_sessions where created_at = $1', [shop.clock.now()]), [])
  })

  test('is shown for an unknown login too, without a link', async () => {
    const page = await pageVisitor(origin).open(`/login?session=${shop.ids.next('hls')}`)
    assert.deepEqual([page.status, heading(page)], [404, 'This sign-in has ended'])
    assert.equal((await pageVisitor(origin).open('/login?session=-')).status, 400)
    assert.equal((await pageVisitor(origin).open('/login')).status, 400)
  })
})

describe('a form of a login', () => {
  test('must come from a page rendered for this browser', async () => {
    const { path } = await arrive()
    for (const action of ['/login', '/login/continue', '/login/cancel']) {
      const otherVisitor = pageVisitor(origin)
      assert.equal((await otherVisitor.send(path(action), signingIn)).status, 403)
      await otherVisitor.open(path('/login'))
      const fromElsewhere = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await otherVisitor.send(path(action), signingIn, fromElsewhere)).status, 403)
    }
  })
})

describe('a new customer', () => {
  test('registers, confirms the address, signs in and returns', async () => {
    const { visitor, page, path } = await arrive({ prompt: 'register' })
    assert.equal(heading(page), 'Create account')
    assert(page.text.includes(`href="${path('/login')}"`), 'links to sign-in')
    const newcomer = { email: 'newcomer@example.com', password: 'four words of mine' }
    const sent = await visitor.send(path('/account/register'), newcomer)
    assert.equal(sent.location, path('/account/register/sent'))
    const sentPage = await visitor.open(sent.location)
    assert(sentPage.text.includes(`href="${path('/login')}"`), sentPage.text)
    assert.equal((await visitor.send(path('/login'), newcomer)).status, 400, 'refused before the address is confirmed')
    await shop.work()
    await accounts.confirm((await shop.mails()).find((mail) => mail.recipient === newcomer.email)!.link)
    await visitor.open(path('/login'))
    const carried = carriedBy(await visitor.send(path('/login'), newcomer))
    assert.equal((await consume(carried)).body.data.customer.email, newcomer.email)
  })
})

describe('confirming an address that was registered during a login', () => {
  /** A registration in a login, and the page after its confirmation. */
  async function confirmed(email: string, afterMs: number) {
    const { visitor, path } = await arrive({ prompt: 'register' })
    const password = 'four words of mine'
    await visitor.send(path('/account/register'), { email, password })
    await shop.work()
    const { link } = (await shop.mails()).find(({ recipient }) => recipient === email)!
    shop.clock.advance(afterMs)
    const { pathname, search, searchParams } = new URL(link)
    await visitor.open(`${pathname}${search}`)
    const { location } = await visitor.send(pathname, { token: searchParams.get('token')!, password })
    return { page: await visitor.open(location), loginPath: path('/login') }
  }
  const MINUTE_MS = 60_000

  test('leads on to the login while it is open', async () => {
    const { page, loginPath } = await confirmed('quick@example.com', 9 * MINUTE_MS)
    assert.equal(heading(page), 'Your account is active')
    assert.ok(page.text.includes(`href="${loginPath}">Sign in`), page.text)
  })

  test('leads back to the shop once the login has ended', async () => {
    const { page } = await confirmed('slow@example.com', 10 * MINUTE_MS)
    assert.equal(heading(page), 'Your account is active')
    assert.match(page.text, /href="https:\/\/shop\.example">Back to /)
  })
})

test('a password that was forgotten during a login is reset, and the page leads on to the login', async () => {
  const email = 'forgetful@example.com'
  await accounts.customer(email)
  const { visitor, page, path } = await arrive()
  assert.ok(page.text.includes(`href="${path('/account/reset')}"`), page.text)
  await visitor.open(path('/account/reset'))
  await visitor.send(path('/account/reset'), { email })
  await shop.work()
  const { link } = (await shop.mails()).find(({ kind, recipient }) => kind === 'accounts.reset' && recipient === email)!
  const { pathname, search, searchParams } = new URL(link)
  await visitor.open(`${pathname}${search}`)
  const newPassword = 'another four words of mine'
  const { location } = await visitor.send(pathname, { token: searchParams.get('token')!, newPassword })
  const done = await visitor.open(location)
  assert.equal(heading(done), 'Your password was changed')
  assert.ok(done.text.includes(`href="${path('/login')}">Sign in`), done.text)
})

describe('the login pages', () => {
  test('keep the language the installation requested', async () => {
    const { page, visitor } = await arrive({ locale: 'de' })
    assert.equal(heading(page), 'Anmelden')
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)![1]!.replaceAll('&amp;', '&')
    assert.match((await visitor.send(action, { ...signingIn, password: 'x' })).text, /Passwort ist falsch/)
  })

  test('work across nodes: started on one, signed in on another, consumed on the first', async () => {
    const other = await startWorld({ sharedWith: shop })
    const { loginSession } = await begun(client)
    const visitor = pageVisitor(await other.openPages())
    await visitor.open(`/login?session=${loginSession}`)
    const carried = carriedBy(await visitor.send(`/login?session=${loginSession}`, signingIn))
    assert.equal((await consume(carried)).status, 200)
  })
})
