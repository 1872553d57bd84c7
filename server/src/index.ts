/** The public exports of the server, for the command line, benchmarks and tests. */

export { type App, type AppDeps, createApp } from './app.ts'
export { restoreInto } from './backup.ts'
export { type Config, ConfigError, ROLES, type Role, readConfig } from './config.ts'
export { type DemandablePurpose, listStores, type StoreSettings, setStoreAccess } from './features/access/index.ts'
export { catalogueFile, exportCatalogue, importCatalogue, storesExist } from './features/catalog/index.ts'
export {
  type CarriageDraft,
  correctParcel,
  FulfilmentError,
  INTENT_STATUSES,
  type IntentStatus,
  importLicences,
  type LicenceReport,
  listIntents,
  listPools,
  markDelivered,
  markFailed,
  markLost,
  openLicenceSafe,
  oweImported,
  type SentIntent,
  sendAgain,
  ship,
} from './features/fulfilment/index.ts'
export {
  createInstallation,
  createKey,
  InstallationError,
  isKnownKey,
  type KeyRow,
  listInstallations,
  listKeys,
  READINESS_PROOFS,
  readRecordedProofs,
  recordReadinessProof,
  revokeKey,
  rotateKey,
  setInstallationStatus,
  standingOfKey,
} from './features/installations/index.ts'
export {
  approveAsOperator,
  authorizationServer,
  createClient as createOAuthClient,
  createStaff,
  OAuthClientError,
  pageOfGrants,
  revokeGrantById,
  StaffError,
  standingOfGrant,
} from './features/oauth/index.ts'
export {
  beginOrder,
  findOrderById,
  holdOrder,
  importOrders,
  type OrderSearch,
  orderFile,
  orderIdOf,
  presentOrder,
  releaseOrder,
  searchOrders,
} from './features/orders/index.ts'
export {
  isUnknown,
  listUnsettledPayments,
  lookAgain,
  type PaymentHistory,
  paymentHistory,
  type SimulatorServer,
  type SimulatorServerSettings,
  startSimulator,
  unsettledFigures,
} from './features/payments/index.ts'
export {
  type ContactChannelInput,
  type DecorationContent,
  type LegalType,
  listLegalVersions,
  listVersions,
  previewDraft,
  publishDraft,
  publishLegalDocument,
  readContactChannels,
  readSiteSettings,
  type SiteSettings,
  saveContactChannels,
  saveDraft,
  saveSiteSettings,
  takeUpVersion,
} from './features/storefront/index.ts'
export {
  endpointFigures,
  listAllEndpoints,
  listEndpointDeliveries,
  replayAsOperator,
  requireOpenableSecrets,
  resealSecrets,
  sendTest,
  WebhookError,
} from './features/webhooks/index.ts'
export { type Clock, systemClock } from './kernel/clock.ts'
export { majorOf } from './kernel/currencies.ts'
export { type IdSource, idSource } from './kernel/ids.ts'
export { type Randomness, systemRandomness } from './kernel/randomness.ts'
export { writeDown } from './operator/door/audit-log.ts'
export { thumbprintOf } from './platform/auth/dpop.ts'
export { type BackupProgress, backupOf } from './platform/backup/backup.ts'
export { BackupError } from './platform/backup/format.ts'
export { JobRunner, jobStats, listDeadJobs, retryDeadJob } from './platform/jobs/index.ts'
export { gunzipped } from './platform/line-files/gunzip.ts'
export { listMails, mailStats, readMail } from './platform/mail/index.ts'
export { type Logger, logger } from './platform/observe/logger.ts'
export type { EventContext } from './platform/outbox/outbox.ts'
export { type EmbeddedPostgres, embeddedExists, startEmbedded } from './platform/postgres/embedded/embedded.ts'
export { type Database, openDatabase, statement, type Transaction } from './platform/postgres/index.ts'
export { migrate, migrationDrift } from './platform/postgres/migrate.ts'
export { forgetOtherKeys, openKeyring } from './platform/secrets/sealing-keys.ts'
export { type ProcessDeps, type RunningVitrine, startProcess } from './process.ts'
