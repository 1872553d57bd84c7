import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '@vitrine/contract'
import { type WebhookEvent, WebhookVerificationError, webhookVerifier } from './webhooks.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD9Y6m1YzyFRk='
const sentAt = new Date('2026-03-01T12:00:00Z')
const seconds = sentAt.getTime() / 1000
const ID = 'evt_01k5b7m2q8e9rtv3w4x5y6z7a8'
const bytes = (text: string) => new TextEncoder().encode(text)
const body = bytes(
  `{"id":"${ID}","type":"cart.revoked","timestamp":"2026-03-01T12:00:00.000Z","apiVersion":"v1","environment":"test",` +
    '"sequence":1, "data":{"cartId":"cart_01k5b7m2q8e9rtv3w4x5y6z7a8","version":4,"reason":"Grüße \\/ 🏺","revokedAt":"2026-03-01T12:00:00.000Z"}}',
)

/** Signs independently of the code under test. */
async function sign(secret: string, text: Uint8Array, { id = ID, timestamp = String(seconds) } = {}): Promise<string> {
  const { createHmac } = await import('node:crypto')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(text).digest('base64')}`
}

async function signed(secret = SECRET, more: Readonly<Record<string, string>> = {}) {
  const timestamp = more['webhook-timestamp'] ?? String(seconds)
  return {
    'webhook-id': ID,
    'webhook-timestamp': timestamp,
    'webhook-signature': await sign(secret, body, { timestamp }),
    ...more,
  }
}

const at = (ms: number) => ({ now: () => new Date(sentAt.getTime() + ms) })
const verifier = webhookVerifier({ secret: SECRET, ...at(0) })

async function refuses(reason: string, verifying: Promise<unknown>): Promise<void> {
  await assert.rejects(verifying, (error) => error instanceof WebhookVerificationError && error.reason === reason)
}

describe('a verifier', () => {
  test('returns the event of a signed body, from a Request, from fetch headers and from Node headers', async () => {
    const headers = await signed()
    const request = new Request('https://shop.example/hooks', { method: 'POST', body, headers })
    const found = [
      await verifier.verify(request),
      await verifier.verify(body, new Headers(headers)),
      await verifier.verify(Buffer.from(body), headers),
    ]
    for (const event of found) assert.deepEqual(event, JSON.parse(Buffer.from(body).toString()))
  })

  test('narrows an event by its type', async () => {
    const event: WebhookEvent = await verifier.verify(body, await signed())
    assert(event.type === 'cart.revoked')
    const reason: string | undefined = event.data.reason
    assert.equal(reason, 'Grüße / 🏺')
  })

  test('accepts headers in any case, and one valid signature among several', async () => {
    const good = await sign(SECRET, body)
    const other = await sign(OTHER, body)
    for (const signature of [
      `${other} ${good}`,
      `${good} ${other}`,
      `v2,${good.slice(3)} v1a,x ${good}`,
      `v1, ${good}`,
    ]) {
      const headers = { 'Webhook-Id': ID, 'WEBHOOK-TIMESTAMP': String(seconds), 'webhook-Signature': signature }
      assert.equal((await verifier.verify(body, headers)).id, ID)
    }
  })

  test('accepts both secrets during a rotation', async () => {
    const both = webhookVerifier({ secret: [OTHER, SECRET], ...at(0) })
    for (const secret of [SECRET, OTHER]) assert.equal((await both.verify(body, await signed(secret))).id, ID)
  })

  test('rejects a change to any byte of the body or the signature', async () => {
    const headers = await signed()
    for (let index = 0; index < body.length; index += 1) {
      const changed = Uint8Array.from(body)
      changed[index] = changed[index]! ^ 1
      await refuses('wrong_signature', verifier.verify(changed, headers))
    }
    const signature = headers['webhook-signature']
    const wrong = [
      signature.slice(0, -1),
      `${signature}=`,
      signature.replace('v1,', 'v2,'),
      'v1,',
      ',',
      signature.slice(3),
    ]
    for (const each of wrong)
      await refuses('wrong_signature', verifier.verify(body, { ...headers, 'webhook-signature': each }))
    await refuses('wrong_signature', verifier.verify(body, { ...headers, 'webhook-id': `${ID}x` }))
    await refuses('wrong_signature', verifier.verify(body, await signed(OTHER)))
  })

  test('accepts a clock that is five minutes off, and no more', async () => {
    const headers = await signed()
    for (const ms of [-300_000, 300_999]) {
      assert.equal((await webhookVerifier({ secret: SECRET, ...at(ms) }).verify(body, headers)).id, ID)
    }
    await refuses('timestamp_too_old', webhookVerifier({ secret: SECRET, ...at(301_000) }).verify(body, headers))
    await refuses('timestamp_too_new', webhookVerifier({ secret: SECRET, ...at(-300_001) }).verify(body, headers))
    const strict = webhookVerifier({ secret: SECRET, toleranceSeconds: 10, ...at(11_000) })
    await refuses('timestamp_too_old', strict.verify(body, headers))
    assert.equal(limits.webhooks.timestampToleranceSeconds, 300)
  })

  test('rejects a request with a missing header or a malformed timestamp', async () => {
    const headers = await signed()
    for (const name of Object.keys(headers)) {
      await refuses('missing_header', verifier.verify(body, { ...headers, [name]: undefined }))
    }
    for (const timestamp of ['now', '1e9', `${seconds}.5`, `-${seconds}`, '9'.repeat(13), `${seconds}x`]) {
      await refuses(
        'malformed_timestamp',
        verifier.verify(body, await signed(SECRET, { 'webhook-timestamp': timestamp })),
      )
    }
  })

  test('rejects signed bytes that are not an event', async () => {
    for (const text of ['', 'null', '[]', '{"type":5}', '"text"', '{']) {
      const headers = { ...(await signed()), 'webhook-signature': await sign(SECRET, bytes(text)) }
      await refuses('not_an_event', verifier.verify(bytes(text), headers))
    }
    const broken = Uint8Array.of(0x22, 0xff, 0x22)
    await refuses(
      'not_an_event',
      verifier.verify(broken, { ...(await signed()), 'webhook-signature': await sign(SECRET, broken) }),
    )
  })
})

describe('a parsed body', () => {
  test('fails to compile, and throws a readable TypeError at run time', async () => {
    const headers = await signed()
    const parsed = JSON.parse(Buffer.from(body).toString())
    const text = Buffer.from(body).toString()
    const wrong = [
      // @ts-expect-error a parsed body has other bytes
      () => verifier.verify({ type: 'cart.revoked' }, headers),
      // @ts-expect-error text has been decoded
      () => verifier.verify(text, headers),
      // @ts-expect-error bytes need the headers
      () => verifier.verify(body),
      () => verifier.verify(parsed, headers),
    ]
    for (const verifying of wrong) {
      await assert.rejects(verifying, { name: 'TypeError', message: /^Pass the Request, or the raw bytes of the body/ })
    }
  })

  test('throws if the body of the Request was already read', async () => {
    const request = new Request('https://shop.example/hooks', { method: 'POST', body, headers: await signed() })
    await request.json()
    await assert.rejects(verifier.verify(request), { name: 'TypeError', message: /was already read. Verify first/ })
  })
})

describe('a secret', () => {
  test('must be whsec_ and base64, and is not repeated in the error', () => {
    const letters = 'geheim'.repeat(4)
    const misshapen = [`whsec_${letters}A`, `whsec_${letters}=`, `whsec_${letters}AB=`, `${letters}ABC==`]
    for (const secret of ['', 'whsec_', 'whsec_geheim!', [], ['whsec_short'], ...misshapen]) {
      assert.throws(() => webhookVerifier({ secret }), { name: 'TypeError', message: /^(?!.*geheim)/ })
    }
  })
})
