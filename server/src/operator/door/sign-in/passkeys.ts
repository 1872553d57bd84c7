import type { PasskeyAssertion } from '@vitrine/contract/operator'
import { isLoopback } from '../../../kernel/loopback.ts'

/** Where passkeys work: for one host name, at one address. @see WebAuthn Level 3 §5.1.3 */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** EdDSA, ES256 and RS256: what authenticators have. @see RFC 9053 */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/**
 * The relying party of a console; `null` if browsers allow no passkeys there. They need a host name, and https or this machine, which
 * is `localhost` for them and never 127.0.0.1.
 */
export function relyingParty(operatorUrl: string): RelyingParty | null {
  const { protocol, hostname, port, origin } = new URL(operatorUrl)
  if (isLoopback(hostname)) {
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` }
  }
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(hostname)
  return protocol === 'https:' && !isAddress ? { id: hostname, origin } : null
}

/** The challenge that a browser says it has signed; `null` if it says nothing that can be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** What a browser made, to be verified as it was asked for. */
export interface NewCredential {
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

/** Verifies a new credential of a challenge that was ours. The library is loaded here: most starts never need it. */
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

/** A stored credential, as far as it verifies. */
export interface StoredCredential {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  /** A bigint. */
  readonly counter: string
  readonly rp_id: string
}

/** Verifies what a credential signed. @returns its new counter; `null` if it is not accepted, also because the counter went back */
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
