import { refuse } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { orderActionsOf } from './order/actions.ts'
import { beginProcessing, hold, release } from './order/goods.ts'
import { type OrderCommand, orderMachine } from './order/machine.ts'
import type { CommandContext, Order } from './order/order.ts'
import { lockOrderById, saveOrder } from './order/store.ts'

/** Starts preparing an order. Refusals: `not_found`, `state_conflict`. */
export function beginOrder(tx: Transaction, orderId: string, context: EventContext): Promise<Order> {
  return act(tx, orderId, ['begin'], beginProcessing, context)
}

/** Puts an order on hold until it is released. The reason is in the timeline. Refusals: `not_found`, `state_conflict`. */
export function holdOrder(
  tx: Transaction,
  orderId: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return act(tx, orderId, ['hold'], (order, commandContext) => hold(order, reason, commandContext), context)
}

/** Releases an order to the state it was held in. Refusals: `not_found`, `state_conflict`. */
export function releaseOrder(tx: Transaction, orderId: string, context: EventContext): Promise<Order> {
  return act(tx, orderId, ['release', 'resume'], release, context)
}

async function act(
  tx: Transaction,
  orderId: string,
  commands: readonly OrderCommand[],
  decide: (order: Order, commandContext: CommandContext) => Order,
  context: EventContext,
): Promise<Order> {
  const before = await lockOrderById(tx, orderId)
  if (!commands.some((command) => transition(orderMachine, before.status, command).moved)) {
    refuse('state_conflict', {
      conflict: { currentState: before.status, currentVersion: before.version, allowed: [...orderActionsOf(before)] },
    })
  }
  const order = decide(before, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  return order
}
