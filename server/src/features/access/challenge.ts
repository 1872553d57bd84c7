import { limits } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'

const { challengeAttemptsMax, challengeSeconds, passwordGrantSeconds, workGrantSeconds } = limits.storeAccess

export type AccessMode = 'open' | 'password' | 'challenge'
export type ChallengeKind = 'password' | 'proof_of_work'
export type AccessPurpose = 'store_access' | 'register' | 'password_reset'
/** What an operator may demand a grant for, beside the way into a store. */
export type GrantPurpose = Exclude<AccessPurpose, 'store_access'>

/** What lets people into a store of each mode. Register and reset belong to no store: there it is always work. */
const KINDS_BY_MODE: Readonly<Record<AccessMode, readonly ChallengeKind[]>> = {
  open: [],
  password: ['password'],
  challenge: ['proof_of_work'],
}

/** The kinds of challenge that a store takes for a purpose; none where the store is open and nothing is needed. */
export function kindsFor(mode: AccessMode, purpose: AccessPurpose): readonly ChallengeKind[] {
  return purpose === 'store_access' ? KINDS_BY_MODE[mode] : ['proof_of_work']
}

/** How long a grant lives: who knows the password shops half a day, who did some work half an hour. Seconds. */
export function grantSecondsFor(kind: ChallengeKind): number {
  return kind === 'password' ? passwordGrantSeconds : workGrantSeconds
}

/** A challenge as it is kept. Its state follows from these facts: nothing has to be written when time passes. */
export interface Challenge {
  readonly id: string
  readonly kind: ChallengeKind
  readonly purpose: AccessPurpose
  readonly attempts: number
  readonly expiresAt: Date
  readonly consumedAt: Date | null
}

/**
 * Where a challenge stands. `solved` of the contract is never seen: whoever solves it gets the grant in the same
 * transaction, so that no solution is left lying about.
 */
export function challengeStatus(challenge: Challenge, now: Date): 'issued' | 'consumed' | 'failed' | 'expired' {
  if (challenge.consumedAt) return 'consumed'
  if (challenge.expiresAt <= now) return 'expired'
  return challenge.attempts >= challengeAttemptsMax ? 'failed' : 'issued'
}

const REFUSALS = {
  consumed: 'challenge_used',
  expired: 'challenge_expired',
  failed: 'challenge_attempts_exceeded',
} as const

/**
 * Counts a try, before it is known whether it succeeds. Refusals: `challenge_used`, `challenge_expired`,
 * `challenge_attempts_exceeded`.
 */
export function recordAttempt(challenge: Challenge, now: Date): Challenge {
  const status = challengeStatus(challenge, now)
  if (status !== 'issued') refuse(REFUSALS[status])
  return { ...challenge, attempts: challenge.attempts + 1 }
}

/** When a challenge that is made now ends. */
export function challengeExpiry(now: Date): Date {
  return new Date(now.getTime() + challengeSeconds * 1000)
}
