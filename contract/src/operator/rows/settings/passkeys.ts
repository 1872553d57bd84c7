import type { Static } from 'typebox'
import { Type } from 'typebox'
import { id, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, integer, leftOut, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { OperatorSession } from './sessions.ts'

const own = { kind: 'operator', area: 'own' } as const
const base = { tag: 'Operators' } as const

const Base64Url = (maxLength: number, description: string, example: string) =>
  formed('^[A-Za-z0-9_-]+$', maxLength, description, example)
const CredentialId = Base64Url(1400, 'The credential id.', 'Y3JlZGVudGlhbA')
const ClientData = Base64Url(
  4000,
  'The client data of the browser: `clientDataJSON`.',
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
)
const Challenge = Base64Url(
  43,
  'The challenge, to be signed once, within five minutes.',
  'q1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW',
)
const RpId = text(253, 'The host name that it works for.', 'shop.example')
const Transports = listOf(text(20, 'A way to reach the authenticator.', 'internal'), 10, 'How the browser reaches it.')
const PasskeyName = text(80, 'The name you give it.', 'Laptop')

const Known = closed('A passkey that the browser may know.', { id: CredentialId, transports: Transports })

export const OperatorPasskey = operatorNamed(
  'OperatorPasskey',
  closed('A passkey of an operator.', {
    id: id('pky', 'The id of the passkey.'),
    name: PasskeyName,
    isSynced: flag('Whether a password manager copies it to other devices.', true),
    createdAt: Timestamp,
    lastUsedAt: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorPasskey = Static<typeof OperatorPasskey>

/** The assertion of a passkey, to sign in or to confirm an identity. */
export const PasskeyAssertion = operatorNamed(
  'PasskeyAssertion',
  closed('The answer of `navigator.credentials.get`.', {
    id: CredentialId,
    clientDataJSON: ClientData,
    authenticatorData: Base64Url(4000, 'The authenticator data.', 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M'),
    signature: Base64Url(4000, 'The signature.', 'MEUCIQDk'),
    userHandle: Type.Optional(Base64Url(100, 'The user handle.', 'b3ByXzAx')),
  }),
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const Request = closed('The options for `navigator.credentials.get`, with user verification.', {
  challenge: Challenge,
  rpId: RpId,
  allowed: listOf(Known, 20, 'The passkeys to choose from; empty: those that the browser finds.'),
})

export const passkeyRows = {
  listOwnPasskeys: operatorOperation({
    ...base,
    method: 'GET',
    path: '/operator/v1/session/passkeys',
    summary: 'List your passkeys.',
    description: 'Oldest first. Browsers allow no passkeys at an address without a host name.',
    auth: own,
    data: closed('The passkeys.', {
      isAvailable: flag('Whether the address of the console allows passkeys.', true),
      origin: text(2048, 'The address of the console that they work at.', 'https://operators.shop.example'),
      items: listOf(OperatorPasskey, 20, 'The passkeys, oldest first.'),
    }),
    refusals: [],
  }),
  beginPasskey: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/passkeys/challenge',
    summary: 'Begin to register a passkey.',
    description: 'Returns the options for the browser. An operator can have up to 20 passkeys.',
    auth: own,
    ownTransactions: true,
    unaudited: true,
    data: closed('The options for `navigator.credentials.create`, with user verification.', {
      challenge: Challenge,
      rpId: RpId,
      rpName: text(120, 'The name of the marketplace.', 'Shop'),
      userId: Base64Url(100, 'The user handle.', 'b3ByXzAx'),
      userName: text(254, 'Their email address.', 'ada@example.com'),
      algorithms: listOf(integer(-65_535, -1, 'A COSE algorithm.', -7), 10, 'The algorithms, the best first.'),
      existing: listOf(Known, 20, 'The passkeys that you have.'),
    }),
    freshProof: 'always',
    refusals: ['session_required', 'passkeys_unavailable', 'state_conflict'],
  }),
  registerPasskey: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/passkeys',
    summary: 'Register a passkey.',
    description:
      'With the answer of the browser. From then on, the password alone does not sign you in: the passkey does, or your authenticator app with the password.',
    auth: own,
    ownTransactions: true,
    body: closed('The answer of `navigator.credentials.create`.', {
      name: PasskeyName,
      id: CredentialId,
      clientDataJSON: ClientData,
      attestationObject: Base64Url(16_000, 'The attestation object, with the public key.', 'o2NmbXRkbm9uZQ'),
      transports: Transports,
    }),
    data: OperatorPasskey,
    freshProof: 'always',
    refusals: ['session_required', 'passkeys_unavailable', 'passkey_failed', 'state_conflict'],
  }),
  removeOwnPasskey: operatorOperation({
    ...base,
    method: 'DELETE',
    path: '/operator/v1/session/passkeys/{passkeyId}',
    params: closed('The passkey.', { passkeyId: id('pky', 'The id of the passkey.') }),
    summary: 'Remove one of your passkeys.',
    description: 'It can no longer sign you in. Remove it from the device as well.',
    auth: own,
    data: closed('The result.', { status: Type.Literal('removed', { description: 'Removed.' }) }),
    freshProof: 'always',
    refusals: ['not_found'],
  }),
  beginPasskeyProof: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/proof/challenge',
    summary: 'Begin to confirm your identity with a passkey.',
    description: 'Then sign the challenge and call `proveOwnSession`.',
    auth: own,
    ownTransactions: true,
    unaudited: true,
    data: Request,
    refusals: ['session_required', 'passkeys_unavailable'],
  }),
  beginPasskeySignIn: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/passkey-sessions/challenge',
    summary: 'Begin to sign in with a passkey.',
    description: 'The browser finds the passkeys of this host name, so that no address has to be entered.',
    auth: { kind: 'none' },
    unaudited: true,
    data: Request,
    refusals: ['rate_limited', 'passkeys_unavailable'],
  }),
  signInWithPasskey: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/passkey-sessions',
    summary: 'Sign in with a passkey.',
    description:
      'The device checks a finger, a face or a code, so that it counts as both factors. Sets the session cookie.',
    auth: { kind: 'none' },
    body: PasskeyAssertion,
    data: OperatorSession,
    refusals: ['rate_limited', 'passkeys_unavailable', 'passkey_failed'],
  }),
}
