import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { type Handler, prepared } from '../../../platform/http/handler.ts'
import { findTokenOwner, revokeAccessToken, type TokenOwner } from '../access-token-store.ts'
import { authenticateClient } from '../authenticate-client.ts'
import type { Client } from '../client.ts'
import type { OAuthDeps } from '../deps.ts'
import { revokeGrant } from '../grant-store.ts'
import { tokenTypeOf } from '../tokens.ts'

/**
 * POST /api/v1/oauth/revoke
 *
 * Possession of the token is enough, because RFC 7009 has no DPoP proofs; a proof that is sent is checked. A refresh token revokes
 * its whole grant, an access token only itself. `token_type_hint` is ignored, because the format shows the type.
 *
 * @see RFC 7009 §2.1 and 2.2
 */
export function revokeOAuthToken({ server }: OAuthDeps): Handler<typeof operations.revokeOAuthToken> {
  return prepared(
    async ({ body }) => checkTokenType(body.token),
    async ({ body }, context) => {
      const { tx, now, proof, prepared: type } = context
      const client = await authenticateClient(body, server, context)
      const owner = type === 'unknown' ? undefined : await findTokenOwner(tx, type, body.token)

      if (owner) checkOwner(owner, client, proof?.jkt)

      if (owner && type === 'access') revokeAccessToken(tx, body.token, now)
      if (owner && type === 'refresh') revokeGrant(tx, owner.grantId, 'revoked', now)
      return { revoked: true } as const
    },
  )
}

/** Refusal: `oauth_unsupported_token_type`. @see RFC 7009 §2.2.1 */
function checkTokenType(token: string) {
  const type = tokenTypeOf(token)
  if (type !== 'api_key') return type
  const message = 'API keys are revoked by the operator.'
  return refuse('oauth_unsupported_token_type', { faults: [{ field: 'token', code: 'not_allowed', message }] })
}

/** A mismatch is refused, not answered with 200: the token would still work. */
function checkOwner(owner: TokenOwner, client: Client, jkt: string | undefined): void {
  if (owner.clientId !== client.id) refuse('oauth_unauthorized_client', { reason: 'token of another client' })
  if (jkt === undefined || owner.jkt === jkt) return
  const message = 'The token is bound to a different key than the proof.'
  refuse('oauth_invalid_dpop_proof', { details: [{ in: 'header', pointer: 'DPoP', code: 'other_key', message }] })
}
