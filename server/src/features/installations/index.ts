/** The door of installations: who may ask, and what stands in their way. */
export type { StandingRow } from './credential-store.ts'
export { findCredential, isKnownOrigin, KeyUses, STANDING_COLUMNS, standingOf } from './credential-store.ts'
export {
  changeInstallation,
  findInstallationRecord,
  type InstallationRecord,
  lockInstallation,
  pageOfInstallations,
} from './installation-admin.ts'
export type { InstallationRow, NewInstallation, NewKey } from './installation-store.ts'
export {
  createInstallation,
  createKey,
  isKnownKey,
  listInstallations,
  publicCapabilities,
  readRecordedProofs,
  recordReadinessProof,
} from './installation-store.ts'
export type { KeyRotation, KeyRow, RotatedKey } from './key-life.ts'
export { findKey, listKeys, revokeKey, rotateKey, standingOfKey } from './key-life.ts'
export { getApiKeyIdentity } from './operations/getApiKeyIdentity.ts'
export { getInstallationIdentity } from './operations/getInstallationIdentity.ts'
export { getInstallationReadiness } from './operations/getInstallationReadiness.ts'
export { READINESS_PROOFS } from './readiness.ts'
