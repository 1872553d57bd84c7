import { crashPoint } from '../../platform/crash/crash-points.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  type Actor,
  chargeVoided,
  isUnpaid,
  type LineQuantity,
  type MoneyPreview,
  type Order,
  type Policies,
  previewOf,
  recordCanceled,
  refundBegun,
  refundByStore,
  releaseHeld,
  requestRefund,
  restock,
  rulesOf,
  saveOrder,
} from '../orders/index.ts'
import { requestVoid } from '../payments/index.ts'
import { type ApprovedCancellation, approveCancellation, type Cancellation } from './cancellation.ts'
import { refuseCancellation } from './request.ts'

/** Whether units were stopped: all of them, or none because some have shipped. */
type Stopped = { readonly stopped: true } | { readonly stopped: false; readonly stoppable: readonly LineQuantity[] }

/** Functions of fulfillment, which cancellations may not import. */
export interface CancellationDeps {
  /** Stops units from being fulfilled. The order is locked. */
  stopFulfillment(
    tx: Transaction,
    orderId: string,
    units: readonly LineQuantity[],
    context: EventContext,
  ): Promise<Stopped>
}

/** Previews the refund of canceling units, under their stores' policies. */
export function previewOfCancellation(order: Order, units: readonly LineQuantity[], policies: Policies): MoneyPreview {
  return previewOf(order, units, (storeId) => rulesOf({ policies }, storeId).cancellation, { isCanceled: true })
}

/** An order with canceled units, and the approved cancellation. */
export interface Canceled {
  readonly order: Order
  readonly cancellation: ApprovedCancellation
}

/**
 * Cancels units in one transaction: stops their fulfillment, returns them to stock if the policy says so, and refunds them, or
 * voids the authorization. The order is locked and can be canceled. Saves the order; the caller saves the cancellation.
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
  { stopFulfillment, ...context }: CancellationDeps & EventContext,
): Promise<Canceled> {
  const { id: reference, lines: units } = cancellation
  const { now } = context
  const stopped = await stopFulfillment(tx, before.id, units, context)
  if (!stopped.stopped) refuseCancellation(before, ['already_shipped'], stopped.stoppable)

  const commandContext = { now, actor }
  const { refund, restock: restocked } = previewOfCancellation(before, units, policies)
  const canceled = recordCanceled(before, units, commandContext)
  const isVoided = isUnpaid(before) && canceled.status === 'canceled'
  const settled = isVoided ? chargeVoided(canceled, commandContext) : canceled
  const order = refundBegun(settled, { reference, kind: 'cancellation', refund }, commandContext)

  await saveOrder(tx, before, order, context)
  await requestRefund(tx, order, { reference, amount: refund.amount }, context)
  if (order.chargeId !== null && isVoided) await requestVoid(tx, order.chargeId, context)
  if (isUnpaid(before)) await releaseHeld(tx, order)
  else await restock(tx, order, units, { from: 'order', restocked, now })
  crashPoint('cancellation.decided')
  const parts = { refundAmount: refund.amount, refundByStore: refundByStore(before, refund) }
  return { order, cancellation: approveCancellation(cancellation, { ...parts, now }) }
}
