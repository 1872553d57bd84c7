import { type Static, Type } from 'typebox'
import { Email, id, none, Timestamp } from '../../../schemas/common.ts'
import { closed, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Operators'
const auth = { kind: 'operator' } as const
const OperatorId = id('opr', 'The id of the operator.')
const Password = text(128, 'A password.', 'correct horse battery staple')
const params = closed('The operator.', { operatorId: OperatorId })

export const OperatorAccount = operatorNamed(
  'OperatorAccount',
  closed('An operator of the marketplace.', {
    id: OperatorId,
    email: Email,
    status: oneOf(['active', 'disabled'], 'Whether they can sign in.'),
    createdAt: Timestamp,
    disabledAt: Type.Optional(leftOut(Timestamp)),
    lastUsedAt: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorAccount = Static<typeof OperatorAccount>

export const operatorRows = {
  listOperators: operatorOperation({
    method: 'GET',
    path: '/operator/v1/operators',
    tag,
    summary: 'List the operators, by their addresses.',
    description: 'Including disabled operators. The last use is known as long as they are signed in.',
    auth,
    params: none,
    query: none,
    body: null,
    data: closed('The operators.', { items: listOf(OperatorAccount, 1000, 'By email address.') }),
    meta: null,
    refusals: [],
  }),
  addOperator: operatorOperation({
    method: 'POST',
    path: '/operator/v1/operators',
    tag,
    summary: 'Create an operator.',
    description: 'With an initial password, which they change after signing in.',
    auth,
    ownTransactions: true,
    params: none,
    query: none,
    body: closed('Who.', { email: Email, password: Password }),
    data: OperatorAccount,
    meta: null,
    refusals: ['name_taken', 'password_too_weak'],
  }),
  setOperatorStatus: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/operators/{operatorId}',
    tag,
    summary: 'Disable or enable an operator.',
    description:
      'A disabled operator is signed out everywhere at once. Operators cannot disable themselves, so that one always remains.',
    auth,
    params,
    query: none,
    body: closed('The change.', { status: oneOf(['active', 'disabled'], 'Whether they can sign in.') }),
    data: OperatorAccount,
    meta: null,
    refusals: ['not_found', 'state_conflict'],
  }),
  changeOwnPassword: operatorOperation({
    method: 'POST',
    path: '/operator/v1/session/password',
    tag,
    summary: 'Change your own password.',
    description: 'Ends your other sessions. The command line has no password to change.',
    auth,
    ownTransactions: true,
    params: none,
    query: none,
    body: closed('The old and the new password.', { currentPassword: Password, newPassword: Password }),
    data: closed('The result.', { status: oneOf(['changed'], 'Changed.') }),
    meta: null,
    refusals: ['session_required', 'rate_limited', 'password_too_weak'],
  }),
}
