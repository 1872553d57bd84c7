import type { Operation } from './operation.ts'
import type { RefusalCode } from './refusals.ts'

const credential: readonly RefusalCode[] = [
  'credential_missing',
  'credential_malformed',
  'credential_invalid',
  'credential_revoked',
  'credential_expired',
  'installation_suspended',
  'capability_blocked',
]
/** A read needs no nonce, but refuses one that is too old. */
const proof: readonly RefusalCode[] = ['dpop_proof_required', 'invalid_dpop_proof', 'use_dpop_nonce']

/**
 * All refusals of a row, in descending precedence: those of the pipeline that apply to the row, in the order of its steps, then
 * those of the operation. Server faults (5xx) are not refusals.
 *
 * @see docs/reference/rules.md#order-of-checks
 */
export function refusalsOf(row: Operation): readonly RefusalCode[] {
  const { auth } = row
  const installation = auth.kind === 'key' || auth.kind === 'senderConstrained' || auth.kind === 'installation'
  const scoped = (auth.kind === 'key' || auth.kind === 'senderConstrained') && auth.scopes.length > 0
  const hasParams = Object.keys(row.params.properties).length > 0
  // RFC 6749 has one code for anything malformed; these rows list it themselves.
  const isOAuth = auth.kind === 'oauth'
  const inOrder: readonly (RefusalCode | false)[] = [
    'rate_limited',
    ...(installation ? credential : []),
    scoped && 'insufficient_scope',
    auth.kind === 'senderConstrained' && 'sender_constraint_required',
    ...(installation ? proof : []),
    // This one and `unsupported_media_type` are also for a body where none is expected.
    row.method !== 'GET' && 'payload_too_large',
    hasParams && 'invalid_identifier',
    !isOAuth && 'unknown_parameter',
    !isOAuth && row.method !== 'GET' && 'unsupported_media_type',
    !isOAuth && row.body !== null && 'invalid_json',
    !isOAuth && row.body !== null && 'unknown_field',
    !isOAuth && 'validation_failed',
    row.limits?.some((limit) => limit.by === 'account') === true && 'quota_exceeded',
    row.idempotency === 'required' && 'idempotency_key_required',
    row.idempotency === 'required' && 'idempotency_key_invalid',
    row.idempotency === 'required' && 'idempotency_key_reused',
    row.idempotency === 'required' && 'idempotency_in_progress',
    ...row.refusals,
  ]
  return [...new Set(inOrder.filter((code) => code !== false))]
}
