import type { CreateHostedCheckoutSessionRequest, operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { beginCheckout, type CheckoutSource } from '../begin-checkout.ts'
import type { CheckoutDeps } from '../deps.ts'

/** POST /api/v1/open/hosted/checkout/sessions */
export function createHostedCheckoutSession(
  deps: CheckoutDeps,
): Handler<typeof operations.createHostedCheckoutSession> {
  return ({ body }, context) => beginCheckout(deps, sourceOf(body), body, context)
}

function sourceOf(body: CreateHostedCheckoutSessionRequest): CheckoutSource {
  if ('cartId' in body) return { cartId: body.cartId, quoteId: body.quoteId ?? null }
  const { lines, currency, country, locale } = body
  return { lines, currency, country, ...(locale !== undefined && { locale }) }
}
