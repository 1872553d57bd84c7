import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { startWorld } from '../../../../../test/support/world.ts'

/* A stranger who guesses an operator's password does not lock them out of the browser that they use. */

const PASSWORD = 'a long enough pass phrase'
const GUESSES_MAX = 3
const WINDOW_MS = 15 * 60_000

let world: Awaited<ReturnType<typeof startWorld>>
let commandLine: OperatorClient
let anonymous: OperatorClient
before(async () => {
  const limit = `{"sign-in-account":{"limit":${GUESSES_MAX},"burst":${GUESSES_MAX}}}`
  world = await startWorld({ environment: { RATE_LIMITS: limit } })
  commandLine = await operatorClient(world)
  anonymous = await operatorClient(world, {})
})

const signIn = (email: string, password: string, cookie?: string) =>
  anonymous.send('POST', '/sessions', { email, password }, cookie === undefined ? {} : { cookie })

/** A new operator, with the cookies of the browser that they have signed in with. */
async function operatorOf(email: string) {
  await commandLine.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
  const { status, headers } = await signIn(email, PASSWORD)
  assert.equal(status, 200)
  const cookies = headers.get('set-cookie') ?? ''
  world.clock.advance(WINDOW_MS)
  return {
    session: /vitrine-operator=[\w-]+/.exec(cookies)?.[0] ?? '',
    device: /vitrine-operator-device=[\w.-]+/.exec(cookies)?.[0] ?? '',
    cookies,
  }
}

async function lockedOut(email: string) {
  const answers = []
  for (let guess = 0; guess <= GUESSES_MAX; guess += 1) answers.push((await signIn(email, `guess ${guess}`)).status)
  assert.deepEqual(answers.slice(-2), [401, 429])
}

describe('while a stranger guesses the password of an operator', () => {
  test('the operator signs in with a known browser, and not with another', async () => {
    const { device, cookies } = await operatorOf('ada@shop.example')
    assert.match(cookies, /vitrine-operator-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000/)
    await lockedOut('ada@shop.example')
    assert.equal((await signIn('ada@shop.example', PASSWORD)).status, 429)
    assert.equal((await signIn('ada@shop.example', PASSWORD, device)).status, 200)
  })

  test('the browser of another operator and a forged cookie are not known', async () => {
    const { device } = await operatorOf('ben@shop.example')
    await operatorOf('cleo@shop.example')
    await lockedOut('cleo@shop.example')
    for (const cookie of [device, device.replace(/=./, '=_'), 'vitrine-operator-device=x', `${device}; ${device}`])
      assert.equal((await signIn('cleo@shop.example', PASSWORD, cookie)).status, 429)
  })

  test('the known browser has as many guesses, which are not those of another', async () => {
    const { device } = await operatorOf('dora@shop.example')
    const answers = []
    for (let guess = 0; guess <= GUESSES_MAX; guess += 1)
      answers.push((await signIn('dora@shop.example', `guess ${guess}`, device)).status)
    assert.deepEqual(answers.slice(-2), [401, 429])
    assert.equal((await signIn('dora@shop.example', PASSWORD)).status, 200)
  })

  test('the operator can prove their identity in a session', async () => {
    const { session } = await operatorOf('eve@shop.example')
    await lockedOut('eve@shop.example')
    const proof = await anonymous.send('POST', '/session/proof', { password: PASSWORD }, { cookie: session })
    assert.equal(proof.status, 200)
  })
})
