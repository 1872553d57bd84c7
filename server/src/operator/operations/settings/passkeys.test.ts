import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codeOfApp, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { type Signing, TestPasskey } from '../../../../../test/support/passkey.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { relyingParty } from '../../door/sign-in/passkeys.ts'

const PASSWORD = 'a long enough pass phrase'
/** The origin of a console at 127.0.0.1:8082, as browsers know it. */
const ORIGIN = 'http://localhost:8082'
const MINUTE_MS = 60_000

let world: World
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  world = await startWorld()
  commandLine = await operatorClient(world)
  anonymous = await operatorClient(world, {})
})

type Client = OperatorClient
const insertNineteen = statement(
  'test.nineteen_passkeys',
  `insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, rp_id, name, transports, is_synced, created_at)
   select 'pky_' || lpad(nth::text, 26, '0'), $1, decode(lpad(nth::text, 8, '0'), 'hex'), '', 0, 'localhost', 'Key ' || nth, '{}', false, $2
   from generate_series(1, 19) nth`,
)
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const REFUSED = [401, 'passkey_failed']
const challengeOf = async (client: Client, path: string) => (await client.send('POST', path)).body.data.challenge

function clientOf(headers: Headers): Promise<Client> {
  return operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
}

async function signedIn(name: string): Promise<{ id: string; email: string; client: Client }> {
  const email = `${name}@shop.example`
  const { id } = await commandLine.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
  const { headers } = await anonymous.send('POST', '/sessions', { email, password: PASSWORD })
  return { id, email, client: await clientOf(headers) }
}

async function register(client: Client, name = 'Laptop', signing: Partial<Signing> = {}) {
  world.clock.advance(1000)
  const passkey = new TestPasskey()
  const challenge = await challengeOf(client, '/session/passkeys/challenge')
  const made = passkey.create({ challenge, origin: ORIGIN, ...signing })
  return { passkey, made, answer: await client.send('POST', '/session/passkeys', { name, ...made }) }
}

async function signIn(passkey: TestPasskey, signing: Partial<Signing> = {}) {
  world.clock.advance(1000)
  const challenge = signing.challenge ?? (await challengeOf(anonymous, '/passkey-sessions/challenge'))
  return anonymous.send('POST', '/passkey-sessions', passkey.get({ origin: ORIGIN, ...signing, challenge }))
}

async function prove(client: Client, passkey: TestPasskey, signing: Partial<Signing> = {}) {
  const challenge = signing.challenge ?? (await challengeOf(client, '/session/proof/challenge'))
  return client.send('POST', '/session/proof', { passkey: passkey.get({ origin: ORIGIN, ...signing, challenge }) })
}

