export { type Database, type DatabaseSettings, LOOKUPS_MAX, openDatabase, type PoolStats } from './database.ts'
export { type EmbeddedPostgres, type EmbeddedSettings, startEmbedded } from './embedded/embedded.ts'
export {
  isUnavailable,
  isUniqueViolation,
  OutcomeUnknown,
  RolledBack,
  sqlStateOf,
  Unreachable,
} from './errors.ts'
export { MARKER_RETENTION, sweepMarkers } from './lost-commit.ts'
export { MIGRATIONS, type Migrated, migrate, migrationDrift } from './migrate.ts'
export { queries } from './query-builder.ts'
export type { OpenTransaction, Reader, Transaction } from './reader.ts'
export type { Counters } from './session.ts'
export { type Statement, SWEEP_BATCH, statement, sweepStatement } from './statement.ts'
