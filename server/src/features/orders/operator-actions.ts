import { OperatorError } from '../../kernel/operator-error.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/access.ts'
import { beginProcessing, hold, release } from './order/goods.ts'
import { orderIdsOf } from './order/list.ts'
import { type OrderCommand, orderMachine } from './order/machine.ts'
import type { CommandContext, Order } from './order/order.ts'
import { lockOrderById, saveOrder } from './order/store.ts'

/** A sentence for the operator who asked for something that an order cannot do. */
export class OrderError extends OperatorError {
  override readonly name = 'OrderError'
}

/** Finds the order of an id or a number. @throws OrderError if there is none, or several share the number */
export async function orderIdOf(reader: Reader, idOrNumber: string): Promise<string> {
  const ids = await orderIdsOf(reader, idOrNumber)
  const [id, another] = ids
  if (id === undefined) throw new OrderError(`There is no order ${idOrNumber}.`)
  if (another === undefined) return id
  throw new OrderError(
    `${ids.length} installations have an order ${idOrNumber}: ${ids.join(', ')}. Name one by its id.`,
  )
}

/** Starts preparing an order. @throws OrderError */
export function beginOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return act(tx, idOrNumber, ['begin'], beginProcessing, context)
}

/** Puts an order on hold until it is released. The reason is in the timeline. @throws OrderError */
export function holdOrder(
  tx: Transaction,
  idOrNumber: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return act(tx, idOrNumber, ['hold'], (order, commandContext) => hold(order, reason, commandContext), context)
}

/** Releases an order to the state it was held in. @throws OrderError */
export function releaseOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return act(tx, idOrNumber, ['release', 'resume'], release, context)
}

async function act(
  tx: Transaction,
  idOrNumber: string,
  commands: readonly OrderCommand[],
  decide: (order: Order, commandContext: CommandContext) => Order,
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
