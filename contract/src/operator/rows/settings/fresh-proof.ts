import { type Static, Type } from 'typebox'
import { none, Timestamp } from '../../../schemas/common.ts'
import { closed, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { PasskeyAssertion } from './passkeys.ts'
import { SecondFactorCode } from './second-factor.ts'

const base = {
  tag: 'Operators',
  path: '/operator/v1/session/proof',
  auth: { kind: 'operator', area: 'own' },
  params: none,
  query: none,
  meta: null,
} as const

export const OperatorProof = operatorNamed(
  'OperatorProof',
  closed('How an operator can confirm their identity.', {
    methods: listOf(
      oneOf(
        ['password', 'code', 'passkey', 'provider'],
        '`code`: of the authenticator app, or a recovery code; `provider`: another sign-in with the identity provider.',
      ),
      3,
      'The accepted methods. An operator with a second factor must use it.',
    ),
    validUntil: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorProof = Static<typeof OperatorProof>

export const freshProofRows = {
  getOwnProof: operatorOperation({
    ...base,
    method: 'GET',
    summary: 'Get how you can confirm your identity.',
    description: 'With the time until which the last proof counts. The command line needs no proof.',
    data: OperatorProof,
    refusals: [],
  }),
  proveOwnSession: operatorOperation({
    ...base,
    method: 'POST',
    summary: 'Confirm your identity.',
    description:
      'With a passkey or the code of the second factor, or with the password if there is neither. Counts for this session for ten minutes; signing in counts as well. Then repeat the request that was refused with `fresh_proof_required`.',
    ownTransactions: true,
    body: closed('The proof.', {
      password: Type.Optional(text(128, 'Your password.', 'correct horse battery staple')),
      code: Type.Optional(SecondFactorCode),
      passkey: Type.Optional(leftOut(PasskeyAssertion)),
    }),
    data: OperatorProof,
    refusals: ['session_required', 'rate_limited', 'passkey_failed', 'passkeys_unavailable'],
  }),
}
