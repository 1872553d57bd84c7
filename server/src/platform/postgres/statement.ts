/**
 * A statement of SQL with a name. PostgreSQL prepares it once for each connection under that name, so a hot statement is
 * parsed and planned once. PgBouncer ≥ 1.21 keeps this working in transaction mode (`max_prepared_statements`).
 */
export interface Statement<Row = unknown> {
  readonly name: string
  readonly text: string
  /** Never present: carries the row's type alone. */
  readonly row?: Row
}

/** Declares a statement. The name says the feature and what it does: `carts.lock`. */
export function statement<Row = unknown>(name: string, text: string): Statement<Row> {
  return { name, text }
}
