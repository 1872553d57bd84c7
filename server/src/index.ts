/** The door of the server: what the command line, benchmarks and tests stand on. */

export { type App, type AppDeps, createApp, type HandlerMap, handlersOf } from './app.ts'
export { restoreInto } from './backup.ts'
export { type Config, ConfigError, ROLES, type Role, readConfig } from './config.ts'
export { type GrantPurpose, listStores, type StoreSettings, setStoreAccess } from './features/access/index.ts'
export { catalogFile, exportCatalog, importCatalog, storesExist } from './features/catalog/index.ts'
export {
  beginImportedFulfillment,
  type CarriageDraft,
  correctParcel,
  FULFILLMENT_STATUSES,
  type FulfillmentStatus,
  importLicenses,
  type LicenseReport,
  listIntents,
  listPools,
  markDelivered,
  markFailed,
  markLost,
  openLicenseVault,
  type SentIntent,
  sendAgain,
  ship,
} from './features/fulfillment/index.ts'
export {
  createInstallation,
  createKey,
  isKnownKey,
  type KeyRow,
  keyStatus,
  listInstallations,
  listKeys,
  loadRecordedProofs,
  READINESS_PROOFS,
  recordReadinessProof,
  revokeKey,
  rotateKey,
  setInstallationStatus,
} from './features/installations/index.ts'
export {
  approveAsOperator,
  authorizationServer,
  createClient as createOAuthClient,
  createStaff,
  grantStatus,
  listGrants,
  revokeGrantById,
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
  type PaymentHistory,
  paymentHistory,
  requestReconciliation,
  type SimulatorServer,
  type SimulatorServerSettings,
  startSimulator,
  unsettledFigures,
} from './features/payments/index.ts'
export {
  type ContactChannelInput,
  type DecorationContent,
  type LegalType,
  listDecorationVersions,
  listLegalVersions,
  previewDecorationDraft,
  publishDecorationDraft,
  publishLegalDocument,
  readContactChannels,
  readSiteSettings,
  restoreVersion,
  type SiteSettings,
  saveContactChannels,
  saveDecorationDraft,
  saveSiteSettings,
} from './features/storefront/index.ts'
export {
  assertSecretsOpenable,
  endpointFigures,
  listAllEndpoints,
  listEndpointDeliveries,
  replayAsOperator,
  resealSecrets,
  sendTest,
} from './features/webhooks/index.ts'
export { type Clock, systemClock } from './kernel/clock.ts'
export { majorOf } from './kernel/currencies.ts'
export { type IdSource, idSource } from './kernel/ids.ts'
export { type Randomness, systemRandomness } from './kernel/randomness.ts'
export { writeDown } from './operator/door/audit-log.ts'
export { thumbprintOf } from './platform/auth/dpop.ts'
export { type BackupProgress, backupOf } from './platform/backup/backup.ts'
export { BackupError } from './platform/backup/frames.ts'
export { JobRunner, jobFigures, listDeadJobs, retryDeadJob } from './platform/jobs/index.ts'
export { unpacked } from './platform/lines/unpacked.ts'
export { listMails, mailFigures, readMail } from './platform/mail/index.ts'
export { type Logger, logger } from './platform/observe/logger.ts'
export type { EventContext } from './platform/outbox/outbox.ts'
export { type EmbeddedPostgres, embeddedExists, startEmbedded } from './platform/postgres/embedded.ts'
export { type Database, openDatabase, statement, type Transaction } from './platform/postgres/index.ts'
export { migrate, migrationsApart } from './platform/postgres/migrate.ts'
export { forgetOtherKeys, openKeyring } from './platform/secrets/sealing-keys.ts'
export { type ProcessDeps, type RunningVitrine, startProcess } from './process.ts'
