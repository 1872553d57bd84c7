import { type Static, Type } from 'typebox'
import { Email, id, none, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, leftOut, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Operators'
const Password = text(128, 'The password.', 'correct horse battery staple')

export const OperatorSession = operatorNamed(
  'OperatorSession',
  closed('Who is at work.', {
    operator: closed('The operator.', {
      id: Type.Optional(leftOut(id('opr', 'The id of the operator; absent for the token of the command line.'))),
      email: text(254, 'The address, or what else stands for it.', 'ada@example.com'),
    }),
    expiresAt: Type.Optional(Timestamp),
  }),
)
export type OperatorSession = Static<typeof OperatorSession>

export const sessionRows = {
  getSetupState: operatorOperation({
    method: 'GET',
    path: '/operator/v1/setup',
    tag,
    summary: 'Say whether the first operator must still be made.',
    description: 'The console asks it before it shows the form to sign in.',
    auth: { kind: 'nobody' },
    params: none,
    query: none,
    body: null,
    data: closed('How far the set-up is.', { needed: flag('Whether there is no operator yet.', false) }),
    meta: null,
    refusals: [],
  }),
  setUp: operatorOperation({
    method: 'POST',
    path: '/operator/v1/setup',
    tag,
    summary: 'Make the first operator.',
    description:
      'With the token of the link that is printed at the start as long as there is no operator. Signs in as well.',
    auth: { kind: 'nobody' },
    params: none,
    query: none,
    body: closed('The first operator.', {
      setupToken: formed(
        '^[A-Za-z0-9_-]{43}$',
        43,
        'The token of the link.',
        'q1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW',
      ),
      email: Email,
      password: Password,
    }),
    data: OperatorSession,
    meta: null,
    refusals: ['setup_done', 'setup_token_invalid', 'password_too_weak'],
  }),
  signIn: operatorOperation({
    method: 'POST',
    path: '/operator/v1/sessions',
    tag,
    summary: 'Sign in.',
    description: 'Sets the cookie of the session: twelve hours, or two without use.',
    auth: { kind: 'nobody' },
    params: none,
    query: none,
    body: closed('Who signs in.', { email: Email, password: Password }),
    data: OperatorSession,
    meta: null,
    refusals: ['rate_limited', 'sign_in_failed'],
  }),
  getSession: operatorOperation({
    method: 'GET',
    path: '/operator/v1/session',
    tag,
    summary: 'Say who is at work.',
    description: 'By the cookie of the session, or by the token of the command line.',
    auth: { kind: 'operator' },
    params: none,
    query: none,
    body: null,
    data: OperatorSession,
    meta: null,
    refusals: [],
  }),
  signOut: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/session',
    tag,
    summary: 'Sign out.',
    description: 'Ends the session, on every node at once.',
    auth: { kind: 'operator' },
    ownTransactions: true,
    params: none,
    query: none,
    body: null,
    data: closed('That it is done.', { status: Type.Literal('signed_out', { description: 'Signed out.' }) }),
    meta: null,
    refusals: [],
  }),
}
