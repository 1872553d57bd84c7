import { type AuthorizationDescription, limits, SCOPES } from '@vitrine/contract'

/** The authorization server's identifiers. */
export interface AuthorizationServer {
  /** The public URL, without a trailing slash. */
  readonly issuer: string
  readonly tokenEndpoint: string
}

const PATH = '/api/v1/oauth'

export function authorizationServer(publicUrl: string): AuthorizationServer {
  return { issuer: publicUrl, tokenEndpoint: `${publicUrl}${PATH}/token` }
}

/** @see RFC 8414 §2, RFC 9449 §5.1, RFC 9207 §3 */
export function presentServer({ issuer, tokenEndpoint }: AuthorizationServer): AuthorizationDescription['server'] {
  const algorithms = [...limits.dpop.algorithms]
  return {
    issuer,
    authorizationEndpoint: `${issuer}${PATH}/authorize`,
    tokenEndpoint,
    revocationEndpoint: `${issuer}${PATH}/revoke`,
    scopesSupported: [...SCOPES],
    responseTypesSupported: ['code'],
    grantTypesSupported: ['authorization_code', 'refresh_token'],
    codeChallengeMethodsSupported: [...limits.oauth.codeChallengeMethods],
    tokenEndpointAuthMethodsSupported: ['none', 'private_key_jwt'],
    tokenEndpointAuthSigningAlgValuesSupported: algorithms,
    dpopSigningAlgValuesSupported: algorithms,
    authorizationResponseIssParameterSupported: true,
  }
}

/** Whether tokens are valid for a resource: the service or its API. @see RFC 8707 §2 */
export function isOwnResource({ issuer }: AuthorizationServer, resource: string): boolean {
  return [issuer, `${issuer}/`, `${issuer}/api/v1`].includes(resource)
}
