import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { before, describe, test } from 'node:test'
import { signatureHeaders } from '../../server/src/features/webhooks/endpoints/signing.ts'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { change, logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { background, command, temporaryFolder } from '../support/processes/command.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

let world: World
let client: InstallationClient
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  world = await startWorld()
  client = await world.client()
  folder = await temporaryFolder()
})

const webhook = (args: readonly string[]) =>
  command(['webhook', ...args], {
    env: { DATABASE_URL: world.databaseUrl, DATA_DIR: folder },
  })
const tests = statement<{ body: Buffer }>('test.tests', `select body from events where kind = 'webhook.test'`)

describe('vitrine webhook', () => {
  test('lists endpoints and deliveries, and replays a delivery', async () => {
    assert.match((await webhook(['list'])).out, /^There is no webhook endpoint yet\.\n$/)
    const { id: endpointId, url } = await opened(client)
    const { id } = await logged(world, { installationId: client.installationId, endpointId, status: 'dead' })
    const listed = JSON.parse((await webhook(['list', '--installation', client.installationId, '--json'])).out)
    assert.deepEqual(
      listed.map((each: Record<string, unknown>) => [each.id, each.status, each.url]),
      [[endpointId, 'enabled', url]],
    )
    const shown = await webhook(['deliveries', '--endpoint', endpointId, '--status', 'dead'])
    assert.match(shown.out, new RegExp(`${id} .*cart\\.revoked +#1 +dead +1 +200`))
    const replay = JSON.parse((await webhook(['replay', id, '--json'])).out)
    assert.equal(replay.replayOf, id)
    const again = await webhook(['replay', replay.id])
    assert.deepEqual(
      [again.code, again.err],
      [1, 'vitrine: The delivery is still in progress. It is pending; allowed: succeeded, dead.\n'],
    )
  })

  test('sends a test event to an endpoint, and explains what it cannot do', async () => {
    const { id } = await opened(client, { events: ['order.created'] })
    assert.equal((await webhook(['test', '--endpoint', id, '--message', 'Grüße'])).code, 0)
    const sent = (await world.database.reader.rows(tests)).map(({ body }) => JSON.parse(body.toString()).data)
    assert.deepEqual(sent, [{ endpointId: id, message: 'Grüße' }])
    await change(client, id, { status: 'paused' })
    const refused = await webhook(['test', '--endpoint', id])
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^vitrine: .* It is paused; allowed: enabled\.\n$/)
    assert.equal(
      (await webhook(['deliveries', '--endpoint', 'whe_nowhere'])).err,
      'vitrine: There is no endpoint "whe_nowhere".\n',
    )
    assert.equal((await webhook(['deliveries', '--endpoint', id, '--status', 'lost'])).code, 2)
  })
})

const SECRET = Buffer.alloc(32, 3)
const secret = `whsec_${SECRET.toString('base64')}`
const body = Buffer.from('{"id":"evt_a","type":"webhook.test","sequence":2,"data":{"message":"Grüße \\u001b[31m"}}')

/** Its output after the address, one JSON document a line. */
async function listening(args: readonly string[]) {
  const running = background(['webhook', 'listen', '--port', '0', '--json', ...args])
  const lines = createInterface({ input: running.child.stdout! })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value as string)
  const { listening: url } = await next()
  const send = (headers: object, sent: Buffer = body) =>
    fetch(url.replace('localhost', '127.0.0.1'), {
      method: 'POST',
      body: new Uint8Array(sent),
      headers: { 'webhook-delivery-id': 'whd_a', 'webhook-attempt': '1', ...headers },
    })
  return { running, next, send, url }
}

describe('vitrine webhook listen', () => {
  test('shows deliveries, verifies their signatures, and refuses invalid ones', async () => {
    const { running, next, send } = await listening(['--secret', secret])
    const headers = signatureHeaders({ id: 'evt_a', sentAt: new Date(), body }, [SECRET])
    assert.equal((await send(headers)).status, 200)
    assert.deepEqual(await next(), {
      deliveryId: 'whd_a',
      attempt: 1,
      genuine: true,
      refusedBecause: null,
      answered: 200,
      event: JSON.parse(body.toString()),
    })
    assert.equal((await send(headers, Buffer.from(body.toString().replace('2', '3')))).status, 400)
    const refused = await next()
    assert.deepEqual([refused.genuine, refused.refusedBecause, refused.answered], [false, 'wrong_signature', 400])
    running.child.kill('SIGTERM')
    assert.equal((await running.ended).code, 0)
  })

  test('verifies nothing without a secret, and responds with the given status', async () => {
    const { next, send, url } = await listening(['--answer', '503'])
    assert.equal((await send({})).status, 503)
    const { genuine, answered, event } = await next()
    assert.deepEqual([genuine, answered, event.id], [null, 503, 'evt_a'])
    assert.equal((await fetch(url.replace('localhost', '127.0.0.1'))).status, 405)
    for (const bytes of [1_048_577, 8_000_000]) assert.equal((await send({}, Buffer.alloc(bytes))).status, 413)
  })

  test('prints no control characters to a terminal', async () => {
    const running = background(['webhook', 'listen', '--port', '0'])
    const said = await running.saying(/Listening on (\S+),/)
    const url = /Listening on (\S+),/.exec(said)?.[1]?.replace('localhost', '127.0.0.1') ?? ''
    await fetch(url, { method: 'POST', body: '{"id":"evt_b","type":"\\u009b2J\\u202e","sequence":1,"data":{}}' })
    const shown = await running.saying(/evt_b/)
    assert.match(shown, /\ufffd2J\ufffd evt_b #1 · attempt \? · not verified · answered 200/)
    running.child.kill('SIGINT')
    await once(running.child, 'close')
  })

  test('explains an invalid call', async () => {
    for (const args of [
      ['--port', '70000'],
      ['--secret', 'whsec_short'],
      ['--answer', '99'],
    ]) {
      const { code, err } = await command(['webhook', 'listen', ...args])
      assert.equal(code, 2, err)
    }
  })
})
