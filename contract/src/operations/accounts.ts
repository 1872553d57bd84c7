import { operation } from '../operation.ts'
import {
  AcceptedStatus,
  ConfirmPasswordResetRequest,
  PasswordResetStatus,
  RegisterCustomerRequest,
  RequestPasswordResetRequest,
} from '../schemas/accounts.ts'

const tag = 'Accounts'
const isPublic = { kind: 'public' } as const

export const accountOperations = {
  confirmOfficialPasswordReset: operation({
    method: 'POST',
    path: '/api/v1/auth/password/reset/confirm',
    tag,
    summary: 'Reset a password with the token from the email.',
    description: 'The token works once. All sessions of the customer end.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    body: ConfirmPasswordResetRequest,
    data: PasswordResetStatus,
    response: 'PasswordResetConfirmResponse',
    refusals: ['reset_token_invalid', 'password_too_weak'],
  }),
  requestOfficialPasswordReset: operation({
    method: 'POST',
    path: '/api/v1/auth/password/reset/request',
    tag,
    summary: 'Request a password reset email.',
    description: 'The answer is the same, in body and time, for known and unknown addresses.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    body: RequestPasswordResetRequest,
    data: AcceptedStatus,
    response: 'PasswordResetRequestResponse',
    limits: [
      { policy: 'reset-address', by: 'address' },
      { policy: 'reset-account', by: 'account' },
    ],
    refusals: ['store_access_required'],
  }),
  registerOfficialStorefrontCustomer: operation({
    method: 'POST',
    path: '/api/v1/auth/register',
    tag,
    summary: 'Register a customer.',
    description:
      'The answer is the same, in body and time, for known and unknown addresses. The owner of the address is informed by email.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    body: RegisterCustomerRequest,
    data: AcceptedStatus,
    response: 'RegisterCustomerResponse',
    limits: [{ policy: 'register', by: 'address' }],
    refusals: ['store_access_required', 'unsupported_locale', 'password_too_weak'],
  }),
}
