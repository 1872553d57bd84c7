import { limits, type RefusalCode } from '@vitrine/contract'

/** What RFC 6750 §3.1 and RFC 9449 §7.1 call each refusal. Nothing where no credential was sent. */
const errors: { readonly [Code in RefusalCode]?: string } = {
  credential_malformed: 'invalid_request',
  credential_invalid: 'invalid_token',
  credential_expired: 'invalid_token',
  credential_revoked: 'invalid_token',
  dpop_proof_required: 'invalid_dpop_proof',
  invalid_dpop_proof: 'invalid_dpop_proof',
  use_dpop_nonce: 'use_dpop_nonce',
  oauth_invalid_client: 'invalid_client',
}

/** Only what is bound to a key came so far: to send it as Bearer would not help. */
const aboutProofs: readonly RefusalCode[] = [
  'dpop_proof_required',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'oauth_invalid_client',
]

/**
 * The `WWW-Authenticate` that goes with a 401: how to ask instead.
 *
 * @see RFC 9110 §11.6.1, RFC 9449 §7.1
 */
export function challengeOf(code: RefusalCode): string {
  const error = errors[code]
  const told = error ? `, error="${error}"` : ''
  const dpop = `DPoP realm="vitrine"${told}, algs="${limits.dpop.algorithms.join(' ')}"`
  return aboutProofs.includes(code) ? dpop : `Bearer realm="vitrine"${told}, ${dpop}`
}
