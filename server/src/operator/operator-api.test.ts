import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type OperatorOperation, operatorOperations } from '@vitrine/contract/operator'
import { operatorOpenapiDocument } from '@vitrine/contract/operator/openapi'
import { send } from '../../../test/support/network/send.ts'
import { type OperatorClient, operatorClient } from '../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../test/support/operator-token.ts'
import { startWorld, type World } from '../../../test/support/world.ts'
import { type Database, openDatabase, statement } from '../platform/postgres/index.ts'

/* The operator door requires a sign-in, and records every change in the audit log. */

const FIRST = { email: 'ada@shop.example', password: 'a long enough pass phrase' }
const HOUR_MS = 3_600_000
const rows = Object.entries<OperatorOperation>(operatorOperations)
const pathOf = ({ path }: OperatorOperation) => path.replace('/operator/v1', '').replaceAll(/\{\w+\}/g, 'x')

let world: World
let anonymous: OperatorClient
let commandLine: OperatorClient
let setupToken: string
before(async () => {
  world = await startWorld()
  anonymous = await operatorClient(world, {})
  commandLine = await operatorClient(world)
  setupToken = (await world.app.setupToken()) ?? ''
})

const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const signIn = (credentials = FIRST) => anonymous.send('POST', '/sessions', credentials)

describe('the first operator', () => {
  test('is created once, with the printed link', async () => {
    assert.deepEqual((await anonymous.get('/setup')).body.data, { needed: true })
    const guessed = await anonymous.send('POST', '/setup', { ...FIRST, setupToken: 'x'.repeat(43) })
    assert.deepEqual([guessed.status, guessed.body.code], [403, 'setup_token_invalid'])
    const weak = await anonymous.send('POST', '/setup', { ...FIRST, password: 'password', setupToken })
    assert.deepEqual([weak.status, weak.body.code], [400, 'password_too_weak'])
    const short = await anonymous.send('POST', '/setup', { ...FIRST, password: 'short', setupToken })
    assert.deepEqual([short.status, short.body.details[0].message], [400, 'It has fewer than 8 characters.'])

    const made = await Promise.all([1, 2, 3].map(() => anonymous.send('POST', '/setup', { ...FIRST, setupToken })))
    assert.deepEqual(made.map(({ status }) => status).sort(), [200, 409, 409])
    assert.deepEqual((await anonymous.get('/setup')).body.data, { needed: false })
    assert.equal(await world.app.setupToken(), null)

    const { headers } = made.find(({ status }) => status === 200)!
    assert.match(headers.get('set-cookie') ?? '', /^vitrine-operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    const { body } = await anonymous.get('/session', { cookie: cookieOf(headers) })
    assert.equal(body.data.operator.email, FIRST.email)
  })
})

describe('a session', () => {
  test('starts with the password and ends at sign-out', async () => {
    const { status, headers } = await signIn()
    assert.equal(status, 200)
    const cookie = cookieOf(headers)
    assert.equal((await anonymous.get('/session', { cookie })).status, 200)
    assert.equal((await anonymous.send('DELETE', '/session', undefined, { cookie })).status, 200)
    assert.equal((await anonymous.get('/session', { cookie })).status, 401)
  })

  test('expires after two idle hours, and after twelve hours of use', async () => {
    const idle = cookieOf((await signIn()).headers)
    const used = cookieOf((await signIn()).headers)
    for (let hours = 1; hours <= 11; hours += 1) {
      world.clock.advance(HOUR_MS)
      assert.equal((await anonymous.get('/session', { cookie: used })).status, 200, `${hours} h`)
    }
    assert.equal((await anonymous.get('/session', { cookie: idle })).status, 401)
    world.clock.advance(HOUR_MS)
    assert.equal((await anonymous.get('/session', { cookie: used })).status, 401)
  })

  test('is refused with the same answer for a wrong password and an unknown address', async () => {
    const wrong = await signIn({ ...FIRST, password: 'another pass phrase' })
    const unknown = await signIn({ email: 'eve@shop.example', password: FIRST.password })
    const { requestId: _one, ...first } = wrong.body
    const { requestId: _other, ...second } = unknown.body
    assert.equal(first.code, 'sign_in_failed')
    assert.deepEqual(first, second)
  })
})

describe('the operator door', () => {
  test('refuses every operation without a session', async () => {
    for (const [operationId, row] of rows.filter(([, each]) => each.auth.kind === 'operator')) {
      for (const headers of [{}, { authorization: `Bearer ${'x'.repeat(43)}` }, { cookie: 'vitrine-operator=x' }]) {
        const answer = await anonymous.send(row.method, pathOf(row), row.method === 'GET' ? undefined : {}, headers)
        assert.deepEqual([answer.status, answer.body.code], [401, 'session_required'], operationId)
      }
    }
  })

  test('refuses requests from pages of other sites, also under a host name that resolves to it', async () => {
    const cookie = cookieOf((await signIn()).headers)
    const foreign = await anonymous.send('DELETE', '/session', undefined, { cookie, origin: 'https://evil.example' })
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'origin_not_allowed'])
    const own = await anonymous.send('DELETE', '/session', undefined, { cookie, origin: anonymous.origin })
    assert.equal(own.status, 200)
  })

  test('refuses another host name everywhere but at its probes, with or without a credential', async () => {
    const { hostname, port } = new URL(anonymous.origin)
    const statusAt = async (path: string) =>
      (await send(`${anonymous.origin}${path}`, 'GET', { host: 'evil.example' })).status
    for (const path of ['/metrics', '/openapi.json', '/operator/openapi.json', '/', '/operator/v1/setup']) {
      assert.equal(await statusAt(path), 403, path)
    }
    assert.equal(await statusAt('/livez'), 200)
    assert.equal((await send(`${anonymous.origin}/metrics`, 'GET', { host: `${hostname}:${port}` })).status, 200)
  })

  test('requires a token for metrics if one is set or other machines can reach the door, and warns of the latter', async () => {
    const METRICS_TOKEN = 'a-token-of-prometheus'
    const lines: string[] = []
    const onLogLine = (line: string) => void lines.push(JSON.parse(line).msg)
    const exposed = { OPERATOR_HOST: '10.0.0.7', OPERATOR_URL: 'http://10.0.0.7:8082' }
    const worlds = [{ METRICS_TOKEN }, { ...exposed, METRICS_TOKEN }, exposed]
    const statuses = await Promise.all(
      worlds.map(async (environment) => {
        const { origin } = await operatorClient(await startWorld({ environment, onLogLine }), {})
        const ask = async (authorization?: string) =>
          (await send(`${origin}/metrics`, 'GET', { ...(authorization && { authorization }) })).status
        return [
          await ask(),
          await ask('Bearer other'),
          await ask(`Bearer ${METRICS_TOKEN}`),
          await ask(`Bearer ${OPERATOR_TOKEN}`),
        ]
      }),
    )
    assert.deepEqual(statuses, [
      [401, 401, 200, 200],
      [401, 401, 200, 200],
      [401, 401, 401, 200],
    ])
    assert.equal(lines.filter((line) => line.includes('over http')).length, 2)
    assert.equal(lines.filter((line) => line.includes('set METRICS_TOKEN')).length, 1)
  })

  test('gives metrics to the token under the name of any node, as Prometheus on another machine calls it', async () => {
    const METRICS_TOKEN = 'a-token-of-prometheus'
    const { origin } = await operatorClient(await startWorld({ environment: { METRICS_TOKEN } }), {})
    const ask = async (token: string, path = '/metrics') => {
      const headers = { host: 'node-b:8082', authorization: `Bearer ${token}` }
      return (await send(`${origin}${path}`, 'GET', headers)).status
    }
    assert.equal(await ask(METRICS_TOKEN), 200)
    assert.equal(await ask(OPERATOR_TOKEN), 403)
    assert.equal(await ask(METRICS_TOKEN, '/operator/v1/system'), 403, 'everything else only under its own name')
  })

  test('names the invalid field of a request', async () => {
    const { status, body } = await anonymous.send('POST', '/sessions', { email: 'no address', extra: 1 })
    assert.equal(status, 400)
    assert.equal(body.outcome, 'not_applied')
    assert.deepEqual(body.details.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/email',
      '/extra',
      '/password',
    ])
    const unknown = await commandLine.get('/nothing')
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not_found'])
  })

  test('compresses long reads if the client accepts it', async () => {
    const [compressed, plain, refused] = await Promise.all(
      ['gzip', 'identity', 'br, gzip;q=0'].map(async (encoding) => {
        const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'accept-encoding': encoding }
        // fetch decodes the body.
        const answer = await fetch(`${commandLine.origin}/operator/v1/mail-templates`, { headers })
        const sent = ['content-encoding', 'vary', 'cache-control'].map((name) => answer.headers.get(name))
        return { status: answer.status, sent, body: await answer.json() }
      }),
    )
    assert.deepEqual([compressed?.status, ...(compressed?.sent ?? [])], [200, 'gzip', 'Accept-Encoding', 'no-store'])
    assert.deepEqual([plain?.status, ...(plain?.sent ?? [])], [200, null, 'Accept-Encoding', 'no-store'])
    assert.deepEqual(refused, plain)
    assert.deepEqual(compressed?.body, plain?.body)
  })

  test('serves the page of the console at a path that begins with two slashes', async () => {
    const [at, twice] = await Promise.all(
      ['/orders', '//', '//orders'].map(async (path) => (await fetch(commandLine.origin + path)).status),
    )
    assert.equal(twice, at)
  })

  test('has an OpenAPI document with every operation', () => {
    const { paths } = operatorOpenapiDocument({ serverUrl: 'http://127.0.0.1:8082' }) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
    assert.deepEqual(ids.sort(), rows.map(([id]) => id).sort())
  })
})

