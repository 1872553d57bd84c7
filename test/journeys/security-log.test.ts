import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeProof } from '../support/client.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { operatorClient } from '../support/operator.ts'
import { begun, RETURN_URL } from '../support/pages/hosted-login.ts'
import { codeFor, posterOf, registerApp } from '../support/pages/oauth.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { TestPasskey } from '../support/passkey.ts'

/** Attacks are logged: a line of the channel `security`, with the address and the request id. */

interface SecurityLine {
  readonly level: number
  readonly channel?: string
  readonly msg: string
  readonly event: string
  readonly address: string
  readonly requestId: string
  readonly who?: string
}

const WARN = 40
const CART = { currency: 'EUR', country: 'DE' }
const lines: SecurityLine[] = []
let shop: Shop
before(async () => {
  shop = await startShop({
    simulator: true,
    environment: { RATE_LIMITS: 'off' },
    onLogLine: (line) => void lines.push(JSON.parse(line)),
  })
})

/** The events that `work` causes. Each has its address and request id. */
async function eventsOf(work: () => Promise<unknown>): Promise<readonly SecurityLine[]> {
  const from = lines.length
  await work()
  const events = lines.slice(from).filter(({ channel }) => channel === 'security')
  for (const { level, address, requestId } of events) {
    assert.deepEqual([level, address], [WARN, '127.0.0.1'])
    assert.match(requestId, /^req_/)
  }
  return events
}
const namesOf = (events: readonly SecurityLine[]) => events.map(({ event }) => event)

