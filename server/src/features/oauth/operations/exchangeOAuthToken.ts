import { limits, type OAuthTokenGrant, type OAuthTokenRequest, type operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { makeAccessToken } from '../../../platform/auth/access-token.ts'
import { type Handler, type OAuthWriteContext, prepared } from '../../../platform/http/handler.ts'
import { saveAccessToken } from '../access-token-store.ts'
import { authenticateClient } from '../authenticate-client.ts'
import { checkResource, parseScope, requireActiveClient } from '../authorization-request.ts'
import type { OAuthDeps } from '../deps.ts'
import { exchangeCode, exchangeRefreshToken, type GrantResult, proofOf } from '../token-grants.ts'

/** @see RFC 6749 §4.1.3 and 6, RFC 7636 §4.5 */
const GRANT_TYPES = {
  authorization_code: { required: ['code', 'code_verifier'], exchange: exchangeCode },
  refresh_token: { required: ['refresh_token'], exchange: exchangeRefreshToken },
} as const

/** POST /api/v1/oauth/token */
export function exchangeOAuthToken(deps: OAuthDeps): Handler<typeof operations.exchangeOAuthToken> {
  const { server } = deps
  return prepared(
    // Missing parameters are reported before the DPoP proof is checked.
    async ({ body }) => checkGrantType(body).exchange,
    async ({ body }, context) => {
      const { prepared: exchange } = context
      const client = requireActiveClient(await authenticateClient(body, server, context))

      const result = await exchange(body, { client, deps, context })
      const scopes = parseScope(body.scope, result.grant.scopes)
      checkResource(body.resource, server)

      return issueTokens(result, scopes, deps, context)
    },
  )
}

/** Refusals: `oauth_invalid_request`, `oauth_unsupported_grant_type`. */
function checkGrantType(body: OAuthTokenRequest): (typeof GRANT_TYPES)[keyof typeof GRANT_TYPES] {
  if (Object.hasOwn(GRANT_TYPES, body.grant_type)) {
    const type = GRANT_TYPES[body.grant_type as keyof typeof GRANT_TYPES]
    for (const name of type.required) requireParameter(body, name)
    return type
  }
  const message = `grant_type must be ${Object.keys(GRANT_TYPES).join(' or ')}.`
  return refuse('oauth_unsupported_grant_type', { faults: [{ field: 'grant_type', code: 'not_allowed', message }] })
}

function requireParameter(body: OAuthTokenRequest, name: 'code' | 'code_verifier' | 'refresh_token'): void {
  if (body[name] !== undefined) return
  refuse('oauth_invalid_request', { faults: [{ field: name, code: 'required', message: `${name} is required.` }] })
}

/** @see RFC 6749 §5.1, RFC 9449 §5 */
function issueTokens(
  { grant, refreshToken }: GrantResult,
  scopes: ReturnType<typeof parseScope>,
  { randomness }: OAuthDeps,
  context: OAuthWriteContext,
): OAuthTokenGrant {
  const { tx, ids, now } = context
  const token = makeAccessToken(randomness)
  // No token outlives its grant.
  const lifetimeMs = Math.min(limits.oauth.accessTokenSeconds * 1000, grant.endsAt.getTime() - now.getTime())
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const grantId = grant.id
  saveAccessToken(tx, {
    id: ids.next('tok'),
    token,
    grantId,
    jkt: proofOf(context).jkt,
    scopes,
    createdAt: now,
    expiresAt,
  })
  return {
    access_token: token,
    token_type: 'DPoP',
    expires_in: Math.max(1, Math.floor(lifetimeMs / 1000)),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
