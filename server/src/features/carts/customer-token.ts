import { refuse } from '../../kernel/refusal.ts'

/**
 * A customer token comes from consumeHostedLoginReturn, which no release has yet: so far no token can be valid, and a cart
 * that took one would belong to somebody who never signed in.
 *
 * Refusals: `validation_failed`.
 */
export function refuseCustomerToken(): never {
  refuse('validation_failed', {
    details: [{ in: 'body', pointer: '/customerToken', code: 'invalid', message: 'The customer token is not valid.' }],
  })
}
