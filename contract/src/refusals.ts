/** What the client should do next. @see docs/reference/rules.md#errors */
export const RETRY_ADVICE = [
  'do_not_retry',
  'fix_request',
  'reauthenticate',
  'same_key',
  'new_key',
  'same_request_later',
  'refresh_state',
] as const
export type RetryAdvice = (typeof RETRY_ADVICE)[number]

/** One expected refusal. */
export interface RefusalEntry {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503
  /** One English sentence for developers: what is wrong and what to do. Never more than the caller may know. */
  readonly message: string
  readonly advice: RetryAdvice
  /** How long to wait before following the advice, if it is always the same. Milliseconds. */
  readonly afterMs?: number
}

/** Every answer that is not a success: code, status, public message and advice. The codes never change. */
export const refusals = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.', advice: 'fix_request' },
  unsupported_media_type: {
    status: 400,
    message: 'The content type of the body is not supported.',
    advice: 'fix_request',
  },
  payload_too_large: { status: 400, message: 'The body is larger than 1 MiB.', advice: 'fix_request' },
  validation_failed: { status: 400, message: 'The request does not match the public contract.', advice: 'fix_request' },
  unknown_field: { status: 400, message: 'The body contains an unknown field.', advice: 'fix_request' },
  unknown_parameter: {
    status: 400,
    message: 'The query contains an unknown parameter.',
    advice: 'fix_request',
  },
  invalid_identifier: {
    status: 400,
    message: 'A path parameter is malformed.',
    advice: 'fix_request',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor was not issued for this list.',
    advice: 'fix_request',
  },
  unsupported_locale: { status: 400, message: 'The locale is not supported.', advice: 'fix_request' },
  unsupported_currency: { status: 400, message: 'The currency is not supported.', advice: 'fix_request' },
  idempotency_key_required: {
    status: 400,
    message: 'This operation requires an Idempotency-Key header.',
    advice: 'fix_request',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'The Idempotency-Key header must be one value of 1 to 255 visible ASCII characters.',
    advice: 'fix_request',
  },
  quantity_invalid: { status: 400, message: 'The quantity is invalid.', advice: 'fix_request' },
  money_overflow: {
    status: 400,
    message: 'An amount of money exceeds the largest exact JSON integer.',
    advice: 'fix_request',
  },
  address_invalid: {
    status: 400,
    message: 'The address is not valid for its country.',
    advice: 'fix_request',
  },
  webhook_url_invalid: {
    status: 400,
    message: 'The webhook URL is not allowed.',
    advice: 'fix_request',
  },
  unknown_event_type: { status: 400, message: 'Unknown event type.', advice: 'fix_request' },
  password_too_weak: { status: 400, message: 'The password is too weak.', advice: 'fix_request' },
  reset_token_invalid: { status: 400, message: 'The reset token is unknown, used or expired.', advice: 'do_not_retry' },
  challenge_failed: { status: 400, message: 'The challenge was not solved.', advice: 'fix_request' },
  challenge_expired: { status: 400, message: 'The challenge has expired.', advice: 'refresh_state' },

  oauth_invalid_request: {
    status: 400,
    message: 'The OAuth request lacks a parameter, repeats one or is malformed.',
    advice: 'fix_request',
  },
  oauth_invalid_grant: {
    status: 400,
    message: 'The grant is invalid, expired, revoked, used or was issued to another client.',
    advice: 'reauthenticate',
  },
  oauth_unauthorized_client: { status: 400, message: 'The client may not use this grant.', advice: 'do_not_retry' },
  oauth_unsupported_grant_type: { status: 400, message: 'The grant type is not supported.', advice: 'fix_request' },
  oauth_unsupported_response_type: {
    status: 400,
    message: 'The response type is not supported.',
    advice: 'fix_request',
  },
  oauth_unsupported_token_type: {
    status: 400,
    message: 'Tokens of this type cannot be revoked.',
    advice: 'fix_request',
  },
  oauth_invalid_scope: {
    status: 400,
    message: 'The scope is unknown, malformed or exceeds what may be granted.',
    advice: 'fix_request',
  },
  oauth_invalid_target: {
    status: 400,
    message: 'Tokens are not issued for this resource.',
    advice: 'fix_request',
  },
  oauth_invalid_dpop_proof: {
    status: 400,
    message: 'The DPoP proof of the token request is invalid.',
    advice: 'fix_request',
  },
  oauth_use_dpop_nonce: {
    status: 400,
    message: 'The token request requires a DPoP proof with the nonce from the DPoP-Nonce header.',
    advice: 'same_key',
  },

  credential_missing: { status: 401, message: 'The request has no credential.', advice: 'reauthenticate' },
  credential_malformed: {
    status: 401,
    message: 'The Authorization header is malformed.',
    advice: 'reauthenticate',
  },
  credential_invalid: { status: 401, message: 'The credential is not valid.', advice: 'reauthenticate' },
  credential_expired: { status: 401, message: 'The credential has expired.', advice: 'reauthenticate' },
  credential_revoked: { status: 401, message: 'The credential has been revoked.', advice: 'reauthenticate' },
  dpop_proof_required: {
    status: 401,
    message: 'The credential is bound to a key. Send a DPoP proof.',
    advice: 'reauthenticate',
  },
  invalid_dpop_proof: {
    status: 401,
    message: 'The DPoP proof is not valid for this request.',
    advice: 'reauthenticate',
  },
  use_dpop_nonce: {
    status: 401,
    message: 'The DPoP proof requires the nonce from the DPoP-Nonce header.',
    advice: 'same_key',
  },
  oauth_invalid_client: {
    status: 401,
    message: 'The client is unknown or did not authenticate.',
    advice: 'reauthenticate',
  },

  insufficient_scope: {
    status: 403,
    message: 'The credential lacks a required scope.',
    advice: 'reauthenticate',
  },
  sender_constraint_required: {
    status: 403,
    message: 'Writes require a credential bound to a key, with a DPoP proof.',
    advice: 'reauthenticate',
  },
  store_access_required: {
    status: 403,
    message: 'The store is gated. Solve its challenge and send the access token.',
    advice: 'reauthenticate',
  },
  installation_suspended: { status: 403, message: 'The installation is suspended.', advice: 'do_not_retry' },
  capability_blocked: {
    status: 403,
    message: 'The capability is blocked. See `params` for the blocker.',
    advice: 'do_not_retry',
  },

  not_found: { status: 404, message: 'Resource not found.', advice: 'do_not_retry' },

  idempotency_key_reused: {
    status: 409,
    message: 'The idempotency key was used for a different request.',
    advice: 'new_key',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this idempotency key is still running.',
    advice: 'same_key',
    afterMs: 1000,
  },
  version_conflict: {
    status: 409,
    message: 'The object has changed since the expected version. Read it again.',
    advice: 'refresh_state',
  },
  cart_locked: {
    status: 409,
    message: 'The cart is locked while its checkout is in progress.',
    advice: 'refresh_state',
  },
  cart_converted: { status: 409, message: 'The cart has been converted to an order.', advice: 'do_not_retry' },
  cart_revoked: { status: 409, message: 'The cart has been revoked.', advice: 'do_not_retry' },
  cart_expired: { status: 409, message: 'The cart has expired. Create a new one.', advice: 'do_not_retry' },
  cart_empty: { status: 409, message: 'The cart is empty.', advice: 'refresh_state' },
  cart_incomplete: {
    status: 409,
    message: 'The cart is missing information required for this step.',
    advice: 'refresh_state',
  },
  quote_expired: { status: 409, message: 'The quote has expired. Create a new one.', advice: 'refresh_state' },
  quote_stale: {
    status: 409,
    message: 'The cart has changed since the quote. Create a new quote.',
    advice: 'refresh_state',
  },
  price_changed: {
    status: 409,
    message: 'A price has changed and no valid quote covers it.',
    advice: 'refresh_state',
  },
  out_of_stock: { status: 409, message: 'Not enough stock.', advice: 'refresh_state' },
  sku_unavailable: { status: 409, message: 'The SKU is not available.', advice: 'refresh_state' },
  quantity_exceeded: {
    status: 409,
    message: 'The quantity exceeds the maximum.',
    advice: 'refresh_state',
  },
  currency_mismatch: { status: 409, message: 'The SKU has no price in this currency.', advice: 'refresh_state' },
  promotion_inapplicable: {
    status: 409,
    message: 'The promotion does not apply to this cart.',
    advice: 'refresh_state',
  },
  session_not_cancelable: {
    status: 409,
    message: 'The checkout session can no longer be canceled.',
    advice: 'refresh_state',
  },
  session_expired: { status: 409, message: 'The session has expired. Start a new one.', advice: 'do_not_retry' },
  payment_outcome_unknown: {
    status: 409,
    message: 'The outcome of a payment is not known yet.',
    advice: 'same_request_later',
    afterMs: 30_000,
  },
  order_not_cancelable: { status: 409, message: 'The order can no longer be canceled.', advice: 'refresh_state' },
  cancellation_exists: { status: 409, message: 'The order already has an open cancellation.', advice: 'refresh_state' },
  after_sales_ineligible: {
    status: 409,
    message: 'The order is not eligible for this after-sales request.',
    advice: 'refresh_state',
  },
  after_sales_exists: {
    status: 409,
    message: 'These units already have an open after-sales request.',
    advice: 'refresh_state',
  },
  endpoint_limit_reached: {
    status: 409,
    message: 'The installation has reached its webhook endpoint limit.',
    advice: 'refresh_state',
  },
  endpoint_disabled: { status: 409, message: 'The webhook endpoint is not enabled.', advice: 'refresh_state' },
  delivery_in_progress: { status: 409, message: 'The delivery is still in progress.', advice: 'same_request_later' },
  login_return_consumed: {
    status: 409,
    message: 'The login return has already been consumed.',
    advice: 'do_not_retry',
  },
  challenge_used: { status: 409, message: 'The challenge has already been used.', advice: 'refresh_state' },

  rate_limited: { status: 429, message: 'Too many requests.', advice: 'same_request_later' },
  quota_exceeded: { status: 429, message: 'The quota is exhausted.', advice: 'same_request_later' },
  challenge_attempts_exceeded: {
    status: 429,
    message: 'Too many attempts at this challenge.',
    advice: 'refresh_state',
  },

  internal_error: { status: 500, message: 'Internal error.', advice: 'same_key', afterMs: 1000 },
  unavailable: { status: 503, message: 'The service is temporarily unavailable.', advice: 'same_key', afterMs: 1000 },
} as const satisfies Readonly<Record<string, RefusalEntry>>

export type RefusalCode = keyof typeof refusals

/** Every code, in the order of the table. */
export const refusalCodes = Object.keys(refusals) as readonly RefusalCode[]

/** Server faults: any operation may answer them, and no row lists them. */
export const faultCodes: readonly RefusalCode[] = refusalCodes.filter((code) => refusals[code].status >= 500)
