import type { CANCELLATION_STATUSES, StorefrontOrderTransitionRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import { machine, transition } from '../../kernel/state-machine.ts'
import { type AmountByStore, currentUnits, type LineQuantity, type Order, ofLines } from '../orders/index.ts'

export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number]
export type CancellationReason = StorefrontOrderTransitionRequest['reason']
export type CancellationScope = 'full' | 'partial'

/** The members that a cancellation has in every state. */
interface CancellationContent {
  readonly id: string
  readonly orderId: string
  /** Increases by one with each change. */
  readonly version: number
  readonly scope: CancellationScope
  readonly reason: CancellationReason
  readonly note: string | null
  readonly lines: readonly LineQuantity[]
  /** The refund: an estimate until the approval, then the requested amount. Minor units. */
  readonly refundAmount: bigint
  /** The refund per store; `null`: the order has one store. */
  readonly refundByStore: AmountByStore | null
  /** The policy version of each store at the time of the request, by store id. The request is decided under it. */
  readonly policyVersions: Readonly<Record<string, number>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

type RequestedCancellation = CancellationContent & { readonly status: 'requested' }
export type ApprovedCancellation = CancellationContent & { readonly status: 'approved'; readonly decidedAt: Date }
type DeclinedCancellation = CancellationContent & {
  readonly status: 'declined'
  readonly decidedAt: Date
  readonly declineReason: string
}
type CompletedCancellation = CancellationContent & {
  readonly status: 'completed'
  readonly decidedAt: Date
  readonly completedAt: Date
}
export type Cancellation = RequestedCancellation | ApprovedCancellation | DeclinedCancellation | CompletedCancellation

export const CANCELLATION_COMMANDS = ['approve', 'decline', 'complete'] as const
export type CancellationCommand = (typeof CANCELLATION_COMMANDS)[number]

/** @see docs/reference/rules.md#cancellation */
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

/** Input for a new cancellation. */
type NewCancellation = Omit<CancellationContent, 'version' | 'createdAt' | 'updatedAt'> & { readonly now: Date }

export function requestCancellation({ now, ...content }: NewCancellation): RequestedCancellation {
  assert(content.lines.length > 0, 'a cancellation has lines')
  return { ...content, status: 'requested', version: 1, createdAt: now, updatedAt: now }
}

/** Approves a cancellation. `refundAmount` is the refund requested from the payment, computed from the current order. */
export function approveCancellation(
  cancellation: Cancellation,
  {
    refundAmount,
    refundByStore,
    now,
  }: Pick<CancellationContent, 'refundAmount' | 'refundByStore'> & { readonly now: Date },
): ApprovedCancellation {
  admit(cancellation, 'approve')
  return { ...changed(cancellation, now), status: 'approved', refundAmount, refundByStore, decidedAt: now }
}

export function declineCancellation(
  cancellation: Cancellation,
  { declineReason, now }: { readonly declineReason: string; readonly now: Date },
): DeclinedCancellation {
  admit(cancellation, 'decline')
  return { ...changed(cancellation, now), status: 'declined', declineReason, decidedAt: now }
}

/** Completes a cancellation: units and goods are settled. The refund may still be pending. */
export function completeCancellation(cancellation: Cancellation, now: Date): CompletedCancellation {
  admit(cancellation, 'complete')
  assert(cancellation.status === 'approved', 'only an approved cancellation is completed')
  return { ...changed(cancellation, now), status: 'completed', decidedAt: cancellation.decidedAt, completedAt: now }
}

/** Refuses `version_conflict` if the cancellation is decided already. */
export function refuseDecided(cancellation: Cancellation): void {
  admit(cancellation, 'approve')
}

/** Refuses `version_conflict` with the current state and what it allows. */
function admit(cancellation: Cancellation, command: CancellationCommand): void {
  const step = transition(cancellationMachine, cancellation.status, command)
  if (step.moved) return
  const { currentState, allowed } = step.conflict
  refuse('version_conflict', {
    conflict: { currentState, currentVersion: cancellation.version, allowed: [...allowed] },
  })
}

/** The members of every state, with the next version. */
function changed(
  {
    id,
    orderId,
    version,
    scope,
    reason,
    note,
    lines,
    refundAmount,
    refundByStore,
    policyVersions,
    ...rest
  }: Cancellation,
  now: Date,
): CancellationContent {
  const { createdAt, updatedAt } = rest
  const content = { id, orderId, scope, reason, note, lines, refundAmount, refundByStore, policyVersions, createdAt }
  return { ...content, version: version + 1, updatedAt: updatedAt > now ? updatedAt : now }
}

/**
 * The cancellations that an order or a share shows. A share shows those with lines of it, narrowed to these lines and their part of
 * the refund. Their scope is `full` if they cover all units that the share had left.
 *
 * @param cancellations oldest first
 */
export function shownIn(order: Order, cancellations: readonly Cancellation[]): readonly Cancellation[] {
  const { share } = order
  if (share === null) return cancellations
  const left = new Map(order.lines.map(({ id, units }) => [id, currentUnits(units)]))
  const shown = cancellations.toReversed().flatMap((cancellation) => {
    const lines = ofLines(order, cancellation.lines)
    if (lines.length === 0) return []
    if (cancellation.status === 'approved' || cancellation.status === 'completed') {
      for (const { lineId, quantity } of lines) left.set(lineId, (left.get(lineId) ?? 0) + quantity)
    }
    const asked = new Map(lines.map(({ lineId, quantity }) => [lineId, quantity]))
    const scope: CancellationScope = [...left].every(([id, units]) => units === (asked.get(id) ?? 0))
      ? 'full'
      : 'partial'
    const refundAmount = cancellation.refundByStore?.[share.storeId] ?? 0n
    return [{ ...cancellation, lines, scope, refundAmount }]
  })
  return shown.toReversed()
}
