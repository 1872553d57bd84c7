import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit } from '../../../../../test/support/before-commit.ts'
import { codeOfApp, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/statement.ts'

const PASSWORD = 'a long enough pass phrase'

let world: World
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  world = await startWorld()
  commandLine = await operatorClient(world)
  anonymous = await operatorClient(world, {})
})

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const signIn = (email: string, code?: string) =>
  anonymous.send('POST', '/sessions', { email, password: PASSWORD, ...(code !== undefined && { code }) })

async function signedIn(email: string): Promise<{ id: string; client: OperatorClient }> {
  const { id } = await commandLine.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
  const { headers } = await signIn(email)
  return { id, client: await operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! }) }
}

/** The code of the app now; the next one is 30 s later. */
function nextCode(key: string): string {
  world.clock.advance(30_000)
  return codeOfApp(key, world.clock.now())
}

async function turnedOn(client: OperatorClient): Promise<{ key: string; recoveryCodes: string[] }> {
  const { key } = await client.change('POST', '/session/second-factor', { password: PASSWORD })
  const { recoveryCodes } = await client.change('POST', '/session/second-factor/confirm', { code: nextCode(key) })
  return { key, recoveryCodes }
}

describe('a second factor', () => {
  test('counts from its first code on; signing in then asks for a code, and takes each once', async () => {
    const email = 'ada@shop.example'
    const { client } = await signedIn(email)
    const { key, uri } = await client.change('POST', '/session/second-factor', { password: PASSWORD })
    assert.ok(uri.includes(`secret=${key}`))
    assert.equal((await signIn(email)).status, 200, 'it is not confirmed')
    const wrong = await client.send('POST', '/session/second-factor/confirm', { code: '000000' })
    assert.deepEqual([...codeOf(wrong), wrong.body.details[0].pointer], [400, 'validation_failed', '/code'])

    const { recoveryCodes } = await client.change('POST', '/session/second-factor/confirm', { code: nextCode(key) })
    assert.equal(new Set(recoveryCodes).size, 10)
    assert.deepEqual(codeOf(await signIn(email)), [401, 'second_factor_required'])
    assert.deepEqual(codeOf(await signIn(email, '000000')), [401, 'sign_in_failed'])
    const code = nextCode(key)
    assert.equal((await signIn(email, code)).status, 200)
    assert.deepEqual(codeOf(await signIn(email, code)), [401, 'sign_in_failed'], 'a code that was used')
    assert.deepEqual((await client.get('/session/second-factor')).body.data.status, 'on')
  })

  test('that is confirmed in another tab meanwhile is not begun again', async () => {
    const { id, client } = await signedIn('eve@shop.example')
    await client.change('POST', '/session/second-factor', { password: PASSWORD })
    const confirm = statement('test.confirm_factor', 'update operators set totp_confirmed_at = now() where id = $1')
    const again = () => client.send('POST', '/session/second-factor', { password: PASSWORD })
    const answer = await beforeCommit(world.database, (tx) => tx.change(confirm, [id]), again)
    assert.deepEqual(codeOf(answer), [409, 'state_conflict'])
    assert.equal((await client.get('/session/second-factor')).body.data.status, 'on')
  })

  test('a wrong password is refused before the code is asked for', async () => {
    const { client } = await signedIn('bea@shop.example')
    const { key } = await turnedOn(client)
    const body = { email: 'bea@shop.example', password: 'another phrase', code: nextCode(key) }
    assert.deepEqual(codeOf(await anonymous.send('POST', '/sessions', body)), [401, 'sign_in_failed'])
  })

  test('two requests with the same code at once open one session', async () => {
    const { client } = await signedIn('cem@shop.example')
    const { key } = await turnedOn(client)
    const code = nextCode(key)
    const answers = await Promise.all([signIn('cem@shop.example', code), signIn('cem@shop.example', code)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
  })

  test('is replaced by a recovery code, once each', async () => {
    const { client } = await signedIn('dan@shop.example')
    const { recoveryCodes } = await turnedOn(client)
    const [first = ''] = recoveryCodes
    assert.equal((await signIn('dan@shop.example', first.toUpperCase())).status, 200)
    assert.deepEqual(codeOf(await signIn('dan@shop.example', first)), [401, 'sign_in_failed'])
    assert.equal((await client.get('/session/second-factor')).body.data.recoveryCodesLeft, 9)
  })

  test('is turned off with password and code, or by an owner, who signs its operator out', async () => {
    const { id, client } = await signedIn('eva@shop.example')
    const { key } = await turnedOn(client)
    const off = (body: object) => client.send('POST', '/session/second-factor/remove', body)
    assert.equal((await off({ password: 'not this one', code: nextCode(key) })).status, 400)
    assert.equal((await off({ password: PASSWORD, code: '000000' })).status, 400)
    assert.equal((await off({ password: PASSWORD, code: nextCode(key) })).status, 200)
    assert.equal((await signIn('eva@shop.example')).status, 200)
    await turnedOn(client)
    await commandLine.change('POST', `/operators/${id}/second-factor/remove`)
    assert.equal((await client.get('/session')).status, 401)
    assert.equal((await signIn('eva@shop.example')).status, 200)
    const again = await commandLine.send('POST', `/operators/${id}/second-factor/remove`)
    assert.deepEqual(codeOf(again), [409, 'state_conflict'])
  })

  test('is also asked for after a link to choose a password', async () => {
    const { id, client } = await signedIn('fay@shop.example')
    const { key } = await turnedOn(client)
    const { url } = await commandLine.change('POST', `/operators/${id}/link`)
    const choose = (code?: string) =>
      anonymous.send('POST', '/password-resets/confirm', { token: url.split('#')[1], password: PASSWORD, code })
    assert.deepEqual(codeOf(await choose()), [401, 'second_factor_required'])
    assert.deepEqual(codeOf(await choose('000000')), [400, 'validation_failed'])
    const { items } = (await commandLine.get('/audit-log?operation=chooseOperatorPassword&limit=1')).body.data
    assert.deepEqual(items[0].after, { signedIn: false })
    assert.equal((await choose(nextCode(key))).status, 200)
  })

  test('is stored sealed, and the audit log holds neither secret nor code', async () => {
    const { client } = await signedIn('gil@shop.example')
    const { key, recoveryCodes } = await turnedOn(client)
    const log = JSON.stringify((await commandLine.get('/audit-log?limit=100')).body)
    for (const secret of [key, ...recoveryCodes]) assert.ok(!log.includes(secret))
  })
})

describe('a marketplace that requires a second factor', () => {
  test('allows operators without one only to set it up, and the command line everything', async () => {
    const { client } = await signedIn('hal@shop.example')
    const own = await client.send('PUT', '/operator-policy', { requiresSecondFactor: true, proofForRefundsOver: 250 })
    assert.deepEqual(codeOf(own), [409, 'state_conflict'], 'they would lock themselves out')
    await commandLine.change('PUT', '/operator-policy', { requiresSecondFactor: true, proofForRefundsOver: 250 })

    assert.deepEqual(codeOf(await client.get('/stores')), [403, 'second_factor_missing'])
    assert.equal((await client.get('/session')).body.data.needsSecondFactor, true)
    assert.equal((await commandLine.get('/stores')).status, 200)
    await turnedOn(client)
    assert.equal((await client.get('/stores')).status, 200)
    assert.equal((await client.get('/session')).body.data.needsSecondFactor, false)
    await commandLine.change('PUT', '/operator-policy', { requiresSecondFactor: false, proofForRefundsOver: 250 })
  })
})

test('guesses of the code with a link are rate_limited by account, from however many addresses', async () => {
  const limited = await startWorld({ environment: { RATE_LIMITS: '{"sign-in-account":{"limit":4,"burst":4}}' } })
  const line = await operatorClient(limited)
  const visitor = await operatorClient(limited, {})
  const { id } = await line.change('POST', '/operators', {
    email: 'hal@shop.example',
    role: 'owner',
    password: PASSWORD,
  })
  const { url } = await line.change('POST', `/operators/${id}/link`)
  const guess = { token: `${url.split('#')[1]}`, password: 'short', code: '000000' }
  const answers: number[] = []
  while (answers.length < 20 && answers.at(-1) !== 429)
    answers.push((await visitor.send('POST', '/password-resets/confirm', guess)).status)
  assert.equal(answers.at(-1), 429)
})
