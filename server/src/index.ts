/** The public exports of the server, for the command line, benchmarks and tests. */

export { type App, createApp } from './app.ts'
export { restoreInto } from './backup.ts'
export { type Config, isLocal, ROLES, type Role, readConfig } from './config.ts'
export { storeGrants } from './features/access/index.ts'
export { catalogOperations, IMPORT_JOB, importCatalog, SEARCH_WEIGHTS, storesExist } from './features/catalog/index.ts'
export { importLicenses, openLicenseVault, ship } from './features/fulfillment/index.ts'
export {
  createInstallation,
  createKey,
  isKnownKey,
  READINESS_PROOFS,
  recordReadinessProof,
} from './features/installations/index.ts'
export { s3Store } from './features/media/index.ts'
export {
  approveAsOperator,
  authorizationServer,
  createClient as createOAuthClient,
  createStaff,
  prepareStaff,
} from './features/oauth/index.ts'
export {
  checkStripeKeys,
  isUnknown,
  type SimulatorServer,
  startSimulator,
  unsettledFigures,
} from './features/payments/index.ts'
export { taxService, viesProblem } from './features/pricing/index.ts'
export { endpointFigures, newestEndpointUrls } from './features/webhooks/index.ts'
export { type Clock, systemClock } from './kernel/clock.ts'
export { type IdSource, idSource } from './kernel/ids.ts'
export { type Randomness, systemRandomness } from './kernel/randomness.ts'
export { IdentityProvider } from './operator/door/sign-in/identity-provider.ts'
export { thumbprintOf } from './platform/auth/dpop.ts'
export { type BackupProgress, backupOf } from './platform/backup/backup.ts'
export {
  DRILL_FILE,
  type Drill,
  type KeptBackups,
  nameOfBackup,
  outdatedBackups,
  readBackups,
} from './platform/backup/directory.ts'
export { BackupError } from './platform/backup/format.ts'
export { JobRunner, jobStats } from './platform/jobs/index.ts'
export { gunzipped } from './platform/line-files/gunzip.ts'
export { mailStats, pageOfMails, readMail, smtpProblem } from './platform/mail/index.ts'
export { type Logger, logger } from './platform/observe/logger.ts'
export { NO_RESPONSE_MESSAGES, outboundHttp } from './platform/outbound/index.ts'
export { type EmbeddedPostgres, embeddedExists, startEmbedded } from './platform/postgres/embedded/embedded.ts'
export { isStartingUp } from './platform/postgres/errors.ts'
export { type Database, LOOKUPS_MAX, openDatabase, statement } from './platform/postgres/index.ts'
export { leadsTo, migrate, migrationDrift, POSTGRES_MIN, removesSomething } from './platform/postgres/migrate.ts'
export { assertOpenable, someSealingKey } from './platform/secrets/sealed-places.ts'
export { keepsOwnKeys, openKeyring, sealingKeyFile } from './platform/secrets/sealing-keys.ts'
export { countPlainSecrets } from './platform/secrets/server-secrets.ts'
export { type RunningVitrine, startProcess } from './process.ts'
export { problemsOfProof } from './production-facts.ts'
