import type { OperatorOrder, operatorOperations } from '@vitrine/contract/operator'
import { completeRefundedAfterSales } from '../../../features/after-sales/index.ts'
import { cancelByOperator, completeRefundedCancellation } from '../../../features/cancellations/index.ts'
import { assertCanShip, type ParcelRequest, ship, stopFulfillment } from '../../../features/fulfillment/index.ts'
import {
  beginOrder as begin,
  type FoundOrder,
  findOrderById,
  holdOrder as hold,
  lockOrderById,
  type Order,
  type OrderPosition,
  type OrderSearch,
  presentSummary,
  recordRefundPaid as recordPaid,
  recordRefundReturned as recordReturned,
  refundByOperator,
  refuseStaleVersion,
  releaseOrder as release,
  retryRefund as retry,
  searchOrders,
  statusesOf,
} from '../../../features/orders/index.ts'
import { intentOf, type Payments } from '../../../features/payments/index.ts'
import { exponentOf } from '../../../kernel/currencies.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { readRefundLimit } from '../../door/fresh-proof.ts'
import type { AuditedChange, OperatorHandler, OperatorOwnContext, OperatorWriteContext } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'
import { readOperatorOrder } from './order-views.ts'
import { captureAudited, type PaymentOperationDeps } from './payments.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/orders */
function listOrders(cursorSecret: Secret): OperatorHandler<Rows['listOrders']> {
  return async ({ query }, { reader, operator }) => {
    const { limit: _limit, cursor: _cursor, q, ...filters } = query
    const paging = pagingOf<OrderPosition>(cursorSecret, ['orders', q, filters], query)
    const found = await searchOrders(
      reader,
      { ...filters, ...namedBy(q), storeId: operator.store?.id },
      paging.after,
      paging.limit,
    )
    return paging.page(found, ({ placedAt, id }) => ({ placedAt: placedAt.toISOString(), id }), presentFound)
  }
}

/** Recognizes a complete order number, email address or id by its format. */
export function namedBy(q: string | undefined): Pick<OrderSearch, 'id' | 'email' | 'number'> {
  const name = q?.trim()
  if (!name) return {}
  if (name.startsWith('ord_')) return { id: name }
  return name.includes('@') ? { email: name } : { number: name.toUpperCase() }
}

function presentFound(row: FoundOrder) {
  const { environment, installationId, email, tags } = row
  return { order: presentSummary(row), environment, installationId, email, tags: [...tags] }
}

/** GET /operator/v1/orders/{orderId} */
const getOrder: OperatorHandler<Rows['getOrder']> = ({ params }, context) => {
  return readOperatorOrder(context.reader, params.orderId, context)
}

/** POST /operator/v1/orders/{orderId}/begin */
const beginOrder: OperatorHandler<Rows['beginOrder']> = ({ params }, context) => {
  return changed(params.orderId, context, async ({ id }) => {
    await begin(context.tx, id, context)
    return {}
  })
}

/** POST /operator/v1/orders/{orderId}/hold */
const holdOrder: OperatorHandler<Rows['holdOrder']> = ({ params, body: { reason } }, context) => {
  return changed(params.orderId, context, async ({ id }) => {
    await hold(context.tx, id, reason ?? null, context)
    return { reason }
  })
}

/** POST /operator/v1/orders/{orderId}/release */
const releaseOrder: OperatorHandler<Rows['releaseOrder']> = ({ params }, context) => {
  return changed(params.orderId, context, async ({ id }) => {
    await release(context.tx, id, context)
    return {}
  })
}

/** POST /operator/v1/orders/{orderId}/parcels */
function shipOrder(payments: Payments): OperatorHandler<Rows['shipOrder']> {
  return async ({ params: { orderId }, body }, context) => {
    const { database, reader, ids, operator, auditIn } = context
    const storeId = operator.store?.id ?? body.storeId
    const reference = body.reference ?? body.trackingNumber ?? ids.next('ful')
    const shipment = { ...body, storeId, orderId, reference }
    const { chargeId, money, status } = await findOrderById(reader, orderId)
    if (money.charge === 'authorized' && chargeId !== null && status !== 'on_hold') {
      await captureToShip(payments, chargeId, shipment, context)
    }
    return database.transaction((tx) => {
      const audit = (change: AuditedChange) => auditIn(tx, change)
      return changed(orderId, { ...context, tx, audit }, async () => {
        const parcel = await ship(tx, shipment, context)
        return { parcel: parcel.id, reference, lines: parcel.lines }
      })
    })
  }
}

