import type { Order as OrderResource } from '@vitrine/contract'
import { assert } from '../../../kernel/assert.ts'
import { machine, transition } from '../../../kernel/state-machine.ts'

export type OrderStatus = OrderResource['status']

/** Commands that change the status. For commands that record facts, see `RECORDED_IN`. */
export const ORDER_COMMANDS = ['begin', 'complete', 'cancel', 'hold', 'release', 'resume'] as const
export type OrderCommand = (typeof ORDER_COMMANDS)[number]

/** @see docs/reference/rules.md#orderstatus */
export const orderMachine = machine<OrderStatus, OrderCommand>({
  initial: 'confirmed',
  finals: ['completed', 'canceled'],
  transitions: {
    confirmed: { begin: 'processing', cancel: 'canceled', hold: 'on_hold' },
    // `cancel` only if no unit is left, so only if nothing has shipped.
    processing: { complete: 'completed', cancel: 'canceled', hold: 'on_hold' },
    // `resume` if it was held while processing.
    on_hold: { release: 'confirmed', resume: 'processing' },
    completed: {},
    canceled: {},
  },
})

/** The statuses in which each fact can be recorded. The state machine defines the status change that follows. */
export const RECORDED_IN = {
  // Also on hold: a parcel that the carrier has taken over is dispatched, hold or not.
  recordParcel: ['confirmed', 'processing', 'on_hold'],
  recordDelivered: ['processing', 'on_hold', 'completed'],
  recordCanceled: ['confirmed', 'processing'],
  recordReturned: ['processing', 'on_hold', 'completed'],
} as const satisfies Readonly<Record<string, readonly OrderStatus[]>> as Readonly<
  Record<'recordParcel' | 'recordDelivered' | 'recordCanceled' | 'recordReturned', readonly OrderStatus[]>
>
export type FactCommand = keyof typeof RECORDED_IN

/** The status after a command. Callers check first, so an undefined transition is our bug. */
export function move(from: OrderStatus, command: OrderCommand): OrderStatus {
  const step = transition(orderMachine, from, command)
  assert(step.moved, `${command} of an order that is ${from}`)
  return step.to
}
