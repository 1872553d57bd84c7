import { assert, present } from '../../../kernel/assert.ts'
import { transition } from '../../../kernel/state-machine.ts'
import type { LookupAnswer, Mismatch, Step } from '../providers/provider.ts'
import { type Intent, type IntentCommand, intentMachine, isEnded } from './intent.ts'

const SECOND_MS = 1000
/** Unknown outcomes are looked up after 1 s, 2 s, 4 s … at most an hour apart, until they are known. */
const LOOKUP_MS_MAX = 3600 * SECOND_MS
/** Pending actions are polled after 5 s, 10 s, 20 s … at most five minutes apart, in case a notification is lost. */
const ACTION_LOOKUP_MS = 5 * SECOND_MS
const ACTION_LOOKUP_MS_MAX = 300 * SECOND_MS
/** Delayed payments are polled at most six hours apart: they take days. */
const DELAYED_LOOKUP_MS_MAX = 6 * 3600 * SECOND_MS
const DAY_MS = 86_400_000
/** A SEPA direct debit takes up to 14 days. */
const DELAYED_MS = 14 * DAY_MS
/** The life of an authorization if the provider does not report it: card schemes keep one for at least a week. */
const AUTHORIZED_MS = 7 * DAY_MS
/** An authorization that the shop has not captured is captured as a whole a day before the provider releases it. */
const CAPTURE_BEFORE_EXPIRY_MS = DAY_MS

/** The terms under which a caller leases an intent. */
export interface LeaseTerms {
  readonly now: Date
  /** How long a caller may hold the intent while it calls the provider. */
  readonly leaseMs: number
  /** Whether the provider can be polled while an action is pending. A manual one cannot. */
  readonly pollsForActions: boolean
}

/** A leased intent, and the request that its holder sends to the provider. */
export interface Lease {
  readonly action: 'send' | 'look'
  readonly intent: Intent
}

/** The next lease of an intent; `null` if there is nothing to do or another caller has the lease. */
export function nextLease(intent: Intent, leaseTerms: LeaseTerms): Lease | null {
  const { now } = leaseTerms
  if (isEnded(intent) || isLeased(intent, now)) return null
  const isDue = intent.dueAt !== null && intent.dueAt <= now
  switch (intent.status) {
    case 'created':
      return { action: 'send', intent: leased(moved(intent, 'submit', now), leaseTerms) }
    case 'submitted':
      // The lease has ended without an answer, so the outcome is unknown: look it up.
      return lookup(moved(moved(intent, 'lose', now), 'reconcile', now), leaseTerms)
    case 'reconciling':
      return lookup(moved(intent, 'reconcile', now), leaseTerms)
    case 'unknown':
      return isDue ? lookup(moved(intent, 'reconcile', now), leaseTerms) : null
    case 'requires_action':
      if (intent.voidRequested) return { action: 'send', intent: sent(intent, 'void', leaseTerms) }
      return isDue ? lookup(intent, leaseTerms) : null
    case 'pending':
      if (intent.voidRequested) return { action: 'send', intent: sent(intent, 'void', leaseTerms) }
      return isDue ? lookup(intent, leaseTerms) : null
    case 'authorized':
      return authorizedLease(intent, leaseTerms)
    default:
      return null
  }
}

function authorizedLease(intent: Intent, leaseTerms: LeaseTerms): Lease | null {
  const { voidRequested, captureAmount, amount, dueAt } = intent
  if (voidRequested) return { action: 'send', intent: sent(intent, 'void', leaseTerms) }
  const isLate = present(capturesAt(intent), 'an authorization expires') <= leaseTerms.now
  const captured = captureAmount ?? (isLate ? amount : null)
  if (captured !== null) {
    return { action: 'send', intent: { ...sent(intent, 'capture', leaseTerms), captureAmount: captured } }
  }
  return dueAt !== null && dueAt <= leaseTerms.now ? lookup(intent, leaseTerms) : null
}

/** When an authorization is captured as a whole if the shop has not captured it; `null` for other intents. */
export function capturesAt({ status, expiresAt }: Pick<Intent, 'status' | 'expiresAt'>): Date | null {
  return status === 'authorized' && expiresAt ? beforeExpiry(expiresAt) : null
}

function beforeExpiry(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() - CAPTURE_BEFORE_EXPIRY_MS)
}

function isLeased({ leaseUntil }: Pick<Intent, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now
}

