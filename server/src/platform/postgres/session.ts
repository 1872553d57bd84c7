import type { Duplex } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import type { ClientBase, PoolClient, QueryResult } from 'pg'
import { isShutdown, isStalePlan } from './failure.ts'
import type { Statement } from './statement.ts'

/** What a process has asked of PostgreSQL since it started. Cheap enough to count always. */
export interface Counters {
  queries: number
  /** Waits for an answer: queries that are sent together are one. */
  roundTrips: number
  transactions: number
  /** Transactions that were done again after a collision or a lost connection. */
  repetitions: number
}

/** A query with a name is prepared under it. */
export interface Query {
  readonly name?: string
  readonly text: string
}

const broken = new WeakSet<ClientBase>()

/**
 * Remembers the loss of a connection from its first moment. A client without a listener for errors would end the process,
 * and between the pool and its borrower there is a moment in which neither listens.
 */
export function watch(client: ClientBase): void {
  client.on('error', () => broken.add(client))
}

/** A connection while one borrower holds it. Sends at once; PostgreSQL answers in the order of sending. */
export class Session {
  /** Whether the connection works, but not with the statements that it has prepared. */
  outdated = false
  /** PostgreSQL has said that it ends the connection, which is not yet noticed to be gone. */
  #isEnding = false
  #isGathering = false
  /** The largest number of round trips that stood one behind another. */
  #depth = 0
  readonly #client: PoolClient
  readonly #counters: Counters

  constructor(client: PoolClient, counters: Counters) {
    this.#client = client
    this.#counters = counters
  }

  /** Whether the connection is gone. Nothing more can be sent, and what was not answered never will be. */
  get lost(): boolean {
    return this.#isEnding || broken.has(this.#client)
  }

  async rows<Row>(statement: Statement<Row>, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.send(statement, values)).rows as Row[]
  }

  async run<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return (await this.send({ text: query.sql }, query.parameters)).rows as Row[]
  }

  /** Sends a query. One with a name is prepared under it; one without values or name goes as plain text. */
  async send(query: Query, values?: readonly unknown[]): Promise<QueryResult> {
    const depth = this.#depth + 1
    this.#counters.queries += 1
    this.#gather()
    try {
      return await this.#client.query({ ...query, ...(values && { values: values as unknown[] }) })
    } catch (error) {
      if (isShutdown(error)) this.#isEnding = true
      if (isStalePlan(error)) this.outdated = true
      throw error
    } finally {
      if (depth > this.#depth) {
        this.#depth = depth
        this.#counters.roundTrips += 1
      }
    }
  }

  /**
   * Holds what is sent back until the code that is running now has sent all it has, so that statements issued together
   * leave in one write. Each write wakes PostgreSQL: 17 statements of a cart add in 17 writes took 0.5 ms.
   */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = (this.#client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** Gives the connection back, or throws it away where nobody can use it. */
  release(): void {
    this.#client.release(this.lost || this.outdated)
  }
}
