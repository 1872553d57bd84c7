import { refuse } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { orderActionsOf } from './order/actions.ts'
import { beginProcessing, hold, release } from './order/goods.ts'
import { orderIdsOf } from './order/list.ts'
import { type OrderCommand, orderMachine } from './order/machine.ts'
import type { CommandContext, Order } from './order/order.ts'
import { lockOrderById, saveOrder } from './order/store.ts'

/** Finds the order of an id or a number. Refusals: `not_found`; `validation_failed` if several share the number. */
async function orderIdOf(reader: Reader, idOrNumber: string): Promise<string> {
  const ids = await orderIdsOf(reader, idOrNumber)
  const [id, another] = ids
  if (id === undefined) refuse('not_found')
  if (another === undefined) return id
  const message = `${ids.length} installations have an order ${idOrNumber}: ${ids.join(', ')}. Name one by its id.`
  refuse('validation_failed', { faults: [{ field: 'orderId', code: 'ambiguous', message }] })
}

/** Starts preparing an order. Refusals: `not_found`, `state_conflict`. */
export function beginOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return act(tx, idOrNumber, ['begin'], beginProcessing, context)
}

/** Puts an order on hold until it is released. The reason is in the timeline. Refusals: `not_found`, `state_conflict`. */
export function holdOrder(
  tx: Transaction,
  idOrNumber: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return act(tx, idOrNumber, ['hold'], (order, commandContext) => hold(order, reason, commandContext), context)
}

/** Releases an order to the state it was held in. Refusals: `not_found`, `state_conflict`. */
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
    refuse('state_conflict', {
      conflict: { currentState: before.status, currentVersion: before.version, allowed: [...orderActionsOf(before)] },
    })
  }
  const order = decide(before, { now: context.now, actor: 'operator' })
  await saveOrder(tx, before, order, context)
  return order
}
