import type { OAuthDeps } from './deps.ts'
import { describeOAuthAuthorization } from './operations/describeOAuthAuthorization.ts'
import { exchangeOAuthToken } from './operations/exchangeOAuthToken.ts'
import { revokeOAuthToken } from './operations/revokeOAuthToken.ts'

/** Rows 57 to 59 of the contract. */
export function oauthOperations(deps: OAuthDeps) {
  return {
    describeOAuthAuthorization: describeOAuthAuthorization(deps),
    exchangeOAuthToken: exchangeOAuthToken(deps),
    revokeOAuthToken: revokeOAuthToken(deps),
  }
}
