import type { CANCELLATION_STATUSES, StorefrontOrderTransitionRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'
import type { LineQuantity } from '../orders/index.ts'

export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number]
export type CancellationReason = StorefrontOrderTransitionRequest['reason']
export type CancellationScope = 'full' | 'partial'

/** What a cancellation holds in each of its states. */
interface CancellationContent {
  readonly id: string
  readonly orderId: string
  /** Grows by one with each change. */
  readonly version: number
  readonly scope: CancellationScope
  readonly reason: CancellationReason
  readonly note: string | null
  readonly lines: readonly LineQuantity[]
  /** What is given back: as it would be now, and from the approval on what was asked for. Minor units. */
  readonly refundAmount: bigint
  /** The policy of each store by which it is judged, by store id: that of the request, whatever is saved later. */
  readonly policyVersions: Readonly<Record<string, number>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type RequestedCancellation = CancellationContent & { readonly status: 'requested' }
export type ApprovedCancellation = CancellationContent & { readonly status: 'approved'; readonly decidedAt: Date }
export type DeclinedCancellation = CancellationContent & {
  readonly status: 'declined'
  readonly decidedAt: Date
  readonly declineReason: string
}
export type CompletedCancellation = CancellationContent & {
  readonly status: 'completed'
  readonly decidedAt: Date
  readonly completedAt: Date
}
export type Cancellation = RequestedCancellation | ApprovedCancellation | DeclinedCancellation | CompletedCancellation

export const CANCELLATION_COMMANDS = ['approve', 'decline', 'complete'] as const
export type CancellationCommand = (typeof CANCELLATION_COMMANDS)[number]

/** @see CONTRACT, State machines, Cancellation */
export const cancellationMachine = machine<CancellationStatus, CancellationCommand>({
  initial: 'requested',
  finals: ['declined', 'completed'],
  transitions: {
    requested: { approve: 'approved', decline: 'declined' },
    approved: { complete: 'completed' },
    declined: {},
    completed: {},
  },
})

/** A cancellation as it begins. */
export type NewCancellation = Omit<CancellationContent, 'version' | 'createdAt' | 'updatedAt'> & { readonly now: Date }

export function requestCancellation({ now, ...content }: NewCancellation): RequestedCancellation {
  assert(content.lines.length > 0, 'a cancellation is of something')
  return { ...content, status: 'requested', version: 1, createdAt: now, updatedAt: now }
}

/** Lets it be done. `refundAmount` is what is asked back of the payment, from the order as it stands now. */
export function approveCancellation(
  cancellation: Cancellation,
  { refundAmount, now }: { readonly refundAmount: bigint; readonly now: Date },
): ApprovedCancellation {
  admit(cancellation, 'approve')
  return { ...changed(cancellation, now), status: 'approved', refundAmount, decidedAt: now }
}

export function declineCancellation(
  cancellation: Cancellation,
  { declineReason, now }: { readonly declineReason: string; readonly now: Date },
): DeclinedCancellation {
  admit(cancellation, 'decline')
  return { ...changed(cancellation, now), status: 'declined', declineReason, decidedAt: now }
}

/** Ends it: units, goods and the refund are where they should be, or the refund goes its own way. */
export function completeCancellation(cancellation: Cancellation, now: Date): CompletedCancellation {
  admit(cancellation, 'complete')
  assert(cancellation.status === 'approved', 'only what was approved is completed')
  return { ...changed(cancellation, now), status: 'completed', decidedAt: cancellation.decidedAt, completedAt: now }
}

/** Refuses `version_conflict` where somebody has decided before. */
export function refuseDecided(cancellation: Cancellation): void {
  admit(cancellation, 'approve')
}

/** Says where it stands, and what may be done with it. */
function admit(cancellation: Cancellation, command: CancellationCommand): void {
  const step = transition(cancellationMachine, cancellation.status, command)
  if (step.moved) return
  const { currentState, allowed } = step.conflict
  refuse('version_conflict', {
    conflict: { currentState, currentVersion: cancellation.version, allowed: [...allowed] },
  })
}

/** What all its states share, a version on. */
function changed(
  { id, orderId, version, scope, reason, note, lines, refundAmount, policyVersions, ...rest }: Cancellation,
  now: Date,
): CancellationContent {
  const { createdAt, updatedAt } = rest
  const content = { id, orderId, scope, reason, note, lines, refundAmount, policyVersions, createdAt }
  return { ...content, version: version + 1, updatedAt: updatedAt > now ? updatedAt : now }
}
