import {
  type FulfillmentIntent,
  intentsOf,
  prepareFulfillment,
} from '../../../server/src/features/fulfillment/index.ts'
import { type Order, type OrderDraft, placeOrder } from '../../../server/src/features/orders/index.ts'
import type { Client } from '../client.ts'
import { draftOf, PAGES_URL } from './orders.ts'
import type { Shop } from './shop.ts'

/** A paid order with its fulfillment. Each call with the same draft places another order. */
export function paidFor(shop: Shop, draft: OrderDraft): Promise<Order> {
  const { database, ids, clock } = shop
  const context = { ids, now: clock.now() }
  const another = { ...draft, sessionId: ids.next('cks'), chargeId: ids.next('pay') }
  return database.transaction(async (tx) => {
    const order = await placeOrder(tx, another, { ...context, pagesUrl: PAGES_URL })
    const skuIds = order.lines.map(({ skuId }) => skuId)
    const beginFulfillment = await prepareFulfillment(tx, skuIds)
    beginFulfillment(order, context)
    return order
  })
}

/** A paid order of the client with units of each SKU, by code. */
export async function paidBy(
  shop: Shop,
  client: Client & { readonly installationId: string },
  units: Readonly<Record<string, number>>,
  more: Partial<OrderDraft> = {},
): Promise<Order> {
  return paidFor(shop, await draftOf(shop, client, units, more))
}

/** The id of the line of a SKU. */
export function lineOfSku(shop: Shop, order: Order, code: string): string {
  const line = order.lines.find(({ skuId }) => skuId === shop.sku(code))
  if (line === undefined) throw new Error(`${order.number} has no ${code}`)
  return line.id
}

/** The intents of an order, each as `method status units`. */
export async function shownIntents(shop: Shop, orderId: string): Promise<string[]> {
  const intents = await intentsOf(shop.database.reader, orderId)
  return intents.map(({ method, status, lines }) => `${method} ${status} ${sumOf(lines)}`).sort()
}

function sumOf(lines: FulfillmentIntent['lines']): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0)
}
