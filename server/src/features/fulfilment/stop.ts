import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type Intent, type LineUnits, nextPart, type PendingIntent, quantityOf, split, stopped } from './fulfilment.ts'
import { intentsOf, saveIntent, saveSplit } from './fulfilment-store.ts'

/** Whether units were stopped: all of those that were asked for, or none because some have left. */
export type StopOutcome =
  | { readonly stopped: true }
  /** It is too late for some of them; these could still be stopped. */
  | { readonly stopped: false; readonly stoppable: readonly LineUnits[] }

/** What of an order has not been handed over and could be stopped now. */
export async function stoppableUnits(reader: Reader, orderId: string): Promise<readonly LineUnits[]> {
  return stoppableOf(await intentsOf(reader, orderId))
}

/**
 * Stops the handing over of units, in the transaction that cancels them. The order must be locked: a worker or an operator
 * who hands over holds the same lock, so a unit is either handed over or stopped.
 */
export async function stopFulfilment(
  tx: Transaction,
  orderId: string,
  units: readonly LineUnits[],
  { ids, now }: EventContext,
): Promise<StopOutcome> {
  const intents = await intentsOf(tx, orderId)
  // Of an order from elsewhere nothing is owed here where it is not paid.
  if (intents.length === 0) return { stopped: true }
  const stoppable = stoppableOf(intents)
  if (units.some(({ lineId, quantity }) => quantity > quantityOf(stoppable, lineId)))
    return { stopped: false, stoppable }

  for (const intent of intents.filter(isPending)) {
    const own = units.filter(({ lineId }) => quantityOf(intent.lines, lineId) > 0)
    if (own.length === 0) continue
    const parts = split(intent, own, { id: ids.next('ful'), part: nextPart(intents, intent), now })
    saveSplit(tx, parts)
    saveIntent(tx, stopped(parts.taken, now))
  }
  return { stopped: true }
}

export function isPending(intent: Intent): intent is PendingIntent {
  return intent.status === 'pending'
}

/** A line is owed by one intent at a time: what is taken of it is no longer pending. */
function stoppableOf(intents: readonly Intent[]): readonly LineUnits[] {
  return intents.filter(isPending).flatMap(({ lines }) => lines)
}
