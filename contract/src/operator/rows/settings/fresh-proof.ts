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
  closed('How an operator shows again who they are.', {
    methods: listOf(
      oneOf(
        ['password', 'code', 'passkey', 'provider'],
        '`code`: of the authenticator app, or a recovery code; `provider`: by signing in there again.',
      ),
      3,
      'What can be asked of them. An operator with a second factor shows that one.',
    ),
    validUntil: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorProof = Static<typeof OperatorProof>

export const freshProofRows = {
  getOwnProof: operatorOperation({
    ...base,
    method: 'GET',
    summary: 'Get how you can show who you are.',
    description: 'And until when the last proof counts. The command line needs none.',
    body: null,
    data: OperatorProof,
    refusals: [],
  }),
  proveOwnSession: operatorOperation({
    ...base,
    method: 'POST',
    summary: 'Show again who you are.',
    description:
      'With a passkey or the code of the second factor, or with the password if there is neither. Counts for this session and ten minutes; signing in counts as well. Then repeat the request that was refused with `fresh_proof_required`.',
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
