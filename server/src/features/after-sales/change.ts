import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { lockOrderById, notifyShopper, type Order, saveOrder } from '../orders/index.ts'
import type { AfterSales } from './after-sales.ts'
import { publishAfterSalesEvent } from './events.ts'
import { mailsOfRequest } from './mails.ts'
import { findAfterSales, orderIdOfAfterSales, saveAfterSales } from './store.ts'

/** A request with its order. */
export interface AfterSalesOfOrder {
  readonly order: Order
  readonly request: AfterSales
}

/** Locks the order of a request, and the request with it. Refuses `not_found`. */
export async function lockAfterSales(tx: Transaction, id: string): Promise<AfterSalesOfOrder> {
  const orderId = (await orderIdOfAfterSales(tx, id)) ?? refuse('not_found')
  const order = await lockOrderById(tx, orderId)
  const request = (await findAfterSales(tx, id)) ?? refuse('not_found')
  return { order, request }
}

/** Changes a request, and its order if the decision does: load, decide, save, publish. */
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

/** Saves a change of a request and its order, publishes it and mails the shopper. */
export async function saveChange(
  tx: Transaction,
  before: AfterSalesOfOrder,
  after: AfterSalesOfOrder,
  context: EventContext,
): Promise<void> {
  await saveOrder(tx, before.order, after.order, context)
  saveAfterSales(tx, before.request, after.request)
  publishAfterSalesEvent(tx, 'after_sales.updated', after, context)
  await notifyShopper(tx, after.order, mailsOfRequest(before.request, after.request), context)
}
