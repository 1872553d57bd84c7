import { describeOAuthAuthorization } from './operations/describeOAuthAuthorization.ts'
import { exchangeOAuthToken } from './operations/exchangeOAuthToken.ts'
import { revokeOAuthToken } from './operations/revokeOAuthToken.ts'
import type { OAuthDeps } from './parts.ts'

/** Rows 57 to 59 of the contract. */
export function oauthOperations(parts: OAuthDeps) {
  return {
    describeOAuthAuthorization: describeOAuthAuthorization(parts),
    exchangeOAuthToken: exchangeOAuthToken(parts),
    revokeOAuthToken: revokeOAuthToken(parts),
  }
}
