import { DatabaseError } from 'pg'

/** The transaction was rolled back: the connection was lost before the COMMIT, or every attempt collided. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack'

  constructor(cause: unknown) {
    super('the transaction was rolled back', { cause })
  }
}

/** PostgreSQL could not be reached: no connection was available, or a read lost it twice. A retry may help. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'

  constructor(cause: unknown) {
    super('PostgreSQL could not be reached', { cause })
  }
}

/** The connection was lost during the COMMIT, and the outcome could not be determined. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'

  constructor(cause: unknown) {
    super('the outcome of a transaction is unknown', { cause })
  }
}

/**
 * The SQLSTATE of an error of PostgreSQL, else `undefined`.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function sqlStateOf(failure: unknown): string | undefined {
  return failure instanceof DatabaseError ? failure.code : undefined
}

/** Whether a unique index or key was violated: the named one, if a name is given. */
export function isUniqueViolation(failure: unknown, constraint?: string): boolean {
  if (!(failure instanceof DatabaseError) || failure.code !== '23505') return false
  return constraint === undefined || failure.constraint === constraint
}

/** Two transactions collided and PostgreSQL aborted this one. A retry helps. */
export function isSerializationFailure(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState === '40001' || sqlState === '40P01'
}

/** A migration changed what a prepared statement returns. A new connection prepares it again. */
export function isStalePlan(failure: unknown): boolean {
  return (
    failure instanceof DatabaseError &&
    failure.code === '0A000' &&
    failure.message.startsWith('cached plan must not change')
  )
}

/** Statements after a failure fail with this, or for the savepoint they missed. The first failure is the one to report. */
export function isTransactionAborted(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState === '25P02' || sqlState === '3B001'
}

/** PostgreSQL is starting, recovering or shutting down, and accepts no connections yet. */
export function isStartingUp(failure: unknown): boolean {
  return sqlStateOf(failure instanceof Unreachable ? failure.cause : failure) === '57P03'
}

/**
 * Whether nothing happened because PostgreSQL was lost, too slow, read-only (as if its disk is almost full), or out of memory, disk or
 * connections, or because a disk of this machine is full. A retry may help.
 */
export function isUnavailable(failure: unknown): boolean {
  if (failure instanceof RolledBack || failure instanceof Unreachable || isDiskFull(failure)) return true
  const sqlState = sqlStateOf(failure)
  return sqlState !== undefined && (sqlState === '57014' || sqlState === '25006' || sqlState.startsWith('53'))
}

function isDiskFull(failure: unknown): boolean {
  const { code } = (failure ?? {}) as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** PostgreSQL closed the connection: shutdown, crash of another process, failover. */
export function isShutdown(failure: unknown): boolean {
  const sqlState = sqlStateOf(failure)
  return sqlState !== undefined && (sqlState.startsWith('57P') || sqlState.startsWith('08'))
}
