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
    params: none,
    query: none,
    body: null,
    data: closed('The jobs.', { items: listOf(OperatorJob, LISTED_MAX, 'The jobs.') }),
    meta: null,
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
    query: none,
    body: none,
    data: closed('The job.', { id: JobId }),
    meta: null,
    refusals: ['not_found'],
  }),
}
