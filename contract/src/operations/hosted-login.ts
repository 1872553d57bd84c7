import { operation } from '../operation.ts'
import {
  ConsumeHostedLoginReturnRequest,
  HostedLogin,
  HostedLoginResult,
  InitiateHostedLoginRequest,
} from '../schemas/accounts.ts'

const tag = 'Hosted login'
const writes = { kind: 'senderConstrained', scopes: ['catalog:read'] } as const

export const hostedLoginOperations = {
  initiateHostedLogin: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/login/initiate',
    tag,
    summary: 'Start a hosted login.',
    description:
      'Send the shopper to the returned login page. They come back to the return URL, which must exactly match one of the installation’s registered return URLs, with loginSession, code, state and iss, or with error instead of code if they gave up.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    body: InitiateHostedLoginRequest,
    data: HostedLogin,
    response: 'HostedLoginResponse',
    refusals: ['unsupported_locale', 'quota_exceeded'],
  }),
  consumeHostedLoginReturn: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/login/return',
    tag,
    summary: 'Complete a hosted login.',
    description:
      'Works once, with the verifier of the code challenge. Returns the customer and a token for creating carts. The token is only in the first answer; a replay says that it was already shown.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    body: ConsumeHostedLoginReturnRequest,
    data: HostedLoginResult,
    secrets: { customerToken: 'customerTokenState' },
    response: 'HostedLoginResultResponse',
    refusals: ['not_found', 'login_return_consumed', 'session_expired'],
  }),
}
