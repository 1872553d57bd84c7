import type { CompiledQuery } from 'kysely'
import type { ClientBase, PoolClient } from 'pg'
import { type Answer, Batch, PendingQuery, type Sendable } from './batch.ts'
import { isShutdown, isStalePlan } from './errors.ts'
import type { Statement } from './statement.ts'

/** Counts since the start of the process. */
export interface Counters {
  queries: number
  /** Queries that are sent together count as one. */
  roundTrips: number
  transactions: number
  /** Transactions retried after a collision or a lost connection. */
  repetitions: number
}

const broken = new WeakSet<ClientBase>()

/**
 * Detects the loss of a connection at once. A client without an error listener would end the process, and between the pool
 * and its borrower there is a moment when neither listens.
 */
export function trackLoss(client: ClientBase): void {
  client.on('error', () => broken.add(client))
}

/** Whether statements that are sent together fail together, like those of a transaction, or separately. */
export type BatchMode = 'atomic' | 'independent'

/** A connection while one borrower holds it. Results arrive in the order of sending. */
export class Session {
  /** Whether the prepared statements of the connection are stale. */
  outdated = false
  /** PostgreSQL has announced the end of the connection, which is still open. */
  #isEnding = false
  /** Issued in the current tick. */
  #queued: PendingQuery[] = []
  /** Sequential round trips so far. */
  #depth = 0
  #unanswered = 0
  #isOverdue = false
  #deadline: NodeJS.Timeout | null = null
  readonly #deadlineMs: number
  readonly #client: PoolClient
  readonly #counters: Counters
  readonly #onOverdue: () => void
  readonly #mode: BatchMode

  /** @param deadline the longest wait for an answer, after which the connection is destroyed, and a callback for that case */
  constructor(
    client: PoolClient,
    counters: Counters,
    mode: BatchMode,
    deadline: { ms: number; onOverdue: () => void },
  ) {
    this.#client = client
    this.#counters = counters
    this.#mode = mode
    this.#deadlineMs = deadline.ms
    this.#onOverdue = deadline.onOverdue
  }

  /** Whether the connection was destroyed because PostgreSQL did not answer in time. A retry would take as long again. */
  get isOverdue(): boolean {
    return this.#isOverdue
  }

  /** Whether the connection is gone: nothing more can be sent, and pending results never arrive. */
  get lost(): boolean {
    return this.#isEnding || broken.has(this.#client)
  }

  async rows<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.send(statement, values)).rows as Row[]
  }

  async run<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return (await this.send({ text: query.sql }, query.parameters)).rows as Row[]
  }

  /** Sends a statement, in one write with all others that are issued in this tick. */
  send(statement: Sendable, values: readonly unknown[] = []): Promise<Answer> {
    this.#counters.queries += 1
    const query = new PendingQuery(statement, values)
    this.#queued.push(query)
    // Each write wakes PostgreSQL: the 17 statements of a cart add took 0.5 ms in 17 writes.
    if (this.#queued.length === 1) process.nextTick(() => this.flush())
    return query.answer
  }

  /** Sends the queued statements. PostgreSQL runs later ones even if these fail. */
  flush(): void {
    const queued = this.#queued
    if (queued.length === 0) return
    this.#queued = []
    const depth = this.#depth + 1
    const batches = this.#mode === 'atomic' ? [queued] : independentBatches(queued)
    const { stream } = this.#client.connection
    stream.cork()
    for (const batch of batches) {
      this.#client.query(new Batch(batch, (failure, skipped) => this.#recordResult(depth, failure, skipped)))
    }
    stream.uncork()
    this.#unanswered += batches.length
    this.#expectAnswer()
  }

  /** One timer per borrower, which each round trip restarts. */
  #expectAnswer(): void {
    this.#deadline = this.#deadline?.refresh() ?? setTimeout(() => this.#giveUp(), this.#deadlineMs)
  }

  #giveUp(): void {
    if (this.#unanswered === 0) return
    this.#isOverdue = true
    const seconds = this.#deadlineMs / 1000
    this.#client.connection.stream.destroy(new Error(`PostgreSQL has not answered within ${seconds} s`))
    this.#onOverdue()
  }

  /**
   * Counts a round trip, and checks what the result says about the connection.
   *
   * @returns whether the skipped statements are sent again, since they did not fail themselves
   */
  #recordResult(depth: number, failure: unknown, skipped: readonly PendingQuery[]): boolean {
    this.#unanswered -= 1
    if (this.#unanswered > 0) this.#expectAnswer()
    if (isShutdown(failure)) this.#isEnding = true
    if (isStalePlan(failure)) this.outdated = true
    if (depth > this.#depth) {
      this.#depth = depth
      this.#counters.roundTrips += 1
    }
    if (skipped.length === 0 || this.#mode === 'atomic' || this.lost || this.outdated) return false
    this.#queued.push(...skipped)
    process.nextTick(() => this.flush())
    return true
  }

  /** Returns the connection to the pool after flushing, or destroys it if it is unusable. */
  release(): void {
    this.flush()
    if (this.#deadline) clearTimeout(this.#deadline)
    this.#client.release(this.lost || this.outdated)
  }
}

/**
 * Static statements are one batch: with a Sync after each, PostgreSQL ended a transaction, sent an answer and woke this process for
 * each, which took a fifteenth of the processor time of a search. A composed statement is a batch by itself, so that no other waits for
 * it: its duration depends on its request. So is a standalone change, which comes first: it waits for no other.
 */
function independentBatches(queued: readonly PendingQuery[]): readonly (readonly PendingQuery[])[] {
  const changes = queued.filter(({ isStandalone }) => isStandalone)
  const named = queued.filter(({ isStandalone, name }) => !isStandalone && name !== undefined)
  const composed = queued.filter(({ name }) => name === undefined)
  return [...changes.map((query) => [query]), ...(named.length > 0 ? [named] : []), ...composed.map((query) => [query])]
}
