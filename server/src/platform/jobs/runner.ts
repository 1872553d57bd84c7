import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Logger } from '../observe/logger.ts'
import { inSpan } from '../observe/tracing.ts'
import type { Database, Transaction } from '../postgres/index.ts'
import { claimJobs, failJob, finishJob, type HeldJob, returnJob } from './store.ts'

/** What a handler of jobs is told. It opens its own transactions, because a job may be many small ones. */
export interface JobContext {
  readonly database: Database
  readonly now: Date
  readonly ids: IdSource
  readonly log: Logger
}

/** What is left to be written of a job that is done, in the transaction that ends it. */
export type FinalWrites = (tx: Transaction) => void

/** Does a job. A date is when it should run again; anything else means that it is done. */
export type JobHandler = (job: HeldJob, context: JobContext) => Promise<Date | FinalWrites | undefined>
export type JobHandlers = Readonly<Record<string, JobHandler>>

const POLL_MS = 1000
const LEASE_MS = 60_000
const CLAIMED_AT_ONCE = 4

/** Runs the jobs whose time has come, until it is stopped. */
export class JobRunner {
  readonly #handlers: JobHandlers
  readonly #parts: { database: Database; clock: Clock; ids: IdSource; log: Logger }
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()
  #stopping = false

  constructor(handlers: JobHandlers, parts: { database: Database; clock: Clock; ids: IdSource; log: Logger }) {
    this.#handlers = handlers
    this.#parts = parts
  }

  start(): void {
    const turn = () => {
      this.#round = this.runDue()
        .catch((error: unknown) => this.#parts.log.error({ err: error }, 'jobs: could not claim'))
        .then(() => {
          if (!this.#stopping) this.#timer = setTimeout(turn, POLL_MS)
        })
    }
    turn()
  }

  /** Finishes what is begun, and gives back what is not. */
  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#round
  }

  /** Runs everything that is due now, once. */
  async runDue(): Promise<void> {
    const { database, clock } = this.#parts
    const kinds = Object.keys(this.#handlers)
    while (!this.#stopping) {
      const now = clock.now()
      const leaseUntil = new Date(now.getTime() + LEASE_MS)
      const held = await database.transaction((tx) => claimJobs(tx, { kinds, now, leaseUntil, limit: CLAIMED_AT_ONCE }))
      if (held.length === 0) return
      for (const job of held) await this.#runOne(job)
    }
  }

  async #runOne(job: HeldJob): Promise<void> {
    const { database, clock, ids, log } = this.#parts
    if (this.#stopping) {
      await database.transaction(async (tx) => returnJob(tx, job))
      return
    }
    const handler = this.#handlers[job.kind]
    const attributes = { 'vitrine.job': job.id }
    try {
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`)
      const left = await inSpan(`job ${job.kind}`, { kind: 'internal', attributes }, () =>
        handler(job, { database, now: clock.now(), ids, log }),
      )
      const kept = await database.transaction((tx) => {
        if (typeof left === 'function') left(tx)
        return finishJob(tx, job, left instanceof Date ? left : null)
      })
      if (!kept) log.warn({ job: job.id, kind: job.kind }, 'job outlived its lease')
    } catch (error) {
      log.error({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, 'job failed')
      const message = error instanceof Error ? error.message : String(error)
      await database.transaction(async (tx) => failJob(tx, job, message, clock.now()))
    }
  }
}
