import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Logger } from '../observe/logger.ts'
import { inSpan } from '../observe/tracing.ts'
import type { Database, Transaction } from '../postgres/index.ts'
import {
  type ClaimedJob,
  claimJobs,
  failJob,
  finishJob,
  LEASE_MS,
  renewLease,
  returnJob,
  setBackJobs,
} from './store.ts'

/** The context of a job handler. It opens its own transactions, because a job may need many small ones. */
export interface JobContext {
  readonly database: Database
  readonly now: Date
  readonly ids: IdSource
  readonly log: Logger
  /** Aborts before the lease ends. A call to another server that lasted longer could be made twice. */
  readonly signal: AbortSignal
  /** Whether the worker is stopping. A long job then returns a date, and another worker continues it. */
  readonly isStopping: () => boolean
}

/** Writes for the transaction that finishes the job. */
type FinalWrites = (tx: Transaction) => void

/** Runs a job. A date makes it run again then; anything else finishes it. */
export type JobHandler = (job: ClaimedJob, context: JobContext) => Promise<Date | FinalWrites | undefined>
export type JobHandlers = Readonly<Record<string, JobHandler>>

const POLL_MS = 1000
const CLAIM_BATCH = 4
/** A job that begins with less has its lease renewed. */
const LEASE_LEFT_MIN_MS = LEASE_MS - 5000
/** Less than the lease that a job begins with, so that a call can be ended and its outcome recorded. */
const CALL_MS_MAX = LEASE_LEFT_MIN_MS - 10_000
/** A clock that is set back by less delays no job noticeably. */
const CLOCK_STEP_MS = 1000

interface RunnerDeps extends Pick<JobContext, 'database' | 'ids' | 'log'> {
  readonly clock: Clock
  /** When the signal of a job aborts. */
  readonly callMsMax?: number
}

/** Runs due jobs until it is stopped. */
export class JobRunner {
  readonly #handlers: JobHandlers
  readonly #deps: RunnerDeps
  #shown = new Date(0)
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()
  #stopping = false

  constructor(handlers: JobHandlers, deps: RunnerDeps) {
    this.#handlers = handlers
    this.#deps = deps
  }

  start(): void {
    const poll = () => {
      this.#round = this.runDue()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'could not claim jobs'))
        .then(() => {
          if (!this.#stopping) this.#timer = setTimeout(poll, POLL_MS)
        })
    }
    poll()
  }

  /** Finishes running jobs and returns those that have not started. */
  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#round
  }

  /** Runs all jobs that are due now. */
  async runDue(): Promise<void> {
    const { database, clock } = this.#deps
    const kinds = Object.keys(this.#handlers)
    while (!this.#stopping) {
      const now = clock.now()
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const shown = this.#shown
      if (shown.getTime() - now.getTime() > CLOCK_STEP_MS) {
        await database.transaction(async (tx) => setBackJobs(tx, { kinds, now, shown, leaseUntil }))
      }
      this.#shown = now
      const claimed = await database.transaction((tx) => claimJobs(tx, { kinds, now, leaseUntil, limit: CLAIM_BATCH }))
      if (claimed.length === 0) return
      await this.#runClaimed(claimed, leaseUntil)
    }
  }

  /** A job that is tried again may have killed its worker. It is run alone, so that no other job loses its attempts with it. */
  async #runClaimed(claimed: readonly ClaimedJob[], leaseUntil: Date): Promise<void> {
    for (const [index, job] of claimed.entries()) {
      const others = job.attempts > 1 ? claimed.slice(index + 1) : []
      if (others.length > 0) {
        await this.#deps.database.transaction(async (tx) => {
          for (const other of others) returnJob(tx, other)
        })
      }
      await this.#runOne(job, leaseUntil)
      if (others.length > 0) return
    }
  }

  /** The jobs before it may have used up its lease: then another worker may already run it. Otherwise it gets a whole one. */
  async #isHeld(job: ClaimedJob, leaseUntil: Date): Promise<boolean> {
    const now = this.#deps.clock.now()
    const leftMs = leaseUntil.getTime() - now.getTime()
    if (leftMs <= 0 || leftMs >= LEASE_LEFT_MIN_MS) return leftMs > 0
    return this.#deps.database.transaction((tx) => renewLease(tx, job, now))
  }

  async #runOne(job: ClaimedJob, leaseUntil: Date): Promise<void> {
    const { database, clock, ids, log, callMsMax = CALL_MS_MAX } = this.#deps
    const signal = AbortSignal.timeout(callMsMax)
    if (this.#stopping || !(await this.#isHeld(job, leaseUntil))) {
      await database.transaction(async (tx) => returnJob(tx, job))
      return
    }
    const handler = this.#handlers[job.kind]
    const attributes = { 'vitrine.job': job.id }
    try {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`)
      const result = await inSpan(`job ${job.kind}`, { kind: 'internal', attributes }, () =>
        handler(job, { database, now: clock.now(), ids, log, signal, isStopping: () => this.#stopping }),
      )
      const isFinished = await database.transaction((tx) => {
        if (typeof result === 'function') result(tx)
        return finishJob(tx, job, result instanceof Date ? result : null)
      })
      if (!isFinished) log.warn({ job: job.id, kind: job.kind }, 'the lease of a job expired while it ran')
    } catch (error) {
      log.error({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, 'job failed')
      const message = error instanceof Error ? error.message : String(error)
      await database.transaction(async (tx) => failJob(tx, job, message, clock.now()))
    }
  }
}
