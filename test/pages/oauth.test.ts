import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../support/commerce/catalog.ts'
import { operatorClient } from '../support/operator.ts'
import { CALLBACK, CHALLENGE, registerApp } from '../support/pages/oauth.ts'
import { pageVisitor, type Visited } from '../support/pages/page-visitor.ts'
import { startWorld, type World } from '../support/world.ts'

const PASSWORD = 'seven kettles on a wall'
const STAFF_COOKIE = 'vitrine-staff'

let world: World
let origin: string
before(async () => {
  world = await startWorld()
  origin = await world.openPages()
  await world.import([storeLine('ceramics')])
  const operator = await operatorClient(world)
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
})
