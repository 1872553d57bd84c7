import { limits } from '@vitrine/contract'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { acceptedOf, currentOf, type Secret } from '../../platform/secrets/rotating-secret.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

/** Path of the consent page. */
export const CONSENT_PATH = '/oauth/consent'

/** A validated request, encrypted for the URL of the consent page. Nothing is stored. */
interface SealedRequest {
  readonly sealed: string
  readonly expiresAt: Date
}

/** A decrypted request and when it was sealed. */
interface OpenedRequest {
  readonly request: AuthorizationRequest
  readonly issuedAt: Date
}

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const

/** Encrypts a request. All nodes share the key. @see RFC 7516 */
export async function sealRequest(secret: Secret, request: AuthorizationRequest, now: Date): Promise<SealedRequest> {
  const issuedAtSeconds = Math.floor(now.getTime() / 1000)
  const expiresAtSeconds = issuedAtSeconds + limits.oauth.authorizationRequestSeconds
  const sealed = await new EncryptJWT({ request })
    .setProtectedHeader(ALGORITHMS)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(expiresAtSeconds)
    .encrypt(currentOf(secret))
  return { sealed, expiresAt: new Date(expiresAtSeconds * 1000) }
}

/** The request, or `null` if it is invalid or expired. */
export async function openRequest(secret: Secret, sealed: string, now: Date): Promise<OpenedRequest | null> {
  for (const each of acceptedOf(secret)) {
    const opened = await openWith(each, sealed, now)
    if (opened !== null) return opened
  }
  return null
}

async function openWith(secret: Buffer, sealed: string, now: Date): Promise<OpenedRequest | null> {
  try {
    const { payload } = await jwtDecrypt(sealed, secret, {
      contentEncryptionAlgorithms: [ALGORITHMS.enc],
      keyManagementAlgorithms: [ALGORITHMS.alg],
      currentDate: now,
      requiredClaims: ['iat', 'exp'],
    })
    return { request: payload.request as AuthorizationRequest, issuedAt: new Date(Number(payload.iat) * 1000) }
  } catch {
    // The page shows the same error for a modified, forged or expired request.
    return null
  }
}
