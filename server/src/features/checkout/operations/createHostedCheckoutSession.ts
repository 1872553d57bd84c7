import type { CreateHostedCheckoutSessionRequest, operations } from '@vitrine/contract'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { beginCheckout, type CheckoutSource } from '../begin-checkout.ts'
import type { CheckoutDeps } from '../deps.ts'

/** POST /api/v1/open/hosted/checkout/sessions */
export function createHostedCheckoutSession(
  deps: CheckoutDeps,
): Handler<typeof operations.createHostedCheckoutSession> {
  return ({ body }, context) => beginCheckout(deps, sourceOf(body), body, context)
}

/**
 * The schema requires either a cart, or lines with currency and country. Only a cart can have a quote.
 *
 * Refusals: `validation_failed`.
 */
function sourceOf({
  cartId,
  quoteId,
  lines,
  currency,
  country,
  locale,
}: CreateHostedCheckoutSessionRequest): CheckoutSource {
  if (cartId !== undefined) return { cartId, quoteId: quoteId ?? null }
  if (quoteId !== undefined) {
    const message = 'Send quoteId together with cartId, without lines.'
    refuse('validation_failed', { faults: [{ field: 'quoteId', code: 'not_allowed', message }] })
  }
  return {
    lines: present(lines, 'a request without a cart has lines'),
    currency: present(currency, 'lines have a currency'),
    country: present(country, 'lines have a country'),
    ...(locale !== undefined && { locale }),
  }
}
