/**
 * A named SQL statement. PostgreSQL prepares it once per connection, so a hot statement is parsed and planned once. The exception: if
 * a plan for the given values seems cheaper than one for any values, it is planned at each execution, which takes longer than running
 * a short statement. `(select $1)` instead of `$1` hides the value from the planner, such as the length of an array or the end of a
 * range. `pg_prepared_statements.custom_plans` shows which statements need it.
 *
 * This works with PgBouncer ≥ 1.21 in transaction mode (`max_prepared_statements`).
 */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** Whether a reader sends it by itself. */
  readonly isStandalone?: boolean
  /** Never present. It only carries the type of the row. */
  readonly row?: Row
}

/** Declares a statement. The name consists of the feature and the action: `carts.lock`. */
export function statement<Row = unknown>(name: string, text: string): Statement<Row> {
  return { name, text }
}

/**
 * Declares a change that a reader sends, by itself: in one batch with the statements of other requests, it would lock its row until the
 * slowest of them is done, collide with theirs, and be rolled back if one of them fails.
 */
export function standaloneChange<Row = unknown>(name: string, text: string): Statement<Row> {
  return { name, text, isStandalone: true }
}

/** The most rows that a {@link sweepStatement} deletes: each transaction holds its locks for a few milliseconds only. */
export const SWEEP_BATCH = 1000

/**
 * Declares a statement that deletes the oldest rows of a table whose `column` is before `$1`, in batches. It needs an index on the
 * column.
 *
 * The limit is a literal and rows are found by their ctid: with parameters and default costs PostgreSQL would expect a tenth of the
 * table, and read all of it for each batch. The condition is repeated for a row that another transaction changes in the meantime.
 */
export function sweepStatement(table: string, column: string): Statement {
  return statement(
    `sweep.${table}`,
    `delete from ${table} where ${column} < $1 and ctid = any (array (
       select ctid from ${table} where ${column} < $1 order by ${column} limit ${SWEEP_BATCH}))`,
  )
}
