import { limits, type WebhookSignatureFixture } from '@vitrine/contract'
import { mac, type Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { Endpoint } from './endpoint.ts'
import { secretOf } from './secret.ts'
import { type Message, signatureHeaders, signedBytes } from './signing.ts'

const EVENT_ID = 'evt_01k5b7m2q8e9rtv3w4x5y6z7a8'
const DELIVERY_ID = 'whd_01k5b7m2q8e9rtv3w4x5y6z7a8'

/**
 * A signed sample for testing a receiver, with messages that it must reject. The secret of the sample is derived from a server
 * secret and reveals nothing about the secrets of the endpoint. The body is always the same, but it is signed now, because receivers
 * check the timestamp.
 *
 * @see docs/reference/rules.md#signature-fixture
 */
export function signatureFixture(
  endpoint: Pick<Endpoint, 'id' | 'environment'>,
  fixtureSecret: Secret,
  now: Date,
): WebhookSignatureFixture {
  const secret = secretOf(mac(fixtureSecret, `sample ${endpoint.id}`))
  const another = mac(fixtureSecret, `another ${endpoint.id}`)
  const body = bodyFor(endpoint)
  const message: Message = { id: EVENT_ID, sentAt: now, body }
  const tampered = Buffer.from(body.toString().replace('"sequence":1,', '"sequence":2,'))
  const staleAt = new Date(now.getTime() - 2 * limits.webhooks.timestampToleranceSeconds * 1000)
  const headersOf = (each: Message, by: Buffer) => ({
    'content-type': 'application/json' as const,
    'webhook-delivery-id': DELIVERY_ID,
    'webhook-attempt': '1',
    ...signatureHeaders(each, [by]),
  })
  const headers = headersOf(message, secret.bytes)
  const bodyBase64 = body.toString('base64')
  return {
    endpointId: endpoint.id,
    secret: secret.text,
    headers,
    body: body.toString(),
    bodyBase64,
    signedBase64: signedBytes(message).toString('base64'),
    mustBeRefused: [
      { case: 'tampered_body', headers, bodyBase64: tampered.toString('base64') },
      { case: 'wrong_secret', headers: headersOf(message, another), bodyBase64 },
      {
        case: 'stale_timestamp',
        headers: headersOf({ ...message, sentAt: staleAt }, secret.bytes),
        bodyBase64,
      },
    ],
  }
}

/**
 * A body whose bytes change if it is parsed and serialized again before verifying: non-ASCII letters, one outside the BMP, an
 * escaped slash, an unnecessary escape, and unusual whitespace.
 */
function bodyFor({ id, environment }: Pick<Endpoint, 'id' | 'environment'>): Buffer {
  const data = `{"endpointId":"${id}","message":"Grüße aus Köln, 東京 🏺 \\u0026 https:\\/\\/shop.example\\/"}`
  return Buffer.from(
    `{"id":"${EVENT_ID}","type":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","apiVersion":"v1",` +
      `"environment":"${environment}","sequence":1, "data":${data}}`,
  )
}
