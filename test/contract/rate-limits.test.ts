import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Operation } from '@vitrine/contract'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { type Sent, send } from '../support/network/send.ts'
import { type Asking, askerOf, assertCode, isGuarded, isGuardedWrite, rows } from '../support/rows.ts'

/** Limits: two requests a minute for each caller, and three wrong credentials. */
const TWO = { limit: 2, windowSeconds: 60, burst: 2 }
const RATE_LIMITS = JSON.stringify({
  'public-read': TWO,
  'key-read': TWO,
  'key-write': TWO,
  'oauth-token': TWO,
  'auth-fail': { limit: 3, windowSeconds: 60, burst: 3 },
})

let shop: Shop
let ask: ReturnType<typeof askerOf>['ask']
before(async () => {
  shop = await startShop({ environment: { RATE_LIMITS, TRUSTED_PROXIES: '1' } })
  ;({ ask } = askerOf(shop))
})

let clientCount = 0
/** The headers of a new client behind the proxy. */
const someone = () => ({
  'x-forwarded-for': `198.51.100.${++clientCount % 250}, 203.0.${clientCount >> 8}.${clientCount & 255}`,
})

function assertLimited(answer: Sent, policy: string, limit: number): void {
  assertCode(answer, 429, 'rate_limited')
  const { rateLimit, retry, outcome } = answer.body
  assert.deepEqual(rateLimit, { policy, limit, windowSeconds: 60, remaining: 0 })
  assert.deepEqual([retry.advice, outcome], ['same_request_later', 'not_applied'])
  assert(retry.afterMs > 0 && retry.afterMs <= 60_000, `${retry.afterMs}`)
  assert(!('retry-after' in answer.headers))
}

/** Sends requests until one is limited. @returns the number of requests before it, and its response */
async function untilLimited(row: Operation, asking: Asking): Promise<readonly [number, Sent]> {
  for (let asked = 0; asked < 10; asked += 1) {
    const answer = await ask(row, asking)
    if (answer.status === 429) return [asked, answer]
  }
  assert.fail('no request was limited')
}

for (const [id, row] of rows) {
  const { auth } = row
  test(`${id}: 429 beyond the limit`, async () => {
    const headers = someone()
    if (!isGuarded(row)) {
      const [asked, answer] = await untilLimited(row, { headers })
      assert.equal(asked, 2)
      assertLimited(answer, auth.kind === 'oauth' && row.method !== 'GET' ? 'oauth-token' : 'public-read', 2)
      return
    }
    const { key, proof } = await shop.client()
    const [asked, answer] = await untilLimited(row, { as: { key: String(key), proof }, headers })
    assert.equal(asked, 2)
    assertLimited(answer, isGuardedWrite(row) ? 'key-write' : 'key-read', 2)
    const guess = { authorization: 'Bearer nonsense' }
    const guesser = { ...someone(), ...guess }
    for (let wrong = 0; wrong < 3; wrong += 1) assert.equal((await ask(identity, { headers: guesser })).status, 401)
    assertLimited(await ask(row, { headers: guesser }), 'auth-fail', 3)
  })
}

const identity = rows.find(([id]) => id === 'getApiKeyIdentity')?.[1] as Operation
const createCart = rows.find(([id]) => id === 'createPublicCart')?.[1] as Operation
const list = rows.find(([id]) => id === 'listCatalogProducts')?.[1] as Operation

