import type { operatorOperations } from '@vitrine/contract/operator'
import { refuse } from '../../../kernel/refusal.ts'
import { listDeadJobs as list, retryDeadJob as retry } from '../../../platform/jobs/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

const LISTED_MAX = 200

/** GET /operator/v1/dead-jobs */
const listDeadJobs: OperatorHandler<Rows['listDeadJobs']> = async (_input, { reader }) => {
  const jobs = await list(reader, LISTED_MAX)
  return {
    items: jobs.map(({ lastError, deadAt, ...job }) => ({
      ...job,
      ...(lastError !== null && { lastError }),
      deadAt: deadAt.toISOString(),
    })),
  }
}

/** POST /operator/v1/dead-jobs/{jobId}/retry */
const retryDeadJob: OperatorHandler<Rows['retryDeadJob']> = async ({ params: { jobId } }, { tx, now, audit }) => {
  if (!(await retry(tx, jobId, now))) refuse('not_found')
  audit({ subject: { type: 'job', id: jobId }, before: { dead: true }, after: { dead: false } })
  return { id: jobId }
}

export const jobOperations = { listDeadJobs, retryDeadJob }
