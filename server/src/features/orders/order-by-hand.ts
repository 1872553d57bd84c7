import { OperatorError } from '../../kernel/operator-error.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { admits, fulfillableUnits, moneyLeft, type Occasion, type Order } from './order.ts'
import { beginProcessing, hold, release } from './order-goods.ts'
import { orderIdsOf } from './order-list.ts'
import { type OrderCommand, orderMachine } from './order-machine.ts'
import { lockOrderById, saveOrder } from './order-store.ts'

/** A sentence for the operator who asked for something that an order cannot do. */
export class OrderError extends OperatorError {
  override readonly name = 'OrderError'
}

/** The one order of an id or a number. @throws OrderError where there is none, or several of one number */
export async function orderIdOf(reader: Reader, idOrNumber: string): Promise<string> {
  const ids = await orderIdsOf(reader, idOrNumber)
  const [id, another] = ids
  if (id === undefined) throw new OrderError(`There is no order ${idOrNumber}.`)
  if (another === undefined) return id
  throw new OrderError(
    `${ids.length} installations have an order ${idOrNumber}: ${ids.join(', ')}. Name one by its id.`,
  )
}

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

/** Work on the goods begins. @throws OrderError */
export function beginOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return byHand(tx, idOrNumber, ['begin'], beginProcessing, context)
}

/** Nothing more leaves until somebody releases it; the reason stands in the timeline. @throws OrderError */
export function holdOrder(
  tx: Transaction,
  idOrNumber: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return byHand(tx, idOrNumber, ['hold'], (order, occasion) => hold(order, reason, occasion), context)
}

/** It goes on where it was held. @throws OrderError */
export function releaseOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return byHand(tx, idOrNumber, ['release', 'resume'], release, context)
}

async function byHand(
  tx: Transaction,
  idOrNumber: string,
  commands: readonly OrderCommand[],
  decide: (order: Order, occasion: Occasion) => Order,
  context: EventContext,
): Promise<Order> {
  const before = await lockOrderById(tx, await orderIdOf(tx, idOrNumber))
  if (!commands.some((command) => transition(orderMachine, before.status, command).moved)) {
    throw new OrderError(`${before.number} is ${before.status.replace('_', ' ')}: that cannot be done with it now.`)
  }
  const order = decide(before, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  return order
}
