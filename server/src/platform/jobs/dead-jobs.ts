import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** A job that used up its attempts and waits for an operator. */
interface DeadJob {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly attempts: number
  readonly lastError: string | null
  readonly deadAt: Date
}

const list = statement<DeadJob>(
  'jobs.list_dead',
  `select id, kind, subject, attempts, last_error as "lastError", dead_at as "deadAt"
   from jobs where dead_at is not null order by dead_at desc, id limit $1`,
)
const revive = statement(
  'jobs.revive',
  `update jobs set dead_at = null, attempts = 0, run_at = $2, lease_until = null, fence = fence + 1
   where id = $1 and dead_at is not null`,
)

/** Dead jobs, the latest first. */
export function listDeadJobs(reader: Reader, limit: number): Promise<readonly DeadJob[]> {
  return reader.rows(list, [limit])
}

/** Makes a dead job due again, with all its attempts. False if there is none with this id. */
export async function retryDeadJob(tx: Transaction, id: string, now: Date): Promise<boolean> {
  return (await tx.change(revive, [id, now])) === 1
}
