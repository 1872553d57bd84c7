import { enqueue, wake } from '../../../platform/jobs/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { ADVANCE_JOB } from './intent.ts'

/** The job that looks up the disputes of a charge until they are decided. */
export const DISPUTES_JOB = 'payments.disputes'
/** The job that looks up a refund again, after a notification about it. */
export const REVERSAL_JOB = 'payments.reversal'
/** The job that notifies operators of a dispute that they can respond to. Its subject is the charge. */
export const DISPUTE_OPENED_JOB = 'payments.dispute_opened'

/** The job never gives up: lookups continue, and operators see payments that stay unknown. */
const ATTEMPTS_MAX = 2_000_000_000

export function enqueueAdvance(tx: Transaction, intentId: string, runAt: Date, ids: EventContext['ids']): void {
  enqueue(tx, { kind: ADVANCE_JOB, subject: intentId, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Schedule the job of an intent now, even if it is scheduled for later. */
export function scheduleReconciliation(tx: Transaction, intentId: string, { ids, now }: EventContext): void {
  wake(tx, { kind: ADVANCE_JOB, subject: intentId, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Schedule a lookup of disputes or of a reversal now, even if it is scheduled for later. */
export function wakeLookup(
  tx: Transaction,
  kind: typeof DISPUTES_JOB | typeof REVERSAL_JOB,
  intentId: string,
  { ids, now }: EventContext,
): void {
  wake(tx, { kind, subject: intentId, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}