/** Captures an authorized charge before its goods leave: only if they can leave then. */
async function captureToShip(
  payments: Payments,
  chargeId: string,
  shipment: ParcelRequest,
  context: OperatorOwnContext,
): Promise<void> {
  const { reader } = context
  // A capture whose outcome is not known yet is not requested again.
  if ((await intentOf(reader, chargeId))?.captureAmount != null) refuse('payment_outcome_unknown')
  await assertCanShip(reader, shipment, context)
  const charge = await captureAudited(payments, chargeId, null, context)
  // A definite decline has canceled the order. Nothing is left to wait for.
  if (charge.status === 'failed' || charge.status === 'canceled') {
    const { status: currentState, version: currentVersion } = await findOrderById(reader, shipment.orderId)
    refuse('state_conflict', { conflict: { currentState, currentVersion } })
  }
  if (charge.status !== 'succeeded') refuse('payment_outcome_unknown')
}

/** POST /operator/v1/orders/{orderId}/cancellations */
const cancelOrder: OperatorHandler<Rows['cancelOrder']> = ({ params: { orderId }, body }, context) => {
  return changed(orderId, context, async (before) => {
    refuseStaleVersion(before, body.expectedVersion)
    const { cancellation } = await cancelByOperator(context.tx, { orderId, ...body }, { ...context, stopFulfillment })
    const { id, reason, lines, refundAmount } = cancellation
    return { cancellation: id, reason, lines, refundAmount: Number(refundAmount) }
  })
}

/** POST /operator/v1/orders/{orderId}/refunds */
const refundOrder: OperatorHandler<Rows['refundOrder']> = ({ params: { orderId }, body }, context) => {
  const { amount, expectedVersion } = body
  return changed(orderId, context, async (order) => {
    refuseStaleVersion(order, expectedVersion)
    const units = (amount + refundedLately(order, context.now)) / 10 ** exponentOf(order.currency)
    if (units > (await readRefundLimit(context.tx))) context.requireFreshProof()
    const { reference } = await refundByOperator(context.tx, { orderId, amount: BigInt(amount) }, context)
    return { refund: reference, amount }
  })
}

const DAY_MS = 86_400_000

/** The manual refunds of an order within a day, in minor units: many small refunds count as a large one. */
function refundedLately({ adjustments }: Order, now: Date): number {
  const since = now.getTime() - DAY_MS
  return adjustments
    .filter(({ kind, state, at }) => kind === 'correction' && state !== 'failed' && at.getTime() > since)
    .reduce((sum, { amount }) => sum + Number(amount), 0)
}

/** POST /operator/v1/orders/{orderId}/refunds/{reference}/retry */
const retryRefund: OperatorHandler<Rows['retryRefund']> = ({ params: { orderId, reference } }, context) => {
  return changed(orderId, context, async (before) => {
    refuseForeign(before, reference)
    await retry(context.tx, reference, context)
    return { refund: reference }
  })
}

/** Completions of refunds that were paid outside the provider. */
const REFUND_COMPLETIONS = { cancellation: completeRefundedCancellation, after_sales: completeRefundedAfterSales }

/** POST /operator/v1/orders/{orderId}/refunds/{reference}/paid */
const recordRefundPaid: OperatorHandler<Rows['recordRefundPaid']> = ({ params: { orderId, reference } }, context) => {
  return changed(orderId, context, async (before) => {
    refuseForeign(before, reference)
    await recordPaid(context.tx, reference, REFUND_COMPLETIONS, context)
    return { refund: reference, paid: 'by another way' }
  })
}

/** POST /operator/v1/orders/{orderId}/refunds/{reference}/returned */
const recordRefundReturned: OperatorHandler<Rows['recordRefundReturned']> = ({ params }, context) => {
  const { orderId, reference } = params
  return changed(orderId, context, async (before) => {
    refuseForeign(before, reference)
    await recordReturned(context.tx, reference, context)
    return { refund: reference, returned: true }
  })
}

export function orderOperations({ cursorSecret, payments }: PaymentOperationDeps) {
  return {
    listOrders: listOrders(cursorSecret),
    getOrder,
    beginOrder,
    holdOrder,
    releaseOrder,
    shipOrder: shipOrder(payments),
    cancelOrder,
    refundOrder,
    retryRefund,
    recordRefundPaid,
    recordRefundReturned,
  }
}

/** Changes an order under its lock, records the change, and presents the complete order. */
async function changed(
  orderId: string,
  context: Pick<OperatorWriteContext, 'tx' | 'now' | 'language' | 'operator' | 'audit'>,
  change: (before: Order) => Promise<Readonly<Record<string, unknown>>>,
): Promise<OperatorOrder> {
  const { tx, audit } = context
  const before = await lockOrderById(tx, orderId)
  const details = await change(before)
  const after = await readOperatorOrder(tx, orderId, context)
  const { status, paymentStatus, fulfillmentStatus } = after.order
  audit({
    subject: { type: 'order', id: orderId },
    before: statusesOf(before),
    after: { status, paymentStatus, fulfillmentStatus, ...details },
  })
  return after
}

/** Refuses a refund of another order. */
function refuseForeign({ adjustments }: Order, reference: string): void {
  if (!adjustments.some((each) => each.reference === reference)) refuse('not_found')
}
