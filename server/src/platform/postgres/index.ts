export type { OpenTransaction, Reader, Transaction } from './access.ts'
export { type Database, type DatabaseSettings, openDatabase, type PoolStats } from './database.ts'
export { type EmbeddedPostgres, type EmbeddedSettings, startEmbedded } from './embedded.ts'
export {
  isBeyondMeans,
  isCheckViolation,
  isForeignKeyViolation,
  isUniqueViolation,
  OutcomeUnknown,
  RolledBack,
  sqlStateOf,
  Unreachable,
} from './failure.ts'
export { MIGRATIONS, type Migrated, migrate, migrationsApart } from './migrate.ts'
export { queries } from './queries.ts'
export type { Counters } from './session.ts'
export { type Statement, statement } from './statement.ts'
