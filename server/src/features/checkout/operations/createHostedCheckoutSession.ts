import type { CreateHostedCheckoutSessionRequest, operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { type Bought, beginCheckout } from '../begin-checkout.ts'
import type { CheckoutParts } from '../parts.ts'

/** POST /api/v1/open/hosted/checkout/sessions */
export function createHostedCheckoutSession(
  parts: CheckoutParts,
): Handler<typeof operations.createHostedCheckoutSession> {
  return ({ body }, context) => beginCheckout(parts, boughtBy(body), body, context)
}

/** The body has either a cart or lines with their currency and country: the schema has seen to that. */
function boughtBy({ cartId, quoteId, lines, currency, country, locale }: CreateHostedCheckoutSessionRequest): Bought {
  if (cartId !== undefined) return { cartId, quoteId: quoteId ?? null }
  return {
    lines: present(lines, 'a body without a cart has lines'),
    currency: present(currency, 'lines come with their currency'),
    country: present(country, 'lines come with their country'),
    ...(locale !== undefined && { locale }),
  }
}
