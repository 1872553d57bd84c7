import { limits, type Scope } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'

const { refreshTokenIdleDays, refreshRetrySeconds, refreshTokenAbsoluteDays, authorizationCodeSeconds } = limits.oauth
const DAY_MS = 86_400_000

/** An approval. Its tokens end with it. */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly endsAt: Date
  readonly revokedAt: Date | null
}

/** A code as it is kept. */
export interface Code {
  readonly grant: Grant
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly dpopJkt: string | null
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

/** What a client says when it redeems a code. */
export interface CodeExchange {
  readonly clientId: string
  readonly redirectUri: string | undefined
  /** The challenge that its verifier makes. */
  readonly codeChallenge: string
  /** The key of its proof. */
  readonly jkt: string
}

function refuseGrant(reason: string): never {
  refuse('oauth_invalid_grant', { reason })
}

/**
 * Judges a code that a client redeems. Refusal: `oauth_invalid_grant`.
 *
 * @returns `redeem`, or `revoke` where the code was used before: "SHOULD revoke (when possible) all tokens previously
 *   issued based on that authorization code" (RFC 6749 §4.1.2)
 */
export function validateCode(code: Code | undefined, said: CodeExchange, now: Date): 'redeem' | 'revoke' {
  if (!code) refuseGrant('no such code')
  if (code.grant.clientId !== said.clientId) refuseGrant('code of another client')
  if (code.usedAt) return 'revoke'
  if (code.grant.revokedAt) refuseGrant('grant revoked')
  if (code.expiresAt <= now) refuseGrant('code expired')
  // RFC 6749 §4.1.3: "ensure that … their values are identical".
  if (code.redirectUri !== said.redirectUri) refuseGrant('other redirect_uri')
  // RFC 7636 §4.6.
  if (code.codeChallenge !== said.codeChallenge) refuseGrant('wrong verifier')
  // RFC 9449 §10: a code that names a key is of use to that key alone.
  if (code.dpopJkt !== null && code.dpopJkt !== said.jkt) refuseGrant('other key than dpop_jkt')
  return 'redeem'
}

/** A refresh token as it is kept. */
export interface RefreshToken {
  readonly grant: Grant
  readonly jkt: string
  readonly expiresAt: Date
  /** When a successor took its place. */
  readonly rotatedAt: Date | null
}

/**
 * Judges a refresh token. Refusal: `oauth_invalid_grant`.
 *
 * @param isNextRotated whether the token that took its place has itself been used
 * @returns `rotate`; `again` where the answer may have been lost: the same successor; `revoke` where an older token is
 *   shown, so that two hold tokens of one family and one of them is a thief (RFC 9700 §4.14.2)
 */
export function validateRefreshToken(
  token: RefreshToken | undefined,
  said: { readonly clientId: string; readonly jkt: string },
  isNextRotated: boolean,
  now: Date,
): 'rotate' | 'again' | 'revoke' {
  if (!token) refuseGrant('no such refresh token')
  if (token.grant.clientId !== said.clientId) refuseGrant('refresh token of another client')
  // RFC 9449 §5. Without its key a token is of no use, and of no harm to the family.
  if (token.jkt !== said.jkt) refuseGrant('other key')
  if (token.grant.revokedAt) refuseGrant('grant revoked')
  if (token.grant.endsAt <= now) refuseGrant('grant ended')
  if (!token.rotatedAt) {
    if (token.expiresAt <= now) refuseGrant('refresh token idle for too long')
    return 'rotate'
  }
  const isRetry = now.getTime() - token.rotatedAt.getTime() <= refreshRetrySeconds * 1000
  return isRetry && !isNextRotated ? 'again' : 'revoke'
}

/** Until when a refresh token works that is given out now: seven days, and never longer than its grant. */
export function refreshTokenExpiry(grantEndsAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + refreshTokenIdleDays * DAY_MS, grantEndsAt.getTime()))
}

export function grantExpiry(now: Date): Date {
  return new Date(now.getTime() + refreshTokenAbsoluteDays * DAY_MS)
}

export function codeExpiry(now: Date): Date {
  return new Date(now.getTime() + authorizationCodeSeconds * 1000)
}
