import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Order } from '../order/order.ts'
import { findOrder } from '../order/store.ts'
import { type OrderRequests, presentOrder } from '../order/view.ts'

/** The parts of an order that other features provide. */
export interface OrderPorts {
  /** The cancellations and after-sales requests of an order, or of the share of one store. */
  requestsOf(reader: Reader, shown: Order): Promise<OrderRequests>
}

/** GET /api/v1/open/storefront/orders/{orderId} */
export function getStorefrontOrder({ requestsOf }: OrderPorts): Handler<typeof operations.getStorefrontOrder> {
  return async ({ params }, { reader, principal }) => {
    const order = await findOrder(reader, principal, params.orderId)
    return presentOrder(order, await requestsOf(reader, order))
  }
}
