import { limits } from '@vitrine/contract'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'

/** @see docs/reference/rules.md#hosted-login-session */
export const loginMachine = machine({
  initial: 'initiated',
  finals: ['consumed', 'failed', 'expired'],
  transitions: {
    initiated: { return: 'returned', cancel: 'failed', expire: 'expired' },
    returned: { return: 'returned', consume: 'consumed', expire: 'expired' },
    consumed: {},
    failed: {},
    expired: {},
  },
})

type LoginStatus = 'initiated' | 'returned' | 'consumed' | 'failed' | 'expired'
type LoginCommand = 'return' | 'cancel' | 'consume' | 'expire'

interface LoginFacts {
  readonly id: string
  readonly returnUrl: string
  /** Opaque text of the installation, returned unchanged. */
  readonly state: string
  readonly codeChallenge: string
  readonly expiresAt: Date
}

/** The shopper is on the login pages. */
export interface InitiatedLogin extends LoginFacts {
  readonly status: 'initiated'
}

/** The shopper has signed in and was redirected with a code. */
export interface ReturnedLogin extends LoginFacts {
  readonly status: 'returned'
  readonly customerId: string
  readonly codeHash: Buffer
}

interface EndedLogin extends LoginFacts {
  readonly status: 'consumed' | 'failed' | 'expired'
}

export type Login = InitiatedLogin | ReturnedLogin | EndedLogin

/** The login at a point in time: past its expiry, an open login is `expired` without a write. */
export function loginAsOf(login: Login, now: Date): Login {
  const isOpen = login.status === 'initiated' || login.status === 'returned'
  return isOpen && now >= login.expiresAt ? { ...login, status: 'expired' } : login
}

/**
 * Marks a login as returned: the customer has signed in. The same customer can return again, for example after a double
 * click. The new code replaces the first one; the expiry stays the same.
 *
 * Refusals: `session_expired` if the login has ended or belongs to another customer.
 */
export function markReturned(
  login: Login,
  { customerId, codeHash, now }: { readonly customerId: string; readonly codeHash: Buffer; readonly now: Date },
): ReturnedLogin {
  refuseUnlessOpen(login, 'return')
  if (login.status === 'returned') {
    if (login.customerId !== customerId) refuse('session_expired', conflictOf(login))
    return { ...login, codeHash }
  }
  const expiresAt = new Date(now.getTime() + limits.hostedLogin.codeSeconds * 1000)
  return { ...login, status: 'returned', customerId, codeHash, expiresAt }
}

/** Marks a login as failed: the shopper canceled it. Refusals: `session_expired`. */
export function markCanceled(login: Login): EndedLogin {
  refuseUnlessOpen(login, 'cancel')
  return { ...login, status: 'failed' }
}

function refuseUnlessOpen(login: Login, command: 'return' | 'cancel'): void {
  if (!transition<LoginStatus, LoginCommand>(loginMachine, login.status, command).moved)
    refuse('session_expired', conflictOf(login))
}

/** The request of an installation to consume a login. Secrets are hashed, so a plain comparison leaks no timing. */
interface LoginReturn {
  readonly codeHash: Buffer
  readonly state: string
  /** Derived from the verifier. @see RFC 7636 §4.6 */
  readonly codeChallenge: string
}

/**
 * Consumes a returned login, once.
 *
 * A wrong code, state or verifier changes nothing: a thief of a code must not use up the login, and 256 random bits cannot be
 * guessed.
 *
 * Refusals: `login_return_consumed` (or canceled), `session_expired`, `validation_failed` with the field that does not match.
 */
export function consumeReturn(login: Login, request: LoginReturn): { readonly customerId: string } {
  if (login.status !== 'returned') return refuseUnreturned(login)
  if (!request.codeHash.equals(login.codeHash)) {
    refuseField('code', 'mismatch', 'The code does not belong to this login.')
  }
  if (request.state !== login.state) {
    refuseField('state', 'mismatch', 'The state differs from the one that the login was initiated with.')
  }
  if (request.codeChallenge !== login.codeChallenge) {
    refuseField('codeVerifier', 'mismatch', 'The code challenge was not made from this verifier.')
  }
  return { customerId: login.customerId }
}

function refuseUnreturned(login: InitiatedLogin | EndedLogin): never {
  if (login.status === 'initiated') {
    refuseField('code', 'mismatch', 'The shopper has not returned from this login yet.')
  }
  refuse(login.status === 'expired' ? 'session_expired' : 'login_return_consumed', conflictOf(login))
}

function conflictOf({ status }: Login) {
  return { conflict: { currentState: status, allowed: ['initiateHostedLogin'] } }
}

/**
 * The return URL with the result of the login. Query parameters that it already has are kept, unless the names collide.
 *
 * @see RFC 9207 §2 for `iss`
 */
export function returnRedirectUrl(
  { id, returnUrl, state }: Pick<Login, 'id' | 'returnUrl' | 'state'>,
  result: { readonly code: string } | { readonly error: 'access_denied' },
  issuer: string,
): string {
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries({ loginSession: id, ...result, state, iss: issuer })) {
    url.searchParams.set(name, value)
  }
  return url.href
}
