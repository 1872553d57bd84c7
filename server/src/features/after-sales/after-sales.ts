import type { AFTER_SALES_STATUSES, StorefrontAfterSalesRequest } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Machine, machine, transition } from '../../kernel/state-machine.ts'
import type { Actor, AfterSalesKind, Carriage, CommandContext, TimelineEntry } from '../orders/index.ts'

export type AfterSalesStatus = (typeof AFTER_SALES_STATUSES)[number]
export type AfterSalesLine = StorefrontAfterSalesRequest['lines'][number]
export type Evidence = NonNullable<StorefrontAfterSalesRequest['evidence']>[number]

/** What a buyer asked for after the sale, and what became of it. Each group of facts is there from the state that has it. */
export interface AfterSales {
  readonly id: string
  readonly orderId: string
  readonly status: AfterSalesStatus
  /** Grows by one with each change. */
  readonly version: number
  readonly kind: AfterSalesKind
  readonly reasonCode: StorefrontAfterSalesRequest['reasonCode']
  /** Each line of the order once. */
  readonly lines: readonly AfterSalesLine[]
  readonly description: string | null
  readonly evidence: readonly Evidence[]
  /** What it would give back, as it was asked for. Minor units. */
  readonly refundEstimate: bigint
  /** The policy of each store by which it is judged, by store id: that of the request, whatever is saved later. */
  readonly policyVersions: Readonly<Record<string, number>>
  /** By when an operator is to decide. It is told, and nothing happens by itself. */
  readonly decideBy: Date
  /** From `approved` on. */
  readonly approval: Approval | null
  /** From the inspection on. */
  readonly inspection: Inspection | null
  /** From `resolving` on: what is given back. Minor units; 0 for an exchange or a repair. */
  readonly refundAmount: bigint | null
  /** Where it was declined. */
  readonly declineReason: string | null
  /** The oldest first. Only ever added to. */
  readonly timeline: readonly TimelineEntry[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface Approval {
  readonly instructions: string | null
  /** When the request expires if the goods are not on their way by then; `null` where none are to come. */
  readonly returnBy: Date | null
}

export interface Inspection {
  readonly accepted: boolean
  /** Whether the goods go back on the shelf. */
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

/** A refund without goods that come back. @see CONTRACT, State machines, After-sales */
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

/** Goods come back: a return, an exchange, a repair. @see CONTRACT, State machines, After-sales */
const returning = {
  initial: 'requested',
  finals: ['completed', 'declined', 'withdrawn', 'expired'],
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
    expired: {},
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

/** How a kind goes. The states that a refund alone never has are none of its machine. */
export function machineOf(kind: AfterSalesKind): Machine<AfterSalesStatus, AfterSalesCommand> {
  return kind === 'refund_only'
    ? (refundOnlyMachine as unknown as Machine<AfterSalesStatus, AfterSalesCommand>)
    : returningMachine
}

/** Whether it still stands in the way of another one for its lines. */
export function isUnderWay({ kind, status }: Pick<AfterSales, 'kind' | 'status'>): boolean {
  return !machineOf(kind).finals.includes(status)
}

/** What an operator does with a request, as the ways of the machine that it takes: the first that is open. */
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

/** What an operator can do with a request now. A refund completes itself. */
export function afterSalesActionsOf({
  kind,
  status,
}: Pick<AfterSales, 'kind' | 'status'>): readonly AfterSalesAction[] {
  const drawn = machineOf(kind)
  function leadsOn(way: readonly AfterSalesCommand[]): boolean {
    let at: AfterSalesStatus = status
    return way.every((command) => {
      const step = transition(drawn, at, command)
      if (step.moved) at = step.to
      return step.moved
    })
  }
  const completesItself = kind === 'refund_only' || kind === 'return'
  return (Object.keys(OPERATOR_STEPS) as AfterSalesAction[]).filter((step) => {
    return OPERATOR_STEPS[step].some(leadsOn) && !(step === 'complete' && completesItself)
  })
}

/** A request as it begins. */
export type NewAfterSales = Pick<
  AfterSales,
  | 'id'
  | 'orderId'
  | 'kind'
  | 'reasonCode'
  | 'lines'
  | 'description'
  | 'evidence'
  | 'refundEstimate'
  | 'policyVersions'
  | 'decideBy'
>

export function requestAfterSales(wish: NewAfterSales, { now, actor }: CommandContext): AfterSales {
  assert(wish.lines.length > 0, 'a request is about something')
  const nothingYet = { approval: null, inspection: null, refundAmount: null, declineReason: null }
  const timeline = [entryOf('requested', { now, actor })]
  return { ...wish, ...nothingYet, status: 'requested', version: 1, timeline, createdAt: now, updatedAt: now }
}

/** Somebody looks at it. */
export function review(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'review', context)
}

/** It will be done. Goods that are to come back are waited for. */
export function approve(request: AfterSales, approval: Approval, context: CommandContext): AfterSales {
  const comesBack = request.kind !== 'refund_only'
  assert(comesBack === (approval.returnBy !== null), 'a time to return by is for goods that come back')
  const approved = moved(request, 'approve', context, { approval })
  return comesBack ? moved(approved, 'await_return', context) : approved
}

/** It will not be done: said after a look at the request, or at the goods. */
export function decline(request: AfterSales, declineReason: string, context: CommandContext): AfterSales {
  return moved(request, 'decline', context, { declineReason })
}

/** The goods are on their way back. */
export function goodsDispatched(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'dispatch', context)
}

/** The goods have come back. */
export function goodsReceived(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'receive', context)
}

/** Somebody has looked at the goods. Those that are not accepted end the request. */
export function inspect(
  request: AfterSales,
  { declineReason, ...inspection }: Inspection & { readonly declineReason: string | null },
  context: CommandContext,
): AfterSales {
  assert(inspection.accepted === (declineReason === null), 'a reason is for what is not accepted')
  const inspected = moved(request, 'inspect', context, { inspection })
  return declineReason === null ? inspected : decline(inspected, declineReason, context)
}

/** What was promised is being done: money is asked back, or goods leave. Minor units; 0 where no money moves. */
export function resolve(request: AfterSales, refundAmount: bigint, context: CommandContext): AfterSales {
  return moved(request, 'resolve', context, { refundAmount })
}

/** @param carriage of what left instead, or went back to its owner; `null` where no goods have left */
export function complete(request: AfterSales, context: CommandContext, carriage: Carriage | null = null): AfterSales {
  const completed = moved(request, 'complete', context)
  if (carriage === null) return completed
  const text = `${TEXTS.completed} ${departure(carriage)}`
  const timeline = completed.timeline.map((entry, index) =>
    index === request.timeline.length ? { ...entry, text } : entry,
  )
  return { ...completed, timeline }
}

/** What an entry of a timeline may hold. */
const TEXT_MAX = 500

/** `The goods have left with DHL, 00340434161094: https://dhl.example/00340434161094` */
function departure({ carrier, trackingNumber, trackingUrl }: Carriage): string {
  const left = ['The goods have left', ...(carrier === null ? [] : [` with ${carrier}`])].join('')
  const numbered = trackingNumber === null ? left : `${left}, ${trackingNumber}`
  const followed = trackingUrl === null ? `${numbered}.` : `${numbered}: ${trackingUrl}`
  return followed.length + TEXTS.completed.length < TEXT_MAX ? followed : `${numbered}.`
}

/** The buyer does not want it any more. */
export function withdraw(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'withdraw', context)
}

