export type { OpenTransaction, Reader, Transaction } from './access.ts'
export { type Database, type DatabaseSettings, openDatabase, type PoolStats } from './database.ts'
export {
  isCheckViolation,
  isForeignKeyViolation,
  isUniqueViolation,
  OutcomeUnknown,
  RolledBack,
  sqlStateOf,
} from './failure.ts'
export { queries } from './queries.ts'
export type { Counters } from './session.ts'
export { type Statement, statement } from './statement.ts'
