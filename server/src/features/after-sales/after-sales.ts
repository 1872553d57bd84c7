import type { AFTER_SALES_STATUSES, StorefrontAfterSalesRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import type { Departure } from '../../kernel/languages/en.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Machine, machine, transition } from '../../kernel/state-machine.ts'
import {
  type AfterSalesKind,
  type AmountByStore,
  type Carriage,
  type CommandContext,
  type Order,
  ofLines,
  type TimelineEntry,
} from '../orders/index.ts'

export type AfterSalesStatus = (typeof AFTER_SALES_STATUSES)[number]
export type AfterSalesLine = StorefrontAfterSalesRequest['lines'][number]
export type Evidence = NonNullable<StorefrontAfterSalesRequest['evidence']>[number]

/** A shopper's request after the sale. Facts are `null` before the state that sets them. */
export interface AfterSales {
  readonly id: string
  readonly orderId: string
  readonly status: AfterSalesStatus
  /** Increases by one with each change. */
  readonly version: number
  readonly kind: AfterSalesKind
  readonly reasonCode: StorefrontAfterSalesRequest['reasonCode']
  /** At most one entry per line of the order. */
  readonly lines: readonly AfterSalesLine[]
  readonly description: string | null
  readonly evidence: readonly Evidence[]
  /** Estimated refund at the time of the request. Minor units. */
  readonly refundEstimate: bigint
  /** The estimate, and later the refund, per store; `null`: the order has one store. */
  readonly refundByStore: AmountByStore | null
  /** The policy version of each store at the time of the request, by store id. The request is decided under it. */
  readonly policyVersions: Readonly<Record<string, number>>
  /** The deadline for an operator's decision. Displayed only: nothing happens when it passes. */
  readonly decideBy: Date
  /** From `approved` on. */
  readonly approval: Approval | null
  /** From the inspection on. */
  readonly inspection: Inspection | null
  /** From `resolving` on: the refund. Minor units; 0 for goods that are exchanged or repaired. */
  readonly refundAmount: bigint | null
  /** `null` unless the request was declined. */
  readonly declineReason: string | null
  /** Oldest first. Append-only. */
  readonly timeline: readonly TimelineEntry<'afterSalesTimeline'>[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Approval {
  readonly instructions: string | null
  /** The address for returned goods; `null` if nothing is returned, or no store has set one. */
  readonly returnAddress: string | null
  /** When the request expires unless the goods are in transit; `null` if nothing is returned. */
  readonly returnBy: Date | null
}

export interface Inspection {
  readonly accepted: boolean
  /** Whether the goods go back to stock. */
  readonly restocks: boolean
}

export const AFTER_SALES_COMMANDS = [
  'review',
  'approve',
  'decline',
  'await_return',
  'dispatch',
  'receive',
  'inspect',
  'resolve',
  'complete',
  'withdraw',
  'expire',
] as const
export type AfterSalesCommand = (typeof AFTER_SALES_COMMANDS)[number]

/** A refund without a return. @see docs/reference/rules.md#after-sales-request */
const refundOnly = {
  initial: 'requested',
  finals: ['completed', 'declined', 'withdrawn'],
  transitions: {
    requested: { review: 'under_review', withdraw: 'withdrawn' },
    under_review: { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' },
    approved: { resolve: 'resolving', withdraw: 'withdrawn' },
    resolving: { complete: 'completed' },
    completed: {},
    declined: {},
    withdrawn: {},
  },
} as const

/** A return, an exchange or a repair. @see docs/reference/rules.md#after-sales-request */
const returning = {
  initial: 'requested',
  finals: ['completed', 'declined', 'withdrawn'],
  transitions: {
    requested: { review: 'under_review', withdraw: 'withdrawn' },
    under_review: { approve: 'approved', decline: 'declined', withdraw: 'withdrawn' },
    approved: { await_return: 'awaiting_return', withdraw: 'withdrawn' },
    awaiting_return: { dispatch: 'in_transit', withdraw: 'withdrawn', expire: 'expired' },
    in_transit: { receive: 'received' },
    received: { inspect: 'inspecting' },
    inspecting: { resolve: 'resolving', decline: 'declined' },
    resolving: { complete: 'completed' },
    completed: {},
    declined: {},
    withdrawn: {},
    // Goods that arrive late reopen it.
    expired: { receive: 'received' },
  },
} as const

type RefundOnlyStatus = Exclude<
  AfterSalesStatus,
  'awaiting_return' | 'in_transit' | 'received' | 'inspecting' | 'expired'
>

export const refundOnlyMachine: Machine<RefundOnlyStatus, AfterSalesCommand> = machine<
  RefundOnlyStatus,
  AfterSalesCommand
>(refundOnly)
export const returningMachine: Machine<AfterSalesStatus, AfterSalesCommand> = machine<
  AfterSalesStatus,
  AfterSalesCommand
>(returning)

/** The state machine of a kind. A refund without a return lacks the states of returned goods. */
export function machineOf(kind: AfterSalesKind): Machine<AfterSalesStatus, AfterSalesCommand> {
  return kind === 'refund_only'
    ? (refundOnlyMachine as unknown as Machine<AfterSalesStatus, AfterSalesCommand>)
    : returningMachine
}

/** Whether the request is open. Its lines cannot have another one. */
export function isUnderWay({ kind, status }: Pick<AfterSales, 'kind' | 'status'>): boolean {
  return status !== 'expired' && !machineOf(kind).finals.includes(status)
}

/** The command sequences of each operator action. An action is allowed if one of its sequences is. */
const OPERATOR_STEPS = {
  review: [['review']],
  approve: [['approve'], ['review', 'approve']],
  decline: [['decline'], ['review', 'decline']],
  mark_in_transit: [['dispatch']],
  mark_received: [['receive'], ['dispatch', 'receive']],
  inspect: [['inspect']],
  resolve: [['resolve']],
  complete: [['complete']],
  withdraw: [['withdraw']],
} as const satisfies Readonly<Record<string, readonly (readonly AfterSalesCommand[])[]>>
export type AfterSalesAction = keyof typeof OPERATOR_STEPS

/** Whether the payment of a refund completes the request. An exchange or a repair can be refunded instead. */
export function isCompletedByRefund({ kind, refundAmount }: Pick<AfterSales, 'kind' | 'refundAmount'>): boolean {
  return kind === 'refund_only' || kind === 'return' || (refundAmount ?? 0n) > 0n
}

/** The actions that an operator can take on a request now. `complete` is not among those of a refund: its payment completes it. */
export function afterSalesActionsOf(
  request: Pick<AfterSales, 'kind' | 'status' | 'refundAmount'>,
): readonly AfterSalesAction[] {
  const { kind, status } = request
  const drawn = machineOf(kind)
  function leadsOn(way: readonly AfterSalesCommand[]): boolean {
    let at: AfterSalesStatus = status
    return way.every((command) => {
      const step = transition(drawn, at, command)
      if (step.moved) at = step.to
      return step.moved
    })
  }
  return (Object.keys(OPERATOR_STEPS) as AfterSalesAction[]).filter((step) => {
    return OPERATOR_STEPS[step].some(leadsOn) && !(step === 'complete' && isCompletedByRefund(request))
  })
}

/** Input for a new request. */
type NewAfterSales = Pick<
  AfterSales,
  | 'id'
  | 'orderId'
  | 'kind'
  | 'reasonCode'
  | 'lines'
  | 'description'
  | 'evidence'
  | 'refundEstimate'
  | 'refundByStore'
  | 'policyVersions'
  | 'decideBy'
>

export function requestAfterSales(input: NewAfterSales, { now, actor }: CommandContext): AfterSales {
  assert(input.lines.length > 0, 'a request has lines')
  const nothingYet = { approval: null, inspection: null, refundAmount: null, declineReason: null }
  const timeline = [{ at: now, actor, code: 'requested' } as const]
  return { ...input, ...nothingYet, status: 'requested', version: 1, timeline, createdAt: now, updatedAt: now }
}

/** Moves a request from `requested` to `under_review`. */
export function review(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'review', context)
}

/** Approves a request. If goods are to be returned, it then awaits them. */
export function approve(request: AfterSales, approval: Approval, context: CommandContext): AfterSales {
  const comesBack = request.kind !== 'refund_only'
  assert(comesBack === (approval.returnBy !== null), 'a return deadline is for kinds with returned goods')
  const approved = moved(request, 'approve', context, { approval })
  return comesBack ? moved(approved, 'await_return', context) : approved
}

/** Declines a request after a review or an inspection. Goods that an inspection has accepted go back to the buyer after all. */
export function decline(request: AfterSales, declineReason: string, context: CommandContext): AfterSales {
  const inspection = request.inspection && { accepted: false, restocks: false }
  return moved(request, 'decline', context, { declineReason, inspection })
}

/** Records that the shopper has sent the goods. */
export function goodsDispatched(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'dispatch', context)
}

/** Records that the goods have arrived, also after the request has expired. */
export function goodsReceived(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'receive', context)
}

/** Records an inspection. If it fails, the request is declined. */
export function inspect(
  request: AfterSales,
  { declineReason, ...inspection }: Inspection & { readonly declineReason: string | null },
  context: CommandContext,
): AfterSales {
  assert(inspection.accepted === (declineReason === null), 'only a failed inspection has a reason')
  const inspected = moved(request, 'inspect', context, { inspection })
  return declineReason === null ? inspected : decline(inspected, declineReason, context)
}

/** The refund of a resolution. Minor units; 0 for goods that are exchanged or repaired. */
export type Resolution = Pick<AfterSales, 'refundByStore'> & { readonly refundAmount: bigint }

/** Starts the resolution: a refund is requested, or goods are shipped. */
export function resolve(request: AfterSales, resolution: Resolution, context: CommandContext): AfterSales {
  return moved(request, 'resolve', context, resolution)
}

/** @param carriage carrier and tracking of the exchanged or repaired goods; `null` if none were shipped */
export function complete(request: AfterSales, context: CommandContext, carriage: Carriage | null = null): AfterSales {
  const departure = carriage && { ...carriage, trackingUrl: shortUrl(carriage) }
  return moved(request, 'complete', context, {}, departure)
}

/** A timeline text has at most 500 characters, so a very long URL is only in the mail. */
function shortUrl({ carrier, trackingNumber, trackingUrl }: Carriage): string | null {
  const length = [carrier, trackingNumber, trackingUrl].reduce((sum, part) => sum + (part?.length ?? 0), 0)
  return length <= 400 ? trackingUrl : null
}

/** Withdraws a request. */
export function withdraw(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'withdraw', context)
}

