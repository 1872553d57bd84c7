import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { WebhookSignatureFixture } from '@vitrine/contract'
import { eventBody } from '@vitrine/contract'
import { Compile } from 'typebox/compile'
import { assertRefused } from '../../../../../test/support/commerce/shop.ts'
import { opened, WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type InstallationClient, startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
let client: InstallationClient
let endpoint: Awaited<ReturnType<typeof opened>>
let fixture: WebhookSignatureFixture
before(async () => {
  world = await startWorld()
  client = await world.client()
  endpoint = await opened(client)
  fixture = (await readFixture()).body.data
})

const readFixture = () => client.get(`${WEBHOOKS.endpoints}/${endpoint.id}/signature-fixture`)
const bytesOf = (base64: string) => Buffer.from(base64, 'base64')

describe('getInstallationWebhookSignatureFixture', () => {
  test('200 returns the same body each time, signed now', async () => {
    world.clock.advance(60_000)
    const later: WebhookSignatureFixture = (await readFixture()).body.data
    assert.deepEqual(
      [later.bodyBase64, later.secret, later.endpointId],
      [fixture.bodyBase64, fixture.secret, endpoint.id],
    )
    assert.equal(Number(later.headers['webhook-timestamp']), Math.floor(world.clock.now().getTime() / 1000))
    assert.notEqual(later.headers['webhook-signature'], fixture.headers['webhook-signature'])
  })

  test('200 signs with a derived secret: neither the live one nor that of another endpoint', async () => {
    const other = await opened(client)
    const { data } = (await client.get(`${WEBHOOKS.endpoints}/${other.id}/signature-fixture`)).body
    assert.equal(new Set([endpoint.secret, other.secret, fixture.secret, data.secret]).size, 4)
  })

  test('200 has the headers of a real delivery', () => {
    assert.deepEqual(Object.keys(fixture.headers).sort(), [
      'content-type',
      'webhook-attempt',
      'webhook-delivery-id',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
  })

  test('200 returns exactly what was signed: id, timestamp and body', () => {
    const { headers, body, bodyBase64, signedBase64 } = fixture
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    assert.equal(bytesOf(signedBase64).toString(), signed)
    assert.equal(bytesOf(bodyBase64).toString(), body)
  })

  test('200 has a body that changes when it is parsed and serialized again', () => {
    assert.match(fixture.body, /[^\0-\uffff]/u)
    assert.match(fixture.body, /\\\//)
    assert.notEqual(JSON.stringify(JSON.parse(fixture.body)), fixture.body)
    assert(Compile(eventBody('webhook.test')).Check(JSON.parse(fixture.body)))
  })

  test('200 includes messages that a receiver must reject, each wrong in one way', () => {
    const { headers, bodyBase64, mustBeRefused } = fixture
    const cases = Object.fromEntries(mustBeRefused.map((each) => [each.case, each]))
    assert.deepEqual(Object.keys(cases), ['tampered_body', 'wrong_secret', 'stale_timestamp'])
    assert.deepEqual(cases.tampered_body?.headers, headers)
    assert.notEqual(cases.tampered_body?.bodyBase64, bodyBase64)
    const { 'webhook-signature': _, ...rest } = headers
    const { 'webhook-signature': wrong, ...wrongRest } = cases.wrong_secret!.headers
    assert.deepEqual([wrongRest, cases.wrong_secret?.bodyBase64], [rest, bodyBase64])
    assert.notEqual(wrong, headers['webhook-signature'])
    const aged = Number(headers['webhook-timestamp']) - Number(cases.stale_timestamp?.headers['webhook-timestamp'])
    assert.deepEqual([aged, cases.stale_timestamp?.bodyBase64], [600, bodyBase64])
  })

  test('404 not_found: unknown, or of another installation', async () => {
    const other = await world.client()
    for (const each of [client, other]) {
      const id = each === client ? 'whe_01k5b7m2q8e9rtv3w4x5y6z7a8' : endpoint.id
      assertRefused(await each.get(`${WEBHOOKS.endpoints}/${id}/signature-fixture`), 404, 'not_found')
    }
  })
})
