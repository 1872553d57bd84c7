import { id } from '../../../schemas/common.ts'
import { closed, flag, formed, text } from '../../../schemas/primitives.ts'
import { operatorOperation } from '../../operation.ts'
import { OperatorAccount } from './operators.ts'
import { OperatorSession } from './sessions.ts'

const base = { tag: 'Operators' } as const
const Token = formed(
  '^[A-Za-z0-9_-]{43}$',
  43,
  'Proves that this browser began the sign-in, and must not leave it.',
  'q1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW0b8cDq1Zf3vJ4mXW',
)

export const providerSignInRows = {
  beginProviderSignIn: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/provider-sessions/begin',
    summary: 'Begin to sign in with the identity provider.',
    description:
      'Returns the URL to open. The provider sends the browser back to `/sign-in/return` of the console, within ten minutes.',
    auth: { kind: 'none' },
    unaudited: true,
    body: closed('The options.', {
      isFresh: flag('Whether the provider must authenticate the operator again, even with an open session.', false),
    }),
    data: closed('The started sign-in.', {
      url: text(8000, 'The address at the provider.', 'https://login.example/authorize?client_id=vitrine'),
      token: Token,
    }),
    refusals: ['rate_limited', 'provider_unavailable'],
  }),
  signInWithProvider: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/provider-sessions',
    summary: 'Sign in with the identity provider.',
    description:
      'With the answer of the provider. Only invited operators can sign in. They are identified by their verified email address the first time, and by their account at the provider from then on.',
    auth: { kind: 'none' },
    body: closed('The answer of the provider.', {
      token: Token,
      query: text(8000, 'The query of the return URL.', 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj'),
    }),
    data: OperatorSession,
    refusals: ['rate_limited', 'provider_unavailable', 'provider_sign_in_failed', 'operator_unknown'],
  }),
  unbindOperator: operatorOperation({
    ...base,
    method: 'POST',
    path: '/operator/v1/operators/{operatorId}/unbind',
    params: closed('The operator.', { operatorId: id('opr', 'The id of the operator.') }),
    summary: 'Unlink the account of an operator at the identity provider.',
    description:
      'For an operator who got a new account there. Signs them out everywhere; the next sign-in finds them by their verified email address.',
    auth: { kind: 'operator', area: 'operators' },
    data: OperatorAccount,
    freshProof: 'always',
    refusals: ['not_found', 'state_conflict'],
  }),
}
