import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { askToVoid } from '../payments/index.ts'
import { type ApprovedCancellation, approveCancellation, type Cancellation } from './cancellation.ts'
import { refuseCancellation } from './cancellation-request.ts'
import { rulesOf } from './eligibility.ts'
import { type MoneyPreview, previewOf } from './eligibility-money.ts'
import type { Actor, LineQuantity, Order } from './order.ts'
import { recordCancelled } from './order-goods.ts'
import { chargeVoided, refundBegun } from './order-money.ts'
import { saveOrder } from './order-store.ts'
import type { Policies } from './policy-store.ts'
import { askBack } from './refund-intents.ts'
import { restock } from './restock.ts'

/** Whether units were stopped: all of them, or none because some have left. */
export type Stopped =
  | { readonly stopped: true }
  | { readonly stopped: false; readonly stoppable: readonly LineQuantity[] }

/** What canceling needs of those above orders. */
export interface CancellationDeps {
  /** Keeps units from being handed over. The order is locked. */
  stopFulfilment(
    tx: Transaction,
    orderId: string,
    units: readonly LineQuantity[],
    context: EventContext,
  ): Promise<Stopped>
}

/** What canceling units would give back, by the rules of their stores. */
export function moneyOfCancellation(order: Order, units: readonly LineQuantity[], policies: Policies): MoneyPreview {
  return previewOf(order, units, (storeId) => rulesOf({ policies }, storeId).cancellation)
}

/** An order after units of it were canceled, and the cancellation that was approved for it. */
export interface Canceled {
  readonly order: Order
  readonly cancellation: ApprovedCancellation
}

/**
 * Cancels units, all of it in one transaction: they are not handed over any more, go back on the shelf where the policy
 * says so, and their money is asked back, or let go where it was only reserved. The order is locked and can be canceled.
 * Writes the order; the cancellation is its caller's to write.
 *
 * Refusals: `order_not_cancelable`.
 */
export async function cancelUnits(
  tx: Transaction,
  before: Order,
  {
    cancellation,
    policies,
    actor,
  }: { readonly cancellation: Cancellation; readonly policies: Policies; readonly actor: Actor },
  { stopFulfilment, ...context }: CancellationDeps & EventContext,
): Promise<Canceled> {
  const { id: reference, lines: units } = cancellation
  const { now } = context
  const stopped = await stopFulfilment(tx, before.id, units, context)
  if (!stopped.stopped) refuseCancellation(before, ['already_shipped'], stopped.stoppable)

  const occasion = { now, actor }
  const { refund, restock: goods } = moneyOfCancellation(before, units, policies)
  const canceled = recordCancelled(before, units, occasion)
  const isVoided = before.money.charge === 'authorized' && canceled.status === 'canceled'
  const settled = isVoided ? chargeVoided(canceled, occasion) : canceled
  const order = refundBegun(settled, { reference, kind: 'cancellation', refund }, occasion)

  await saveOrder(tx, before, order, context)
  await askBack(tx, order, { reference, amount: refund.amount }, context)
  if (order.chargeId !== null && isVoided) await askToVoid(tx, order.chargeId, context)
  await restock(tx, order, goods, { from: 'order', now })
  crashPoint('cancellation.decided')
  return { order, cancellation: approveCancellation(cancellation, { refundAmount: refund.amount, now }) }
}
