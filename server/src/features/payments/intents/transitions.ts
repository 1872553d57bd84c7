import { assert } from '../../../kernel/assert.ts'
import { transition } from '../../../kernel/state-machine.ts'
import type { LookupAnswer, Step } from '../providers/provider.ts'
import { type Intent, type IntentCommand, intentMachine, isEnded } from './intent.ts'

const SECOND_MS = 1000
/** Looks at what is unknown: after 1 s, 2 s, 4 s … at most an hour apart, for as long as it takes. */
const LOOK_MS_MAX = 3600 * SECOND_MS
/** Looks for an action whose notification got lost: after 5 s, 10 s, 20 s … at most five minutes apart. */
const ACTION_LOOK_MS = 5 * SECOND_MS
const ACTION_LOOK_MS_MAX = 300 * SECOND_MS

/** What a decision about an intent is told. */
export interface LeaseTerms {
  readonly now: Date
  /** How long who asks the provider holds the intent. */
  readonly leaseMs: number
  /** Whether there is somebody to look at while an action is waited for; with a manual provider there is not. */
  readonly pollsForActions: boolean
}

/** What is to be asked of the provider, by whoever stores the intent that goes with it. */
export interface Lease {
  readonly action: 'send' | 'look'
  readonly intent: Intent
}

/** What to do about an intent now, or null where there is nothing to do or somebody else is doing it. */
export function nextLease(intent: Intent, leaseTerms: LeaseTerms): Lease | null {
  const { now } = leaseTerms
  if (isEnded(intent) || isLeased(intent, now)) return null
  const isDue = intent.dueAt !== null && intent.dueAt <= now
  switch (intent.status) {
    case 'created':
      return { action: 'send', intent: leased(moved(intent, 'submit', now), leaseTerms) }
    case 'submitted':
      // Whoever sent it did not come back in time, so nobody knows: we look.
      return look(moved(moved(intent, 'lose', now), 'reconcile', now), leaseTerms)
    case 'reconciling':
      return look(moved(intent, 'reconcile', now), leaseTerms)
    case 'unknown':
      return isDue ? look(moved(intent, 'reconcile', now), leaseTerms) : null
    case 'requires_action':
      if (intent.voidRequested) return { action: 'send', intent: sent(intent, 'void', leaseTerms) }
      return isDue ? look(intent, leaseTerms) : null
    default:
      return null
  }
}

export function isLeased({ leaseUntil }: Pick<Intent, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now
}

function look(intent: Intent, leaseTerms: LeaseTerms): Lease {
  return { action: 'look', intent: leased({ ...intent, lookups: intent.lookups + 1 }, leaseTerms) }
}

/**
 * The intent after what its provider said about its step. Where it is `submitted` then, the next step, or the same one
 * again, is to be sent at once by whoever holds it. Otherwise it is at rest.
 *
 * Only a definite answer moves it: whatever is no answer makes it `unknown`, and leaves an action that is waited for.
 */
export function answered(intent: Intent, answer: LookupAnswer, leaseTerms: LeaseTerms): Intent {
  switch (answer.kind) {
    case 'done':
      return done({ ...intent, providerReference: answer.reference }, leaseTerms)
    case 'action_required':
      return actionRequired({ ...intent, providerReference: answer.reference }, answer.url, leaseTerms)
    case 'declined':
      // That a void is refused says nothing of the money: it stays to be looked at, and an operator sees it.
      if (intent.step === 'void') return lost(intent, leaseTerms)
      return ended({ ...moved(intent, 'fail', leaseTerms.now), failureCode: answer.code })
    case 'contradicted':
      return lost({ ...intent, step: answer.by }, leaseTerms)
    case 'never_seen':
      return sent(intent, intent.voidRequested ? 'void' : intent.step, leaseTerms)
    case 'unknown':
      return lost(intent, leaseTerms)
  }
}