/** Expires a request whose goods were not sent in time. */
export function expire(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'expire', context)
}

/**
 * The requests that an order or a share shows. A share shows those with lines of it, narrowed to these lines and their part of the
 * refund.
 */
export function shownIn(order: Order, requests: readonly AfterSales[]): readonly AfterSales[] {
  const { share } = order
  if (share === null) return requests
  return requests.flatMap((request) => {
    const lines = ofLines(order, request.lines)
    const amount = request.refundByStore?.[share.storeId] ?? 0n
    const refundAmount = request.refundAmount === null ? null : amount
    return lines.length === 0 ? [] : [{ ...request, lines, refundEstimate: amount, refundAmount }]
  })
}

/** Applies a command. Refuses `version_conflict` if the state does not allow it, because operators and shoppers act concurrently. */
function moved(
  request: AfterSales,
  command: AfterSalesCommand,
  { now, actor }: CommandContext,
  facts: Partial<AfterSales> = {},
  departure: Departure | null = null,
): AfterSales {
  const step = transition(machineOf(request.kind), request.status, command)
  if (!step.moved) {
    const { currentState, allowed } = step.conflict
    refuse('version_conflict', { conflict: { currentState, currentVersion: request.version, allowed: [...allowed] } })
  }
  const updatedAt = now > request.updatedAt ? now : request.updatedAt
  const note = step.to === 'completed' ? { code: step.to, facts: { departure } } : { code: step.to }
  const timeline = [...request.timeline, { at: now, actor, ...note }]
  return { ...request, ...facts, status: step.to, version: request.version + 1, updatedAt, timeline }
}
