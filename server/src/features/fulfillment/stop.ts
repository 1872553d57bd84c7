import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  type FulfillmentIntent,
  type LineUnits,
  nextPart,
  type PendingIntent,
  quantityOf,
  split,
  stopped,
} from './fulfillment.ts'
import { intentsOf, saveFulfillment, saveSplit } from './store.ts'

/** Whether units were stopped: all of them, or none because some have shipped. */
type StopOutcome =
  | { readonly stopped: true }
  /** Some have shipped; these can still be stopped. */
  | { readonly stopped: false; readonly stoppable: readonly LineUnits[] }

/**
 * Stops the fulfillment of units, in the transaction that cancels them. The order must be locked: shipping and the delivery of keys
 * hold the same lock, so a unit is either handed over or stopped.
 */
export async function stopFulfillment(
  tx: Transaction,
  orderId: string,
  units: readonly LineUnits[],
  { ids, now }: EventContext,
): Promise<StopOutcome> {
  const intents = await intentsOf(tx, orderId)
  // An imported order that is not paid has no intents but its parcels in transit.
  if (intents.every(({ part }) => part > 1)) return { stopped: true }
  const stoppable = stoppableOf(intents)
  if (units.some(({ lineId, quantity }) => quantity > quantityOf(stoppable, lineId)))
    return { stopped: false, stoppable }

  for (const intent of intents.filter(isPending)) {
    const own = units.filter(({ lineId }) => quantityOf(intent.lines, lineId) > 0)
    if (own.length === 0) continue
    const parts = split(intent, own, { id: ids.next('ful'), part: nextPart(intents, intent), now })
    saveSplit(tx, parts)
    saveFulfillment(tx, stopped(parts.taken, now))
  }
  return { stopped: true }
}

export function isPending(intent: FulfillmentIntent): intent is PendingIntent {
  return intent.status === 'pending'
}

/** The units of pending intents. A line is pending in one intent at a time. */
function stoppableOf(intents: readonly FulfillmentIntent[]): readonly LineUnits[] {
  return intents.filter(isPending).flatMap(({ lines }) => lines)
}
