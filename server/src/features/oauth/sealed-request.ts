import { limits } from '@vitrine/contract'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { AuthorizationRequest } from './authorization-request.ts'

/** Where a sealed request is shown to a member of staff. */
export const CONSENT_PATH = '/oauth/consent'

/** A validated request on its way to the consent page. Nobody can read or change it, and nothing is written down for it. */
export interface SealedRequest {
  readonly sealed: string
  readonly expiresAt: Date
}

/** A request that came back, and when it was made. */
export interface OpenedRequest {
  readonly request: AuthorizationRequest
  readonly issuedAt: Date
}

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const

/** @see RFC 7516; the key is shared by all nodes, so each opens what another has sealed */
export async function sealRequest(secret: Buffer, request: AuthorizationRequest, now: Date): Promise<SealedRequest> {
  const issuedAtSeconds = Math.floor(now.getTime() / 1000)
  const expiresAtSeconds = issuedAtSeconds + limits.oauth.authorizationRequestSeconds
  const sealed = await new EncryptJWT({ request })
    .setProtectedHeader(ALGORITHMS)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .encrypt(secret)
  return { sealed, expiresAt: new Date(expiresAtSeconds * 1000) }
}

/** What was sealed, or `null` where it is not ours or its time has passed. */
export async function openRequest(secret: Buffer, sealed: string, now: Date): Promise<OpenedRequest | null> {
  try {
    const { payload } = await jwtDecrypt(sealed, secret, {
      contentEncryptionAlgorithms: [ALGORITHMS.enc],
      keyManagementAlgorithms: [ALGORITHMS.alg],
      currentDate: now,
      requiredClaims: ['iat', 'exp'],
    })
    return { request: payload.request as AuthorizationRequest, issuedAt: new Date(Number(payload.iat) * 1000) }
  } catch {
    // Changed, made up or too old: the page says the same of each.
    return null
  }
}
