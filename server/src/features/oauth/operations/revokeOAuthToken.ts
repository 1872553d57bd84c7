import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import { findTokenOwner, revokeAccessToken, type TokenOwner } from '../access-token-store.ts'
import { authenticateClient } from '../authenticate-client.ts'
import type { Client } from '../client.ts'
import { revokeGrant } from '../grant-store.ts'
import type { OAuthDeps } from '../parts.ts'
import { kindOfToken } from '../tokens.ts'

/**
 * POST /api/v1/oauth/revoke
 *
 * With a refresh token the whole grant ends; an access token ends alone. A hint is not needed: a token tells what it is.
 *
 * @see RFC 7009 §2.1 and 2.2
 */
export function revokeOAuthToken({ server }: OAuthDeps): Handler<typeof operations.revokeOAuthToken> {
  return prepared(
    async ({ body }) => checkTokenType(body.token),
    async ({ body }, { tx, now, proof, prepared: kind }) => {
      const client = await authenticateClient(tx, body, { server, now })
      const owner = kind === 'unknown' ? undefined : await findTokenOwner(tx, kind, body.token)

      if (owner) checkOwner(owner, client, proof.jkt)

      if (owner && kind === 'access') revokeAccessToken(tx, body.token, now)
      if (owner && kind === 'refresh') revokeGrant(tx, owner.grantId, 'revoked', now)
      return { revoked: true } as const
    },
  )
}

/** Refusal: `oauth_unsupported_token_type`. @see RFC 7009 §2.2.1 */
function checkTokenType(token: string) {
  const kind = kindOfToken(token)
  return kind === 'api_key' ? refuse('oauth_unsupported_token_type', { details: [notHere] }) : kind
}

const notHere = {
  in: 'body',
  pointer: '/token',
  code: 'not_allowed',
  message: 'API keys are revoked by the operator.',
} as const

/** Who holds a token that is not theirs is told so: to answer that it works no longer would be untrue. */
function checkOwner(owner: TokenOwner, client: Client, jkt: string): void {
  if (owner.clientId !== client.id) refuse('oauth_unauthorized_client', { reason: 'token of another client' })
  if (owner.jkt === jkt) return
  const message = 'The token is bound to another key than that of the proof.'
  refuse('oauth_invalid_dpop_proof', { details: [{ in: 'header', pointer: 'DPoP', code: 'other_key', message }] })
}
