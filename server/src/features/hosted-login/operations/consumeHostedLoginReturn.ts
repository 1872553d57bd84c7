import type { operations } from '@vitrine/contract'
import { refuse } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { giveCustomerToken } from '../customer-token.ts'
import { consumed } from '../login.ts'
import { lockLoginReturn, type ReturnedCustomer, saveConsumed } from '../login-store.ts'
import type { HostedLoginDeps } from '../parts.ts'

/** POST /api/v1/open/hosted/login/return */
export function consumeHostedLoginReturn({
  randomness,
}: HostedLoginDeps): Handler<typeof operations.consumeHostedLoginReturn> {
  return async ({ body }, { tx, principal, now }) => {
    const { loginSession: loginId, code, state, codeVerifier } = body
    const { login, customer } = (await lockLoginReturn(tx, principal, loginId, now)) ?? refuse('not_found')

    const { customerId } = consumed(login, {
      codeHash: hashOfToken(code),
      state,
      codeChallenge: hashOfToken(codeVerifier).toString('base64url'),
    })
    if (!customer) refuse('session_expired', { reason: 'the account was blocked or got another password' })

    saveConsumed(tx, loginId, now)
    const { token, expiresAt } = giveCustomerToken(tx, principal, { loginId, customerId }, { now, randomness })
    return {
      customer: showCustomer(customer),
      customerToken: token,
      customerTokenState: 'shown',
      expiresAt: expiresAt.toISOString(),
    }
  }
}

function showCustomer({ id, email, firstName, lastName, locale }: ReturnedCustomer) {
  return { id, email, ...(firstName !== null && { firstName }), ...(lastName !== null && { lastName }), locale }
}
