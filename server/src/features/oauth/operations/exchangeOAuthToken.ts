import { limits, type OAuthTokenGrant, type OAuthTokenRequest, type operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { makeAccessToken } from '../../../platform/auth/access-token.ts'
import { type Handler, type OAuthWriteContext, prepared } from '../../../platform/http/handler.ts'
import { saveAccessToken } from '../access-token-store.ts'
import { authenticateClient } from '../authenticate-client.ts'
import { checkResource, refuseSuspended, scopesIn } from '../authorization-request.ts'
import type { OAuthDeps } from '../parts.ts'
import { type Redeemed, redeemCode, redeemRefreshToken } from '../redeem.ts'

/** What each grant type is redeemed with. @see RFC 6749 §4.1.3 and 6, RFC 7636 §4.5 */
const GRANT_TYPES = {
  authorization_code: { needs: ['code', 'code_verifier'], redeem: redeemCode },
  refresh_token: { needs: ['refresh_token'], redeem: redeemRefreshToken },
} as const

/** POST /api/v1/oauth/token */
export function exchangeOAuthToken(parts: OAuthDeps): Handler<typeof operations.exchangeOAuthToken> {
  const { server } = parts
  return prepared(
    // What the request itself lacks is told before a proof is looked at.
    async ({ body }) => checkGrantType(body).redeem,
    async ({ body }, context) => {
      const { tx, now, prepared: redeem } = context
      const client = refuseSuspended(await authenticateClient(tx, body, { server, now }))

      const redeemed = await redeem(body, { client, parts, context })
      const scopes = scopesIn(body.scope, redeemed.grant.scopes, 'body')
      checkResource(body.resource, server, 'body')

      return giveTokens(redeemed, scopes, parts, context)
    },
  )
}

/** Refusals: `oauth_invalid_request`, `oauth_unsupported_grant_type`. */
function checkGrantType(body: OAuthTokenRequest): (typeof GRANT_TYPES)[keyof typeof GRANT_TYPES] {
  if (Object.hasOwn(GRANT_TYPES, body.grant_type)) {
    const type = GRANT_TYPES[body.grant_type as keyof typeof GRANT_TYPES]
    for (const name of type.needs) requireParameter(body, name)
    return type
  }
  const message = `grant_type is ${Object.keys(GRANT_TYPES).join(' or ')}.`
  return refuse('oauth_unsupported_grant_type', {
    details: [{ in: 'body', pointer: '/grant_type', code: 'not_allowed', message }],
  })
}

function requireParameter(body: OAuthTokenRequest, name: 'code' | 'code_verifier' | 'refresh_token'): void {
  if (body[name] !== undefined) return
  refuse('oauth_invalid_request', {
    details: [{ in: 'body', pointer: `/${name}`, code: 'required', message: `${name} is required.` }],
  })
}

/** @see RFC 6749 §5.1, RFC 9449 §5 */
function giveTokens(
  { grant, refreshToken }: Redeemed,
  scopes: ReturnType<typeof scopesIn>,
  { randomness }: OAuthDeps,
  { tx, ids, now, proof }: OAuthWriteContext,
): OAuthTokenGrant {
  const token = makeAccessToken(randomness)
  // No token outlives its grant.
  const lifetimeMs = Math.min(limits.oauth.accessTokenSeconds * 1000, grant.endsAt.getTime() - now.getTime())
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const grantId = grant.id
  saveAccessToken(tx, { id: ids.next('tok'), token, grantId, jkt: proof.jkt, scopes, createdAt: now, expiresAt })
  return {
    access_token: token,
    token_type: 'DPoP',
    expires_in: Math.max(1, Math.floor(lifetimeMs / 1000)),
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
