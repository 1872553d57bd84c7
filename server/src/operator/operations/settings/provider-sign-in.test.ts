import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type Account,
  type Tampering,
  type TestProvider,
  testProvider,
  worldWithProvider,
} from '../../../../../test/support/network/identity-provider.ts'
import { codeOfApp, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import type { World } from '../../../../../test/support/world.ts'
import { trustIn } from './provider-sign-in.ts'

const PASSWORD = 'a long enough pass phrase'
const MINUTE_MS = 60_000

let world: World
let provider: TestProvider
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  provider = await testProvider()
  world = await worldWithProvider({ environment: { OIDC_EMAIL_DOMAINS: 'shop.example' } })
  commandLine = await operatorClient(world)
  anonymous = await operatorClient(world, {})
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const UNKNOWN = [403, 'operator_unknown']
const INCOMPLETE = [401, 'provider_sign_in_failed']

async function invited(name: string, password?: string): Promise<{ id: string; email: string }> {
  const email = `${name}@shop.example`
  const { id } = await commandLine.change('POST', '/operators', { email, role: 'owner', ...(password && { password }) })
  return { id, email }
}

async function signIn(account: Account, tampering?: Tampering) {
  world.clock.advance(1000)
  return anonymous.send('POST', '/provider-sessions', await provider.signIn(world, account, tampering))
}

function clientOf({ headers }: { headers: Headers }): Promise<OperatorClient> {
  return operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
}

async function whyNot(): Promise<string> {
  const [entry] = (await commandLine.get('/audit-log?operation=signInWithProvider&limit=1')).body.data.items
  return entry.after.why
}

describe('signing in with the identity provider', () => {
  test('opens a session for an invited operator, without a password', async () => {
    assert.deepEqual((await anonymous.get('/setup')).body.data.provider, { label: 'Company login' })
    const { id, email } = await invited('ada')
    const answer = await signIn({ email: 'Ada@shop.example', subject: 'ada at work' })
    assert.deepEqual([answer.status, answer.body.data.operator.id], [200, id])
    const client = await clientOf(answer)
    assert.equal((await client.get('/stores')).status, 200)
    assert.equal((await client.send('POST', '/session/passkeys/challenge')).status, 200, 'a fresh proof')
    const { items } = (await commandLine.get('/operators')).body.data
    const { status, usesProvider } = items.find((each: { email: string }) => each.email === email)
    assert.deepEqual([status, usesProvider], ['active', true])
  })

  test('knows the account by issuer and subject from then on, and no other account of the same address', async () => {
    const { id } = await invited('bea')
    assert.equal((await signIn({ email: 'bea@shop.example', subject: 'bea 1' })).status, 200)
    const renamed = await signIn({ email: 'bea.new@shop.example', subject: 'bea 1' })
    assert.deepEqual([renamed.status, renamed.body.data.operator.id], [200, id])
    assert.deepEqual(codeOf(await signIn({ email: 'bea@shop.example', subject: 'bea 2' })), UNKNOWN)
    assert.equal(await whyNot(), 'another_account')
    await commandLine.change('POST', `/operators/${id}/unbind`)
    assert.equal((await signIn({ email: 'bea@shop.example', subject: 'bea 2' })).status, 200)
    assert.deepEqual(codeOf(await signIn({ email: 'bea@shop.example', subject: 'bea 1' })), UNKNOWN)
  })

  test('opens nothing for an unknown, unverified or foreign address, or a disabled operator: all answer alike', async () => {
    const { id } = await invited('cem')
    const refused = async (account: Account) => {
      assert.deepEqual(codeOf(await signIn(account)), UNKNOWN)
      return whyNot()
    }
    assert.equal(await refused({ email: 'unknown@shop.example' }), 'no_operator')
    assert.equal(await refused({ email: 'cem@shop.example', isVerified: false }), 'email_not_verified')
    assert.equal(await refused({ email: 'cem@elsewhere.example' }), 'email_domain')
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    assert.equal(await refused({ email: 'cem@shop.example' }), 'disabled')
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'active' })
    assert.equal((await signIn({ email: 'cem@shop.example' })).status, 200)
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    assert.equal(await refused({ email: 'cem@shop.example' }), 'disabled')
  })

  test('takes an answer once, in the browser that began, with the state and nonce that were sent', async () => {
    const account = { email: (await invited('dan')).email }
    const wrong: Tampering[] = [
      { query: (query) => query.set('state', 'another') },
      { query: (query) => query.delete('state') },
      { query: (query) => query.set('code', 'another') },
      { query: (query) => query.set('iss', 'https://elsewhere.example') },
      { url: (url) => url.searchParams.set('nonce', 'another') },
      { url: (url) => url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM') },
    ]
    for (const [index, tampering] of wrong.entries()) {
      assert.deepEqual(codeOf(await signIn(account, tampering)), INCOMPLETE, String(index))
      assert.match(await whyNot(), /^(OAUTH_\w+|invalid_grant)$/)
    }
    const denied = (query: URLSearchParams) => {
      query.delete('code')
      query.set('error', 'access_denied')
    }
    assert.deepEqual(codeOf(await signIn(account, { query: denied })), INCOMPLETE)
    assert.equal(await whyNot(), 'access_denied')

    const [mine, theirs] = [await provider.signIn(world, account), await provider.signIn(world, account)]
    const mixed = { token: mine.token, query: theirs.query }
    assert.deepEqual(codeOf(await anonymous.send('POST', '/provider-sessions', mixed)), INCOMPLETE)
    assert.deepEqual(codeOf(await anonymous.send('POST', '/provider-sessions', mine)), INCOMPLETE, 'it is used up')
    assert.equal((await anonymous.send('POST', '/provider-sessions', theirs)).status, 200)
    const late = await provider.signIn(world, account)
    world.clock.advance(10 * MINUTE_MS)
    assert.deepEqual(codeOf(await anonymous.send('POST', '/provider-sessions', late)), INCOMPLETE)
  })

  test('works with the current keys of the provider', async () => {
    const account = { email: (await invited('eva')).email }
    assert.equal((await signIn(account)).status, 200)
    provider.rotate()
    assert.equal((await signIn(account)).status, 200)
  })

  test('reports that the provider is unavailable, and the password still signs in', async () => {
    const { email } = await invited('fay', PASSWORD)
    const begun = await provider.signIn(world, { email })
    await provider.setRunning(false)
    const AWAY = [503, 'provider_unavailable']
    assert.deepEqual(codeOf(await anonymous.send('POST', '/provider-sessions', begun)), AWAY)
    world.clock.advance(11 * MINUTE_MS)
    assert.deepEqual(codeOf(await anonymous.send('POST', '/provider-sessions/begin', { isFresh: false })), AWAY)
    assert.equal((await anonymous.send('POST', '/sessions', { email, password: PASSWORD })).status, 200)
    await provider.setRunning(true)
    assert.equal((await signIn({ email })).status, 200, 'at once when it is back')
  })

  test('counts as a second factor if the provider says so; otherwise that of the operator is asked for', async () => {
    const { email } = await invited('gil', PASSWORD)
    const local = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    const client = await clientOf(local)
    const { key } = await client.change('POST', '/session/second-factor', { password: PASSWORD })
    await client.change('POST', '/session/second-factor/confirm', { code: codeOfApp(key, world.clock.now()) })

    const strong = await signIn({ email, amr: ['pwd', 'mfa'] })
    assert.equal((await (await clientOf(strong)).get('/stores')).status, 200)

    const weak = await signIn({ email, amr: ['pwd'] })
    assert.deepEqual([weak.body.data.needsSecondFactor, weak.body.data.hasSecondFactor], [true, true])
    const there = await clientOf(weak)
    assert.deepEqual(codeOf(await there.get('/stores')), [403, 'second_factor_missing'])
    const begin = await there.send('POST', '/session/passkeys/challenge')
    assert.deepEqual(codeOf(begin), [401, 'fresh_proof_required'], 'no passkey without the second factor')
    world.clock.advance(30_000)
    await there.change('POST', '/session/proof', { code: codeOfApp(key, world.clock.now()) })
    assert.equal((await there.get('/stores')).status, 200)
  })

  test('is not enough for a marketplace that requires a second factor, unless the provider asked for one', async () => {
    const { email } = await invited('hal')
    const policy = (requiresSecondFactor: boolean) => ({ requiresSecondFactor, proofForRefundsOver: 250 })
    await commandLine.change('PUT', '/operator-policy', policy(true))
    const weak = await clientOf(await signIn({ email }))
    assert.deepEqual(codeOf(await weak.get('/stores')), [403, 'second_factor_missing'])
    const strong = await clientOf(await signIn({ email, amr: ['mfa'] }))
    assert.equal((await strong.get('/stores')).status, 200)
    await commandLine.change('PUT', '/operator-policy', policy(false))
  })

  test('again is a fresh proof for an operator who has nothing else', async () => {
    const { email } = await invited('ida')
    const client = await clientOf(await signIn({ email }))
    world.clock.advance(11 * MINUTE_MS)
    assert.deepEqual((await client.get('/session/proof')).body.data.methods, ['provider'])
    const begin = (of: OperatorClient) => of.send('POST', '/session/passkeys/challenge')
    assert.deepEqual(codeOf(await begin(client)), [401, 'fresh_proof_required'])
    const body = await provider.signIn(
      world,
      { email },
      {
        isFresh: true,
        url: ({ searchParams }) => {
          assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])
        },
      },
    )
    const answer = await client.send('POST', '/provider-sessions', body)
    assert.equal(answer.status, 200)
    assert.equal((await client.get('/session')).status, 401, 'in place of the session before')
  })

  test('is a proof from when the provider asked, and never in place of a second factor', () => {
    const now = new Date('2026-05-04T12:00:00Z')
    const at = new Date('2026-05-04T11:55:00Z')
    const trust = (hasUsedTwoFactors: boolean, hasOwn: boolean, authenticatedAt: Date | null = at) =>
      trustIn({ hasUsedTwoFactors, authenticatedAt }, hasOwn, now)
    assert.deepEqual(trust(true, true), { secondFactor: 'provider', provedAt: at })
    assert.deepEqual(trust(false, false), { secondFactor: 'owed', provedAt: at })
    assert.deepEqual(trust(false, true), { secondFactor: 'owed', provedAt: null })
    assert.deepEqual(trust(true, false, null), { secondFactor: 'provider', provedAt: null })
    assert.deepEqual(trust(true, false, new Date('2026-05-04T12:00:01Z')).provedAt, now)
  })
})
