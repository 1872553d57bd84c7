import { limits, SCOPES, type Scope } from '@vitrine/contract'
import { type RefusalFacts, refuse } from '../../kernel/refusal.ts'
import type { Client } from './client.ts'
import { type AuthorizationServer, isOurResource } from './server-metadata.ts'

/** RFC 6749's parameters as they came. */
export interface AuthorizationQuery {
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

/** A request that a member of staff can be asked about. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  readonly state: string | null
  readonly codeChallenge: string
  readonly dpopJkt: string | null
  /** Whether whoever is signed in has to sign in again. */
  readonly signInAgain: boolean
}

type Judged = { readonly query: AuthorizationQuery; readonly client: Client | undefined }

/**
 * Judges an authorization request, in the order of the row. Never a redirect: whoever asks is told here.
 *
 * Refusals: `oauth_invalid_request`, `oauth_unauthorized_client`, `oauth_unsupported_response_type`,
 * `oauth_invalid_scope`, `oauth_invalid_target`.
 */
export function judgeAuthorization(
  query: AuthorizationQuery,
  client: Client | undefined,
  server: AuthorizationServer,
): AuthorizationRequest {
  const judged = { query, client }
  requireParameter(query, 'response_type')
  requireParameter(query, 'client_id')
  requireParameter(query, 'redirect_uri')
  checkPkce(query)
  checkKeyThumbprint(query)
  checkPrompt(query)
  checkRedirectUri(judged)
  const known = checkClient(client)
  checkResponseType(query)
  const scopes = scopesIn(query.scope)
  checkResource(query.resource, server)
  return {
    clientId: known.id,
    redirectUri: query.redirect_uri as string,
    scopes,
    state: query.state ?? null,
    codeChallenge: query.code_challenge as string,
    dpopJkt: query.dpop_jkt ?? null,
    signInAgain: query.prompt === 'login',
  }
}

function about(name: string, code: string, message: string, place: 'query' | 'body' = 'query'): RefusalFacts {
  return { details: [{ in: place, pointer: `/${name}`, code, message }] }
}

function requireParameter(query: AuthorizationQuery, name: keyof AuthorizationQuery): void {
  if (query[name] === undefined) refuse('oauth_invalid_request', about(name, 'required', `${name} is required.`))
}

const SHA256_IN_BASE64URL = /^[A-Za-z0-9_-]{43}$/

/** @see RFC 7636 §4.3 and 4.4.1, RFC 9700 §2.1.1: a missing method would mean `plain`, which protects nothing */
function checkPkce(query: AuthorizationQuery): void {
  requireParameter(query, 'code_challenge')
  const methods: readonly (string | undefined)[] = limits.oauth.codeChallengeMethods
  if (!methods.includes(query.code_challenge_method)) {
    const message = 'code_challenge_method must be S256: the transform algorithm is not supported.'
    refuse('oauth_invalid_request', about('code_challenge_method', 'not_allowed', message))
  }
  if (!SHA256_IN_BASE64URL.test(query.code_challenge ?? '')) {
    const message = 'code_challenge is the SHA-256 of the verifier in base64url, 43 characters.'
    refuse('oauth_invalid_request', about('code_challenge', 'wrong_format', message))
  }
}

/** @see RFC 9449 §10 */
function checkKeyThumbprint({ dpop_jkt: jkt }: AuthorizationQuery): void {
  if (jkt === undefined || SHA256_IN_BASE64URL.test(jkt)) return
  const message = 'dpop_jkt is the RFC 7638 thumbprint of the key, 43 characters.'
  refuse('oauth_invalid_request', about('dpop_jkt', 'wrong_format', message))
}

function checkPrompt({ prompt }: AuthorizationQuery): void {
  if (prompt === undefined || prompt === 'consent' || prompt === 'login') return
  const message = 'prompt is consent or login: somebody is always asked.'
  refuse('oauth_invalid_request', about('prompt', 'not_allowed', message))
}

/** @see RFC 6749 §3.1.2.4, RFC 9700 §4.1.3: "exact string matching" */
function checkRedirectUri({ query, client }: Judged): void {
  if (!client || client.redirectUris.includes(query.redirect_uri ?? '')) return
  const message = 'redirect_uri is not one that the client has registered, character by character.'
  refuse('oauth_invalid_request', about('redirect_uri', 'not_allowed', message))
}

/** @see RFC 6749 §4.1.2.1 */
function checkClient(client: Client | undefined): Client {
  if (!client) refuse('oauth_unauthorized_client', about('client_id', 'not_allowed', 'There is no such client.'))
  return refuseSuspended(client)
}

/** A client of a suspended installation gets nothing, whether it asks for a code or for a token. */
export function refuseSuspended(client: Client): Client {
  if (client.installation.status === 'active') return client
  return refuse('oauth_unauthorized_client', { reason: 'its installation is suspended' })
}

/** @see RFC 6749 §3.1.1 */
function checkResponseType({ response_type: type }: AuthorizationQuery): void {
  if (type === 'code') return
  refuse('oauth_unsupported_response_type', about('response_type', 'not_allowed', 'response_type must be code.'))
}

/**
 * The scopes of a text, each once; all of them where it is absent, and whoever consents is shown what they are.
 *
 * @see RFC 6749 §3.3
 */
export function scopesIn(
  scope: string | undefined,
  granted: readonly Scope[] = SCOPES,
  place: 'query' | 'body' = 'query',
): readonly Scope[] {
  if (scope === undefined) return granted
  const asked = [...new Set(scope.split(' '))]
  const beyond = asked.find((each) => !(granted as readonly string[]).includes(each))
  if (beyond !== undefined) {
    const message = `There is no scope ${beyond} here; there are ${granted.join(', ')}.`
    refuse('oauth_invalid_scope', about('scope', 'not_allowed', message, place))
  }
  return asked as Scope[]
}

/** @see RFC 8707 §2 */
export function checkResource(
  resource: string | undefined,
  server: AuthorizationServer,
  place: 'query' | 'body' = 'query',
): void {
  if (resource === undefined || isOurResource(server, resource)) return
  refuse('oauth_invalid_target', about('resource', 'not_allowed', `Tokens are for ${server.issuer}.`, place))
}