/** Whether an answer leaves somebody at work. It does not depend on whether the charge is still wanted. */
export function leavesAtRest(intent: Intent, answer: LookupAnswer): boolean {
  if (answer.kind === 'never_seen') return false
  return !(answer.kind === 'done' && intent.step === 'authorize')
}

function done(intent: Intent, leaseTerms: LeaseTerms): Intent {
  const { now } = leaseTerms
  switch (intent.step) {
    case 'authorize':
      return { ...sent(intent, intent.voidRequested ? 'void' : 'capture', leaseTerms), lookups: 0 }
    case 'capture':
    case 'refund':
      return ended(moved(intent, 'succeed', now))
    case 'void':
      return ended(moved(intent, 'void', now))
  }
}

function actionRequired(intent: Intent, url: string | null, { now, pollsForActions }: LeaseTerms): Intent {
  // Nobody has to do anything for a capture or a void: what says so is not understood.
  const canWait = intent.step === 'authorize' || intent.step === 'refund'
  if (!canWait) return lost(intent, { now })
  const afterMs = Math.min(ACTION_LOOK_MS * 2 ** intent.lookups, ACTION_LOOK_MS_MAX)
  const dueAt = pollsForActions ? earliest(intent.dueAt, new Date(now.getTime() + afterMs)) : null
  return { ...free(moved(intent, 'require_action', now)), nextActionUrl: url, dueAt }
}

function lost(intent: Intent, { now }: Pick<LeaseTerms, 'now'>): Intent {
  const afterMs = Math.min(SECOND_MS * 2 ** intent.lookups, LOOK_MS_MAX)
  const dueAt = earliest(intent.dueAt, new Date(now.getTime() + afterMs))
  if (intent.status === 'requires_action') return { ...free(intent), updatedAt: now, dueAt }
  return { ...free(moved(intent, 'lose', now)), dueAt }
}

function sent(intent: Intent, step: Step, leaseTerms: LeaseTerms): Intent {
  return { ...leased(moved(intent, 'proceed', leaseTerms.now), leaseTerms), step, nextActionUrl: null }
}

/**
 * An operator has seen the money come or go, or knows that it never will.
 *
 * @returns null where nobody waits for that word
 */
export function manuallyConfirmed(intent: Intent, isDone: boolean, now: Date): Intent | null {
  if (intent.status !== 'requires_action' || isLeased(intent, now)) return null
  if (isDone) return ended(moved(intent, 'succeed', now))
  return ended({ ...moved(intent, 'fail', now), failureCode: 'not_received' })
}

/** The charge is not wanted any more: what was not sent is dropped, and what was is voided once that is safe. */
export function withVoidRequested(intent: Intent, now: Date): Intent {
  assert(intent.kind === 'charge', 'a charge is voided, never a refund')
  if (isEnded(intent) || intent.voidRequested) return intent
  if (intent.status === 'created') return ended(moved({ ...intent, voidRequested: true }, 'void', now))
  return { ...dueNow(intent, now), voidRequested: true }
}

/** Somebody has a reason to look now. */
export function dueNow(intent: Intent, now: Date): Intent {
  return isEnded(intent) ? intent : { ...intent, updatedAt: now, dueAt: now }
}

function moved(intent: Intent, command: IntentCommand, now: Date): Intent {
  const step = transition(intentMachine, intent.status, command)
  assert(step.moved, `a payment that is ${intent.status} takes ${command}`)
  return { ...intent, status: step.to, nextActionUrl: null, updatedAt: now }
}

function leased(intent: Intent, { now, leaseMs }: LeaseTerms): Intent {
  return { ...intent, leaseUntil: new Date(now.getTime() + leaseMs), fence: intent.fence + 1, dueAt: null }
}

/** Who had a reason to look while somebody else was asking is not forgotten. */
function earliest(asked: Date | null, planned: Date): Date {
  return asked !== null && asked < planned ? asked : planned
}

function free(intent: Intent): Intent {
  return { ...intent, leaseUntil: null }
}

function ended(intent: Intent): Intent {
  return { ...free(intent), dueAt: null, endedAt: intent.updatedAt }
}
