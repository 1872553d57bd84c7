import type { CompiledQuery } from 'kysely'
import type { Statement } from './statement.ts'

/** Reads. A function that takes a `Reader` cannot write. Queries issued without awaiting between them share a round trip. */
export interface Reader {
  /** All rows of a static statement. */
  rows<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
  /** The first row of a static statement, or `undefined`. */
  row<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row | undefined>
  /** All rows of a query that kysely composed, for statements whose text depends on the request. */
  run<Row>(query: CompiledQuery<Row>): Promise<Row[]>
}

/**
 * Writes, inside a transaction that its holder neither begins nor ends.
 *
 * `write` is sent at once and not awaited: the connection is pipelined, so that all writes of a handler and the COMMIT
 * behind them share one round trip. A failed write aborts the transaction in PostgreSQL, so the COMMIT behind it cannot
 * succeed, and the failure is thrown by the one place that commits.
 */
export interface Transaction extends Reader {
  readonly isTransaction: true
  /** Sends a change. `rows` says how many rows it must touch; any other number aborts the transaction as our bug. */
  write(statement: Statement, values: readonly unknown[], expect?: { readonly rows: number }): void
  /** Sends a change and waits for the number of rows that it touched, where the decision depends on it. */
  change(statement: Statement, values: readonly unknown[]): Promise<number>
}

/** A transaction in the hands of the one that opened it. Features receive it as a `Transaction`, without its ends. */
export interface OpenTransaction extends Transaction {
  /**
   * Marks how far a refusal undoes: what was written before stays, such as a proof that is taken once. Sent, not awaited;
   * the last one counts. Any other error undoes everything.
   */
  savepointHere(): void
  /**
   * As `row`, for the first statement of all: its row tells the transaction’s id beside what it is asked for, so that
   * nobody else need ask for that.
   */
  opening<Row extends OpeningRow>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row>
}

/** What the first statement of a transaction may tell. */
export interface OpeningRow {
  readonly transaction_id: string
}
