import { enqueue, wake } from '../../../platform/jobs/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { ADVANCE_JOB } from './intent.ts'

/** The job never gives up: lookups continue, and operators see payments that stay unknown. */
export const ATTEMPTS_MAX = 2_000_000_000

export function enqueueAdvance(tx: Transaction, intentId: string, runAt: Date, ids: EventContext['ids']): void {
  enqueue(tx, { kind: ADVANCE_JOB, subject: intentId, runAt, attemptsMax: ATTEMPTS_MAX }, ids)
}

/** Schedule the job of an intent now, even if it is scheduled for later. */
export function scheduleReconciliation(tx: Transaction, intentId: string, { ids, now }: EventContext): void {
  wake(tx, { kind: ADVANCE_JOB, subject: intentId, runAt: now, attemptsMax: ATTEMPTS_MAX }, ids)
}
