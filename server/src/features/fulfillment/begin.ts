import { assert, present } from '../../kernel/assert.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { admits, fulfillableUnits, lineOf, type Order } from '../orders/index.ts'
import { dispatched, type LineUnits, type Method, type PendingIntent } from './fulfillment.ts'
import { digitalSkus } from './pools.ts'
import { addFulfillment, insertFulfillment, saveFulfillment } from './store.ts'

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
 * Creates the fulfillment of an imported order, in the transaction that imports it: of its parcels in transit, and of the units that it
 * has not shipped yet. All intents are manual, because an import must not mail license keys. Nothing is left to ship for unpaid and
 * finished orders.
 */
export function beginImportedFulfillment(tx: Transaction, order: Order, context: EventContext): void {
  addParcelsInTransit(tx, order)
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

/** The ids of the lines whose license keys are mailed once the payment of the order is captured. */
export async function linesWithKeys(reader: Reader, { lines }: Order): Promise<readonly string[]> {
  const digital = await digitalSkus(
    reader,
    lines.map(({ skuId }) => skuId),
  )
  return lines.filter(({ skuId }) => digital.has(skuId)).map(({ id }) => id)
}

/** A parcel that has not arrived is an intent under the same id, so that an operator can record what becomes of it. */
function addParcelsInTransit(tx: Transaction, order: Order): void {
  const { id: orderId, environment } = order
  const inTransit = order.parcels.filter(({ status }) => status === 'dispatched')
  for (const [index, { id, lines: all, dispatchedAt, carrier, trackingNumber, trackingUrl }] of inTransit.entries()) {
    const storeOf = ({ lineId }: LineUnits) => lineOf(order, lineId).storeId
    // An intent has one store. A parcel of several stores is listed with the store of its first line.
    const storeId = storeOf(present(all[0], 'a parcel has lines'))
    const lines = all.filter((units) => storeOf(units) === storeId)
    // Part 1 is what is left to ship.
    const facts = { id, orderId, storeId, environment, method: 'manual', part: index + 2, lines, version: 1 } as const
    const times = { createdAt: dispatchedAt, updatedAt: dispatchedAt }
    const intent: PendingIntent = { ...facts, ...times, status: 'pending', waitingFor: null }
    insertFulfillment(tx, intent)
    saveFulfillment(tx, dispatched(intent, { reference: id, carrier, trackingNumber, trackingUrl }, dispatchedAt))
  }
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
