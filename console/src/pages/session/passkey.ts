import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'

type Made = Awaited<ReturnType<typeof startRegistration>>
type Request = Awaited<ReturnType<typeof call<'beginPasskeySignIn'>>>
type Known = Request['allowed'][number]
type Transports = NonNullable<Made['response']['transports']>

/** Whether the browser supports passkeys and the console has a host name: there are none for an IP address. */
export const hasPasskeys = browserSupportsWebAuthn() && !/^(\[.*\]|[\d.]+)$/.test(location.hostname)

/** Creates a passkey in the browser and registers it. */
export async function registerPasskey(name: string): Promise<void> {
  const { challenge, rpId, rpName, userId, userName, algorithms, existing } = await call('beginPasskey')
  const made = await unlessEnded(() =>
    startRegistration({
      optionsJSON: {
        challenge,
        rp: { id: rpId, name: rpName },
        user: { id: userId, name: userName, displayName: userName },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
        excludeCredentials: existing.map(knownOf),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = made.response
  await call('registerPasskey', {
    body: { name, id: made.id, clientDataJSON, attestationObject, transports: [...transports] },
  })
}

/** Signs in with a passkey that the browser finds. */
export async function signInWithPasskey(): Promise<void> {
  const request = await call('beginPasskeySignIn')
  await call('signInWithPasskey', { body: await signed(request) })
}

/** Proves the operator's identity with a passkey. */
export async function proveWithPasskey(): Promise<void> {
  const request = await call('beginPasskeyProof')
  await call('proveOwnSession', { body: { passkey: await signed(request) } })
}

async function signed({ challenge, rpId, allowed }: Request) {
  const { id, response } = await unlessEnded(() =>
    startAuthentication({
      optionsJSON: { challenge, rpId, allowCredentials: allowed.map(knownOf), userVerification: 'required' },
    }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) }
}

function knownOf({ id, transports }: Known) {
  return { id, type: 'public-key' as const, transports: [...transports] as Transports }
}

/** Replaces the error messages of the browser, which are often written for developers. */
async function unlessEnded<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if ((error as Error).name === 'InvalidStateError') {
      throw new Error(translate('This device already has a passkey for your account.'))
    }
    throw new Error(translate('No passkey was used. Try again, or choose another method.'))
  }
}
