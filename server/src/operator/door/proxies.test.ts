import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operatorClient } from '../../../../test/support/operator.ts'
import { startWorld } from '../../../../test/support/world.ts'

/* Behind a proxy, the operator door limits and records operators by their own addresses. */

const LIMITS = '{"sign-in-address":{"limit":2,"burst":2},"auth-fail":{"limit":2,"burst":2}}'
const BEHIND = { OPERATOR_URL: 'https://console.shop.example', TRUSTED_PROXIES: '1', RATE_LIMITS: LIMITS }
const PASSWORD = 'a long enough pass phrase'

async function doorWith(environment: Readonly<Record<string, string>>) {
  const lines: { readonly msg: string; readonly event?: string; readonly address?: string }[] = []
  const world = await startWorld({ environment, onLogLine: (line) => void lines.push(JSON.parse(line)) })
  const commandLine = await operatorClient(world)
  const anonymous = await operatorClient(world, {})
  let guesses = 0
  return {
    lines,
    commandLine,
    anonymous,
    guess: async (forwarded?: string) => {
      const body = { email: `guess-${++guesses}@shop.example`, password: 'not the password' }
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      return (await anonymous.send('POST', '/sessions', body, headers)).status
    },
    recorded: async () =>
      (await commandLine.get('/audit-log?operation=signIn')).body.data.items.map(
        ({ address }: { address: string }) => address,
      ),
  }
}

describe('behind a proxy, an operator', () => {
  test('is limited, audited and logged by their own address, whatever they claim', async () => {
    const { guess, recorded, lines, anonymous } = await doorWith(BEHIND)
    const answers = []
    for (const forwarded of ['203.0.113.9', '6.6.6.1, 203.0.113.9', '6.6.6.2, 203.0.113.9', '198.51.100.7'])
      answers.push(await guess(forwarded))
    assert.deepEqual(answers, [401, 401, 429, 401])
    assert.deepEqual((await recorded()).sort(), ['198.51.100.7', '203.0.113.9', '203.0.113.9'])
    const events = lines.filter(({ event }) => event === 'sign_in_failed').map(({ address }) => address)
    assert.deepEqual(events, ['203.0.113.9', '203.0.113.9', '198.51.100.7'])

    const token = { authorization: `Bearer vit_${'x'.repeat(43)}` }
    const wrongTokens = []
    for (const address of ['203.0.113.9', '203.0.113.9', '203.0.113.9', '198.51.100.7'])
      wrongTokens.push((await anonymous.get('/orders', { ...token, 'x-forwarded-for': address })).status)
    assert.deepEqual(wrongTokens, [401, 401, 429, 401])
  })

  test('sees their sessions with the address at sign-in', async () => {
    const { commandLine, anonymous } = await doorWith({ ...BEHIND, RATE_LIMITS: 'off' })
    const email = 'ada@shop.example'
    await commandLine.change('POST', '/operators', { email, role: 'owner', password: PASSWORD })
    const { headers } = await anonymous.send(
      'POST',
      '/sessions',
      { email, password: PASSWORD },
      { 'x-forwarded-for': '203.0.113.9' },
    )
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const { items } = (await anonymous.get('/sessions', { cookie })).body.data
    assert.deepEqual(
      items.map(({ address }: { address: string }) => address),
      ['203.0.113.9'],
    )
  })
})

test('a caller that is no trusted proxy cannot choose its address, and is reported once', async () => {
  for (const settings of [{ OPERATOR_PROXIES: '10.0.0.0/8' }, { TRUSTED_PROXIES: '0' }, { OPERATOR_URL: '' }]) {
    const { guess, recorded, lines } = await doorWith({ ...BEHIND, ...settings })
    const answers = [await guess('203.0.113.9'), await guess('203.0.113.8'), await guess('203.0.113.7')]
    assert.deepEqual(answers, [401, 401, 429], JSON.stringify(settings))
    assert.deepEqual(await recorded(), ['127.0.0.1', '127.0.0.1'])
    assert.equal(lines.filter(({ msg }) => msg.includes('OPERATOR_PROXIES')).length, 1)
  }
})

test('through SSH, next to a proxy, the address is that of the connection', async () => {
  const { guess, recorded, lines } = await doorWith(BEHIND)
  assert.equal(await guess(), 401)
  assert.deepEqual(await recorded(), ['127.0.0.1'])
  assert.equal(lines.filter(({ msg }) => msg.includes('OPERATOR_PROXIES')).length, 0)
})
