import type { JobHandlers } from '../../platform/jobs/index.ts'
import { ADVANCE_JOB } from './intents/begin.ts'
import type { Payments } from './payments.ts'

/** Sees every intent to its end: sends what nobody has sent, and looks up what nobody knows. */
export function paymentJobs(payments: Payments): JobHandlers {
  return {
    [ADVANCE_JOB]: async ({ subject }) => {
      const { leaseUntil, dueAt } = await payments.advance(subject)
      // What somebody is asking is looked up if they never come back; what an operator has to say is not waited for.
      return leaseUntil ?? dueAt ?? undefined
    },
  }
}
