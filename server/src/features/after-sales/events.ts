import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Order } from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'

/** Publishes that a request was received or changed. */
export function publishAfterSalesEvent(
  tx: Transaction,
  kind: 'after_sales.requested' | 'after_sales.updated',
  { order, request }: { readonly order: Order; readonly request: AfterSales },
  context: EventContext,
): void {
  const { environment, installationId, storeId } = order
  const { id, orderId, status, version } = request
  const data = { orderId, afterSalesId: id, kind: request.kind, status, version }
  publishEvent(tx, { kind, environment, installationId, storeId, subjectId: id, data }, context)
}
