import type { RefusalEntry } from '../refusals.ts'

/** What only the operator side refuses, beside the public refusals. Never answered by the public door. */
export const operatorRefusals = {
  session_required: { status: 401, message: 'Sign in first.', advice: 'reauthenticate' },
  sign_in_failed: {
    status: 401,
    message: 'The address and the password do not belong together.',
    advice: 'fix_request',
  },
  origin_not_allowed: {
    status: 403,
    message: 'The request comes from another site, or by a name that this door does not have.',
    advice: 'do_not_retry',
  },
  setup_done: { status: 409, message: 'There is an operator already.', advice: 'do_not_retry' },
  setup_token_invalid: {
    status: 403,
    message: 'The link to set up is not the one that was printed.',
    advice: 'do_not_retry',
  },
  name_taken: { status: 409, message: 'There is one of that name already.', advice: 'fix_request' },
  in_use: { status: 409, message: 'Something else still needs it.', advice: 'refresh_state' },
  state_conflict: { status: 409, message: 'Its state does not allow that.', advice: 'refresh_state' },
  file_unreadable: { status: 400, message: 'The file cannot be read as what it is said to be.', advice: 'fix_request' },
} as const satisfies Readonly<Record<string, RefusalEntry>>

export type OperatorRefusalCode = keyof typeof operatorRefusals
