/** Public interface of installations: their credentials, identity and readiness. */
export type { CredentialInstallationRow } from './credential-store.ts'
export {
  CREDENTIAL_INSTALLATION_COLUMNS,
  findCredential,
  installationOfCredential,
  isKnownOrigin,
  KeyUses,
} from './credential-store.ts'
export type { KeyRow } from './keys.ts'
export { createKey, findKey, hasUsableKey, isKnownKey, keyStatus, listKeys, revokeKey, rotateKey } from './keys.ts'
export { getApiKeyIdentity } from './operations/getApiKeyIdentity.ts'
export { getInstallationIdentity } from './operations/getInstallationIdentity.ts'
export { getInstallationReadiness } from './operations/getInstallationReadiness.ts'
export {
  changeInstallation,
  findInstallationRecord,
  type InstallationRecord,
  listInstallationRecords,
  lockInstallation,
} from './operator.ts'
export { READINESS_PROOFS } from './readiness.ts'
export { loadRecordedProofs, publicCapabilities, READINESS, recordReadinessProof } from './readiness-store.ts'
export type { InstallationRow } from './store.ts'
export { createInstallation, listInstallations } from './store.ts'
