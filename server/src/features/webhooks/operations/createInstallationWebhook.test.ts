import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { open, opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { storedAnswers } from '../../../../../test/support/stored-answers.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'
import { statement } from '../../../platform/postgres/index.ts'

let world: World
let client: InstallationClient
before(async () => {
  world = await startWorld({ environment: { WEBHOOK_ALLOWED_TARGETS: 'localhost:9000' } })
  client = await world.client()
})

const secrets = statement<{ sealed: Buffer; hint: string; expires_at: Date | null }>(
  'test.secrets',
  'select sealed, hint, expires_at from webhook_secrets where endpoint_id = $1',
)

describe('createInstallationWebhook', () => {
  test('200 creates an enabled endpoint', async () => {
    const { secret, ...endpoint } = await opened(client, {
      url: 'https://Shop.Example:443/hooks?from=vitrine',
      events: ['order.updated', 'order.created', 'order.updated'],
      description: 'Warehouse',
    })
    const now = world.clock.now().toISOString()
    assert.match(endpoint.id, /^whe_/)
    assert.deepEqual(endpoint, {
      id: endpoint.id,
      url: 'https://shop.example/hooks?from=vitrine',
      events: ['order.created', 'order.updated'],
      status: 'enabled',
      secretHint: `…${secret.slice(-5, -1)}`,
      description: 'Warehouse',
      stats: { deliveredCount: 0, failedCount: 0, pendingCount: 0, consecutiveFailures: 0 },
      apiVersion: 'v1',
      version: 1,
      createdAt: now,
      updatedAt: now,
      secretState: 'shown',
    })
  })

  test('200 shows a secret of 32 random bytes once, and stores it sealed', async () => {
    const { id, secret } = await opened(client)
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    assert.equal(bytes.length, 32)
    const [kept, ...others] = await world.database.reader.rows(secrets, [id])
    assert(kept && others.length === 0)
    assert.equal(kept.sealed.includes(bytes), false)
    assert.notEqual((await opened(client)).secret, secret)
  })

  test('200 replays a repeated idempotency key without the secret, and creates nothing', async () => {
    const first = await open(client, {}, 'once')
    const again = await open(client, {}, 'once')
    const { secret, ...rest } = first.body.data
    assert.deepEqual(again.body.data, { ...rest, secretState: 'already_shown' })
    const stored = await storedAnswers(world.database.reader)
    assert(stored.some((answer) => answer.includes(rest.id)))
    for (const answer of stored) assert.equal(answer.includes(secret), false)
  })

  test('200 treats "*" with other types as all types', async () => {
    assert.deepEqual((await opened(client, { events: ['order.created', '*'] })).events, ['*'])
  })

  test('200 allows a target without https if the operator allows that host and port', async () => {
    assert.equal((await opened(client, { url: 'http://LOCALHOST:9000/hooks' })).url, 'http://localhost:9000/hooks')
    assertRefused(await open(client, { url: 'http://localhost:9001/hooks' }), 400, 'webhook_url_invalid')
  })

  for (const [what, url, code] of [
    ['no https', 'http://shop.example/hooks', 'not_https'],
    ['a user', 'https://user@shop.example/', 'userinfo'],
    ['a password', 'https://:geheim@shop.example/', 'userinfo'],
    ['a fragment', 'https://shop.example/#hooks', 'fragment'],
    ['loopback', 'https://127.0.0.1/', 'not_public'],
    ['loopback in decimal', 'https://2130706433/', 'not_public'],
    ['loopback in hexadecimal', 'https://0x7f.1/', 'not_public'],
    ['loopback in octal', 'https://0177.0.0.01/', 'not_public'],
    ['loopback in IPv6', 'https://[::1]/', 'not_public'],
    ['loopback inside IPv6', 'https://[::ffff:127.0.0.1]/', 'not_public'],
    ['loopback through NAT64', 'https://[64:ff9b::7f00:1]/', 'not_public'],
    ['a private network', 'https://10.1.2.3/', 'not_public'],
    ['a cloud metadata service', 'https://169.254.169.254/latest/', 'not_public'],
    ['localhost', 'https://localhost/', 'not_public'],
    ['too many characters when normalized', `https://shop.example/?${"'".repeat(700)}`, 'too_long'],
  ] as const) {
    test(`400 webhook_url_invalid: ${what}, without naming an address`, async () => {
      const answer = await open(client, { url })
      assertRefused(answer, 400, 'webhook_url_invalid')
      const [detail] = answer.body.details
      assert.deepEqual([detail.pointer, detail.code], ['/url', code])
      assert.doesNotMatch(answer.text, /127|10\.1|169\.254|geheim/)
    })
  }

  test('400 unknown_event_type names each unknown type', async () => {
    const answer = await open(client, { events: ['order.created', 'order.creatd', 'nothing.at_all'] })
    assertRefused(answer, 400, 'unknown_event_type')
    assert.deepEqual(
      answer.body.details.map((detail: { pointer: string }) => detail.pointer),
      ['/events/1', '/events/2'],
    )
  })

  test('409 endpoint_limit_reached: the seventeenth endpoint, also with twenty concurrent requests', async () => {
    const full = await world.client()
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(full)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.equal(answers.length - refused.length, 16)
    for (const answer of refused) assertRefused(answer, 409, 'endpoint_limit_reached')
    assert.deepEqual(refused[0]?.body.conflict.allowed, ['updateInstallationWebhook'])
    assert.equal((await full.get(WEBHOOKS.endpoints)).body.data.result.endpoints.length, 16)
    // The limit is per installation.
    await opened(await world.client())
  })
})
