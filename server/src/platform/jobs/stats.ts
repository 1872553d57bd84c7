import type { Reader } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** Jobs that wait for a worker, and dead jobs that wait for an operator. */
interface JobStats {
  readonly due: number
  readonly oldestDueAt: Date | null
  readonly dead: number
}

/** A job that a worker has is not late, however long it takes: an import can take an hour. */
const WAITS = 'dead_at is null and run_at <= $1 and (lease_until is null or lease_until <= $1)'

const stats = statement<JobStats & { readonly oldest_due_at: Date | null }>(
  'jobs.figures',
  `select count(*) filter (where ${WAITS})::integer as due, min(run_at) filter (where ${WAITS}) as oldest_due_at,
     count(*) filter (where dead_at is not null)::integer as dead
   from jobs`,
)

export async function jobStats(reader: Reader, now: Date): Promise<JobStats> {
  const row = await reader.row(stats, [now])
  return { due: row?.due ?? 0, oldestDueAt: row?.oldest_due_at ?? null, dead: row?.dead ?? 0 }
}
