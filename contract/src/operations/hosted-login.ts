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
      'Send the shopper to the login page that is answered; they come back with a code that is bound to the PKCE challenge.',
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
    description: 'Works once. Answers the customer and a token that a cart may be created with.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    params: none,
    query: none,
    body: ConsumeHostedLoginReturnRequest,
    data: HostedLoginResult,
    meta: null,
    response: 'HostedLoginResultResponse',
    refusals: ['not_found', 'login_return_consumed', 'session_expired'],
  }),
}
