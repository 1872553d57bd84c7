import type { PasskeyAssertion } from '@vitrine/contract/operator'
import { isLoopback } from '../../../kernel/loopback.ts'

/** The host name and the origin that passkeys work for. @see WebAuthn Level 3 §5.1.3 */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** EdDSA, ES256 and RS256, which authenticators support. @see RFC 9053 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/**
 * The relying party of a console; `null` if browsers allow no passkeys there. They require a host name with https, or `localhost` for
 * this machine, never 127.0.0.1.
 */
export function relyingParty(operatorUrl: string): RelyingParty | null {
  const { protocol, hostname, port, origin } = new URL(operatorUrl)
  if (isLoopback(hostname)) {
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
  }
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(hostname)
  return protocol === 'https:' && !isAddress ? { id: hostname, origin } : null
}

/** The challenge in the client data of a browser; `null` if it cannot be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** A new credential from a browser, not yet verified. */
interface NewCredential {
  readonly id: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** A verified credential. */
export interface Credential {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isSynced: boolean
}

/** Verifies a new credential for a challenge. The library is loaded here: most processes never need it. */
export async function verifyNew(
  made: NewCredential,
  challenge: string,
  party: RelyingParty,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { id, clientDataJSON, attestationObject } = made
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    })
    if (!verified) return null
    const { credential, credentialBackedUp: isSynced } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      isSynced,
    }
  } catch {
    return null
  }
}

/** The members of a stored credential that verify its assertions. */
export interface StoredCredential {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  /** A bigint. */
  readonly counter: string
  readonly rp_id: string
}

/** Verifies an assertion. @returns the new counter; `null` if it is not accepted, as for a counter that decreased */
export async function verifySigned(
  signed: PasskeyAssertion,
  stored: StoredCredential,
  challenge: string,
  party: RelyingParty,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, userHandle, ...response } = signed
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id.toString('base64url'),
        publicKey: new Uint8Array(stored.public_key),
        counter: Number(stored.counter),
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
