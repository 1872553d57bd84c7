import { DatabaseError } from 'pg'

/** Nothing of the transaction happened, for certain: the connection was lost before, or every attempt collided. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack'

  constructor(cause: unknown) {
    super('the transaction was rolled back', { cause })
  }
}

/** PostgreSQL could not be asked: no connection was to be had, or a read lost it twice. Asking later may help. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(cause: unknown) {
    super('PostgreSQL could not be reached', { cause })
  }
}

/** The connection was lost while PostgreSQL committed, and it could not be asked since how that ended. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  readonly transactionId: string

  constructor(transactionId: string, cause: unknown) {
    super(`the outcome of transaction ${transactionId} is unknown`, { cause })
    this.transactionId = transactionId
  }
}

/**
 * The five characters by which PostgreSQL names a failure, or `undefined` where it was none of its own.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function sqlStateOf(failure: unknown): string | undefined {
  return failure instanceof DatabaseError ? failure.code : undefined
}

/** Whether a unique index or key refused a row: that one, where a name is given. */
export function isUniqueViolation(failure: unknown, constraint?: string): boolean {
  return isViolation(failure, '23505', constraint)
}

/** Whether a CHECK refused a row: that one, where a name is given. */
export function isCheckViolation(failure: unknown, constraint?: string): boolean {
  return isViolation(failure, '23514', constraint)
}

/** Whether a reference points at no row: that one, where a name is given. */
export function isForeignKeyViolation(failure: unknown, constraint?: string): boolean {
  return isViolation(failure, '23503', constraint)
}

function isViolation(failure: unknown, sqlState: string, constraint: string | undefined): boolean {
  if (!(failure instanceof DatabaseError) || failure.code !== sqlState) return false
  return constraint === undefined || failure.constraint === constraint
}

/** Two transactions stood in each other's way and PostgreSQL ended this one: doing it again is the cure. */
export function isSerializationFailure(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState === '40001' || sqlState === '40P01'
}

/** A migration changed what a prepared statement returns: a new connection prepares it anew. */
export function isStalePlan(failure: unknown): boolean {
  return (
    failure instanceof DatabaseError &&
    failure.code === '0A000' &&
    failure.message.startsWith('cached plan must not change')
  )
}

/** PostgreSQL answers everything behind a failure with this: the failure before it is the one to tell. */
export function isTransactionAborted(failure: unknown): boolean {
  return sqlStateOf(failure) === '25P02'
}

/** PostgreSQL has not the time or the means for it at the moment: a statement took too long, memory or disk is full. */
export function isResourceExhausted(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState !== undefined && (sqlState === '57014' || sqlState.startsWith('53'))
}

/** PostgreSQL itself ended the connection: a stop, a crash of another process, a fail-over. */
export function isShutdown(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState !== undefined && (sqlState.startsWith('57P') || sqlState.startsWith('08'))
}
