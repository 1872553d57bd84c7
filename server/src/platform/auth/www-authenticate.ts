import { limits, type RefusalCode } from '@vitrine/contract'

/** The `error` of RFC 6750 §3.1 and RFC 9449 §7.1 for each refusal. None if no credential was sent. */
const errors: { readonly [Code in RefusalCode]?: string } = {
  credential_malformed: 'invalid_request',
  credential_invalid: 'invalid_token',
  credential_expired: 'invalid_token',
  credential_revoked: 'invalid_token',
  dpop_proof_required: 'invalid_dpop_proof',
  invalid_dpop_proof: 'invalid_dpop_proof',
  use_dpop_nonce: 'use_dpop_nonce',
  oauth_invalid_client: 'invalid_client',
  insufficient_scope: 'insufficient_scope',
}

/** Refusals of key-bound credentials: offering Bearer would not help. */
const proofRefusals: readonly RefusalCode[] = [
  'dpop_proof_required',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'oauth_invalid_client',
]

export type Scheme = 'Bearer' | 'DPoP'

/**
 * The `WWW-Authenticate` header of a 401, or of the 403 for a missing scope.
 *
 * @param scheme the scheme of the client's credential, if it is known; otherwise both are offered
 * @see RFC 9110 §11.6.1, RFC 6750 §3, RFC 9449 §7.1
 */
export function challengeOf(code: RefusalCode, scheme?: Scheme, scopes: readonly string[] = []): string {
  const error = errors[code]
  const attribute = `${error ? `, error="${error}"` : ''}${scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : ''}`
  const bearer = `Bearer realm="vitrine"${attribute}`
  const dpop = `DPoP realm="vitrine"${attribute}, algs="${limits.dpop.algorithms.join(' ')}"`
  if (scheme === 'DPoP' || proofRefusals.includes(code)) return dpop
  return scheme === 'Bearer' ? bearer : `${bearer}, ${dpop}`
}
