import { type Static, Type } from 'typebox'
import { Email, id, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, leftOut, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { operatorRoleNames } from '../../roles.ts'
import { SecondFactorCode } from './second-factor.ts'
import { OperatorSession } from './sessions.ts'

const tag = 'Operators'
const auth = { kind: 'operator', area: 'operators' } as const
const own = { kind: 'operator', area: 'own' } as const
const OperatorId = id('opr', 'The id of the operator.')
const Password = text(128, 'A password.', 'correct horse battery staple')
const params = closed('The operator.', { operatorId: OperatorId })

export const OperatorRoleName = oneOf([...operatorRoleNames], 'What they may see and change.')

export const OperatorAccount = operatorNamed(
  'OperatorAccount',
  closed('An operator of the marketplace.', {
    id: OperatorId,
    email: Email,
    role: OperatorRoleName,
    store: Type.Optional(leftOut(Slug)),
    status: oneOf(['invited', 'active', 'disabled'], 'Whether they can sign in; `invited`: they have no password yet.'),
    createdAt: Timestamp,
    invitationExpiresAt: Type.Optional(leftOut(Timestamp)),
    secondFactor: oneOf(['on', 'off'], 'Whether they have an authenticator app or a passkey.'),
    usesProvider: flag('Whether they have signed in with the identity provider.', false),
    disabledAt: Type.Optional(leftOut(Timestamp)),
    lastUsedAt: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorAccount = Static<typeof OperatorAccount>

const SessionId = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'The id of the session. It is not a credential.',
  'm0Kf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW',
)

export const OperatorSessionSummary = operatorNamed(
  'OperatorSessionSummary',
  closed('A session of an operator.', {
    id: SessionId,
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.', examples: [true] }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    address: Type.Optional(leftOut(text(64, 'The IP address at sign-in.', '203.0.113.7'))),
    device: Type.Optional(leftOut(text(300, 'Browser and system, as far as they are known.', 'Firefox · Linux'))),
  }),
)
export type OperatorSessionSummary = Static<typeof OperatorSessionSummary>

export const operatorRows = {
  listOperators: operatorOperation({
    method: 'GET',
    path: '/operator/v1/operators',
    tag,
    summary: 'List the operators, by email address.',
    description: 'Including invited and disabled operators. The last use is known only while they are signed in.',
    auth,
    data: closed('The operators.', { items: listOf(OperatorAccount, 1000, 'The operators, by email address.') }),
    refusals: [],
  }),
  addOperator: operatorOperation({
    method: 'POST',
    path: '/operator/v1/operators',
    tag,
    summary: 'Invite an operator.',
    description:
      'Sends an email with a link to choose a password, valid for seven days; with an initial password, none is sent. With a store, they can access only that store, within their role. An owner can access all stores.',
    auth,
    ownTransactions: true,
    body: closed('The new operator.', {
      email: Email,
      role: OperatorRoleName,
      store: Type.Optional(orNull(Slug, 'The only store that they can access; `null`: the whole marketplace.')),
      password: Type.Optional(Password),
    }),
    data: OperatorAccount,
    freshProof: 'always',
    refusals: ['not_found', 'name_taken', 'password_too_weak'],
  }),
  inviteOperatorAgain: operatorOperation({
    method: 'POST',
    path: '/operator/v1/operators/{operatorId}/invitation',
    tag,
    summary: 'Send an invitation again.',
    description: 'The earlier link stops working.',
    auth,
    params,
    data: OperatorAccount,
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
  updateOperator: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/operators/{operatorId}',
    tag,
    summary: 'Change the role or store of an operator, or disable or enable them.',
    description:
      'A new role or store takes effect with the next request. A disabled operator is signed out everywhere at once. Operators cannot change themselves, and an active owner always remains.',
    auth,
    params,
    body: closed('The change.', {
      role: Type.Optional(OperatorRoleName),
      store: Type.Optional(orNull(Slug, 'The only store that they can access; `null`: the whole marketplace.')),
      status: Type.Optional(oneOf(['active', 'disabled'], 'Whether they can sign in.')),
    }),
    data: OperatorAccount,
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
  endOperatorSessions: operatorOperation({
    method: 'POST',
    path: '/operator/v1/operators/{operatorId}/end-sessions',
    tag,
    summary: 'Sign an operator out everywhere.',
    description: 'They can sign in again.',
    auth,
    params,
    data: OperatorAccount,
    refusals: ['not_found'],
  }),
  listOwnSessions: operatorOperation({
    method: 'GET',
    path: '/operator/v1/sessions',
    tag,
    summary: 'List your sessions.',
    description: 'The command line has no sessions.',
    auth: own,
    ownTransactions: true,
    data: closed('The sessions.', {
      items: listOf(OperatorSessionSummary, 100, 'The sessions, the last used one first.'),
    }),
    refusals: [],
  }),
  endOwnSession: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/sessions/{sessionId}',
    tag,
    summary: 'End one of your sessions.',
    description: 'Takes effect at once, on every node.',
    auth: own,
    params: closed('The session.', { sessionId: SessionId }),
    data: closed('The result.', { status: oneOf(['ended'], 'Ended.') }),
    refusals: ['not_found'],
  }),
  requestOperatorPasswordReset: operatorOperation({
    method: 'POST',
    path: '/operator/v1/password-resets',
    tag,
    summary: 'Request a link to choose a new password.',
    description:
      'The answer is the same whether or not the address belongs to an operator. The link is sent by email, works once, and is valid for 20 minutes.',
    auth: { kind: 'none' },
    unaudited: true,
    body: closed('The operator.', { email: Email }),
    data: closed('The result.', { status: oneOf(['accepted'], 'Accepted.') }),
    refusals: ['rate_limited'],
  }),
  chooseOperatorPassword: operatorOperation({
    method: 'POST',
    path: '/operator/v1/password-resets/confirm',
    tag,
    summary: 'Choose a password.',
    description: 'With the token of an invitation or a reset link. Signs in, and ends all other sessions.',
    auth: { kind: 'none' },
    body: closed('The token and the password.', {
      token: formed('^[A-Za-z0-9_-]{43}$', 43, 'The token of the link.', 'q1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW'),
      password: Password,
      code: Type.Optional(SecondFactorCode),
    }),
    data: OperatorSession,
    refusals: [
      'rate_limited',
      'reset_token_invalid',
      'second_factor_required',
      'password_too_weak',
      'passkey_required',
    ],
  }),
  createOperatorLink: operatorOperation({
    method: 'POST',
    path: '/operator/v1/operators/{operatorId}/link',
    tag,
    summary: 'Create a link to choose a password.',
    description:
      'For an operator whose email cannot be reached: `vitrine operator reset` prints it. Valid for 20 minutes; it is shown once.',
    auth,
    params,
    data: closed('The link.', {
      url: text(2000, 'The link, which opens the account.', 'https://manage.example.com/choose-password'),
      expiresAt: Timestamp,
    }),
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
  changeOwnPassword: operatorOperation({
    method: 'POST',
    path: '/operator/v1/session/password',
    tag,
    summary: 'Change your own password.',
    description: 'Ends your other sessions. The command line has no password to change.',
    auth: own,
    ownTransactions: true,
    body: closed('The old and the new password.', { currentPassword: Password, newPassword: Password }),
    data: closed('The result.', { status: oneOf(['changed'], 'Changed.') }),
    refusals: ['session_required', 'rate_limited', 'password_too_weak'],
  }),
}
