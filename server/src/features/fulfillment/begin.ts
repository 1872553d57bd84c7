import { assert } from '../../kernel/assert.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { admits, fulfillableUnits, type Order } from '../orders/index.ts'
import type { LineUnits, Method, PendingIntent } from './fulfillment.ts'
import { digitalSkus } from './pools.ts'
import { addFulfillment } from './store.ts'

/** The job that delivers license keys. */
export const KEYS_JOB = 'fulfilment.keys'

/**
 * Reads how the SKUs of an order are delivered.
 *
 * @returns a function that creates the fulfillment of the paid order, in the transaction that creates the order: one intent per store
 *   and method
 */
export async function prepareFulfillment(
  tx: Transaction,
  skuIds: readonly string[],
): Promise<(order: Order, context: EventContext) => void> {
  const digital = await digitalSkus(tx, skuIds)
  return (order, context) => {
    assert(order.money.charge === 'captured', 'only a paid order is fulfilled')
    for (const intent of intentsFor(order, digital, context)) {
      addFulfillment(tx, intent)
      if (intent.method === 'digital') enqueueKeys(tx, intent, context)
    }
  }
}

/**
 * Creates the fulfillment of the units that an imported order has not shipped yet, in the transaction that imports it. All intents are
 * manual, because an import must not mail license keys. Unpaid and finished orders are skipped.
 */
export function beginImportedFulfillment(tx: Transaction, order: Order, context: EventContext): void {
  if (order.money.charge !== 'captured' || !admits(order, 'recordParcel')) return
  for (const intent of intentsFor(order, NOTHING_DIGITAL, context)) addFulfillment(tx, intent)
}

/** The intents that an unpaid order gets when its payment is captured. */
export async function intentsOnceCaptured(
  reader: Reader,
  order: Order,
  context: EventContext,
): Promise<readonly PendingIntent[]> {
  const digital = await digitalSkus(
    reader,
    order.lines.map(({ skuId }) => skuId),
  )
  return intentsFor(order, digital, context)
}

const NOTHING_DIGITAL: ReadonlySet<string> = new Set()

function intentsFor(order: Order, digital: ReadonlySet<string>, { ids, now }: EventContext): readonly PendingIntent[] {
  const lines = order.lines.map((line) => ({
    storeId: line.storeId,
    method: (digital.has(line.skuId) ? 'digital' : 'manual') as Method,
    units: { lineId: line.id, quantity: fulfillableUnits(line.units) } satisfies LineUnits,
  }))
  const groups = Map.groupBy(
    lines.filter(({ units }) => units.quantity > 0),
    ({ storeId, method }) => `${storeId} ${method}`,
  )
  return [...groups.values()].map((group) => {
    const { storeId, method } = group[0] as (typeof lines)[number]
    return {
      id: ids.next('ful'),
      orderId: order.id,
      storeId,
      environment: order.environment,
      method,
      part: 1,
      lines: group.map(({ units }) => units),
      version: 1,
      createdAt: now,
      updatedAt: now,
      status: 'pending',
      waitingFor: null,
    }
  })
}

/**
 * Enqueues the delivery of keys. The version is part of the job's subject, so that a job that has just found no keys does not
 * block the next one.
 */
export function enqueueKeys(
  tx: Transaction,
  { id, version }: Pick<PendingIntent, 'id' | 'version'>,
  { ids, now }: EventContext,
): void {
  enqueue(tx, { kind: KEYS_JOB, subject: `${id}/${version}`, runAt: now }, ids)
}

/** The intent id of a job of {@link enqueueKeys}. */
export function intentOfJob(subject: string): string {
  return subject.slice(0, subject.indexOf('/'))
}
