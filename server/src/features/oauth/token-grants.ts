import type { OAuthTokenRequest } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { OAuthWriteContext } from '../../platform/http/handler.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { acceptedOf, type Secret } from '../../platform/secrets/rotating-secret.ts'
import type { Client } from './client.ts'
import type { OAuthDeps } from './deps.ts'
import { type Grant, refreshTokenExpiry, validateCode, validateRefreshToken } from './grant.ts'
import {
  isRotated,
  isStoredToken,
  lockCode,
  lockRefreshToken,
  revokeGrant,
  saveCodeUsed,
  saveRefreshToken,
  saveRotated,
} from './grant-store.ts'
import { codeChallengeOf, firstRefreshToken, nextRefreshToken } from './tokens.ts'

/** The grant that a token request is based on, and its new refresh token. */
export interface GrantResult {
  readonly grant: Grant
  readonly refreshToken: string
}

interface GrantTypeContext {
  readonly client: Client
  readonly deps: OAuthDeps
  readonly context: OAuthWriteContext
}

/** `grant_type=authorization_code`. Refusal: `oauth_invalid_grant`. @see RFC 6749 §4.1.3 */
export async function exchangeCode(
  body: OAuthTokenRequest,
  { client, deps, context }: GrantTypeContext,
): Promise<GrantResult> {
  const { tx, now } = context
  const proof = proofOf(context)
  const code = await lockCode(tx, body.code ?? '')

  const request = {
    clientId: client.id,
    redirectUri: body.redirect_uri,
    codeChallenge: codeChallengeOf(body.code_verifier ?? ''),
    jkt: proof.jkt,
  }
  const token = await derivedToken(tx, deps.tokenSecret, Boolean(code?.usedAt), (secret) =>
    firstRefreshToken(secret, body.code ?? ''),
  )
  const first = code?.usedAt ? await lockRefreshToken(tx, token) : undefined

  const action = validateCode(code, request, first, now)

  const { grant } = code as NonNullable<typeof code>
  if (action === 'revoke') return revokeFamily(grant, 'code_reused', context)
  if (action === 'exchange') {
    const expiresAt = refreshTokenExpiry(grant.endsAt, now)
    saveCodeUsed(tx, grant, now)
    saveRefreshToken(tx, { token, grantId: grant.id, jkt: proof.jkt, expiresAt })
  }
  return { grant, refreshToken: token }
}

/** `grant_type=refresh_token`. Refusal: `oauth_invalid_grant`. @see RFC 6749 §6, RFC 9700 §4.14.2 */
export async function exchangeRefreshToken(
  body: OAuthTokenRequest,
  { client, deps, context }: GrantTypeContext,
): Promise<GrantResult> {
  const { tx, now } = context
  const proof = proofOf(context)
  const presented = body.refresh_token ?? ''
  const current = await lockRefreshToken(tx, presented)
  const next = await derivedToken(tx, deps.tokenSecret, Boolean(current?.rotatedAt), (secret) =>
    nextRefreshToken(secret, presented),
  )
  const isNextRotated = current?.rotatedAt ? await isRotated(tx, next) : false

  const action = validateRefreshToken(current, { clientId: client.id, jkt: proof.jkt }, isNextRotated, now)

  const { grant } = current as NonNullable<typeof current>
  if (action === 'revoke') return revokeFamily(grant, 'refresh_reused', context)
  if (action === 'rotate') {
    saveRotated(tx, presented, now)
    const expiresAt = refreshTokenExpiry(grant.endsAt, now)
    saveRefreshToken(tx, { token: next, grantId: grant.id, jkt: proof.jkt, expiresAt })
  }
  return { grant, refreshToken: next }
}

/** The token issued to an earlier request, which may be derived from a previous secret. Else the token of the current secret. */
async function derivedToken(
  tx: Transaction,
  secret: Secret,
  wasDerived: boolean,
  derive: (secret: Secret) => string,
): Promise<string> {
  const newest = derive(secret)
  if (!wasDerived) return newest
  for (const token of acceptedOf(secret).map(derive)) if (await isStoredToken(tx, token)) return token
  return newest
}

/** The DPoP proof of a token request. Tokens are always bound to a key. */
export function proofOf({ proof }: OAuthWriteContext): NonNullable<OAuthWriteContext['proof']> {
  return present(proof, 'the token endpoint requires a proof')
}

/** Revokes all tokens of the grant: after a reuse, two parties have the token, and either can be the attacker. */
function revokeFamily(
  grant: Grant,
  because: 'code_reused' | 'refresh_reused',
  { tx, now, commitEvenIfRefused }: OAuthWriteContext,
): never {
  revokeGrant(tx, grant.id, because, now)
  commitEvenIfRefused()
  return refuse('oauth_invalid_grant', { reason: because })
}
