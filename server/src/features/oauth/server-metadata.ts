import { type AuthorizationDescription, limits, SCOPES } from '@vitrine/contract'

/** The URLs that identify the authorization server. */
export interface AuthorizationServer {
  /** The public URL of the pages door, which serves the metadata. Without a trailing slash. */
  readonly issuer: string
  /** The public URL of the API, without a trailing slash. */
  readonly apiUrl: string
  readonly tokenEndpoint: string
}

const PATH = '/api/v1/oauth'
/** Path of the authorization endpoint on the pages door, for browsers. */
export const AUTHORIZATION_PATH = '/oauth/authorize'
/** @see RFC 8414 §3 */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'

export function authorizationServer({
  publicUrl,
  pagesUrl,
}: {
  readonly publicUrl: string
  readonly pagesUrl: string
}): AuthorizationServer {
  return { issuer: pagesUrl, apiUrl: publicUrl, tokenEndpoint: `${publicUrl}${PATH}/token` }
}

/** @see RFC 8414 §2, RFC 9449 §5.1, RFC 9207 §3 */
export function presentServer({
  issuer,
  apiUrl,
  tokenEndpoint,
}: AuthorizationServer): AuthorizationDescription['server'] {
  const algorithms = [...limits.dpop.algorithms]
  return {
    issuer,
    authorizationEndpoint: `${issuer}${AUTHORIZATION_PATH}`,
    tokenEndpoint,
    revocationEndpoint: `${apiUrl}${PATH}/revoke`,
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

/** The metadata with the member names of RFC 8414. */
export function serverMetadata(server: AuthorizationServer): Readonly<Record<string, unknown>> {
  const entries = Object.entries(presentServer(server)).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return {
    ...Object.fromEntries(entries),
    response_modes_supported: ['query'],
    revocation_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    revocation_endpoint_auth_signing_alg_values_supported: [...limits.dpop.algorithms],
  }
}

/** Whether tokens are valid for a resource: the service or its API. @see RFC 8707 §2 */
export function isOwnResource({ apiUrl }: AuthorizationServer, resource: string): boolean {
  return [apiUrl, `${apiUrl}/`, `${apiUrl}/api/v1`].includes(resource)
}
