import type { RefusalEntry } from '../refusals.ts'

/** The refusals of the operator API, in addition to the public ones. */
export const operatorRefusals = {
  session_required: { status: 401, message: 'Sign in first.', advice: 'reauthenticate' },
  sign_in_failed: {
    status: 401,
    message: 'The email address or password is wrong.',
    advice: 'fix_request',
  },
  role_insufficient: { status: 403, message: 'Your role does not allow this.', advice: 'do_not_retry' },
  access_insufficient: {
    status: 403,
    message: 'The token does not allow this.',
    advice: 'do_not_retry',
  },
  events_expired: {
    status: 409,
    message: 'Events after this position are no longer kept. List the orders, and continue from position 0.',
    advice: 'refresh_state',
  },
  second_factor_required: {
    status: 401,
    message: 'Enter the code of your authenticator app.',
    advice: 'fix_request',
  },
  passkey_required: { status: 401, message: 'Sign in with your passkey.', advice: 'fix_request' },
  passkey_failed: {
    status: 401,
    message: 'The passkey was not accepted. Try again, or sign in another way.',
    advice: 'fix_request',
  },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys need a console with a host name: https://…, or http://localhost.',
    advice: 'do_not_retry',
  },
  provider_unavailable: {
    status: 503,
    message: 'The sign-in service does not answer. Sign in another way, or try again later.',
    advice: 'fix_request',
  },
  provider_sign_in_failed: {
    status: 401,
    message: 'The sign-in was not completed. Start it again.',
    advice: 'fix_request',
  },
  operator_unknown: {
    status: 403,
    message: 'No operator may sign in with this account. An owner has to invite its verified email address.',
    advice: 'do_not_retry',
  },
  fresh_proof_required: {
    status: 401,
    message: 'Confirm your identity with your password or second factor.',
    advice: 'reauthenticate',
  },
  second_factor_missing: {
    status: 403,
    message: 'Set up a second factor first: the marketplace requires one.',
    advice: 'do_not_retry',
  },
  origin_not_allowed: {
    status: 403,
    message: 'The request comes from another site or host name.',
    advice: 'do_not_retry',
  },
  setup_done: { status: 409, message: 'Setup is complete: an operator exists.', advice: 'do_not_retry' },
  setup_token_invalid: {
    status: 403,
    message: 'The setup link is not valid.',
    advice: 'do_not_retry',
  },
  name_taken: { status: 409, message: 'The name is taken.', advice: 'fix_request' },
  in_use: { status: 409, message: 'It is still in use.', advice: 'refresh_state' },
  state_conflict: { status: 409, message: 'Its current state does not allow this.', advice: 'refresh_state' },
  picture_refused: { status: 400, message: 'The file is not a supported picture.', advice: 'fix_request' },
  file_unreadable: { status: 400, message: 'The file cannot be read in its declared format.', advice: 'fix_request' },
} as const satisfies Readonly<Record<string, RefusalEntry>>

export type OperatorRefusalCode = keyof typeof operatorRefusals
