import type { RefusalCode } from '@vitrine/contract'
import { Refusal } from '../../kernel/refusal.ts'
import type { ErrorAnswer } from './errors.ts'

/** What the steps refuse, as OAuth names it. @see RFC 6749 §5.2, RFC 9449 §5 and 8 */
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

/** The same refusal with the code that an OAuth client knows. */
export function asOAuthRefusal(failure: unknown): unknown {
  const code = failure instanceof Refusal ? codes[failure.code as RefusalCode] : undefined
  return code ? new Refusal(code, (failure as Refusal).facts) : failure
}

/** What RFC 6749 would call an answer whose code is not one of OAuth's. */
const wordsByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Adds the members by which a stock OAuth client knows an error. @see RFC 6749 §5.2 */
export function withOAuthFields(answer: ErrorAnswer): ErrorAnswer {
  const { code, message, details, status } = answer.body
  const error = code.startsWith('oauth_') ? code.slice('oauth_'.length) : (wordsByStatus[status] ?? 'invalid_request')
  const description = sayable(details[0]?.message ?? message)
  return { ...answer, body: { ...answer.body, error, error_description: description } }
}

/** "Values for the "error_description" parameter MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E." */
function sayable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?')
}
