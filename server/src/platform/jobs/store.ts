import type { IdSource } from '../../kernel/ids.ts'
import { insertion } from '../postgres/insertion.ts'
import type { Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** A claimed job. The fence distinguishes this claim from any later one. */
export interface ClaimedJob {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly payload: unknown
  readonly attempts: number
  readonly attempts_max: number
  readonly fence: bigint
}

const insertJobs = insertion(
  'jobs',
  { id: 'text', kind: 'text', subject: 'text', payload: 'jsonb', run_at: 'timestamptz', attempts_max: 'integer' },
  `enqueued as (
     insert into jobs (id, kind, subject, payload, run_at, attempts_max)
     select id, kind, subject, payload, run_at, attempts_max from ROWS on conflict (kind, subject) do nothing)`,
)

export interface NewJob {
  readonly kind: string
  /** There is at most one job per kind and subject; another one is not added. */
  readonly subject: string
  readonly payload?: unknown
  readonly runAt: Date
  readonly attemptsMax?: number
}

/** Eight attempts, with the delays of `jobRetryDelayMs`, take about seven and a half hours. */
const ATTEMPTS_MAX = 8

/** Adds a job in the transaction that needs it. */
export function enqueue(tx: Transaction, job: NewJob, ids: IdSource): void {
  const { kind, subject, payload = {}, runAt, attemptsMax = ATTEMPTS_MAX } = job
  tx.add(insertJobs, [ids.next('job'), kind, subject, JSON.stringify(payload), runAt, attemptsMax])
}

// The new fence invalidates a current claim: its result may be older than the reason to wake the job.
const wakeUp = statement(
  'jobs.wake',
  `insert into jobs (id, kind, subject, payload, run_at, attempts_max) values ($1, $2, $3, $4, $5, $6)
   on conflict (kind, subject) do update set run_at = least(jobs.run_at, excluded.run_at), lease_until = null,
     attempts = 0, dead_at = null, last_error = null, fence = jobs.fence + 1`,
)
/** The statement of `withdraw`, for `joined`. Its parameters are kind and subject. */
export const withdrawal = statement(
  'jobs.withdraw',
  'delete from jobs where kind = $1 and subject = $2 and lease_until is null',
)

/** Like `enqueue`, but makes an existing job due, even a claimed or dead one. */
export function wake(tx: Transaction, job: NewJob, ids: IdSource): void {
  const { kind, subject, payload = {}, runAt, attemptsMax = ATTEMPTS_MAX } = job
  tx.write(wakeUp, [ids.next('job'), kind, subject, JSON.stringify(payload), runAt, attemptsMax])
}

/** Removes a job that is no longer needed, unless it is claimed. */
export function withdraw(tx: Transaction, { kind, subject }: Pick<NewJob, 'kind' | 'subject'>): void {
  tx.write(withdrawal, [kind, subject])
}

// The claim counts the attempt, so that a job that kills its worker does not run forever. Each kind is looked up by itself, so that a
// claim reads no job of another kind, however many are due. An update returns its rows in any order.
const claim = statement<ClaimedJob>(
  'jobs.claim',
  `with claimed as (
     update jobs set attempts = attempts + 1, fence = fence + 1, lease_until = $3
     where id in (
       select due.id from unnest($1::text[]) as wanted (kind) cross join lateral (
         select id, run_at from jobs
         where jobs.kind = wanted.kind and dead_at is null and run_at <= $2 and (lease_until is null or lease_until <= $2)
         order by run_at limit $4 for update skip locked) due
       order by due.run_at limit $4)
     returning id, kind, subject, payload, attempts, attempts_max, fence, run_at)
   select id, kind, subject, payload, attempts, attempts_max, fence from claimed order by run_at, id`,
)

// A worker that died during the last attempt could not record it.
const bury = statement(
  'jobs.bury',
  `update jobs set dead_at = $1, lease_until = null, last_error = 'its worker died during the last attempt'
   where dead_at is null and attempts >= attempts_max and lease_until <= $1`,
)

/** Claims due jobs. No two workers hold the same one. */
export function claimJobs(
  tx: Transaction,
  filter: { kinds: readonly string[]; now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedJob[]> {
  tx.write(bury, [filter.now])
  return tx.rows(claim, [filter.kinds, filter.now, filter.leaseUntil, filter.limit])
}

const setBack = statement(
  'jobs.set_back',
  `update jobs set run_at = least(run_at, greatest($2::timestamptz, run_at - ($3::timestamptz - $2::timestamptz))),
     lease_until = case when lease_until > $4 then $4 else lease_until end
   where kind = any ($1) and dead_at is null and (run_at > $2 or lease_until > $4)`,
)

/** Moves jobs to earlier times after the clock was set back. A job that runs too early finds nothing to do. */
export function setBackJobs(
  tx: Transaction,
  clock: { kinds: readonly string[]; now: Date; shown: Date; leaseUntil: Date },
): void {
  tx.write(setBack, [clock.kinds, clock.now, clock.shown, clock.leaseUntil])
}

const dueAtOnce = statement('jobs.due_at_once', 'update jobs set run_at = $2 where kind = any ($1) and run_at > $2')

/** Makes jobs due, even if a wrong clock has scheduled them for much later. */
export function makeDue(tx: Transaction, kinds: readonly string[], now: Date): void {
  tx.write(dueAtOnce, [kinds, now])
}

const remove = statement('jobs.remove', 'delete from jobs where id = $1 and fence = $2')
const again = statement(
  'jobs.again',
  'update jobs set run_at = $3, lease_until = null, attempts = 0, last_error = null where id = $1 and fence = $2',
)
const retry = statement(
  'jobs.retry',
  `update jobs set run_at = $3, lease_until = null, last_error = $4,
     dead_at = case when attempts >= attempts_max then $5::timestamptz end
   where id = $1 and fence = $2`,
)
const handBack = statement(
  'jobs.hand_back',
  'update jobs set lease_until = null, attempts = greatest(0, attempts - 1) where id = $1 and fence = $2',
)

const renew = statement(
  'jobs.renew',
  `update jobs set lease_until = $3, attempts = case when $4 then 1 else attempts end where id = $1 and fence = $2`,
)

/** How long a claim lasts. A job that takes longer renews it. */
export const LEASE_MS = 60_000

/**
 * Extends the lease of a long job. False if it was lost: the transaction must then be rolled back.
 *
 * @param hasProgressed whether this transaction saves a part of the work, which no later attempt repeats: the attempts before it no
 *   longer count, so that a job of hours survives as many deaths of its workers as it takes
 */
export async function renewLease(tx: Transaction, job: ClaimedJob, now: Date, hasProgressed = false): Promise<boolean> {
  return (await tx.change(renew, [job.id, job.fence, new Date(now.getTime() + LEASE_MS), hasProgressed])) === 1
}

/** Finishes a job. False if the lease was lost and another worker has claimed the job, whose result counts. */
export async function finishJob(tx: Transaction, job: ClaimedJob, runAgainAt: Date | null): Promise<boolean> {
  const changed = runAgainAt
    ? await tx.change(again, [job.id, job.fence, runAgainAt])
    : await tx.change(remove, [job.id, job.fence])
  return changed === 1
}

/** Records a failure. The job is retried later, or is dead after its last attempt and waits for an operator. */
export function failJob(tx: Transaction, job: ClaimedJob, error: string, now: Date): void {
  const runAt = new Date(now.getTime() + jobRetryDelayMs(job.attempts))
  // PostgreSQL stores no NUL, which the answer of another server may contain.
  const text = error.replaceAll('\0', '').slice(0, 1000)
  tx.write(retry, [job.id, job.fence, runAt, text, now])
}

/** Returns a job that was claimed but not started, when a worker stops. */
export function returnJob(tx: Transaction, job: ClaimedJob): void {
  tx.write(handBack, [job.id, job.fence])
}

/** Exponential backoff: 5 s, 20 s, 80 s, … at most six hours. */
export function jobRetryDelayMs(attempts: number): number {
  return Math.min(6 * 3600, 5 * 4 ** (attempts - 1)) * 1000
}
