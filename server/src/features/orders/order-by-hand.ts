import { refuse } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/access.ts'
import { admits, fulfillableUnits, moneyLeft, type Occasion, type Order } from './order.ts'
import { beginProcessing, hold, release } from './order-goods.ts'
import { type OrderCommand, orderMachine } from './order-machine.ts'
import { lockOrderById, saveOrder } from './order-store.ts'

export type StepByHand = 'begin' | 'hold' | 'release' | 'cancel' | 'refund'

/** What an operator can do with an order now. Whether something is left to be shipped, fulfilment knows. */
export function stepsByHand(order: Order): readonly StepByHand[] {
  const can = (command: OrderCommand) => transition(orderMachine, order.status, command).moved
  const isCancelable = admits(order, 'recordCancelled') && order.lines.some(({ units }) => fulfillableUnits(units) > 0)
  const isKnown = order.money.unknown === 0n
  const steps: readonly (readonly [StepByHand, boolean])[] = [
    ['begin', can('begin')],
    ['hold', can('hold')],
    ['release', can('release') || can('resume')],
    ['cancel', isCancelable && isKnown],
    ['refund', moneyLeft(order.money) > 0n && isKnown],
  ]
  return steps.filter(([, isOpen]) => isOpen).map(([step]) => step)
}

/** Starts work on the goods. Refusals: `not_found`, `state_conflict`. */
export function beginOrder(tx: Transaction, orderId: string, context: EventContext): Promise<Order> {
  return byHand(tx, orderId, ['begin'], beginProcessing, context)
}

/** Nothing more leaves until it is released; the reason is in the timeline. Refusals: `not_found`, `state_conflict`. */
export function holdOrder(
  tx: Transaction,
  orderId: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return byHand(tx, orderId, ['hold'], (order, occasion) => hold(order, reason, occasion), context)
}

/** Resumes where it was held. Refusals: `not_found`, `state_conflict`. */
export function releaseOrder(tx: Transaction, orderId: string, context: EventContext): Promise<Order> {
  return byHand(tx, orderId, ['release', 'resume'], release, context)
}

async function byHand(
  tx: Transaction,
  orderId: string,
  commands: readonly OrderCommand[],
  decide: (order: Order, occasion: Occasion) => Order,
  context: EventContext,
): Promise<Order> {
  const before = await lockOrderById(tx, orderId)
  if (!commands.some((command) => transition(orderMachine, before.status, command).moved)) {
    refuse('state_conflict', {
      conflict: { currentState: before.status, currentVersion: before.version, allowed: [...stepsByHand(before)] },
    })
  }
  const order = decide(before, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  return order
}