function lookup(intent: Intent, leaseTerms: LeaseTerms): Lease {
  return { action: 'look', intent: leased({ ...intent, lookups: intent.lookups + 1 }, leaseTerms) }
}

/**
 * Apply the provider's answer to a step. If the intent is `submitted` afterwards, the holder of the lease sends the next step, or the
 * same step again. Otherwise there is nothing to send now.
 *
 * Only a definite answer moves an intent: anything else makes it `unknown`, but keeps a pending action. An answer with an amount other
 * than requested is not definite.
 */
export function answered(intent: Intent, answer: LookupAnswer | Mismatch, leaseTerms: LeaseTerms): Intent {
  switch (answer.kind) {
    case 'done':
      return done(
        asCaptured({ ...intent, providerReference: answer.reference }, answer),
        answer.until ?? null,
        leaseTerms,
      )
    case 'pending':
      return delayed({ ...intent, providerReference: answer.reference }, leaseTerms)
    case 'action_required':
      return actionRequired({ ...intent, providerReference: answer.reference }, answer.url, leaseTerms)
    case 'declined':
      // A declined void says nothing about the money: keep looking it up, visible to operators.
      if (intent.step === 'void') return lost(intent, leaseTerms)
      return ended({ ...moved(intent, 'fail', leaseTerms.now), failureCode: answer.code })
    case 'mismatched':
      // Also after an action: the shopper has acted, and the amount is not the requested one.
      return unresolved({ ...intent, providerReference: answer.reference }, leaseTerms)
    case 'contradicted':
      return lost(
        { ...intent, step: answer.by, providerReference: answer.reference ?? intent.providerReference },
        leaseTerms,
      )
    case 'never_seen':
      return sent(intent, intent.voidRequested ? 'void' : intent.step, leaseTerms)
    case 'unknown':
      return lost(intent, leaseTerms)
  }
}

/** Whether nothing may be left to send after an answer. Regardless of a requested void or capture. */
export function mayRest(intent: Intent, answer: LookupAnswer | Mismatch): boolean {
  if (answer.kind === 'never_seen') return false
  return !(answer.kind === 'done' && intent.step === 'authorize') || intent.capturesLater
}

function done(intent: Intent, until: Date | null, leaseTerms: LeaseTerms): Intent {
  const { now } = leaseTerms
  switch (intent.step) {
    case 'authorize':
      if (intent.capturesLater && !intent.voidRequested && intent.captureAmount === null) {
        return reserved(intent, until, leaseTerms)
      }
      return { ...sent(intent, intent.voidRequested ? 'void' : 'capture', leaseTerms), lookups: 0 }
    case 'capture':
    case 'refund':
      return ended(moved(intent, 'succeed', now))
    case 'void':
      return ended(moved(intent, 'void', now))
  }
}

/** Apply a capture that the shop has made in the provider's dashboard, in part or as a whole: its amount counts. */
function asCaptured(intent: Intent, { captured }: { readonly captured?: bigint }): Intent {
  const isCaptured = captured !== undefined && captured > 0n && captured <= intent.amount
  const isOpen = intent.step === 'authorize' || intent.step === 'capture'
  return isCaptured && isOpen && intent.capturesLater ? { ...intent, captureAmount: captured } : intent
}

/** The charge is authorized, and waits for the shop to capture it. */
function reserved(intent: Intent, until: Date | null, { now }: LeaseTerms): Intent {
  const known = until ?? (intent.status === 'pending' ? null : intent.expiresAt)
  const expiresAt = known ?? new Date(now.getTime() + AUTHORIZED_MS)
  const dueAt = earliest(intent.dueAt, beforeExpiry(expiresAt))
  return { ...free(moved(intent, 'reserve', now)), expiresAt, dueAt }
}

/** The shopper has paid by a method that takes days. */
function delayed(intent: Intent, leaseTerms: LeaseTerms): Intent {
  const { now } = leaseTerms
  if (intent.step !== 'authorize' || intent.status === 'authorized') return lost(intent, leaseTerms)
  const expiresAt = intent.expiresAt ?? new Date(now.getTime() + DELAYED_MS)
  const afterMs = Math.min(ACTION_LOOKUP_MS * 2 ** intent.lookups, DELAYED_LOOKUP_MS_MAX)
  const dueAt = earliest(intent.dueAt, new Date(now.getTime() + afterMs))
  return { ...free(moved(intent, 'pend', now)), expiresAt, dueAt }
}

