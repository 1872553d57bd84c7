import type { OAuthTokenRequest } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import type { OAuthWriteContext } from '../../platform/http/handler.ts'
import type { Client } from './client.ts'
import { type Grant, judgeCode, judgeRefresh, refreshEnd } from './grant.ts'
import {
  isRotated,
  lockCode,
  lockRefreshToken,
  revokeGrant,
  saveCodeUsed,
  saveRefreshToken,
  saveRotated,
} from './grant-store.ts'
import type { OAuthDeps } from './parts.ts'
import { challengeOf, makeRefreshToken, successorOf } from './tokens.ts'

/** What a client shows for its tokens was good: the grant, and the refresh token that goes on with it. */
export interface Redeemed {
  readonly grant: Grant
  readonly refreshToken: string
}

interface Redeeming {
  readonly client: Client
  readonly parts: OAuthDeps
  readonly context: OAuthWriteContext
}

/** Redeems a code. Refusal: `oauth_invalid_grant`. @see RFC 6749 §4.1.3 */
export async function redeemCode(body: OAuthTokenRequest, { client, parts, context }: Redeeming): Promise<Redeemed> {
  const { tx, now, proof } = context
  const code = await lockCode(tx, body.code ?? '')

  const said = {
    clientId: client.id,
    redirectUri: body.redirect_uri,
    codeChallenge: challengeOf(body.code_verifier ?? ''),
    jkt: proof.jkt,
  }
  const verdict = judgeCode(code, said, now)

  const { grant } = code as NonNullable<typeof code>
  if (verdict === 'revoke') return endFamily(grant, 'code_reused', context)
  const token = makeRefreshToken(parts.randomness)
  saveCodeUsed(tx, grant, now)
  saveRefreshToken(tx, { token, grantId: grant.id, jkt: proof.jkt, expiresAt: refreshEnd(grant.endsAt, now) })
  return { grant, refreshToken: token }
}

/** Gives a refresh token its successor. Refusal: `oauth_invalid_grant`. @see RFC 6749 §6, RFC 9700 §4.14.2 */
export async function redeemRefreshToken(
  body: OAuthTokenRequest,
  { client, parts, context }: Redeeming,
): Promise<Redeemed> {
  const { tx, now, proof } = context
  const shown = body.refresh_token ?? ''
  const successor = successorOf(parts.tokenSecret, shown)
  const held = await lockRefreshToken(tx, shown)
  const isSuccessorRotated = held?.rotatedAt ? await isRotated(tx, successor) : false

  const verdict = judgeRefresh(held, { clientId: client.id, jkt: proof.jkt }, isSuccessorRotated, now)

  const { grant } = held as NonNullable<typeof held>
  if (verdict === 'revoke') return endFamily(grant, 'refresh_reused', context)
  if (verdict === 'rotate') {
    saveRotated(tx, shown, now)
    const expiresAt = refreshEnd(grant.endsAt, now)
    saveRefreshToken(tx, { token: successor, grantId: grant.id, jkt: proof.jkt, expiresAt })
  }
  return { grant, refreshToken: successor }
}

/** Two hold what only one was given, and nobody knows which of them is the thief: nobody keeps anything. */
function endFamily(
  grant: Grant,
  because: 'code_reused' | 'refresh_reused',
  { tx, now, commitEvenIfRefused }: OAuthWriteContext,
): never {
  revokeGrant(tx, grant.id, because, now)
  commitEvenIfRefused()
  return refuse('oauth_invalid_grant', { reason: because })
}
