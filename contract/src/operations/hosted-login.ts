import { operation } from '../operation.ts'
import {
  ConsumeHostedLoginReturnRequest,
  HostedLogin,
  HostedLoginResult,
  InitiateHostedLoginRequest,
} from '../schemas/accounts.ts'
import { none } from '../schemas/common.ts'

const tag = 'Hosted login'
const writes = { kind: 'senderConstrained', scopes: ['catalog:read'] } as const

export const hostedLoginOperations = {
  initiateHostedLogin: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/login/initiate',
    tag,
    summary: 'Begin a hosted login.',
    description:
      'Send the shopper to the login page that is answered. They come back to the return URL, which must be one of the installation’s, exactly as it was registered: with loginSession, code, state and iss, or with error in the place of the code where they gave up.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    params: none,
    query: none,
    body: InitiateHostedLoginRequest,
    data: HostedLogin,
    meta: null,
    response: 'HostedLoginResponse',
    refusals: ['unsupported_locale', 'quota_exceeded'],
  }),
  consumeHostedLoginReturn: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/login/return',
    tag,
    summary: 'Take in what came back from a hosted login.',
    description:
      'Works once, with the verifier of the challenge. Answers the customer and a token that a cart may be created with. The token is in the first answer alone: a repetition says that it was shown.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    params: none,
    query: none,
    body: ConsumeHostedLoginReturnRequest,
    data: HostedLoginResult,
    secrets: { customerToken: 'customerTokenState' },
    meta: null,
    response: 'HostedLoginResultResponse',
    refusals: ['not_found', 'login_return_consumed', 'session_expired'],
  }),
}
