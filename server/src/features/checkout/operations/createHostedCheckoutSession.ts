import type { CreateHostedCheckoutSessionRequest, operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { type Bought, beginCheckout } from '../begin-checkout.ts'
import type { CheckoutDeps } from '../deps.ts'

/** POST /api/v1/open/hosted/checkout/sessions */
export function createHostedCheckoutSession(
  parts: CheckoutDeps,
): Handler<typeof operations.createHostedCheckoutSession> {
  return ({ body }, context) => beginCheckout(parts, boughtBy(body), body, context)
}

/**
 * The body has either a cart or lines with their currency and country: the schema has seen to that. A quote is of a cart,
 * so nobody may think that lines alone are charged by one. Refusals: `validation_failed`.
 */
function boughtBy({ cartId, quoteId, lines, currency, country, locale }: CreateHostedCheckoutSessionRequest): Bought {
  if (cartId !== undefined) return { cartId, quoteId: quoteId ?? null }
  if (quoteId !== undefined) {
    const message = 'A quote is of a cart: send cartId, without lines.'
    refuse('validation_failed', { details: [{ in: 'body', pointer: '/quoteId', code: 'not_allowed', message }] })
  }
  return {
    lines: present(lines, 'a body without a cart has lines'),
    currency: present(currency, 'lines come with their currency'),
    country: present(country, 'lines come with their country'),
    ...(locale !== undefined && { locale }),
  }
}
