import { type Static, Type } from 'typebox'
import { id, none, Timestamp } from '../../../schemas/common.ts'
import { closed, integer, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Jobs'
const auth = { kind: 'operator', area: 'jobs' } as const
const JobId = id('job', 'The job ID.')
const LISTED_MAX = 200

export const OperatorJob = operatorNamed(
  'OperatorJob',
  closed('A job that failed permanently.', {
    id: JobId,
    kind: text(100, 'The type of work.', 'mail.deliver'),
    subject: text(200, 'The subject of the job.', 'mail_01k5b7m2q8e9rtv3w4x5y6z7a8'),
    attempts: integer(0, 2_147_483_647, 'The number of attempts.', 8),
    lastError: Type.Optional(text(10_000, 'The last error.', 'no route to host')),
    deadAt: Timestamp,
  }),
)
export type OperatorJob = Static<typeof OperatorJob>

export const jobRows = {
  listDeadJobs: operatorOperation({
    method: 'GET',
    path: '/operator/v1/dead-jobs',
    tag,
    summary: 'List jobs that failed permanently.',
    description: 'Newest first, at most 200.',
    auth,
    data: closed('The jobs.', { items: listOf(OperatorJob, LISTED_MAX, 'The jobs.') }),
    refusals: [],
  }),
  retryDeadJob: operatorOperation({
    method: 'POST',
    path: '/operator/v1/dead-jobs/{jobId}/retry',
    tag,
    summary: 'Retry a job that failed permanently.',
    description: 'The job starts over with all its attempts.',
    auth,
    params: closed('The job.', { jobId: JobId }),
    body: none,
    data: closed('The job.', { id: JobId }),
    refusals: ['not_found'],
  }),
}
