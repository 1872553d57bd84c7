import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations, PublicErrorResponse, type RefusalCode, refusalCodes, refusals } from '@vitrine/contract'
import { DatabaseError } from 'pg'
import { Compile } from 'typebox/compile'
import { Refusal } from '../../kernel/refusal.ts'
import { OutcomeUnknown, RolledBack, Unreachable } from '../postgres/index.ts'
import { errorResponseOf } from './errors.ts'

const REQUEST_ID = 'req_01k5b7m2q8e9rtv3w4x5y6z7a8'
const schema = Compile(PublicErrorResponse)
const answer = (failure: unknown) => {
  const response = errorResponseOf(failure, REQUEST_ID)
  assert(schema.Check(response.body), JSON.stringify([response.body, ...schema.Errors(response.body)]))
  assert.equal(response.body.status, response.status)
  assert.equal(response.body.requestId, REQUEST_ID)
  return response
}

describe('the response to a refusal', () => {
  for (const code of refusalCodes) {
    test(`${code} has its status, message and advice, in the shape of all errors`, () => {
      const { status, body, headers } = answer(new Refusal(code))
      const { message, advice } = refusals[code]
      assert.equal(status, refusals[code].status)
      assert.deepEqual([body.code, body.message, body.retry.advice], [code, message, advice])
      assert.equal('www-authenticate' in headers, status === 401, 'a 401 has a challenge, and no other status does')
    })
  }

  test('is not_applied for 400, 401, 403, 404 and 429, always', () => {
    for (const code of refusalCodes) {
      if ([400, 401, 403, 404, 429].includes(refusals[code].status)) {
        assert.equal(answer(new Refusal(code)).body.outcome, 'not_applied', code)
      }
    }
  })

  test('is unknown while another request holds the key, with a retry after a second', () => {
    const { outcome, retry } = answer(new Refusal('idempotency_in_progress')).body
    assert.deepEqual([outcome, retry], ['unknown', { advice: 'same_key', afterMs: 1000 }])
  })

  test('locates an invalid field in the part of the request that the row reads it from', () => {
    const fault = { code: 'sku_unavailable', message: 'Not for sale.' }
    const faults = ['skuId', 'quantity', 'lines/2/skuId', ''].map((field) => ({ field, ...fault }))
    const { body } = errorResponseOf(
      new Refusal('validation_failed', { faults }),
      REQUEST_ID,
      operations.updatePublicCartItemQuantity,
    )
    assert.deepEqual(
      body.details.map((detail) => `${detail.in} ${detail.pointer}`),
      ['path /skuId', 'body /quantity', 'body /lines/2/skuId', 'body '],
    )
  })

  test('includes its facts, and never its reason', () => {
    const details = [{ in: 'body', pointer: '/quantity', code: 'out_of_range', message: '1 to 999' }] as const
    const { body, headers } = answer(
      new Refusal('version_conflict', {
        details,
        conflict: { expectedVersion: 3, currentVersion: 4 },
        params: { scopes: ['catalog:read'] },
        afterMs: 250,
        rateLimit: { policy: 'key-write', limit: 3000, windowSeconds: 60, remaining: 0 },
        headers: { 'dpop-nonce': 'abc' },
        reason: 'for the log alone',
      }),
    )
    assert.deepEqual(body.details, details)
    assert.deepEqual(body.conflict, { expectedVersion: 3, currentVersion: 4 })
    assert.deepEqual(body.params, { scopes: ['catalog:read'] })
    assert.equal(body.retry.afterMs, 250)
    assert.equal(body.rateLimit?.policy, 'key-write')
    assert.equal(headers['dpop-nonce'], 'abc')
    assert.doesNotMatch(JSON.stringify([body, headers]), /for the log alone/)
  })

  const challenges: readonly (readonly [RefusalCode, RegExp])[] = [
    ['credential_missing', /^Bearer realm="vitrine", DPoP realm="vitrine", algs="ES256 EdDSA Ed25519"$/],
    ['credential_malformed', /^Bearer .*error="invalid_request", DPoP .*error="invalid_request"/],
    ['credential_invalid', /^Bearer .*error="invalid_token", DPoP .*error="invalid_token"/],
    ['credential_revoked', /error="invalid_token"/],
    ['credential_expired', /error="invalid_token"/],
    ['dpop_proof_required', /^DPoP .*error="invalid_dpop_proof", algs=/],
    ['invalid_dpop_proof', /^DPoP .*error="invalid_dpop_proof", algs=/],
    ['use_dpop_nonce', /^DPoP .*error="use_dpop_nonce", algs=/],
  ]
  for (const [code, challenge] of challenges) {
    test(`${code} has the challenge of RFC 6750 and RFC 9449`, () =>
      assert.match(answer(new Refusal(code)).headers['www-authenticate'] ?? '', challenge))
  }
})

describe('the response to an internal error', () => {
  test('does not reveal it', () => {
    const { status, body } = answer(new Error('password=hunter2 at /srv/vitrine/cart.ts'))
    assert.equal(status, 500)
    assert.doesNotMatch(JSON.stringify(body), /hunter2|srv|at |stack/)
  })

  test('is not_applied, since its transaction is rolled back: a retry with the same key is safe', () => {
    const { code, outcome, retry } = answer(new Error('a bug')).body
    assert.deepEqual([code, outcome, retry.advice], ['internal_error', 'not_applied', 'same_key'])
  })

  test('is unavailable and not_applied if the database rolled back or was unreachable', () => {
    for (const failure of [new RolledBack(new Error('gone')), new Unreachable(new Error('gone'))]) {
      const { status, body } = answer(failure)
      assert.deepEqual([status, body.code, body.outcome], [503, 'unavailable', 'not_applied'])
    }
  })

  test('is unavailable and not_applied after a timeout, or with memory or disk full', () => {
    for (const sqlState of ['57014', '53100', '53200']) {
      const { status, body } = answer(Object.assign(new DatabaseError('no more', 0, 'error'), { code: sqlState }))
      assert.deepEqual([status, body.code, body.outcome], [503, 'unavailable', 'not_applied'])
    }
  })

  test('is unavailable and not_applied with a disk of this machine full', () => {
    const { status, body } = answer(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    assert.deepEqual([status, body.code, body.outcome], [503, 'unavailable', 'not_applied'])
  })

  test('is unavailable and unknown after a lost COMMIT: a retry with the same key resolves it', () => {
    const { status, body } = answer(new OutcomeUnknown(new Error('lost 4711')))
    assert.deepEqual([status, body.code, body.outcome, body.retry.advice], [503, 'unavailable', 'unknown', 'same_key'])
    assert.doesNotMatch(JSON.stringify(body), /4711/)
  })

  test('exists for any thrown value', () => {
    for (const thrown of [undefined, null, 'text', 7, {}]) assert.equal(answer(thrown).status, 500)
  })
})
