import type { Static } from 'typebox'
import { id } from '../../../schemas/common.ts'
import { closed, flag, formed, integer, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Operators'
const own = { kind: 'operator', area: 'own' } as const
const operators = { kind: 'operator', area: 'operators' } as const
const Password = text(128, 'Your password.', 'correct horse battery staple')
export const SecondFactorCode = formed(
  '^[0-9A-Za-z -]{6,20}$',
  20,
  'The code of the authenticator app, or a recovery code.',
  '492039',
)

export const OperatorSecondFactor = operatorNamed(
  'OperatorSecondFactor',
  closed('The second factor of an operator.', {
    status: oneOf(['on', 'off'], 'Whether signing in asks for a code.'),
    passkeys: integer(0, 20, 'Passkeys. Each counts as a second factor.', 1),
    required: flag('Whether the marketplace requires one.', false),
    recoveryCodesLeft: integer(0, 10, 'Recovery codes that were not used.', 10),
  }),
)
export type OperatorSecondFactor = Static<typeof OperatorSecondFactor>

const policy = closed('The sign-in policy for operators.', {
  requiresSecondFactor: flag('Whether operators need a second factor for everything but setting one up.', true),
  proofForRefundsOver: integer(
    0,
    1_000_000_000,
    "Refunds above this amount require a fresh proof of identity. In units of the order's currency, such as euros.",
    250,
  ),
})

const base = { tag } as const

export const secondFactorRows = {
  getOwnSecondFactor: operatorOperation({
    ...base,
    method: 'GET',
    path: '/operator/v1/session/second-factor',
    summary: 'Get the state of your second factor.',
    description: 'The command line has none.',
    auth: own,
    data: OperatorSecondFactor,
    refusals: [],
  }),
  beginSecondFactor: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/second-factor',
    summary: 'Set up an authenticator app.',
    description: 'Takes effect when a first code is confirmed. Until then, it can be started again.',
    auth: own,
    ownTransactions: true,
    body: closed('Your password.', { password: Password }),
    data: closed('What the app needs.', {
      key: text(64, 'The key, to be typed in.', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
      qrCode: text(20_000, 'A picture of the URI, for the camera of the app.', 'data:image/png;base64,iVBORw0KGgo='),
      uri: text(2000, 'The same as a URI.', 'otpauth://totp/Shop:ada%40example.com?secret=GEZDGNBV'),
    }),
    // Otherwise an open session and the password would bypass a passkey.
    freshProof: 'always',
    refusals: ['session_required', 'rate_limited', 'state_conflict'],
  }),
  confirmSecondFactor: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/second-factor/confirm',
    summary: 'Turn on your second factor.',
    description: 'With a first code of the app. Returns ten recovery codes, which are shown once and work once each.',
    auth: own,
    ownTransactions: true,
    body: closed('The code.', { code: SecondFactorCode }),
    data: closed('The recovery codes.', {
      recoveryCodes: listOf(text(20, 'A code.', 'k7tq-9xw2-m4ce'), 10, 'The codes, in case the phone is lost.'),
    }),
    refusals: ['session_required', 'rate_limited', 'state_conflict'],
  }),
  removeOwnSecondFactor: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/session/second-factor/remove',
    summary: 'Turn off your second factor.',
    description: 'With your password and a code.',
    auth: own,
    ownTransactions: true,
    body: closed('The password and a code.', { password: Password, code: SecondFactorCode }),
    data: OperatorSecondFactor,
    refusals: ['session_required', 'rate_limited', 'state_conflict'],
  }),
  removeSecondFactor: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/operators/{operatorId}/second-factor/remove',
    params: closed('The operator.', { operatorId: id('opr', 'The id of the operator.') }),
    summary: 'Turn off the second factor of an operator.',
    description:
      'For an operator who has lost the phone and the recovery codes, or every passkey. Removes all of them, and signs the operator out everywhere.',
    auth: operators,
    data: OperatorSecondFactor,
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
  getOperatorPolicy: operatorOperation({
    ...base,
    method: 'GET',
    path: '/operator/v1/operator-policy',
    summary: 'Get the sign-in policy for operators.',
    description: 'Applies to everyone who signs in with a password.',
    auth: operators,
    data: policy,
    refusals: [],
  }),
  saveOperatorPolicy: operatorOperation({
    ...base,
    method: 'PUT',
    path: '/operator/v1/operator-policy',
    summary: 'Save the sign-in policy for operators.',
    description:
      'Where a second factor is required, operators without one can do nothing but set it up. Needs a second factor of your own, so that you are not locked out.',
    auth: operators,
    body: policy,
    data: policy,
    freshProof: 'always',
    refusals: ['state_conflict'],
  }),
}
