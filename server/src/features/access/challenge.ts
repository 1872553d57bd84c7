import { limits } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'

const { challengeAttemptsMax, challengeSeconds, passwordGrantSeconds, workGrantSeconds } = limits.storeAccess

export type AccessMode = 'open' | 'password' | 'challenge'
export type ChallengeKind = 'password' | 'proof_of_work'
export type AccessPurpose = 'store_access' | 'register' | 'password_reset'
/** Purposes that belong to no store. An operator can require a grant for them. */
export type GrantPurpose = Exclude<AccessPurpose, 'store_access'>

/** The challenge kinds for `store_access` in each mode. The other purposes belong to no store and always take proof of work. */
const KINDS_BY_MODE: Readonly<Record<AccessMode, readonly ChallengeKind[]>> = {
  open: [],
  password: ['password'],
  challenge: ['proof_of_work'],
}

/** The challenge kinds of a store for a purpose. Empty if the store is open and needs no grant. */
export function kindsFor(mode: AccessMode, purpose: AccessPurpose): readonly ChallengeKind[] {
  return purpose === 'store_access' ? KINDS_BY_MODE[mode] : ['proof_of_work']
}

/** The lifetime of a grant in seconds: 12 hours for a password, 30 minutes for proof of work. */
export function grantSecondsFor(kind: ChallengeKind): number {
  return kind === 'password' ? passwordGrantSeconds : workGrantSeconds
}

/** A stored challenge. Its status is derived, so it expires without a write. */
export interface Challenge {
  readonly id: string
  readonly kind: ChallengeKind
  readonly purpose: AccessPurpose
  readonly attempts: number
  readonly expiresAt: Date
  readonly consumedAt: Date | null
}

/** The status of a challenge. Never the contract's `solved`: solving and granting are one transaction. */
function challengeStatus(challenge: Challenge, now: Date): 'issued' | 'consumed' | 'failed' | 'expired' {
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
 * Counts an attempt before its result is known. Refusals: `challenge_used`, `challenge_expired`,
 * `challenge_attempts_exceeded`.
 */
export function recordAttempt(challenge: Challenge, now: Date): Challenge {
  refuseUnlessIssued(challenge, now)
  return { ...challenge, attempts: challenge.attempts + 1 }
}

/** Refusals: `challenge_used`, `challenge_expired`, `challenge_attempts_exceeded`. */
export function refuseUnlessIssued(challenge: Challenge, now: Date): void {
  const status = challengeStatus(challenge, now)
  if (status !== 'issued') refuse(REFUSALS[status])
}

export function challengeExpiry(now: Date): Date {
  return new Date(now.getTime() + challengeSeconds * 1000)
}
