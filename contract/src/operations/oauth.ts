import { operation } from '../operation.ts'
import {
  AuthorizationDescription,
  AuthorizationQuery,
  OAuthRevocation,
  OAuthRevocationRequest,
  OAuthTokenGrant,
  OAuthTokenRequest,
} from '../schemas/oauth.ts'
import { operationResult } from '../schemas/webhooks.ts'

const tag = 'OAuth'
const oauth = { kind: 'oauth' } as const
const byClient = [{ policy: 'oauth-token', by: 'client' }] as const

export const oauthOperations = {
  describeOAuthAuthorization: operation({
    method: 'GET',
    path: '/api/v1/oauth/authorize',
    tag,
    summary: 'Describe the authorization server or a validated authorization request.',
    description:
      'Never redirects and writes nothing. Without a query, returns the server metadata. With the query of RFC 6749, returns the validated request and the consent page for store staff.',
    auth: oauth,
    stability: 'candidate',
    idempotency: 'none',
    idSource: 'interface',
    undeclaredQuery: AuthorizationQuery,
    data: operationResult('describeOAuthAuthorization', AuthorizationDescription),
    response: 'OperationResponse',
    refusals: [
      'oauth_invalid_request',
      'oauth_unauthorized_client',
      'oauth_unsupported_response_type',
      'oauth_invalid_scope',
      'oauth_invalid_target',
    ],
  }),
  exchangeOAuthToken: operation({
    method: 'POST',
    path: '/api/v1/oauth/token',
    tag,
    summary: 'Exchange an authorization code or a refresh token for tokens.',
    description:
      'Tokens are bound to the key of the DPoP proof. The members of RFC 6749 are repeated at the top level.',
    auth: oauth,
    stability: 'candidate',
    idempotency: 'none',
    idSource: 'interface',
    body: OAuthTokenRequest,
    data: OAuthTokenGrant,
    mirrored: true,
    response: 'OAuthTokenResponse',
    limits: byClient,
    refusals: [
      'oauth_invalid_request',
      'oauth_unsupported_grant_type',
      'oauth_invalid_dpop_proof',
      'oauth_use_dpop_nonce',
      'oauth_invalid_client',
      'oauth_unauthorized_client',
      'oauth_invalid_grant',
      'oauth_invalid_scope',
      'oauth_invalid_target',
    ],
  }),
  revokeOAuthToken: operation({
    method: 'POST',
    path: '/api/v1/oauth/revoke',
    tag,
    summary: 'Revoke a token.',
    description:
      'Known, unknown and revoked tokens get the same answer. Needs no DPoP proof, as in RFC 7009; a proof that is sent is checked.',
    auth: oauth,
    stability: 'candidate',
    idempotency: 'none',
    idSource: 'interface',
    body: OAuthRevocationRequest,
    data: OAuthRevocation,
    mirrored: true,
    response: 'OAuthRevocationResponse',
    limits: byClient,
    proofOptional: true,
    refusals: [
      'oauth_invalid_request',
      'oauth_unsupported_token_type',
      'oauth_invalid_dpop_proof',
      'oauth_use_dpop_nonce',
      'oauth_invalid_client',
      'oauth_unauthorized_client',
    ],
  }),
}