describe('passkeys', () => {
  test('are at most twenty of one operator, also if several are registered at once', async () => {
    const { id, client } = await signedIn('twenty')
    await world.database.transaction((tx) => tx.change(insertNineteen, [id, world.clock.now()]))
    const made = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const challenge = await challengeOf(client, '/session/passkeys/challenge')
        return new TestPasskey().create({ challenge, origin: ORIGIN })
      }),
    )
    const answers = await Promise.all(
      made.map((each) => client.send('POST', '/session/passkeys', { name: 'At once', ...each })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await client.get('/session/passkeys')).body.data.items.length, 20)
  })

  test('are registered by name, sign in without an address or password, and are removed', async () => {
    const { email, client } = await signedIn('ada')
    const first = await register(client)
    const second = await register(client, 'Phone')
    assert.deepEqual([first.answer.status, second.answer.status], [200, 200])
    const list = async () => (await client.get('/session/passkeys')).body.data
    assert.deepEqual(
      (await list()).items.map(({ name, isSynced }: { name: string; isSynced: boolean }) => [name, isSynced]),
      [
        ['Laptop', false],
        ['Phone', false],
      ],
    )
    assert.deepEqual([(await list()).isAvailable, (await list()).origin], [true, ORIGIN])

    const answer = await signIn(first.passkey)
    assert.deepEqual([answer.status, answer.body.data.operator.email], [200, email])
    const there = await clientOf(answer.headers)
    assert.equal((await there.get('/session')).status, 200)
    const [used, unused] = (await list()).items
    assert.deepEqual([used.lastUsedAt, unused.lastUsedAt], [world.clock.now().toISOString(), undefined])

    await there.change('DELETE', `/session/passkeys/${used.id}`)
    assert.deepEqual(codeOf(await signIn(first.passkey)), REFUSED)
    assert.equal((await signIn(second.passkey)).status, 200)
    const others = await (await signedIn('other')).client.send('DELETE', `/session/passkeys/${unused.id}`)
    assert.deepEqual(codeOf(others), [404, 'not_found'])
  })

  test('that were not made for this address, this challenge and this operator are not registered', async () => {
    const { client } = await signedIn('bea')
    const other = await signedIn('bob')
    assert.deepEqual(codeOf((await register(client, 'a', { origin: 'http://localhost:9000' })).answer), REFUSED)
    assert.deepEqual(codeOf((await register(client, 'a', { rpId: 'elsewhere.example' })).answer), REFUSED)
    assert.deepEqual(codeOf((await register(client, 'a', { isVerified: false })).answer), REFUSED)
    assert.deepEqual(codeOf((await register(client, 'a', { challenge: 'bm90IG91cnM' })).answer), REFUSED)
    const theirs = await challengeOf(other.client, '/session/passkeys/challenge')
    assert.deepEqual(codeOf((await register(client, 'a', { challenge: theirs })).answer), REFUSED)
    const { made, answer } = await register(client)
    assert.equal(answer.status, 200)
    assert.deepEqual(codeOf(await client.send('POST', '/session/passkeys', { name: 'b', ...made })), REFUSED)
    const late = await challengeOf(client, '/session/passkeys/challenge')
    world.clock.advance(5 * MINUTE_MS)
    assert.deepEqual(codeOf((await register(client, 'a', { challenge: late })).answer), REFUSED)
  })

  test('sign in once with a challenge, at this address, verified by the device, and never with a counter that went back', async () => {
    const { email, client } = await signedIn('cem')
    const { passkey } = await register(client)
    const challenge = await challengeOf(anonymous, '/passkey-sessions/challenge')
    assert.equal((await signIn(passkey, { challenge, counter: 40 })).status, 200)
    const refusals: Partial<Signing>[] = [
      { challenge },
      { origin: 'http://localhost:9000' },
      { rpId: 'elsewhere.example' },
      { isVerified: false },
      { counter: 40 },
      { counter: 39 },
      { challenge: await challengeOf(client, '/session/proof/challenge') },
    ]
    for (const signing of refusals) {
      assert.deepEqual(codeOf(await signIn(passkey, { counter: 41, ...signing })), REFUSED, JSON.stringify(signing))
    }
    const refused = await challengeOf(anonymous, '/passkey-sessions/challenge')
    assert.deepEqual(codeOf(await signIn(passkey, { challenge: refused, isVerified: false, counter: 41 })), REFUSED)
    assert.deepEqual(
      codeOf(await signIn(passkey, { challenge: refused, counter: 41 })),
      REFUSED,
      'a refusal uses it up',
    )
    assert.equal((await signIn(passkey, { counter: 41 })).status, 200)
    assert.deepEqual(codeOf(await signIn(new TestPasskey())), REFUSED)
    world.clock.advance(1000)
    const challengeOfOther = await challengeOf(anonymous, '/passkey-sessions/challenge')
    const named = { ...passkey.get({ challenge: challengeOfOther, origin: ORIGIN }), userHandle: 'b3ByXzAx' }
    assert.deepEqual(codeOf(await anonymous.send('POST', '/passkey-sessions', named)), REFUSED)

    const { items } = (await commandLine.get('/audit-log?operation=signInWithPasskey&limit=100')).body.data
    const ours = items.filter((each: { operator: { email: string } }) => each.operator.email === email)
    const results = ours.map(({ after }: { after: { signedIn: boolean; by: string } }) => [after.signedIn, after.by])
    const [failed, passed] = [
      [false, 'passkey'],
      [true, 'passkey'],
    ]
    assert.deepEqual(results, [failed, passed, ...Array(9).fill(failed), passed])
  })

  test('do not sign in a disabled operator', async () => {
    const { id, client } = await signedIn('dan')
    const { passkey } = await register(client)
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    assert.deepEqual(codeOf(await signIn(passkey)), REFUSED)
  })

  test('two requests with the same answer at once open one session', async () => {
    const { client } = await signedIn('eva')
    const { passkey } = await register(client)
    const challenge = await challengeOf(anonymous, '/passkey-sessions/challenge')
    const body = passkey.get({ challenge, origin: ORIGIN })
    const answers = await Promise.all([1, 2].map(() => anonymous.send('POST', '/passkey-sessions', body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  })

  test('are a second factor: the password alone no longer signs in, and neither does a link to choose one', async () => {
    const { id, email, client } = await signedIn('fay')
    await register(client)
    const withPassword = () => anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    assert.deepEqual(codeOf(await withPassword()), [401, 'passkey_required'])
    const { url } = await commandLine.change('POST', `/operators/${id}/link`)
    const chosen = { token: url.split('#')[1], password: PASSWORD }
    const byLink = await anonymous.send('POST', '/password-resets/confirm', chosen)
    assert.deepEqual(codeOf(byLink), [401, 'passkey_required'])
    const { items } = (await commandLine.get('/operators')).body.data
    assert.equal(items.find((each: { id: string }) => each.id === id).secondFactor, 'on')

    await commandLine.change('POST', `/operators/${id}/second-factor/remove`)
    assert.equal((await withPassword()).status, 200)
    assert.equal((await client.get('/session')).status, 401, 'it signed them out')
  })

  test('are not replaced by an authenticator app in a session that was left open, not with the password either', async () => {
    const { client } = await signedIn('ida')
    await register(client)
    world.clock.advance(11 * 60_000)
    const begun = await client.send('POST', '/session/second-factor', { password: PASSWORD })
    assert.deepEqual(codeOf(begun), [401, 'fresh_proof_required'])
  })

  test('are accepted by a marketplace that requires a second factor', async () => {
    const policy = (requiresSecondFactor: boolean) => ({ requiresSecondFactor, proofForRefundsOver: 250 })
    const { client } = await signedIn('gil')
    await commandLine.change('PUT', '/operator-policy', policy(true))
    assert.deepEqual(codeOf(await client.get('/stores')), [403, 'second_factor_missing'])
    const { passkey } = await register(client)
    assert.equal((await client.get('/stores')).status, 200)
    const { data } = (await signIn(passkey)).body
    assert.deepEqual([data.needsSecondFactor, data.hasSecondFactor], [false, true])
    await client.change('PUT', '/operator-policy', policy(false))
  })

  test('are a fresh proof of identity, each challenge only for its operator', async () => {
    const { client } = await signedIn('hal')
    const other = await signedIn('hans')
    const { passkey } = await register(client)
    const { passkey: theirs } = await register(other.client)
    const { key } = await other.client.change('POST', '/session/second-factor', { password: PASSWORD })
    await other.client.change('POST', '/session/second-factor/confirm', { code: codeOfApp(key, world.clock.now()) })
    world.clock.advance(11 * MINUTE_MS)
    assert.deepEqual(codeOf(await client.send('POST', '/session/passkeys/challenge')), [401, 'fresh_proof_required'])
    const methodsOf = async (of: Client) => (await of.get('/session/proof')).body.data.methods
    assert.deepEqual([await methodsOf(client), await methodsOf(other.client)], [['passkey'], ['passkey', 'code']])

    assert.deepEqual(codeOf(await client.send('POST', '/session/proof', { password: PASSWORD })), REFUSED)
    assert.deepEqual(codeOf(await prove(client, theirs)), REFUSED)
    const foreign = await challengeOf(other.client, '/session/proof/challenge')
    assert.deepEqual(codeOf(await prove(client, passkey, { challenge: foreign })), REFUSED)
    const ofSignIn = await challengeOf(anonymous, '/passkey-sessions/challenge')
    assert.deepEqual(codeOf(await prove(client, passkey, { challenge: ofSignIn })), REFUSED)
    assert.equal((await prove(client, passkey)).status, 200)
    assert.equal((await client.send('POST', '/session/passkeys/challenge')).status, 200)
  })

  test('need a host name, and https or this machine', () => {
    const at = (url: string) => relyingParty(url)
    assert.deepEqual(at('https://console.shop.example'), {
      id: 'console.shop.example',
      origin: 'https://console.shop.example',
    })
    assert.deepEqual(at('http://127.0.0.1:8082'), { id: 'localhost', origin: 'http://localhost:8082' })
    for (const url of ['http://console.shop.example', 'https://10.0.0.7', 'https://[2001:db8::1]:8082']) {
      assert.equal(at(url), null, url)
    }
  })
})
