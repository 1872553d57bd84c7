import { assert } from '../../kernel/assert.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { admits, fulfillableUnits, type Order } from '../orders/index.ts'
import type { LineUnits, Method, PendingIntent } from './fulfilment.ts'
import { insertIntent } from './fulfilment-store.ts'
import { digitalSkus } from './pools.ts'

/** The jobs that hand over keys. */
export const KEYS_JOB = 'fulfilment.keys'

/**
 * Owes to the shopper what was paid for, in the transaction that creates the order: to each store its lines, apart by what
 * the operator ships and what we mail.
 */
export async function beginFulfilment(tx: Transaction, order: Order, context: EventContext): Promise<void> {
  assert(order.money.charge === 'captured', 'only what is paid is owed')
  const digital = await digitalSkus(
    tx,
    order.lines.map(({ skuId }) => skuId),
  )

  for (const intent of owedFor(order, digital, context)) {
    insertIntent(tx, intent)
    if (intent.method === 'digital') enqueueKeys(tx, intent, context)
  }
}

/**
 * Owes what is left of an order from elsewhere, in the transaction that imports it: all of it by hand, because nobody should be
 * mailed keys by an import. What is over, or not paid, is not owed.
 */
export function oweImported(tx: Transaction, order: Order, context: EventContext): void {
  if (order.money.charge !== 'captured' || !admits(order, 'recordParcel')) return
  for (const intent of owedFor(order, NOTHING_DIGITAL, context)) insertIntent(tx, intent)
}

const NOTHING_DIGITAL: ReadonlySet<string> = new Set()

function owedFor(order: Order, digital: ReadonlySet<string>, { ids, now }: EventContext): readonly PendingIntent[] {
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
 * Asks a worker to hand over keys. The version is part of the name, so that a job that has just looked in vain does not
 * stand in the way of the one that looks again.
 */
export function enqueueKeys(
  tx: Transaction,
  { id, version }: Pick<PendingIntent, 'id' | 'version'>,
  { ids, now }: EventContext,
): void {
  enqueue(tx, { kind: KEYS_JOB, subject: `${id}/${version}`, runAt: now }, ids)
}

/** The intent that a job of {@link enqueueKeys} is for. */
export function intentOfJob(subject: string): string {
  return subject.slice(0, subject.indexOf('/'))
}