describe('the audit log', () => {
  test('shows who did what and when, newest first, in pages', async () => {
    // Later than the failed sign-ins of other tests.
    world.clock.advance(1000)
    await signIn()
    await signIn()
    const { body } = await commandLine.get('/audit-log?limit=1&operation=signIn')
    const [entry] = body.data.items
    assert.deepEqual([entry.operator.email, entry.operator.via, entry.operation], [FIRST.email, 'session', 'signIn'])
    assert.equal(entry.at, world.clock.now().toISOString())
    const next = await commandLine.get(`/audit-log?limit=1&operation=signIn&cursor=${body.data.nextCursor}`)
    assert.ok(next.body.data.items[0].id < entry.id)
    const elsewhere = await commandLine.get(`/audit-log?limit=1&cursor=${body.data.nextCursor}`)
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor'])
  })

  test('cannot be changed by anyone: the application lacks the permission, and a trigger stops the owner of the table', async () => {
    const owner = openDatabase({ url: world.ownerUrl, readersMax: 1, writersMax: 1 })
    for (const sql of ['update audit_log set operation = $$x$$', 'delete from audit_log']) {
      const change = (database: Database) =>
        database.transaction(async (tx) => tx.write(statement('', sql), [])).then(() => 'changed', String)
      assert.match(await change(owner), /only ever added to/)
      assert.match(await change(world.database), /permission denied|only ever added to/)
    }
    await owner.close()
  })
})
