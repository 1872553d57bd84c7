/** Public interface of OAuth: clients, grants, tokens and store staff. */
export { findAccessToken, sweepAccessTokens } from './access-token-store.ts'
export { approveAsOperator } from './approve.ts'
export { beginAuthorization } from './begin-authorization.ts'
export { createClient, removeClient } from './client-store.ts'
export { type ConsentPrompt, consent, deny, loadConsent } from './consent.ts'
export type { OAuthDeps } from './deps.ts'
export { revokeGrantsOfApprover, sweepGrants } from './grant-store.ts'
export { oauthOperations } from './operations.ts'
export {
  type ClientRecord,
  findClientRecord,
  type GrantRecord,
  grantStatus,
  listClients,
  listGrants,
  revokeGrantById,
} from './operator.ts'
export { CONSENT_PATH } from './sealed-request.ts'
export {
  AUTHORIZATION_PATH,
  type AuthorizationServer,
  authorizationServer,
  METADATA_PATH,
  serverMetadata,
} from './server-metadata.ts'
export {
  createStaff,
  endStaffSession,
  listStaff,
  openStaffSession,
  prepareStaff,
  prepareStaffPassword,
  removeStaff,
  type Staff,
  setStaffPassword,
  sweepStaffSessions,
  type VerifiedStaff,
  verifyStaff,
} from './staff.ts'
