import type { Reader } from '../../platform/postgres/reader.ts'
import {
  type Cancellation,
  cancellationsOf,
  cancellationsShownIn,
  presentCancellation,
} from '../cancellations/index.ts'
import type { Order, OrderRequests } from '../orders/index.ts'
import { type AfterSales, shownIn } from './after-sales.ts'
import { afterSalesOf } from './store.ts'
import { presentAfterSales } from './view.ts'

/** Loads and presents the requests about an order or a share. @see docs/decisions/0080-the-order-whole-and-shared.md */
export async function requestsOf(reader: Reader, order: Order): Promise<OrderRequests> {
  const [cancellations, requests] = await Promise.all([
    cancellationsOf(reader, order.id),
    afterSalesOf(reader, order.id),
  ])
  return presentRequests(order, cancellations, requests)
}

/**
 * Presents loaded requests, each oldest first.
 *
 * @param locale the locale of the reader, if that is not the shopper
 */
export function presentRequests(
  order: Order,
  cancellations: readonly Cancellation[],
  requests: readonly AfterSales[],
  locale = order.locale,
): OrderRequests {
  return {
    cancellations: cancellationsShownIn(order, cancellations).map((each) => presentCancellation(order, each)),
    afterSales: shownIn(order, requests).map((each) => presentAfterSales(order, each, locale)),
  }
}
