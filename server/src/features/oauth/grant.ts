import { limits, type Scope } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'

const { refreshTokenIdleDays, refreshRetrySeconds, refreshTokenAbsoluteDays, authorizationCodeSeconds } = limits.oauth
const DAY_MS = 86_400_000

/** An approval by staff or the operator. Its tokens end with it. */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly scopes: readonly Scope[]
  readonly endsAt: Date
  readonly revokedAt: Date | null
}

/** A stored authorization code. */
export interface Code {
  readonly grant: Grant
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly dpopJkt: string | null
  readonly expiresAt: Date
  readonly usedAt: Date | null
}

/** A token request with a code. */
interface CodeExchange {
  readonly clientId: string
  readonly redirectUri: string | undefined
  /** The challenge derived from its verifier. */
  readonly codeChallenge: string
  /** The key of its DPoP proof. */
  readonly jkt: string
}

function refuseGrant(reason: string): never {
  refuse('oauth_invalid_grant', { reason })
}

/**
 * Validates a code. Refusal: `oauth_invalid_grant`.
 *
 * Reuse of a code revokes its grant only if the request could have exchanged the code: "SHOULD revoke (when possible) all tokens
 * previously issued based on that authorization code" (RFC 6749 §4.1.2) assumes two parties who both could. A code alone appears
 * in browser histories and access logs, and must not end the grant of the legitimate client.
 *
 * @param first the refresh token that a used code was exchanged for
 * @returns `exchange`; `retry` if the response may have been lost: the same refresh token for the same key; `revoke` for a reuse
 */
export function validateCode(
  code: Code | undefined,
  request: CodeExchange,
  first: Pick<RefreshToken, 'jkt' | 'rotatedAt'> | undefined,
  now: Date,
): 'exchange' | 'retry' | 'revoke' {
  if (!code) refuseGrant('no such code')
  if (code.grant.clientId !== request.clientId) refuseGrant('code of another client')
  if (code.grant.revokedAt) refuseGrant('grant revoked')
  if (!code.usedAt && code.expiresAt <= now) refuseGrant('code expired')
  // RFC 6749 §4.1.3: "ensure that … their values are identical".
  if (code.redirectUri !== request.redirectUri) refuseGrant('redirect_uri mismatch')
  // RFC 7636 §4.6.
  if (code.codeChallenge !== request.codeChallenge) refuseGrant('code_verifier mismatch')
  // RFC 9449 §10: a code with dpop_jkt works only with that key.
  if (code.dpopJkt !== null && code.dpopJkt !== request.jkt) refuseGrant('key is not that of dpop_jkt')
  if (!code.usedAt) return 'exchange'
  const isRetry = isWithinRetry(code.usedAt, now) && first?.jkt === request.jkt && !first.rotatedAt
  return isRetry ? 'retry' : 'revoke'
}

function isWithinRetry(doneAt: Date, now: Date): boolean {
  return now.getTime() - doneAt.getTime() <= refreshRetrySeconds * 1000
}

/** A stored refresh token. */
export interface RefreshToken {
  readonly grant: Grant
  readonly jkt: string
  readonly expiresAt: Date
  /** When its successor was issued. */
  readonly rotatedAt: Date | null
}

/**
 * Validates a refresh token. Refusal: `oauth_invalid_grant`.
 *
 * @param isNextRotated whether its successor was rotated, too
 * @returns `rotate`; `retry` if the response may have been lost: the same successor; `revoke` if an old token is
 *   reused: one of its two holders is an attacker (RFC 9700 §4.14.2)
 */
export function validateRefreshToken(
  token: RefreshToken | undefined,
  request: { readonly clientId: string; readonly jkt: string },
  isNextRotated: boolean,
  now: Date,
): 'rotate' | 'retry' | 'revoke' {
  if (!token) refuseGrant('no such refresh token')
  if (token.grant.clientId !== request.clientId) refuseGrant('refresh token of another client')
  // RFC 9449 §5. A token is useless without its key, so a wrong key does not revoke the grant.
  if (token.jkt !== request.jkt) refuseGrant('key mismatch')
  if (token.grant.revokedAt) refuseGrant('grant revoked')
  if (token.grant.endsAt <= now) refuseGrant('grant ended')
  if (!token.rotatedAt) {
    if (token.expiresAt <= now) refuseGrant('refresh token idle for too long')
    return 'rotate'
  }
  return isWithinRetry(token.rotatedAt, now) && !isNextRotated ? 'retry' : 'revoke'
}

/** The expiry of a refresh token issued now: seven days, and never later than its grant. */
export function refreshTokenExpiry(grantEndsAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + refreshTokenIdleDays * DAY_MS, grantEndsAt.getTime()))
}

export function grantExpiry(now: Date): Date {
  return new Date(now.getTime() + refreshTokenAbsoluteDays * DAY_MS)
}

export function codeExpiry(now: Date): Date {
  return new Date(now.getTime() + authorizationCodeSeconds * 1000)
}
