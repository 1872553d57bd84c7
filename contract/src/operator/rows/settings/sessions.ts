import { type Static, Type } from 'typebox'
import { Email, id, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, leftOut, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { type OperatorArea, operatorAreas, operatorRoleNames } from '../../roles.ts'
import { SecondFactorCode } from './second-factor.ts'

const tag = 'Operators'
const Access = oneOf(['none', 'read', 'write'], '`write` includes `read`.')
const AccessByArea = Object.fromEntries(operatorAreas.map((area) => [area, Access])) as Record<
  OperatorArea,
  typeof Access
>
const Password = text(128, 'The password.', 'correct horse battery staple')

export const OperatorSession = operatorNamed(
  'OperatorSession',
  closed('The current operator and their access.', {
    operator: closed('The operator.', {
      id: Type.Optional(leftOut(id('opr', 'The id of the operator; absent for the token of the command line.'))),
      email: text(254, 'The email address, or the name of the token.', 'ada@example.com'),
      role: oneOf([...operatorRoleNames], 'What they may see and change.'),
      store: Type.Optional(leftOut(Slug)),
    }),
    access: closed('The access of the role, by area.', AccessByArea),
    needsSecondFactor: flag('Whether a second factor must be set up or shown before anything else.', false),
    hasSecondFactor: flag('Whether they have a second factor.', true),
    expiresAt: Type.Optional(Timestamp),
  }),
)
export type OperatorSession = Static<typeof OperatorSession>

export const sessionRows = {
  getSetupState: operatorOperation({
    method: 'GET',
    path: '/operator/v1/setup',
    tag,
    summary: 'Get the setup state.',
    description: 'The console calls it before it shows the sign-in form.',
    auth: { kind: 'none' },
    data: closed('The setup state.', {
      needed: flag('Whether the first operator must still be created.', false),
      provider: Type.Optional(
        closed('The identity provider that operators can sign in with.', {
          label: text(60, 'Its label.', 'Company login'),
        }),
      ),
    }),
    refusals: [],
  }),
  setUp: operatorOperation({
    method: 'POST',
    path: '/operator/v1/setup',
    tag,
    summary: 'Create the first operator.',
    description:
      'With the token of the setup link, which is printed at startup until an operator exists. Also signs in.',
    auth: { kind: 'none' },
    body: closed('The first operator.', {
      setupToken: formed(
        '^[A-Za-z0-9_-]{43}$',
        43,
        'The token from the setup link.',
        'q1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW',
      ),
      email: Email,
      password: Password,
    }),
    data: OperatorSession,
    refusals: ['setup_done', 'setup_token_invalid', 'password_too_weak'],
  }),
  signIn: operatorOperation({
    method: 'POST',
    path: '/operator/v1/sessions',
    tag,
    summary: 'Sign in.',
    description: 'Sets the session cookie. A session lasts twelve hours, or two hours without use.',
    auth: { kind: 'none' },
    body: closed('The credentials.', {
      email: Email,
      password: Password,
      code: Type.Optional(SecondFactorCode),
    }),
    data: OperatorSession,
    refusals: ['rate_limited', 'sign_in_failed', 'second_factor_required', 'passkey_required'],
  }),
  getSession: operatorOperation({
    method: 'GET',
    path: '/operator/v1/session',
    tag,
    summary: 'Get the current operator.',
    description: 'By the session cookie or the token of the command line.',
    auth: { kind: 'operator', area: 'own' },
    data: OperatorSession,
    refusals: [],
  }),
  signOut: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/session',
    tag,
    summary: 'Sign out.',
    description: 'Ends the session, on every node at once.',
    auth: { kind: 'operator', area: 'own' },
    ownTransactions: true,
    data: closed('The result.', { status: Type.Literal('signed_out', { description: 'Signed out.' }) }),
    refusals: [],
  }),
}
