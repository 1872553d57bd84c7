import type { RefusalCode } from '@vitrine/contract'
import { Refusal } from '../../kernel/refusal.ts'
import type { ErrorResponse } from './errors.ts'

/** The OAuth code for each refusal of the pipeline. @see RFC 6749 §5.2, RFC 9449 §5 and 8 */
const codes: { readonly [Code in RefusalCode]?: RefusalCode } = {
  unknown_parameter: 'oauth_invalid_request',
  unsupported_media_type: 'oauth_invalid_request',
  invalid_json: 'oauth_invalid_request',
  unknown_field: 'oauth_invalid_request',
  validation_failed: 'oauth_invalid_request',
  dpop_proof_required: 'oauth_invalid_dpop_proof',
  invalid_dpop_proof: 'oauth_invalid_dpop_proof',
  use_dpop_nonce: 'oauth_use_dpop_nonce',
}

/** Replaces the code of a refusal by its OAuth equivalent. */
export function asOAuthRefusal(failure: unknown): unknown {
  const code = failure instanceof Refusal ? codes[failure.code as RefusalCode] : undefined
  return code ? new Refusal(code, (failure as Refusal).facts) : failure
}

/** The `error` of RFC 6749 for refusals without an OAuth code. */
const errorsByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Adds the members `error` and `error_description`. @see RFC 6749 §5.2 */
export function withOAuthFields(response: ErrorResponse): ErrorResponse {
  const { code, message, details, status } = response.body
  const error = code.startsWith('oauth_') ? code.slice('oauth_'.length) : (errorsByStatus[status] ?? 'invalid_request')
  const description = printable(details[0]?.message ?? message)
  return { ...response, body: { ...response.body, error, error_description: description } }
}

/** "Values for the "error_description" parameter MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E." */
function printable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?')
}
