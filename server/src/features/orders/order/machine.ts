import type { Order as OrderResource } from '@vitrine/contract'
import { assert } from '../../../kernel/assert.ts'
import { machine, transition } from '../../../kernel/state-machine.ts'

export type OrderStatus = OrderResource['status']

/** What moves an order. What only records a fact stands in `RECORDED_IN`. */
export const ORDER_COMMANDS = ['begin', 'complete', 'cancel', 'hold', 'release', 'resume'] as const
export type OrderCommand = (typeof ORDER_COMMANDS)[number]

/** @see CONTRACT, State machines, Order.status */
export const orderMachine = machine<OrderStatus, OrderCommand>({
  initial: 'confirmed',
  finals: ['completed', 'canceled'],
  transitions: {
    confirmed: { begin: 'processing', cancel: 'canceled', hold: 'on_hold' },
    // `cancel` only where no unit is left, so only where nothing has shipped.
    processing: { complete: 'completed', cancel: 'canceled', hold: 'on_hold' },
    // `resume` where it was held while it was being prepared.
    on_hold: { release: 'confirmed', resume: 'processing' },
    completed: {},
    canceled: {},
  },
})

/** What is recorded of goods, by the states in which it can be. What moved for it is said by the machine. */
export const RECORDED_IN = {
  // Also on hold: what a carrier has taken over has left, whoever said stop meanwhile.
  recordParcel: ['confirmed', 'processing', 'on_hold'],
  recordDelivered: ['processing', 'on_hold', 'completed'],
  recordCanceled: ['confirmed', 'processing'],
  recordReturned: ['processing', 'on_hold', 'completed'],
} as const satisfies Readonly<Record<string, readonly OrderStatus[]>> as Readonly<
  Record<'recordParcel' | 'recordDelivered' | 'recordCanceled' | 'recordReturned', readonly OrderStatus[]>
>
export type FactCommand = keyof typeof RECORDED_IN

/** The state after a command. Whoever commands has asked before, so what is not drawn is our bug. */
export function move(from: OrderStatus, command: OrderCommand): OrderStatus {
  const step = transition(orderMachine, from, command)
  assert(step.moved, `${command} of an order that is ${from}`)
  return step.to
}