describe('a limit', () => {
  test('applies to CORS preflights, which look up an origin', async () => {
    const headers = { ...someone(), origin: 'https://app.example' }
    const preflight = () => send(`${shop.origin}${CARTS}`, 'OPTIONS', headers)
    for (let times = 0; times < 2; times += 1) assert.equal((await preflight()).status, 204)
    assert.equal((await preflight()).status, 429)
  })

  test('applies to a public read and not to its CORS preflight, so that a script sees how long to wait', async () => {
    const headers = { ...someone(), origin: 'https://app.example' }
    const preflight = () => send(`${shop.origin}/api/v1/catalog/products`, 'OPTIONS', headers)
    for (let times = 0; times < 3; times += 1) assert.equal((await preflight()).status, 204)
    const [, limited] = await untilLimited(list, { headers })
    assertLimited(limited, 'public-read', 2)
    assert.equal(limited.headers['access-control-allow-origin'], '*')
  })

  test('on failed credentials does not affect a valid one from the same address', async () => {
    const headers = someone()
    const guesser = { ...headers, authorization: 'Bearer nonsense' }
    const codes: string[] = []
    for (let wrong = 0; wrong < 5; wrong += 1) codes.push((await ask(identity, { headers: guesser })).body.code)
    assert.deepEqual(codes, [...Array(3).fill('credential_invalid'), ...Array(2).fill('rate_limited')])
    const { key, proof } = await shop.client()
    assert.equal((await ask(identity, { as: { key: String(key), proof }, headers })).status, 200)
  })

  test('is reported with each response', async () => {
    const headers = someone()
    const seen: unknown[] = []
    for (let times = 0; times < 3; times += 1) {
      const answer = await ask(list, { headers })
      seen.push([answer.headers.ratelimit, answer.headers['ratelimit-policy']])
    }
    const policy = '"public-read";q=2;w=60'
    assert.deepEqual(seen, [
      ['"public-read";r=1;t=0', policy],
      ['"public-read";r=0;t=0', policy],
      ['"public-read";r=0;t=30', policy],
    ])
  })

  test('accepts requests again at the reported time', async () => {
    const headers = someone()
    const [, answer] = await untilLimited(list, { headers })
    shop.clock.advance(answer.body.retry.afterMs - 1)
    assert.equal((await ask(list, { headers })).status, 429)
    shop.clock.advance(1)
    assert.equal((await ask(list, { headers })).status, 200)
  })

  test('uses up no idempotency key: the same request succeeds later', async () => {
    const { key, proof } = await shop.client()
    const as = { key: String(key), proof }
    const body = { currency: 'EUR', country: 'DE' }
    const asking = () => ({ as, body, headers: { ...someone(), 'idempotency-key': 'the-same' } })
    for (let times = 0; times < 2; times += 1) await ask(createCart, { as, body, headers: someone() })
    const limited = await ask(createCart, asking())
    assertLimited(limited, 'key-write', 2)

    shop.clock.advance(limited.body.retry.afterMs)
    const first = await ask(createCart, asking())
    assert.deepEqual([first.status, first.headers['idempotent-replayed']], [200, undefined])
  })

  test('belongs to the installation: a second key does not raise it', async () => {
    const one = await shop.client({ bound: false })
    const two = await shop.client({ bound: false, installationId: one.installationId })
    const get = (client: typeof one) => client.get('/api/v1/open/identity', { headers: someone() })
    assert.deepEqual([(await get(one)).status, (await get(two)).status, (await get(one)).status], [200, 200, 429])
    assert.equal((await get(two)).status, 429)
  })

  test('counts reads and writes separately', async () => {
    const client = await shop.client()
    const read = () => client.get('/api/v1/open/identity', { headers: someone() })
    for (let times = 0; times < 3; times += 1) await read()
    assert.equal((await read()).status, 429)
    const write = await client.post(CARTS, { currency: 'EUR', country: 'DE' }, { headers: someone() })
    assert.equal(write.status, 200)
  })

  test('cannot be evaded with a forged address', async () => {
    const seen = '203.0.113.77'
    const statuses: number[] = []
    for (const made of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      statuses.push((await ask(list, { headers: { 'x-forwarded-for': `${made}, ${seen}` } })).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  test('counts IPv6 addresses by their /64 prefix', async () => {
    const statuses: number[] = []
    for (const last of ['1', 'ffff', '2:3:4']) {
      statuses.push((await ask(list, { headers: { 'x-forwarded-for': `2001:db8:7:8::${last}` } })).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
    assert.equal((await ask(list, { headers: { 'x-forwarded-for': '2001:db8:7:9::1' } })).status, 200)
  })

  test('on wrong credentials does not count known keys that are refused', async () => {
    const headers = someone()
    const client = await shop.client({ environment: 'live' })
    for (let times = 0; times < 6; times += 1) {
      const { status, body } = await client.get('/api/v1/open/identity', { headers })
      assert.deepEqual([status, body.code], [403, 'capability_blocked'])
    }
  })

  test('blocks a caller who guesses keys before the next lookup, and no other caller', async () => {
    const headers = someone()
    const guess = () => ask(identity, { headers: { ...headers, authorization: `Bearer ${randomUUID()}` } })
    const statuses: number[] = []
    for (let times = 0; times < 6; times += 1) statuses.push((await guess()).status)
    assert.deepEqual(statuses.slice(-2), [429, 429])
    const before = shop.database.counters().queries
    await guess()
    assert.equal(shop.database.counters().queries, before)
    const client = await shop.client()
    assert.equal((await client.get('/api/v1/open/identity', { headers: someone() })).status, 200)
  })
})
