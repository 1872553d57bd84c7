export { type Database, type DatabaseSettings, LOOKUPS_MAX, openDatabase } from './database.ts'
export { type EmbeddedPostgres, startEmbedded } from './embedded/embedded.ts'
export {
  isUnavailable,
  isUniqueViolation,
  OutcomeUnknown,
  RolledBack,
  sqlStateOf,
  Unreachable,
} from './errors.ts'
export { MARKER_RETENTION, sweepMarkers } from './lost-commit.ts'
export { MIGRATIONS, migrate, migrationDrift } from './migrate.ts'
export { queries } from './query-builder.ts'
export type { Reader, Transaction } from './reader.ts'
export { type Statement, SWEEP_BATCH, statement, sweepStatement } from './statement.ts'
