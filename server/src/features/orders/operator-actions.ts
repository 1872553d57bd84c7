import { refuse } from '../../kernel/refusal.ts'
import { transition } from '../../kernel/state-machine.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/access.ts'
import { orderActionsOf } from './order/actions.ts'
import { beginProcessing, hold, release } from './order/goods.ts'
import { orderIdsOf } from './order/list.ts'
import { type OrderCommand, orderMachine } from './order/machine.ts'
import type { CommandContext, Order } from './order/order.ts'
import { lockOrderById, saveOrder } from './order/store.ts'

/** The one order of an id or a number. Refusals: `not_found`; `validation_failed` for several of one number. */
export async function orderIdOf(reader: Reader, idOrNumber: string): Promise<string> {
  const ids = await orderIdsOf(reader, idOrNumber)
  const [id, another] = ids
  if (id === undefined) refuse('not_found')
  if (another === undefined) return id
  const message = `${ids.length} installations have an order ${idOrNumber}: ${ids.join(', ')}. Name one by its id.`
  refuse('validation_failed', { faults: [{ field: 'orderId', code: 'ambiguous', message }] })
}

/** Starts work on the goods. Refusals: `not_found`, `state_conflict`. */
export function beginOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return byHand(tx, idOrNumber, ['begin'], beginProcessing, context)
}

/** Nothing more leaves until it is released; the reason is in the timeline. Refusals: `not_found`, `state_conflict`. */
export function holdOrder(
  tx: Transaction,
  idOrNumber: string,
  reason: string | null,
  context: EventContext,
): Promise<Order> {
  return byHand(tx, idOrNumber, ['hold'], (order, commandContext) => hold(order, reason, commandContext), context)
}

/** Resumes where it was held. Refusals: `not_found`, `state_conflict`. */
export function releaseOrder(tx: Transaction, idOrNumber: string, context: EventContext): Promise<Order> {
  return byHand(tx, idOrNumber, ['release', 'resume'], release, context)
}

async function byHand(
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
