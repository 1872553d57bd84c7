import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

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
const add = (email: string) => commandLine.change('POST', '/operators', { email, password: PASSWORD })
async function signedIn(email: string, password = PASSWORD) {
  const { status, headers } = await anonymous.send('POST', '/sessions', { email, password })
  assert.equal(status, 200)
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

describe('operators', () => {
  test('are created with an initial password, listed by address, and have unique addresses', async () => {
    const made = await add('ada@shop.example')
    assert.deepEqual([made.email, made.status], ['ada@shop.example', 'active'])
    await signedIn('ada@shop.example')
    const twin = { email: 'ADA@shop.example', password: PASSWORD }
    assert.deepEqual(codeOf(await commandLine.send('POST', '/operators', twin)), [409, 'name_taken'])
    const weak = await commandLine.send('POST', '/operators', { email: 'ben@shop.example', password: 'password' })
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

  test('on the command line have no password: session_required', async () => {
    const body = { currentPassword: PASSWORD, newPassword: 'another long pass phrase' }
    assert.deepEqual(codeOf(await commandLine.send('POST', '/session/password', body)), [401, 'session_required'])
  })
})

test('password guesses in a session are rate_limited, as sign-ins are', async () => {
  const limited = await startWorld({ environment: { RATE_LIMITS: '{"sign-in-account":{"limit":4}}' } })
  const line = await operatorClient(limited)
  const visitor = await operatorClient(limited, {})
  await line.change('POST', '/operators', { email: 'gina@shop.example', password: PASSWORD })
  const { headers } = await visitor.send('POST', '/sessions', { email: 'gina@shop.example', password: PASSWORD })
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const body = { currentPassword: 'a guess that is wrong', newPassword: 'another long pass phrase' }
  const answers: number[] = []
  for (let guess = 0; guess < 20 && answers.at(-1) !== 429; guess += 1) {
    answers.push((await visitor.send('POST', '/session/password', body, { cookie })).status)
  }
  assert.equal(answers.at(-1), 429)
})
