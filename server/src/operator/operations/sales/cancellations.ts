import type { operatorOperations } from '@vitrine/contract/operator'
import {
  type CancellationDecision,
  cancellationsIn,
  decideCancellation,
  findCancellation,
} from '../../../features/cancellations/index.ts'
import { stopFulfillment } from '../../../features/fulfillment/index.ts'
import { findOrderById, type QueuePosition } from '../../../features/orders/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler, OperatorWriteContext } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'
import { presentOperatorCancellation } from './order-views.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/cancellations */
function listCancellations(cursorSecret: Secret): OperatorHandler<Rows['listCancellations']> {
  return async ({ query }, { reader, operator }) => {
    const { status = 'requested', environment = null } = query
    const paging = pagingOf<QueuePosition>(cursorSecret, ['cancellations', status, environment], query)
    const found = await cancellationsIn(reader, status, { ...paging, environment, storeId: operator.store?.id ?? null })
    const orders = await Promise.all(found.map(({ orderId }) => findOrderById(reader, orderId)))
    const listed = orders.map((order, index) => ({ order, cancellation: found[index] as (typeof found)[number] }))
    return paging.page(
      listed,
      ({ cancellation: { createdAt, id } }) => ({ createdAt: createdAt.toISOString(), id }),
      ({ order, cancellation }) => presentOperatorCancellation(order, cancellation),
    )
  }
}

/** POST /operator/v1/cancellations/{cancellationId}/approve */
const approveCancellation: OperatorHandler<Rows['approveCancellation']> = ({ params }, context) => {
  return decided(params.cancellationId, { approve: true }, context)
}

/** POST /operator/v1/cancellations/{cancellationId}/decline */
const declineCancellation: OperatorHandler<Rows['declineCancellation']> = ({ params, body }, context) => {
  return decided(params.cancellationId, { approve: false, declineReason: body.declineReason }, context)
}

export function cancellationOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return { listCancellations: listCancellations(cursorSecret), approveCancellation, declineCancellation }
}

async function decided(id: string, decision: CancellationDecision, context: OperatorWriteContext) {
  const { tx, audit } = context
  const before = (await findCancellation(tx, id)) ?? refuse('not_found')
  const { order, cancellation } = await decideCancellation(tx, id, decision, { ...context, stopFulfillment })
  const { status, refundAmount, orderId } = cancellation
  const declineReason = decision.approve ? undefined : decision.declineReason
  audit({
    subject: { type: 'cancellation', id },
    before: { status: before.status },
    after: { status, orderId, refundAmount: Number(refundAmount), declineReason },
  })
  return presentOperatorCancellation(order, cancellation)
}