/** The goods have not come in time. */
export function expire(request: AfterSales, context: CommandContext): AfterSales {
  return moved(request, 'expire', context)
}

const TEXTS: Readonly<Record<AfterSalesStatus, string>> = {
  requested: 'The request was made.',
  under_review: 'Somebody looks at the request.',
  approved: 'The request was approved.',
  declined: 'The request was declined.',
  awaiting_return: 'The goods are waited for.',
  in_transit: 'The goods are on their way back.',
  received: 'The goods have come back.',
  inspecting: 'The goods were looked at.',
  resolving: 'What was promised is being done.',
  completed: 'The request is completed.',
  withdrawn: 'The buyer does not want it any more.',
  expired: 'The goods did not come in time.',
}

/** A command that is not drawn is a refusal, because operators and buyers race: it says where the request stands. */
function moved(
  request: AfterSales,
  command: AfterSalesCommand,
  { now, actor }: CommandContext,
  facts: Partial<AfterSales> = {},
): AfterSales {
  const step = transition(machineOf(request.kind), request.status, command)
  if (!step.moved) {
    const { currentState, allowed } = step.conflict
    refuse('version_conflict', { conflict: { currentState, currentVersion: request.version, allowed: [...allowed] } })
  }
  const updatedAt = now > request.updatedAt ? now : request.updatedAt
  const timeline = [...request.timeline, entryOf(step.to, { now, actor })]
  return { ...request, ...facts, status: step.to, version: request.version + 1, updatedAt, timeline }
}

function entryOf(code: AfterSalesStatus, { now, actor }: { readonly now: Date; readonly actor: Actor }): TimelineEntry {
  return { at: now, code, text: TEXTS[code], actor }
}
