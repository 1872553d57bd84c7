import type { CompiledQuery } from 'kysely'
import type { Insertion } from './insertion.ts'
import type { Statement } from './statement.ts'

/** Reads. A function that takes a `Reader` cannot write. Queries issued before the next event share a round trip. */
export interface Reader {
  /** All rows of a static statement. */
  rows<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
  /** The first row of a static statement, or `undefined`. */
  row<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row | undefined>
  /** All rows of a query composed with kysely, whose text depends on the request. */
  run<Row>(query: CompiledQuery<Row>): Promise<Row[]>
}

/**
 * Writes inside a transaction that the caller begins and ends.
 *
 * `write` is sent at once and not awaited: the connection is pipelined, and all writes of a handler share one round trip
 * with the COMMIT. A failed write aborts the transaction, the COMMIT fails, and the code that commits throws the error.
 */
export interface Transaction extends Reader {
  readonly isTransaction: true
  /** Sends a change. It must affect exactly `expect.rows` rows; any other number aborts the transaction as a bug. */
  write(statement: Statement, values: readonly unknown[], expect?: { readonly rows: number }): void
  /**
   * Adds a row at the end of the transaction: one statement, sent with the COMMIT, inserts all rows that were added, to whichever
   * tables. For rows that nothing in the transaction reads or changes, such as events, jobs and mails.
   */
  add(insertion: Insertion, row: readonly unknown[]): void
  /** Sends a change and returns the number of affected rows, for decisions that depend on it. */
  change(statement: Statement, values: readonly unknown[]): Promise<number>
}

/** A transaction as the code that opened it sees it. Features receive it as a `Transaction`. */
export interface OpenTransaction extends Transaction {
  /**
   * Sets the savepoint that a refusal rolls back to: writes before it are committed, such as the claim of a proof. Sent and
   * not awaited; the last one counts. Any other error rolls back everything.
   */
  savepointHere(): void
  /**
   * Resolves a lost COMMIT by a fact that the transaction has written, instead of a marker. The last fact counts. Before the COMMIT,
   * the transaction must have received the result of a write that `fact` waits for.
   */
  resolveBy(fact: Fact): void
}

/**
 * Whether a transaction has committed, determined on another connection in a transaction that is rolled back. It first waits until
 * the transaction has ended, by writing what only one of them can write. `false` then means that it will never commit.
 */
export type Fact = (reader: Reader) => Promise<boolean>