describe('the security log', () => {
  test('has failed operator sign-ins, which are audited with their address, and refused setups', async () => {
    const anonymous = await operatorClient(shop, {})
    const email = 'mallory@shop.example'
    const events = await eventsOf(async () => {
      await anonymous.send('POST', '/sessions', { email, password: 'not the password' })
      await anonymous.send('POST', '/setup', { setupToken: 'x'.repeat(43), email, password: 'a long enough phrase' })
      await anonymous.send('POST', '/sessions', { email, password: 'x' }, { origin: 'https://evil.example' })
    })
    assert.deepEqual(namesOf(events), ['sign_in_failed', 'setup_refused', 'origin_refused'])
    const signed = new TestPasskey().get({ challenge: 'bm90IG91cnM', origin: 'http://localhost:8082' })
    const byPasskey = await eventsOf(() => anonymous.send('POST', '/passkey-sessions', signed))
    assert.deepEqual(namesOf(byPasskey), ['sign_in_failed'])
    const { items } = (await (await operatorClient(shop)).get('/audit-log?operation=signIn')).body.data
    const [{ operation, operator, after, address }] = items
    const known = [operation, operator.email, after, address]
    assert.deepEqual(known, ['signIn', 'm…@shop.example', { signedIn: false }, '127.0.0.1'])
  })

  test('has failed sign-ins of shoppers', async () => {
    const pages = await shop.openPages()
    const visitor = pageVisitor(pages)
    const { loginUrl } = await begun(await shop.client({ returnUrls: [RETURN_URL] }))
    const page = loginUrl.replace(/^https?:\/\/[^/]+/, pages)
    await visitor.open(page)
    const events = await eventsOf(() => visitor.send(page, { email: 'ada@example.com', password: 'not the password' }))
    assert.deepEqual(namesOf(events), ['sign_in_failed'])
  })

  test('has refused and limited credentials, with only their displayable part', async () => {
    const revoked = await shop.client()
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [revoked.keyId, shop.clock.now()])
    const [event] = await eventsOf(() => revoked.get(`${CARTS}/cart_01k5b7m2q8e9rtv3w4x5y6z7a8`))
    assert.equal(event?.event, 'credential_refused')
    assert.equal(event?.who, `${revoked.key?.slice(0, 13)}…${revoked.key?.slice(-4)}`)
  })

  test('has replayed proofs', async () => {
    const client = await shop.client()
    const nonce = (await client.post(CARTS, CART)).headers.get('dpop-nonce')
    const { key, proof } = client
    assert(key && proof && nonce)
    const claims = { method: 'POST', url: shop.publicUrl + CARTS, token: key, nonce, now: shop.clock.now() }
    const headers = { authorization: `DPoP ${key}`, dpop: await makeProof(proof, claims) }
    const send = () => shop.anonymous.post(CARTS, CART, { headers })
    assert.equal((await send()).status, 200)
    assert.deepEqual(namesOf(await eventsOf(send)), ['proof_replayed'])
  })

  test('has proofs by another key, limited by address and credential, without affecting the owner of the key', async () => {
    const [client, thief] = [await shop.client(), await shop.client()]
    const { key } = client
    const nonce = (await thief.post(CARTS, CART)).headers.get('dpop-nonce')
    assert(key && thief.proof && nonce)
    const claims = { method: 'POST', url: shop.publicUrl + CARTS, token: key, nonce, now: shop.clock.now() }
    const headers = { authorization: `DPoP ${key}`, dpop: await makeProof(thief.proof, claims) }
    const guess = () => shop.anonymous.post(CARTS, CART, { headers })
    assert.deepEqual(namesOf(await eventsOf(guess)), ['proof_refused'])
    const statuses: number[] = []
    for (let times = 0; times < 25; times += 1) statuses.push((await guess()).status)
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [19, 429])
    assert.equal((await client.post(CARTS, CART)).status, 200)
    assert.equal((await thief.post(CARTS, CART)).status, 200)
  })

  test('is counted in the metrics, including events that are not logged', async () => {
    const exposition = await shop.app.metrics.registry.metrics()
    const counted = new Map(
      [...exposition.matchAll(/^vitrine_security_events_total\{event="(\w+)"\} (\d+)$/gm)].map(([, event, count]) => [
        event,
        Number(count),
      ]),
    )
    assert.equal(counted.get('attempts_limited'), 6)
    assert.equal(counted.get('proof_refused'), 20)
    assert.equal(counted.get('refresh_reused'), 0)
  })

  test('has the reuse of an authorization code', async () => {
    const { exchange } = posterOf(shop)
    const app = await registerApp(shop)
    const code = await codeFor(shop, app)
    assert.equal((await exchange(app, code)).status, 200)
    shop.clock.advance(61_000)
    const events = await eventsOf(() => exchange(app, code))
    assert.ok(namesOf(events).includes('code_reused'), JSON.stringify(events))
  })

  test('has forged payment notifications', async () => {
    const pages = await shop.openPages()
    const events = await eventsOf(() =>
      fetch(`${pages}/payments/simulator/notifications`, { method: 'POST', body: '{}' }),
    )
    assert.deepEqual([events[0]?.event, events[0]?.who], ['notification_forged', 'simulator'])
  })

  test('is limited, so that a flood of requests does not fill the disk', async () => {
    const guess = () => shop.anonymous.get('/api/v1/open/identity', { headers: { authorization: 'Bearer nonsense' } })
    shop.clock.advance(60_000)
    const client = await shop.client()
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [client.keyId, shop.clock.now()])
    const events = await eventsOf(async () => {
      for (let times = 0; times < 45; times += 1) {
        await (times % 2 === 0 ? client.get('/api/v1/open/identity') : client.post(CARTS, CART))
      }
      await guess()
    })
    const counts = Map.groupBy(namesOf(events), (event) => event)
    assert.deepEqual(
      [...counts].map(([event, { length }]) => [event, length]),
      [
        ['credential_refused', 20],
        ['attempts_limited', 20],
      ],
    )
  })

  test('reports once that there is a proxy that is not configured', async () => {
    const before = lines.length
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    for (let times = 0; times < 3; times += 1) await shop.anonymous.get('/api/v1/open/identity', { headers })
    const said = lines.slice(before).filter(({ msg }) => msg.includes('TRUSTED_PROXIES'))
    assert.equal(said.length, 1)
  })
})
