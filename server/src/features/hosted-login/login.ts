import { limits, type PublicErrorDetail } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'

/** A login from its beginning to its one use. @see CONTRACT, State machines, Hosted login */
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
  /** The installation's own, given back as it is. */
  readonly state: string
  readonly codeChallenge: string
  readonly expiresAt: Date
}

/** The shopper is on our pages. */
export interface InitiatedLogin extends LoginFacts {
  readonly status: 'initiated'
}

/** The shopper is on the way back with a code. */
export interface ReturnedLogin extends LoginFacts {
  readonly status: 'returned'
  readonly customerId: string
  readonly codeHash: Buffer
}

export interface EndedLogin extends LoginFacts {
  readonly status: 'consumed' | 'failed' | 'expired'
}

export type Login = InitiatedLogin | ReturnedLogin | EndedLogin

/** The login as it stands at a moment: nobody waits for a worker to see that its time is over. */
export function asOf(login: Login, now: Date): Login {
  const isOpen = login.status === 'initiated' || login.status === 'returned'
  return isOpen && now >= login.expiresAt ? { ...login, status: 'expired' } : login
}

/**
 * The shopper has shown who they are, and goes back with a code. Whoever presses twice, or comes back from a page of the
 * installation that failed, goes again: as the same customer, with a code in the place of the first, and until the same
 * moment.
 *
 * Refusals: `session_expired` for a login that is no longer under way, or is somebody else's by now.
 */
export function returned(
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

/** The shopper goes back without logging in. Refusals: `session_expired`. */
export function canceled(login: Login): EndedLogin {
  refuseUnlessOpen(login, 'cancel')
  return { ...login, status: 'failed' }
}

function refuseUnlessOpen(login: Login, command: 'return' | 'cancel'): void {
  if (!transition<LoginStatus, LoginCommand>(loginMachine, login.status, command).moved)
    refuse('session_expired', conflictOf(login))
}

/** What an installation hands in. Its secrets are hashed, so that comparing them takes no care. */
export interface Return {
  readonly codeHash: Buffer
  readonly state: string
  /** Made of the verifier. @see RFC 7636 §4.6 */
  readonly codeChallenge: string
}

/**
 * Takes the return of a login, once.
 *
 * A wrong code, state or verifier changes nothing: whoever has caught a code cannot use up the login of its owner, and
 * 256 random bits are not found by trying.
 *
 * Refusals: `login_return_consumed` (or given up), `session_expired`, `validation_failed` naming what does not fit.
 */
export function consumed(login: Login, given: Return): { readonly customerId: string } {
  if (login.status !== 'returned') return refuseUnreturned(login)
  if (!given.codeHash.equals(login.codeHash)) {
    refuse('validation_failed', wrong('code', 'This is not the code that came back.'))
  }
  if (given.state !== login.state) {
    refuse('validation_failed', wrong('state', 'This is not the state that the login was begun with.'))
  }
  if (given.codeChallenge !== login.codeChallenge) {
    refuse('validation_failed', wrong('codeVerifier', 'The challenge was not made of this verifier.'))
  }
  return { customerId: login.customerId }
}

function refuseUnreturned(login: InitiatedLogin | EndedLogin): never {
  if (login.status === 'initiated') refuse('validation_failed', wrong('code', 'Nobody has come back from this login.'))
  refuse(login.status === 'expired' ? 'session_expired' : 'login_return_consumed', conflictOf(login))
}

/** Every other transition says where the login stands and what is allowed now. */
function conflictOf({ status }: Login) {
  return { conflict: { currentState: status, allowed: ['initiateHostedLogin'] } }
}

function wrong(
  field: 'code' | 'state' | 'codeVerifier',
  message: string,
): { readonly details: readonly PublicErrorDetail[] } {
  return { details: [{ in: 'body', pointer: `/${field}`, code: 'mismatch', message }] }
}

/**
 * Where the shopper goes when the login is over: the return URL, which is the only address that a login ever leads to.
 * What it already carries stays, except under our own names.
 *
 * @see RFC 9207 §2 for `iss`
 */
export function wayBack(
  { id, returnUrl, state }: Pick<Login, 'id' | 'returnUrl' | 'state'>,
  answer: { readonly code: string } | { readonly error: 'access_denied' },
  issuer: string,
): string {
  const url = new URL(returnUrl)
  for (const [name, value] of Object.entries({ loginSession: id, ...answer, state, iss: issuer })) {
    url.searchParams.set(name, value)
  }
  return url.href
}
