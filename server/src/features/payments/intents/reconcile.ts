import { enqueue, wake } from '../../../platform/jobs/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/access.ts'
import { type Intent, isEnded } from './intent.ts'
import { lockIntent, saveIntent } from './store.ts'
import { dueNow } from './transitions.ts'

/** The job that sees an intent to its end, whatever becomes of who began it. */
export const ADVANCE_JOB = 'payments.advance'
/** Money is never given up on: an operator sees what stays unknown, and the lookups go on. */
const ATTEMPTS_MAX = 2_000_000_000

export function enqueueAdvance(tx: Transaction, intentId: string, runAt: Date, ids: EventContext['ids']): void {
  enqueue(tx, { kind: ADVANCE_JOB, subject: intentId, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Leaves the intent to a worker, now, also where its job waits for later. */
export function scheduleReconciliation(tx: Transaction, intentId: string, { ids, now }: EventContext): void {
  wake(tx, { kind: ADVANCE_JOB, subject: intentId, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}

/**
 * Lets a worker ask the provider at once what became of a payment, instead of when the reconciler would. Safe at any time: a
 * look changes nothing at the provider, and what has ended is left as it is.
 *
 * @returns the payment as it is known; null where there is none with this id
 */
export async function requestReconciliation(
  tx: Transaction,
  intentId: string,
  context: EventContext,
): Promise<Intent | null> {
  const intent = (await lockIntent(tx, intentId)) ?? null
  if (intent === null || isEnded(intent)) return intent
  const due = saveIntent(tx, intent, dueNow(intent, context.now))
  scheduleReconciliation(tx, intent.id, context)
  return due
}
