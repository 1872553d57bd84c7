import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hashNewPassword } from '../../server/src/features/accounts/index.ts'
import { setStaffPassword } from '../../server/src/features/oauth/index.ts'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { beforeCommit } from '../support/before-commit.ts'
import { storeLine } from '../support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { CALLBACK, CHALLENGE, codeFor, registerApp } from '../support/pages/oauth.ts'
import { pageVisitor, type Visited } from '../support/pages/page-visitor.ts'
import { startWorld, type World } from '../support/world.ts'

const PASSWORD = 'seven kettles on a wall'
const STAFF_COOKIE = 'vitrine-staff'
const approve = statement('test.approve_as', 'update oauth_grants set approved_by = $2 where client_id = $1')

let world: World
let origin: string
let operator: OperatorClient
let storeId: string
before(async () => {
  world = await startWorld()
  origin = await world.openPages()
  await world.import([storeLine('ceramics'), storeLine('books')])
  operator = await operatorClient(world)
  storeId = (await operator.get('/stores/ceramics')).body.data.id
  for (const name of ['ada', 'ben']) {
    await operator.change('POST', '/stores/ceramics/staff', { email: `${name}@ceramics.example`, password: PASSWORD })
  }
})

const heading = ({ text }: Visited) => /<h1>([^<]+)<\/h1>/.exec(text)?.[1]

function authorize(clientId: string, more: Readonly<Record<string, string>> = {}): string {
  const query = { response_type: 'code', client_id: clientId, redirect_uri: CALLBACK, code_challenge: CHALLENGE }
  return `/oauth/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256', ...more })}`
}

describe('the authorization endpoint', () => {
  test('tells the developer what is wrong with a request, and does not redirect', async () => {
    const { clientId } = await registerApp(world)
    const wrong: readonly (readonly [string, RegExp])[] = [
      [authorize(clientId, { scope: 'orders:read' }), /invalid_scope: The scope orders:read is not available/],
      [authorize(clientId, { redirect_uri: 'https://other.example/' }), /invalid_request: redirect_uri must exactly/],
      [authorize('cli_unknown'), /unauthorized_client: There is no such client/],
      [authorize(clientId, { response_type: 'token' }), /unsupported_response_type: response_type must be code/],
    ]
    for (const [path, message] of wrong) {
      const page = await pageVisitor(origin).open(path)
      assert.deepEqual([page.status, page.location], [400, ''])
      assert.equal(heading(page), 'The app sent an invalid request')
      assert.match(page.text, message)
    }
    const german = await pageVisitor(origin).open(`${authorize(clientId, { scope: 'x' })}&locale=de`)
    assert.equal(heading(german), 'Die Anfrage der App ist ungültig')
  })
})

/** Signs in as staff for a request for access. */
async function signInFor(clientId: string, email: string, password: string) {
  const visitor = pageVisitor(origin)
  const { location } = await visitor.open(authorize(clientId))
  await visitor.open(location)
  const { status, location: next } = await visitor.send(location.replace('/oauth/consent', '/oauth/sign-in'), {
    email,
    password,
  })
  return { status, page: next === '' ? null : await visitor.open(next) }
}

test('a person on the staff of two stores signs in for the one whose password they enter', async () => {
  const { clientId } = await registerApp(world)
  const email = 'zoe@example.com'
  for (const store of ['ceramics', 'books'])
    await operator.change('POST', `/stores/${store}/staff`, { email, password: `${PASSWORD} at ${store}` })
  for (const store of ['books', 'ceramics']) {
    const { page } = await signInFor(clientId, email, `${PASSWORD} at ${store}`)
    assert.match(page?.text ?? '', new RegExp(`<dd>${store}</dd>`))
  }
  assert.equal((await signInFor(clientId, email, PASSWORD)).status, 400)
})

test('a person with the same password at two stores signs in for the store of the app', async () => {
  const email = 'yan@example.com'
  for (const store of ['ceramics', 'books'])
    await operator.change('POST', `/stores/${store}/staff`, { email, password: PASSWORD })
  for (const storeSlug of ['books', 'ceramics']) {
    const { clientId } = await registerApp(world, { storeSlug })
    const { page } = await signInFor(clientId, email, PASSWORD)
    assert.match(page?.text ?? '', new RegExp(`<dd>${storeSlug}</dd>`))
  }
})

