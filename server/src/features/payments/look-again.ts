import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { lookSoon } from './begin.ts'
import { type Intent, isEnded } from './intent.ts'
import { dueNow } from './intent-moves.ts'
import { lockIntent, saveIntent } from './intent-store.ts'

/**
 * Lets a worker ask the provider at once what became of a payment, instead of when the reconciler would. Safe at any time: a
 * look changes nothing at the provider, and what has ended is left as it is.
 *
 * @returns the payment as it is known; null where there is none with this id
 */
export async function lookAgain(tx: Transaction, intentId: string, context: EventContext): Promise<Intent | null> {
  const intent = (await lockIntent(tx, intentId)) ?? null
  if (intent === null || isEnded(intent)) return intent
  const due = saveIntent(tx, intent, dueNow(intent, context.now))
  lookSoon(tx, intent.id, context)
  return due
}