function actionRequired(intent: Intent, url: string | null, { now, pollsForActions }: LeaseTerms): Intent {
  // A capture or a void never needs an action: an answer that requires one is not understood.
  const canWait = intent.step === 'authorize' || intent.step === 'refund'
  if (!canWait || isPlaced(intent)) return lost(intent, { now })
  const afterMs = Math.min(ACTION_LOOKUP_MS * 2 ** intent.lookups, ACTION_LOOKUP_MS_MAX)
  const dueAt = pollsForActions ? earliest(intent.dueAt, new Date(now.getTime() + afterMs)) : null
  return { ...free(moved(intent, 'require_action', now)), nextActionUrl: url, dueAt }
}

function lost(intent: Intent, leaseTerms: Pick<LeaseTerms, 'now'>): Intent {
  if (intent.status !== 'requires_action' && !isPlaced(intent)) return unresolved(intent, leaseTerms)
  return { ...free(intent), updatedAt: leaseTerms.now, dueAt: nextLookup(intent, leaseTerms) }
}

function unresolved(intent: Intent, leaseTerms: Pick<LeaseTerms, 'now'>): Intent {
  return { ...free(moved(intent, 'lose', leaseTerms.now)), dueAt: nextLookup(intent, leaseTerms) }
}

function nextLookup({ lookups, dueAt }: Intent, { now }: Pick<LeaseTerms, 'now'>): Date {
  return earliest(dueAt, new Date(now.getTime() + Math.min(SECOND_MS * 2 ** lookups, LOOKUP_MS_MAX)))
}

function sent(intent: Intent, step: Step, leaseTerms: LeaseTerms): Intent {
  return { ...leased(moved(intent, 'proceed', leaseTerms.now), leaseTerms), step, nextActionUrl: null }
}

/**
 * Apply an operator's confirmation that money was received or refunded, or never will be, or that a refund that was paid has come back.
 *
 * @returns `null` if no such confirmation is expected
 */
export function manuallyConfirmed(
  intent: Intent,
  { isDone, isReturned = false }: { readonly isDone: boolean; readonly isReturned?: boolean | undefined },
  now: Date,
): Intent | null {
  if (isReturned) {
    return intent.kind === 'refund' && intent.status === 'succeeded' ? reversed(intent, 'returned', now) : null
  }
  if (intent.status !== 'requires_action' || isLeased(intent, now)) return null
  if (isDone) return ended(moved(intent, 'succeed', now))
  return ended({ ...moved(intent, 'fail', now), failureCode: 'not_received' })
}

/** Apply the provider's answer that a paid refund has failed after all, such as because the account of the buyer is closed. */
export function reversed(intent: Intent, failureCode: string, now: Date): Intent {
  assert(intent.kind === 'refund', 'only a refund is reversed')
  return ended({ ...moved(intent, 'reverse', now), failureCode })
}

/** Request a void. An intent that was not sent is canceled, a sent one is voided once that is safe. */
export function withVoidRequested(intent: Intent, now: Date): Intent {
  assert(intent.kind === 'charge', 'only a charge can be voided')
  if (isEnded(intent) || intent.voidRequested) return intent
  if (intent.status === 'created') return ended(moved({ ...intent, voidRequested: true }, 'void', now))
  return { ...dueNow(intent, now), voidRequested: true }
}

/** Request the capture of an authorization. */
export function withCaptureRequested(intent: Intent, captureAmount: bigint, now: Date): Intent {
  assert(intent.status === 'authorized', 'only an authorization is captured')
  assert(captureAmount > 0n && captureAmount <= intent.amount, 'no more is captured than was authorized')
  return { ...dueNow(intent, now), captureAmount }
}

/** Whether the charge is pending or authorized: its order is placed, and nothing has been charged yet. */
export function isPlaced(intent: Intent): intent is Intent & { readonly status: 'pending' | 'authorized' } {
  return intent.status === 'pending' || intent.status === 'authorized'
}

/** Make the intent due now. */
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

/** The earlier due time: one that was set during the lease is kept. */
function earliest(asked: Date | null, planned: Date): Date {
  return asked !== null && asked < planned ? asked : planned
}

function free(intent: Intent): Intent {
  return { ...intent, leaseUntil: null }
}

function ended(intent: Intent): Intent {
  return { ...free(intent), dueAt: null, endedAt: intent.updatedAt }
}
