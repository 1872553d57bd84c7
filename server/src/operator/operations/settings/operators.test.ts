import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit } from '../../../../../test/support/before-commit.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { hashNewPassword } from '../../../features/accounts/index.ts'
import { statement, type Transaction } from '../../../platform/postgres/index.ts'

const PASSWORD = 'a long enough pass phrase'

let world: World
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  world = await startWorld()
  commandLine = await operatorClient(world)
  anonymous = await operatorClient(world, {})
})

const replace = statement('test.replace_password', 'update operators set password_hash = $2 where email = $1')
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const add = (email: string, role = 'owner') =>
  commandLine.change('POST', '/operators', { email, role, password: PASSWORD })
async function signedIn(email: string, password = PASSWORD) {
  const { status, headers } = await anonymous.send('POST', '/sessions', { email, password })
  assert.equal(status, 200)
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

/** The newest email to an address: its text, and the token of the link in it. Later ones are told apart by the clock. */
async function mailedTo(email: string) {
  const mail = (await world.mails()).find(({ recipient }) => recipient === email)
  world.clock.advance(1000)
  return { text: mail?.text ?? '', token: mail?.link.split('#')[1] ?? '' }
}

describe('operators', () => {
  test('are created with an initial password, listed by address, and have unique addresses', async () => {
    const made = await add('ada@shop.example')
    assert.deepEqual([made.email, made.status], ['ada@shop.example', 'active'])
    await signedIn('ada@shop.example')
    const twin = { email: 'ADA@shop.example', role: 'owner', password: PASSWORD }
    assert.deepEqual(codeOf(await commandLine.send('POST', '/operators', twin)), [409, 'name_taken'])
    const weak = await commandLine.send('POST', '/operators', {
      email: 'ben@shop.example',
      role: 'owner',
      password: 'password',
    })
    assert.deepEqual([...codeOf(weak), weak.body.details[0].pointer], [400, 'password_too_weak', '/password'])
    const { items } = (await commandLine.get('/operators')).body.data
    assert.deepEqual([items.length, items[0].lastUsedAt], [1, world.clock.now().toISOString()])
    const log = JSON.stringify((await commandLine.get('/audit-log')).body)
    assert.ok(!log.includes(PASSWORD), 'the audit log contains no password')
  })

  test('are disabled at once and everywhere, and enabled again', async () => {
    const { id } = await add('cleo@shop.example')
    const session = await signedIn('cleo@shop.example')
    assert.equal((await anonymous.get('/session', session)).status, 200)
    const disabled = await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    assert.equal(disabled.status, 'disabled')
    assert.equal((await anonymous.get('/session', session)).status, 401)
    const again = await anonymous.send('POST', '/sessions', { email: 'cleo@shop.example', password: PASSWORD })
    assert.deepEqual(codeOf(again), [401, 'sign_in_failed'])
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'active' })
    assert.equal((await anonymous.get('/session', session)).status, 401, 'the old session stays ended')
    await signedIn('cleo@shop.example')
    const absent = 'opr_01k5b7m2q8e9rtv3w4x5y6z7a8'
    const refused = await commandLine.send('PATCH', `/operators/${absent}`, { status: 'disabled' })
    assert.deepEqual(codeOf(refused), [404, 'not_found'])
  })

  test('cannot disable themselves or the last operator, even if two disable each other at once', async () => {
    const [dora, emil] = [await add('dora@shop.example'), await add('emil@shop.example')]
    const [byDora, byEmil] = [await signedIn('dora@shop.example'), await signedIn('emil@shop.example')]
    const disable = (id: string, session: { cookie: string }) =>
      anonymous.send('PATCH', `/operators/${id}`, { status: 'disabled' }, session)
    assert.deepEqual(codeOf(await disable(dora.id, byDora)), [409, 'state_conflict'])
    const { items } = (await commandLine.get('/operators')).body.data
    for (const { id } of items) {
      if (id !== dora.id && id !== emil.id) {
        await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
      }
    }
    await Promise.all([disable(dora.id, byEmil), disable(emil.id, byDora)])
    const left = (await commandLine.get('/operators')).body.data.items
    const active = left.filter(({ status }: { status: string }) => status === 'active')
    assert.equal(active.length, 1)
    const last = await commandLine.send('PATCH', `/operators/${active[0].id}`, { status: 'disabled' })
    assert.deepEqual(codeOf(last), [409, 'state_conflict'])
  })

  test('are invited by an email with a link, choose a password with it once, and are signed in', async () => {
    const invited = await commandLine.change('POST', '/operators', { email: 'hugo@shop.example', role: 'catalog' })
    assert.deepEqual([invited.status, invited.role], ['invited', 'catalog'])
    assert.ok(invited.invitationExpiresAt)
    const early = await anonymous.send('POST', '/sessions', { email: 'hugo@shop.example', password: PASSWORD })
    assert.deepEqual(codeOf(early), [401, 'sign_in_failed'])
    const first = await mailedTo('hugo@shop.example')
    assert.match(first.text, /Your role: catalog/)
    await commandLine.change('POST', `/operators/${invited.id}/invitation`)
    const { token } = await mailedTo('hugo@shop.example')

    const choose = (token: string, password: string) =>
      anonymous.send('POST', '/password-resets/confirm', { token, password })
    assert.deepEqual(codeOf(await choose(first.token, PASSWORD)), [400, 'reset_token_invalid'])
    assert.deepEqual(codeOf(await choose(token, 'password')), [400, 'password_too_weak'])
    const { status, headers, body } = await choose(token, PASSWORD)
    assert.equal(status, 200)
    assert.deepEqual([body.data.operator.role, body.data.access.catalog], ['catalog', 'write'])
    assert.deepEqual(codeOf(await choose(token, PASSWORD)), [400, 'reset_token_invalid'])
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!
    assert.equal((await anonymous.get('/session', { cookie })).body.data.operator.email, 'hugo@shop.example')
    const again = await commandLine.send('POST', `/operators/${invited.id}/invitation`)
    assert.deepEqual(codeOf(again), [409, 'state_conflict'])
  })

  test('an invitation ends after seven days, and with being disabled', async () => {
    const { id } = await commandLine.change('POST', '/operators', { email: 'ines@shop.example', role: 'support' })
    const { token } = await mailedTo('ines@shop.example')
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    const choose = (token: string) => anonymous.send('POST', '/password-resets/confirm', { token, password: PASSWORD })
    assert.deepEqual(codeOf(await choose(token)), [400, 'reset_token_invalid'])
    await commandLine.change('PATCH', `/operators/${id}`, { status: 'active' })
    await commandLine.change('POST', `/operators/${id}/invitation`)
    const late = await mailedTo('ines@shop.example')
    world.clock.advance(7 * 24 * 3_600_000)
    assert.deepEqual(codeOf(await choose(late.token)), [400, 'reset_token_invalid'])
  })

  test('who forgot the password gets a link by email that ends all sessions; an unknown address gets the same answer and no email', async () => {
    await add('jana@shop.example', 'finance')
    const session = await signedIn('jana@shop.example')
    const ask = (email: string) => anonymous.send('POST', '/password-resets', { email })
    const [known, unknown] = [await ask('Jana@shop.example'), await ask('unknown@shop.example')]
    assert.deepEqual([known.status, known.body.data], [unknown.status, unknown.body.data])
    await world.work()
    const { token } = await mailedTo('jana@shop.example')
    assert.ok((await world.mails()).every(({ recipient }) => recipient !== 'unknown@shop.example'))
    const newPassword = 'the pass phrase after the reset'
    const chosen = await anonymous.send('POST', '/password-resets/confirm', { token, password: newPassword })
    assert.equal(chosen.status, 200)
    assert.equal((await anonymous.get('/session', session)).status, 401)
    await signedIn('jana@shop.example', newPassword)
    assert.match((await mailedTo('jana@shop.example')).text, /password .* was changed/)
    const log = JSON.stringify((await commandLine.get('/audit-log')).body)
    assert.ok(!log.includes(token) && !log.includes(newPassword), 'the audit log contains no secret')
  })

  test('see where they are signed in, and end a session of theirs, never one of another', async () => {
    await add('kim@shop.example')
    await add('lars@shop.example')
    const [here, elsewhere, foreign] = [
      await signedIn('kim@shop.example'),
      await signedIn('kim@shop.example'),
      await signedIn('lars@shop.example'),
    ]
    const sessionsOf = async (session: { cookie: string }) =>
      (await anonymous.get('/sessions', session)).body.data.items
    const mine = await sessionsOf(here)
    assert.equal(mine.length, 2)
    assert.equal(mine.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent).length, 1)
    assert.ok(mine[0].address)
    const { id: foreignId } = (await sessionsOf(foreign))[0]
    const other = mine.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const end = (id: string) => anonymous.send('DELETE', `/sessions/${id}`, undefined, here)
    assert.deepEqual(codeOf(await end(foreignId)), [404, 'not_found'])
    assert.equal((await end(other.id)).status, 200)
    assert.equal((await anonymous.get('/session', elsewhere)).status, 401)
    assert.equal((await anonymous.get('/session', foreign)).status, 200)
    assert.deepEqual((await commandLine.get('/sessions')).body.data.items, [])
  })

  test('are signed out everywhere by an owner', async () => {
    const { id } = await add('mia@shop.example', 'support')
    const session = await signedIn('mia@shop.example')
    await commandLine.change('POST', `/operators/${id}/end-sessions`)
    assert.equal((await anonymous.get('/session', session)).status, 401)
    await signedIn('mia@shop.example')
  })

  test('an active owner always remains, and operators cannot change their own role', async () => {
    const { items } = (await commandLine.get('/operators')).body.data
    const owners = items.filter((each: { role: string; status: string }) => {
      return each.role === 'owner' && each.status === 'active'
    })
    const { id: lastId } = await add('nora@shop.example')
    const nora = await signedIn('nora@shop.example')
    const own = await anonymous.send('PATCH', `/operators/${lastId}`, { role: 'support' }, nora)
    assert.deepEqual(codeOf(own), [409, 'state_conflict'])
    for (const { id } of owners) await commandLine.change('PATCH', `/operators/${id}`, { role: 'manager' })
    const last = await commandLine.send('PATCH', `/operators/${lastId}`, { role: 'manager' })
    assert.deepEqual(codeOf(last), [409, 'state_conflict'])
  })

  test('change their own password, which ends their other sessions', async () => {
    await add('fred@shop.example')
    const [here, elsewhere] = [await signedIn('fred@shop.example'), await signedIn('fred@shop.example')]
    const newPassword = 'another long pass phrase'
    const change = (body: object, session: { cookie: string } | undefined) =>
      anonymous.send('POST', '/session/password', body, session)
    const wrong = await change({ currentPassword: 'not the one that it is', newPassword }, here)
    assert.deepEqual([wrong.status, wrong.body.details[0].pointer], [400, '/currentPassword'])
    const weak = await change({ currentPassword: PASSWORD, newPassword: 'password' }, here)
    assert.deepEqual([...codeOf(weak), weak.body.details[0].pointer], [400, 'password_too_weak', '/newPassword'])
    assert.equal((await change({ currentPassword: PASSWORD, newPassword }, here)).status, 200)
    assert.equal((await anonymous.get('/session', here)).status, 200)
    assert.equal((await anonymous.get('/session', elsewhere)).status, 401)
    await signedIn('fred@shop.example', newPassword)
    const log = JSON.stringify((await commandLine.get('/audit-log')).body)
    assert.ok(!log.includes(newPassword), 'the audit log contains no password')
  })

  test('with a password that is replaced at the same time can neither sign in nor change it', async () => {
    const email = 'olga@shop.example'
    await add(email)
    const session = await signedIn(email)
    const chosen = 'the pass phrase of the reset'
    const passwordHash = await hashNewPassword(chosen, email, 'password')
    const reset = (tx: Transaction) => tx.change(replace, [email, passwordHash])
    const signIn = () => anonymous.send('POST', '/sessions', { email, password: PASSWORD })
    assert.deepEqual(codeOf(await beforeCommit(world.database, reset, signIn)), [401, 'sign_in_failed'])

    const body = { currentPassword: chosen, newPassword: 'a pass phrase of another person' }
    const change = () => anonymous.send('POST', '/session/password', body, session)
    const again = await hashNewPassword('the one of a second reset', email, 'password')
    const refused = await beforeCommit(world.database, (tx) => tx.change(replace, [email, again]), change)
    assert.deepEqual([refused.status, refused.body.details[0].pointer], [400, '/currentPassword'])
    await signedIn(email, 'the one of a second reset')
  })

  test('end their earlier session in a browser by signing in again there', async () => {
    await add('paul@shop.example')
    await add('quin@shop.example')
    const first = await signedIn('paul@shop.example')
    const body = { email: 'quin@shop.example', password: PASSWORD }
    const { status } = await anonymous.send('POST', '/sessions', body, first)
    assert.equal(status, 200)
    assert.equal((await anonymous.get('/session', first)).status, 401)
  })

  test('on the command line have no password: session_required', async () => {
    const body = { currentPassword: PASSWORD, newPassword: 'another long pass phrase' }
    assert.deepEqual(codeOf(await commandLine.send('POST', '/session/password', body)), [401, 'session_required'])
  })
})

test('password guesses in a session are rate_limited, as sign-ins are', async () => {
  const limited = await startWorld({ environment: { RATE_LIMITS: '{"sign-in-account":{"limit":4}}' } })
  const line = await operatorClient(limited)
  const visitor = await operatorClient(limited, {})
  await line.change('POST', '/operators', { email: 'gina@shop.example', role: 'owner', password: PASSWORD })
  const { headers } = await visitor.send('POST', '/sessions', { email: 'gina@shop.example', password: PASSWORD })
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const body = { currentPassword: 'a guess that is wrong', newPassword: 'another long pass phrase' }
  const answers: number[] = []
  for (let guess = 0; guess < 20 && answers.at(-1) !== 429; guess += 1) {
    answers.push((await visitor.send('POST', '/session/password', body, { cookie })).status)
  }
  assert.equal(answers.at(-1), 429)
})
