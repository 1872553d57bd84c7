/** The door of OAuth: who may be given access to a store, and by what token. */
export { findAccessToken, sweepAccessTokens } from './access-token-store.ts'
export { approveAsOperator, type OperatorApproval } from './approve-as-operator.ts'
export { createClient } from './client-store.ts'
export { type ConsentQuestion, consent, deny, openQuestion } from './consent.ts'
export { CONSENT_PATH } from './consent-request.ts'
export { sweepGrants } from './grant-store.ts'
export {
  type ClientRecord,
  findClientRecord,
  type GrantRecord,
  pageOfClients,
  pageOfGrants,
  revokeGrantById,
  standingOfGrant,
} from './oauth-for-operators.ts'
export { oauthOperations } from './oauth-operations.ts'
export type { OAuthDeps } from './parts.ts'
export { type AuthorizationServer, authorizationServer } from './server-metadata.ts'
export {
  createStaff,
  endStaffSession,
  listStaff,
  openStaffSession,
  removeStaff,
  type Staff,
  sweepStaffSessions,
  verifyStaff,
} from './staff-store.ts'
