import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signatureHeaders, signedBytes } from './signing.ts'

/** @see https://github.com/standard-webhooks/standard-webhooks, the example of the specification */
const published = {
  secret: Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
  message: {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: Buffer.from('{"test": 2432232314}'),
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

describe('a signature', () => {
  test('matches the example of the specification', () => {
    assert.deepEqual(signatureHeaders(published.message, [published.secret]), {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': published.signature,
    })
  })

  test('is followed by those of the replaced secrets', () => {
    const other = Buffer.alloc(32, 1)
    const headers = signatureHeaders(published.message, [other, published.secret])
    const [first, second, ...more] = headers['webhook-signature'].split(' ')
    assert.deepEqual([second, more], [published.signature, []])
    assert.match(first ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  })

  test('covers the exact bytes', () => {
    const body = Buffer.from([0xff, 0x00, 0x2e, 0xc3, 0x28])
    assert.deepEqual(signedBytes({ ...published.message, body }).subarray(-5), body)
  })
})
