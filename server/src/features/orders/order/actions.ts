import { transition } from '../../../kernel/state-machine.ts'
import { type OrderCommand, orderMachine } from './machine.ts'
import { admits, fulfillableUnits, moneyLeft, type Order } from './order.ts'

export type OrderAction = 'begin' | 'hold' | 'release' | 'cancel' | 'refund'

/** The actions that an operator can take on an order now. Fulfillment decides about shipping. */
export function orderActionsOf(order: Order): readonly OrderAction[] {
  const can = (command: OrderCommand) => transition(orderMachine, order.status, command).moved
  const isCancelable = admits(order, 'recordCanceled') && order.lines.some(({ units }) => fulfillableUnits(units) > 0)
  const isKnown = order.money.unknown === 0n
  const steps: readonly (readonly [OrderAction, boolean])[] = [
    ['begin', can('begin')],
    ['hold', can('hold')],
    ['release', can('release') || can('resume')],
    ['cancel', isCancelable && isKnown],
    ['refund', moneyLeft(order.money) > 0n && isKnown],
  ]
  return steps.filter(([, isOpen]) => isOpen).map(([step]) => step)
}
