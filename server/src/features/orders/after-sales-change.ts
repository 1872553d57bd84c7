import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { AfterSales } from './after-sales.ts'
import { announceAfterSales } from './after-sales-events.ts'
import { findAfterSales, orderIdOfAfterSales, saveAfterSales } from './after-sales-store.ts'
import type { Order } from './order.ts'
import { newsOfRequest } from './order-mail-news.ts'
import { lockOrderById, saveOrder } from './order-store.ts'
import { tellShopper } from './tell-shopper.ts'

/** A request with its order. */
export interface AfterSalesOfOrder {
  readonly order: Order
  readonly request: AfterSales
}

/** Locks the order of a request, which keeps the request from changing as well. Refuses `not_found`. */
export async function lockAfterSales(tx: Transaction, id: string): Promise<AfterSalesOfOrder> {
  const orderId = (await orderIdOfAfterSales(tx, id)) ?? refuse('not_found')
  const order = await lockOrderById(tx, orderId)
  const request = (await findAfterSales(tx, id)) ?? refuse('not_found')
  return { order, request }
}

/** Changes a request, and with it its order where the decision does: load, decide, save, tell. */
export async function changeAfterSales(
  tx: Transaction,
  id: string,
  decide: (held: AfterSalesOfOrder) => AfterSalesOfOrder | Promise<AfterSalesOfOrder>,
  context: EventContext,
): Promise<AfterSalesOfOrder> {
  const before = await lockAfterSales(tx, id)
  const after = await decide(before)
  await saveChange(tx, before, after, context)
  return after
}

/** Writes down what a decision made of a request and its order, and tells it, the shopper by a mail. */
export async function saveChange(
  tx: Transaction,
  before: AfterSalesOfOrder,
  after: AfterSalesOfOrder,
  context: EventContext,
): Promise<void> {
  await saveOrder(tx, before.order, after.order, context)
  saveAfterSales(tx, before.request, after.request)
  announceAfterSales(tx, 'after_sales.updated', after, context)
  await tellShopper(tx, after.order, newsOfRequest(before.request, after.request), context)
}
