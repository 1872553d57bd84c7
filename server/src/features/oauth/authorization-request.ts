import { limits, SCOPES, type Scope } from '@vitrine/contract'
import { type RefusalFacts, refuse } from '../../kernel/refusal.ts'
import type { Client } from './client.ts'
import { type AuthorizationServer, isOwnResource } from './server-metadata.ts'

/** Query parameters as received. @see RFC 6749 §4.1.1 */
export interface AuthorizationParameters {
  readonly response_type?: string
  readonly client_id?: string
  readonly redirect_uri?: string
  readonly scope?: string
  readonly state?: string
  readonly code_challenge?: string
  readonly code_challenge_method?: string
  readonly dpop_jkt?: string
  readonly resource?: string
  readonly prompt?: string
}

/** A valid request, to be shown to a staff member for consent. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly state: string | null
  readonly codeChallenge: string
  readonly dpopJkt: string | null
  /** `prompt=login`: staff must sign in again. */
  readonly signInAgain: boolean
}

/**
 * Validates an authorization request, in the order of the refusals in the contract. Errors are returned to the caller, never to
 * the redirect URI.
 *
 * Refusals: `oauth_invalid_request`, `oauth_unauthorized_client`, `oauth_unsupported_response_type`,
 * `oauth_invalid_scope`, `oauth_invalid_target`.
 */
export function validateAuthorizationRequest(
  query: AuthorizationParameters,
  client: Client | undefined,
  server: AuthorizationServer,
): AuthorizationRequest {
  requireParameter(query, 'response_type')
  requireParameter(query, 'client_id')
  requireParameter(query, 'redirect_uri')
  checkPkce(query)
  checkKeyThumbprint(query)
  checkPrompt(query)
  checkRedirectUri(query, client)
  const { id: clientId } = checkClient(client)
  checkResponseType(query)
  const scopes = parseScope(query.scope)
  checkResource(query.resource, server)
  return {
    clientId,
    redirectUri: query.redirect_uri as string,
    scopes,
    state: query.state ?? null,
    codeChallenge: query.code_challenge as string,
    dpopJkt: query.dpop_jkt ?? null,
    signInAgain: query.prompt === 'login',
  }
}

function fault(field: string, code: string, message: string): RefusalFacts {
  return { faults: [{ field, code, message }] }
}

function requireParameter(query: AuthorizationParameters, name: keyof AuthorizationParameters): void {
  if (query[name] === undefined) refuse('oauth_invalid_request', fault(name, 'required', `${name} is required.`))
}

const SHA256_IN_BASE64URL = /^[A-Za-z0-9_-]{43}$/

/** A missing method would mean `plain`, which protects nothing. @see RFC 7636 §4.3 and 4.4.1, RFC 9700 §2.1.1 */
function checkPkce(query: AuthorizationParameters): void {
  requireParameter(query, 'code_challenge')
  const methods: readonly (string | undefined)[] = limits.oauth.codeChallengeMethods
  if (!methods.includes(query.code_challenge_method)) {
    const message = 'code_challenge_method must be S256.'
    refuse('oauth_invalid_request', fault('code_challenge_method', 'not_allowed', message))
  }
  if (!SHA256_IN_BASE64URL.test(query.code_challenge ?? '')) {
    const message = 'code_challenge must be the SHA-256 hash of the verifier in base64url, 43 characters.'
    refuse('oauth_invalid_request', fault('code_challenge', 'wrong_format', message))
  }
}

/** @see RFC 9449 §10 */
function checkKeyThumbprint({ dpop_jkt: jkt }: AuthorizationParameters): void {
  if (jkt === undefined || SHA256_IN_BASE64URL.test(jkt)) return
  const message = 'dpop_jkt must be the RFC 7638 thumbprint of the key, 43 characters.'
  refuse('oauth_invalid_request', fault('dpop_jkt', 'wrong_format', message))
}

function checkPrompt({ prompt }: AuthorizationParameters): void {
  if (prompt === undefined || prompt === 'consent' || prompt === 'login') return
  const message = 'prompt must be consent or login: consent is always required.'
  refuse('oauth_invalid_request', fault('prompt', 'not_allowed', message))
}

/** @see RFC 6749 §3.1.2.4, RFC 9700 §4.1.3: "exact string matching" */
function checkRedirectUri(query: AuthorizationParameters, client: Client | undefined): void {
  if (!client || client.redirectUris.includes(query.redirect_uri ?? '')) return
  const message = 'redirect_uri must exactly match one that the client has registered.'
  refuse('oauth_invalid_request', fault('redirect_uri', 'not_allowed', message))
}

/** @see RFC 6749 §4.1.2.1 */
function checkClient(client: Client | undefined): Client {
  if (!client) refuse('oauth_unauthorized_client', fault('client_id', 'not_allowed', 'There is no such client.'))
  return requireActiveClient(client)
}

/** Refuses clients of a suspended installation. Refusal: `oauth_unauthorized_client`. */
export function requireActiveClient(client: Client): Client {
  if (client.installation.status === 'active') return client
  return refuse('oauth_unauthorized_client', { reason: 'its installation is suspended' })
}

/** @see RFC 6749 §3.1.1 */
function checkResponseType({ response_type: type }: AuthorizationParameters): void {
  if (type === 'code') return
  refuse('oauth_unsupported_response_type', fault('response_type', 'not_allowed', 'response_type must be code.'))
}

/**
 * Parses a `scope` parameter, without duplicates. Defaults to all allowed scopes: the consent page lists them.
 *
 * @see RFC 6749 §3.3
 */
export function parseScope(scope: string | undefined, allowed: readonly Scope[] = SCOPES): readonly Scope[] {
  if (scope === undefined) return allowed
  const requested = [...new Set(scope.split(' '))]
  const unknown = requested.find((each) => !(allowed as readonly string[]).includes(each))
  if (unknown !== undefined) {
    const message = `The scope ${unknown} is not available. Available: ${allowed.join(', ')}.`
    refuse('oauth_invalid_scope', fault('scope', 'not_allowed', message))
  }
  return requested as Scope[]
}

/** @see RFC 8707 §2 */
export function checkResource(resource: string | undefined, server: AuthorizationServer): void {
  if (resource === undefined || isOwnResource(server, resource)) return
  refuse('oauth_invalid_target', fault('resource', 'not_allowed', `Tokens are issued for ${server.apiUrl}.`))
}
