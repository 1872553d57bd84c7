import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations } from '@vitrine/contract'
import { unansweredCodes, unlistedCodes } from './answered-codes.ts'

const { getPublicCart, getStorefrontOrder } = operations
const rows = { getPublicCart, getStorefrontOrder }
const SHARED = [
  'rate_limited',
  'credential_missing',
  'credential_malformed',
  'credential_invalid',
  'credential_revoked',
  'credential_expired',
  'installation_suspended',
  'capability_blocked',
  'insufficient_scope',
  'dpop_proof_required',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'invalid_identifier',
  'unknown_parameter',
  'validation_failed',
]

describe('unansweredCodes', () => {
  test('lists a code of a handler for each row that never answered it', () => {
    const shared = SHARED.map((code) => `getPublicCart ${code}`)
    assert.deepEqual(unansweredCodes(new Set([...shared, 'getPublicCart not_found']), rows), [
      'getStorefrontOrder not_found',
    ])
  })

  test('lists a code of the pipeline once for each kind of row that never answered it', () => {
    const handlers = ['getPublicCart not_found', 'getStorefrontOrder not_found']
    const shared = SHARED.filter((code) => code !== 'credential_expired').map((code) => `getStorefrontOrder ${code}`)
    assert.deepEqual(unansweredCodes(new Set([...handlers, ...shared]), rows), ['any key read credential_expired'])
  })
})

test('unlistedCodes lists an answered code that the row does not list', () => {
  const answered = [
    'getPublicCart not_found',
    'getPublicCart cart_empty',
    'getPublicCart unavailable',
    'none not_found',
    '',
  ]
  assert.deepEqual(unlistedCodes(new Set(answered), rows), ['getPublicCart cart_empty'])
})
