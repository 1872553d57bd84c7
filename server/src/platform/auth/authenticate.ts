import type { Scope } from '@vitrine/contract'
import { blocked } from '../../kernel/capabilities.ts'
import type { Environment } from '../../kernel/environment.ts'
import type { Narrowing } from '../../kernel/owner.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Principal } from '../http/handler.ts'
import { isAccessToken } from './access-token.ts'
import { hashOfToken, isApiKey } from './api-key.ts'
import { challengeOf } from './www-authenticate.ts'

/** A credential as the features that issue them store it. */
export interface StoredCredential {
  readonly type: 'api_key' | 'access_token'
  readonly id: string
  /** The part that may be displayed. */
  readonly display: string
  readonly createdAt: Date
  readonly installationId: string
  readonly installationStatus: 'active' | 'suspended'
  readonly storeId: string | null
  readonly narrowedTo: Narrowing | null
  readonly environment: Environment
  readonly scopes: readonly Scope[]
  readonly jkt: string | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Whether the readiness proofs for production exist. Without them live credentials are refused. */
  readonly productionActivated: boolean
  readonly origins: readonly string[]
  readonly returnUrls: readonly string[]
}

export interface Presented {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly token: string
}

const AUTHORIZATION = /^(\S+) +(\S+)$/

/** Reads the Authorization header. Refusals: `credential_missing`, `credential_malformed`. */
export function readAuthorization(header: string | undefined): Presented {
  if (header === undefined || header === '') refuse('credential_missing')
  const match = AUTHORIZATION.exec(header)
  const scheme = match?.[1]?.toLowerCase()
  const token = match?.[2]
  const known = scheme === 'bearer' ? 'Bearer' : scheme === 'dpop' ? 'DPoP' : null
  if (!known || token === undefined) {
    refuse('credential_malformed', {
      details: [
        { in: 'header', pointer: 'Authorization', code: 'malformed', message: 'Send "Bearer <key>" or "DPoP <key>".' },
      ],
    })
  }
  if (!isApiKey(token) && !isAccessToken(token)) refuse('credential_invalid', { reason: 'form or checksum' })
  return { scheme: known, token }
}

/**
 * Checks a credential, except its proof. Refusals: `credential_invalid`, `credential_revoked`, `credential_expired`,
 * `installation_suspended`, `capability_blocked`.
 */
export function checkCredential(
  presented: Presented,
  stored: StoredCredential | undefined,
  now: Date,
): StoredCredential {
  if (!stored) refuse('credential_invalid', { reason: 'unknown' })
  const ended = (code: 'credential_revoked' | 'credential_expired') =>
    refuse(code, { headers: { 'www-authenticate': challengeOf(code, stored.jkt ? 'DPoP' : 'Bearer') } })
  // The time is not compared: the clock that set it may be ahead of this one.
  if (stored.revokedAt) ended('credential_revoked')
  if (stored.expiresAt && stored.expiresAt <= now) ended('credential_expired')
  // RFC 9449 §7.2: a bound credential is not accepted as Bearer, and an unbound one has nothing to prove.
  if (stored.jkt && presented.scheme === 'Bearer') refuse('credential_invalid', { reason: 'bound key as Bearer' })
  if (!stored.jkt && presented.scheme === 'DPoP') refuse('credential_invalid', { reason: 'unbound key as DPoP' })
  if (stored.installationStatus === 'suspended') refuse('installation_suspended')
  if (stored.environment === 'live' && !stored.productionActivated) {
    refuse('capability_blocked', blocked('production_activation'))
  }
  return stored
}

export function principalOf(stored: StoredCredential): Principal {
  return {
    installationId: stored.installationId,
    storeId: stored.storeId,
    narrowedTo: stored.narrowedTo,
    environment: stored.environment,
    scopes: stored.scopes,
    senderConstrained: stored.jkt !== null,
    jkt: stored.jkt,
    returnUrls: stored.returnUrls,
    credential: {
      type: stored.type,
      id: stored.id,
      display: stored.display,
      createdAt: stored.createdAt,
      expiresAt: stored.expiresAt,
    },
  }
}

/** Refusal: `insufficient_scope`, with the required scopes. */
export function requireScopes(principal: Principal, needed: readonly Scope[]): void {
  if (needed.every((scope) => principal.scopes.includes(scope))) return
  refuse('insufficient_scope', {
    params: { scopes: needed },
    headers: {
      'www-authenticate': challengeOf('insufficient_scope', principal.senderConstrained ? 'DPoP' : 'Bearer', needed),
    },
  })
}

export { hashOfToken }
