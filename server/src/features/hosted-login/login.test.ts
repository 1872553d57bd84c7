import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../test/support/refuses.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import {
  consumeReturn,
  type Login,
  loginAsOf,
  loginMachine,
  markCanceled,
  markReturned,
  returnRedirectUrl,
} from './login.ts'

const NOW = new Date('2026-05-04T12:00:00.000Z')
const LATER = new Date('2026-05-04T12:10:00.000Z')
/** @see RFC 7636, appendix B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const right = {
  codeHash: hashOfToken('the-code'),
  state: 'the state',
  codeChallenge: hashOfToken(VERIFIER).toString('base64url'),
}

const facts = {
  id: 'hls_1',
  returnUrl: 'https://shop.example/return',
  state: 'the state',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  expiresAt: LATER,
}

function loginIn(status: Login['status']): Login {
  if (status === 'returned') return { ...facts, status, customerId: 'cus_1', codeHash: hashOfToken('the-code') }
  return { ...facts, status }
}

const commands: Readonly<Record<string, (login: Login) => unknown>> = {
  return: (login) => markReturned(login, { customerId: 'cus_1', codeHash: hashOfToken('c'), now: NOW }),
  cancel: markCanceled,
  consume: (login) => consumeReturn(login, right),
  expire: (login) => loginAsOf(login, LATER),
}

// biome-ignore format: a table is read by its columns
const table: Readonly<Record<Login['status'], readonly string[]>> = {
  //          return              cancel              consume                   expire
  initiated: ['returned',         'failed',           '!validation_failed',     'expired'],
  returned:  ['returned',         '!session_expired', 'consumed',               'expired'],
  consumed:  ['!session_expired', '!session_expired', '!login_return_consumed', '='],
  failed:    ['!session_expired', '!session_expired', '!login_return_consumed', '='],
  expired:   ['!session_expired', '!session_expired', '!session_expired',       '='],
}

describe('a login', () => {
  test('defines an outcome for each state and command', () => {
    assert.deepEqual(Object.keys(table), loginMachine.states)
    for (const row of Object.values(table)) assert.equal(row.length, Object.keys(commands).length)
  })

  for (const [status, row] of Object.entries(table) as [Login['status'], readonly string[]][]) {
    for (const [index, outcome] of row.entries()) {
      const [name, command] = Object.entries(commands)[index]!
      test(`${status}: ${name} → ${outcome}`, async () => {
        const login = loginIn(status)
        if (outcome.startsWith('!')) {
          const { code, facts } = await refuses(outcome.slice(1) as 'session_expired', () => command(login))
          if (code !== 'validation_failed') assert.equal(facts.conflict?.currentState, status)
        } else if (outcome === 'consumed') assert.deepEqual(command(login), { customerId: 'cus_1' })
        else assert.equal((command(login) as Login).status, outcome === '=' ? status : outcome)
      })
    }
  }

  test('allows exactly the transitions of its state machine', () => {
    for (const [status, row] of Object.entries(table) as [Login['status'], readonly string[]][]) {
      const done = Object.keys(commands).filter((_, index) => !/^[!=]/.test(row[index]!))
      assert.deepEqual(done.sort(), Object.keys(loginMachine.transitions[status]).sort())
    }
  })

  test('expires at its expiry time, not a millisecond earlier', () => {
    assert.equal(loginAsOf(loginIn('initiated'), new Date(LATER.getTime() - 1)).status, 'initiated')
    assert.equal(loginAsOf(loginIn('initiated'), LATER).status, 'expired')
  })

  test('gives its code one minute, even if less is left of its ten minutes', () => {
    const late = new Date(LATER.getTime() - 1)
    const { expiresAt } = markReturned(loginIn('initiated'), { customerId: 'c', codeHash: Buffer.alloc(32), now: late })
    assert.equal(expiresAt.getTime() - late.getTime(), 60_000)
  })
})

describe('returning again', () => {
  const again = (customerId: string) => () =>
    markReturned(loginIn('returned'), { customerId, codeHash: hashOfToken('second'), now: NOW })

  test('issues another code with the same expiry and voids the first one', async () => {
    const second = again('cus_1')()
    assert.equal(second.expiresAt, LATER)
    await refuses('validation_failed', () => consumeReturn(second, right))
    assert.deepEqual(consumeReturn(second, { ...right, codeHash: hashOfToken('second') }), { customerId: 'cus_1' })
  })

  test('works for the same customer only', async () => {
    await refuses('session_expired', again('cus_2'))
  })
})

describe('the return redirect', () => {
  const back = (returnUrl: string) =>
    new URL(returnRedirectUrl({ ...facts, returnUrl }, { code: 'c' }, 'https://api.example'))

  test('has the login, the code, the state and the issuer', () => {
    const url = back('https://shop.example/return')
    assert.equal(`${url.origin}${url.pathname}`, 'https://shop.example/return')
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      loginSession: 'hls_1',
      code: 'c',
      state: 'the state',
      iss: 'https://api.example',
    })
  })

  test('keeps the query of the return URL, but not parameters with reserved names', () => {
    const { searchParams } = back('https://shop.example/return?page=2&code=planted&code=twice#there')
    assert.deepEqual([searchParams.get('page'), searchParams.getAll('code')], ['2', ['c']])
  })

  test('has an error and no code after a cancellation', () => {
    const { searchParams } = new URL(returnRedirectUrl(facts, { error: 'access_denied' }, 'https://api.example'))
    assert.deepEqual([searchParams.get('error'), searchParams.has('code')], ['access_denied', false])
  })
})