describe('a request for access', () => {
  const denied = /^https:[^?]+\?error=access_denied&state=xyz&iss=/

  test('can be denied without signing in, which the page says where it leads', async () => {
    const { clientId } = await registerApp(world)
    const visitor = pageVisitor(origin)
    const { location } = await visitor.open(authorize(clientId, { state: 'xyz' }))
    const page = await visitor.open(location)
    assert.equal(heading(page), 'Sign in as staff')
    assert.match(page.text, new RegExp(`You’ll return to <code>${new URL(CALLBACK).origin}</code>`))
    assert.match(page.text, /<button type="submit" class="quiet">Deny<\/button>/)
    const { status, location: to } = await visitor.send(location, { decision: 'deny' })
    assert.equal(status, 303)
    assert.match(to, denied)
    const approved = await visitor.send(location, { decision: 'approve' })
    assert.deepEqual([approved.status, heading(approved)], [200, 'Sign in as staff'])
  })

  test('of an app of another store can be denied, and not approved', async () => {
    const { clientId } = await registerApp(world, { storeSlug: 'books' })
    const visitor = pageVisitor(origin)
    const { location } = await visitor.open(authorize(clientId, { state: 'xyz' }))
    await visitor.open(location)
    const form = { email: 'ada@ceramics.example', password: PASSWORD }
    await visitor.send(location.replace('/oauth/consent', '/oauth/sign-in'), form)
    const page = await visitor.open(location)
    assert.deepEqual([page.status, heading(page)], [403, 'You can’t approve this request'])
    assert.match(page.text, /<button type="submit" class="quiet">Deny<\/button>/)
    assert.match((await visitor.send(location, { decision: 'deny' })).location, denied)
    const approved = await visitor.send(location, { decision: 'approve' })
    assert.deepEqual([approved.status, heading(approved)], [403, 'You can’t approve this request'])
  })
})

describe('signing in as staff', () => {
  test('ends the earlier session in this browser', async () => {
    const { clientId } = await registerApp(world)
    const visitor = pageVisitor(origin)
    const { location } = await visitor.open(authorize(clientId))
    const signIn = async (name: string) => {
      await visitor.open(location)
      const form = { email: `${name}@ceramics.example`, password: PASSWORD }
      await visitor.send(location.replace('/oauth/consent', '/oauth/sign-in'), form)
      return visitor.cookies.get(STAFF_COOKIE) ?? assert.fail('signed in')
    }
    const shownTo = async (session: string) =>
      heading(await pageVisitor(origin).open(location, { cookie: `${STAFF_COOKIE}=${session}` }))
    const first = await signIn('ada')
    assert.equal(await shownTo(first), 'Grant access?')
    // The page of a signed-in member of staff has the token of its forms.
    const second = await signIn('ben')
    assert.deepEqual([await shownTo(first), await shownTo(second)], ['Sign in as staff', 'Grant access?'])
  })

  test('needs the new password once an operator has set one, which ends their sessions but no grant', async () => {
    const app = await registerApp(world)
    const { clientId } = app
    const visitor = pageVisitor(origin)
    const { location } = await visitor.open(authorize(clientId))
    const email = 'cleo@ceramics.example'
    const { id } = await operator.change('POST', '/stores/ceramics/staff', { email, password: PASSWORD })
    const signIn = async (password: string) => {
      await visitor.open(location)
      return visitor.send(location.replace('/oauth/consent', '/oauth/sign-in'), { email, password })
    }
    await signIn(PASSWORD)
    assert.equal(heading(await visitor.open(location)), 'Grant access?')
    await codeFor(world, app)
    await world.database.transaction((tx) => tx.change(approve, [clientId, id]))

    const password = 'eight kettles on a wall'
    const path = `/stores/ceramics/staff/${id}/password`
    const weak = await operator.send('PUT', path, { password: 'password' })
    assert.deepEqual([weak.status, weak.body.code], [400, 'password_too_weak'])
    const elsewhere = await operator.send('PUT', path.replace('ceramics', 'books'), { password })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, 'not_found'])
    // A sign-in with the earlier password that is under way opens no session either.
    const hash = await hashNewPassword(password, email, 'password')
    const late = await beforeCommit(
      world.database,
      (tx) => setStaffPassword(tx, { staffId: id, storeId: storeId }, hash),
      () => signIn(PASSWORD),
    )
    assert.equal(late.status, 400)
    await operator.change('PUT', path, { password })
    assert.equal(heading(await visitor.open(location)), 'Sign in as staff')
    assert.equal((await signIn(PASSWORD)).status, 400)
    assert.equal((await signIn(password)).status, 303)
    const [grant] = (await operator.get(`/oauth-grants?clientId=${clientId}`)).body.data.items
    assert.deepEqual([grant.standing, grant.approvedBy], ['active', email])
  })
})
