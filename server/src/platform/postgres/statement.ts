/**
 * A named SQL statement. PostgreSQL prepares it once per connection, so a hot statement is parsed and planned once. This works
 * with PgBouncer ≥ 1.21 in transaction mode (`max_prepared_statements`).
 */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** Never present: carries the row's type alone. */
  readonly row?: Row
}

/** Declares a statement. The name consists of the feature and the action: `carts.lock`. */
export function statement<Row = unknown>(name: string, text: string): Statement<Row> {
  return { name, text }
}
