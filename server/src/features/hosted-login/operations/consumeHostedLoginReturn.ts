import type { operations } from '@vitrine/contract'
import type { Randomness } from '../../../kernel/randomness.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { issueCustomerToken } from '../customer-token.ts'
import { consumeReturn } from '../login.ts'
import { lockLoginForReturn, type ReturnedCustomer, saveLoginConsumed } from '../store.ts'

/** POST /api/v1/open/hosted/login/return */
export function consumeHostedLoginReturn(randomness: Randomness): Handler<typeof operations.consumeHostedLoginReturn> {
  return async ({ body }, { tx, principal, now }) => {
    const { loginSession: loginId, code, state, codeVerifier } = body
    const { login, customer } = (await lockLoginForReturn(tx, principal, loginId, now)) ?? refuse('not_found')

    const { customerId } = consumeReturn(login, {
      codeHash: hashOfToken(code),
      state,
      codeChallenge: hashOfToken(codeVerifier).toString('base64url'),
    })
    if (!customer) refuse('session_expired', { reason: 'account blocked or password changed' })

    saveLoginConsumed(tx, loginId, now)
    const { token, expiresAt } = issueCustomerToken(tx, principal, { loginId, customerId }, { now, randomness })
    return {
      customer: presentCustomer(customer),
      customerToken: token,
      customerTokenState: 'shown',
      expiresAt: expiresAt.toISOString(),
    }
  }
}

function presentCustomer({ id, email, firstName, lastName, locale }: ReturnedCustomer) {
  return { id, email, ...(firstName !== null && { firstName }), ...(lastName !== null && { lastName }), locale }
}
