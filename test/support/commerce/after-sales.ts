import assert from 'node:assert/strict'
import type { Order, OrderEligibility } from '@vitrine/contract'
import { markDelivered, ship } from '../../../server/src/features/fulfillment/index.ts'
import {
  DEFAULT_POLICY,
  hold,
  lockOrderById,
  type OrderPolicy,
  saveOrder,
  saveOrderPolicy,
} from '../../../server/src/features/orders/index.ts'
import { type Intent, intentOf } from '../../../server/src/features/payments/index.ts'
import type { Transaction } from '../../../server/src/platform/postgres/index.ts'
import { type Answer, type Client, dataOf } from '../client.ts'
import { begunSession, paid } from './checkout.ts'
import { ORDERS } from './orders.ts'
import type { Shop } from './shop.ts'

export const context = ({ ids, clock }: Shop) => ({ ids, now: clock.now() })

/** Runs a transaction, as an operator or a worker does. */
export function decide<Result>(
  shop: Shop,
  work: (tx: Transaction, by: ReturnType<typeof context>) => Promise<Result>,
): Promise<Result> {
  return shop.database.transaction((tx) => work(tx, context(shop)))
}

export async function readOrder(client: Client, orderId: string): Promise<Order> {
  return dataOf(await client.get(`${ORDERS}/${orderId}`))
}

/** An order paid by transfer: units of each SKU, by code. */
export async function bought(shop: Shop, client: Client, units: Readonly<Record<string, number>>): Promise<Order> {
  const session = await paid(shop, client, await begunSession(shop, client, units))
  return readOrder(client, session.orderId!)
}

/** Ships units, or all that a store has left, and marks them as delivered. */
export async function markArrived(
  shop: Shop,
  order: Pick<Order, 'id'>,
  lines?: { lineId: string; quantity: number }[],
): Promise<void> {
  const parcel = { orderId: order.id, reference: shop.ids.next('ful'), lines }
  const { id } = await decide(shop, (tx, by) => ship(tx, parcel, by))
  await decide(shop, (tx, by) => markDelivered(tx, id, by))
}

/** The line of a SKU, by code. */
export function lineOf(shop: Shop, order: Order, code: string) {
  const line = order.lines.find(({ skuId }) => skuId === shop.sku(code))
  assert(line, `${order.number} has ${code}`)
  return line
}

export function postCancellation(client: Client, orderId: string, body: object = {}): Promise<Answer> {
  return client.post(`${ORDERS}/${orderId}/cancellations`, { reason: 'customer_request', ...body })
}

export function postAfterSales(client: Client, orderId: string, body: object): Promise<Answer> {
  return client.post(`${ORDERS}/${orderId}/after-sales`, { kind: 'return', reasonCode: 'defective', ...body })
}

export async function eligibility(
  client: Client,
  orderId: string,
  question: 'cancellation' | 'after-sales',
): Promise<OrderEligibility> {
  return dataOf(await client.get(`${ORDERS}/${orderId}/${question}-eligibility`))
}

/** Saves a policy for a store: the default with changes. */
export function setPolicy(
  shop: Shop,
  slug: string,
  change: {
    readonly cancellation?: Partial<OrderPolicy['cancellation']>
    readonly afterSales?: Partial<OrderPolicy['afterSales']>
    readonly finalSale?: Partial<OrderPolicy['finalSale']>
  },
) {
  const policy: OrderPolicy = {
    cancellation: { ...DEFAULT_POLICY.cancellation, ...change.cancellation },
    afterSales: { ...DEFAULT_POLICY.afterSales, ...change.afterSales },
    finalSale: { ...DEFAULT_POLICY.finalSale, ...change.finalSale },
  }
  const draft = { storeId: shop.storeId(slug), policy, savedBy: 'an operator', now: shop.clock.now() }
  return shop.database.transaction((tx) => saveOrderPolicy(tx, draft))
}

/** All kinds of after-sales with the same rules. */
export function kindsWith(rules: Partial<OrderPolicy['afterSales']['kinds']['return']>) {
  const { kinds } = DEFAULT_POLICY.afterSales
  return Object.fromEntries(Object.entries(kinds).map(([kind, each]) => [kind, { ...each, ...rules }])) as typeof kinds
}

/** Puts an order on hold. */
export async function putOnHold(shop: Shop, orderId: string): Promise<void> {
  await decide(shop, async (tx, by) => {
    const order = await lockOrderById(tx, orderId)
    await saveOrder(tx, order, hold(order, null, { now: by.now, actor: 'operator' }), by)
  })
}

/** The refunds of an order’s charge, oldest first. */
export async function refundsOf(shop: Shop, orderId: string): Promise<readonly Intent[]> {
  const rows = await shop.query(
    `select refund.id from payment_intents as refund join orders on orders.charge_id = refund.charge_id
     where orders.id = $1 order by refund.created_at, refund.id`,
    [orderId],
  )
  const intents = await Promise.all(rows.map(({ id }) => intentOf(shop.database.reader, String(id))))
  return intents.map((intent) => intent!)
}

/** Sends every pending refund, and confirms or fails it. */
export async function settleRefunds(shop: Shop, orderId: string, { isDone }: { isDone: boolean }): Promise<void> {
  for (const { id, status } of await refundsOf(shop, orderId)) {
    if (status === 'succeeded' || status === 'failed') continue
    await shop.app.payments.advance(id)
    await shop.app.payments.confirmManual(id, { isDone })
  }
}

/** Makes the outcome of an order's payment unknown. */
export async function loseOutcome(shop: Shop, orderId: string): Promise<void> {
  await shop.run(`update orders set unknown = 1, payment_status = 'unknown' where id = $1`, [orderId])
}
