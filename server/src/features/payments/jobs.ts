import type { JobHandlers } from '../../platform/jobs/index.ts'
import { ADVANCE_JOB } from './intents/intent.ts'
import { DISPUTES_JOB, REVERSAL_JOB } from './intents/reconcile.ts'
import type { Payments } from './payments.ts'

/** The reconciler: jobs that send unsent intents and look up unknown outcomes, disputes and reversed refunds. */
export function paymentJobs(payments: Payments): JobHandlers {
  return {
    [ADVANCE_JOB]: async ({ subject }) => {
      const { leaseUntil, dueAt } = await payments.advance(subject)
      // A leased intent is checked again when its lease ends. One that waits for an operator is not polled.
      return leaseUntil ?? dueAt ?? undefined
    },
    [DISPUTES_JOB]: async ({ subject }) => (await payments.lookUpDisputes(subject)) ?? undefined,
    [REVERSAL_JOB]: async ({ subject }) => (await payments.lookUpReversal(subject)) ?? undefined,
  }
}
