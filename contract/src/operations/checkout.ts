import { operation } from '../operation.ts'
import {
  CheckoutSessionParams,
  CreateHostedCheckoutSessionRequest,
  HostedCheckoutCancelRequest,
  HostedCheckoutSession,
} from '../schemas/checkout.ts'

const tag = 'Hosted checkout'
const reads = { kind: 'key', scopes: ['catalog:read'] } as const
const writes = { kind: 'senderConstrained', scopes: ['catalog:read'] } as const
const quotes = { kind: 'senderConstrained', scopes: ['checkout:quote'] } as const

export const checkoutOperations = {
  createHostedCheckoutSession: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/checkout/sessions',
    tag,
    summary: 'Create a hosted checkout session.',
    description:
      'From a cart, with or without a quote, or from lines. A cart has one active session; creating it again returns the same one.',
    auth: quotes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'assigned',
    body: CreateHostedCheckoutSessionRequest,
    data: HostedCheckoutSession,
    response: 'HostedCheckoutSessionResponse',
    refusals: [
      'quantity_invalid',
      'unsupported_currency',
      'unsupported_locale',
      'not_found',
      'cart_converted',
      'cart_revoked',
      'cart_expired',
      'version_conflict',
      'cart_empty',
      'cart_incomplete',
      'quote_expired',
      'quote_stale',
      'price_changed',
      'sku_unavailable',
      'currency_mismatch',
      'quantity_exceeded',
      'promotion_inapplicable',
      'out_of_stock',
      'money_overflow',
    ],
  }),
  getHostedCheckoutSession: operation({
    method: 'GET',
    path: '/api/v1/open/hosted/checkout/sessions/{sessionId}',
    tag,
    summary: 'Get a checkout session.',
    description: 'Its status, what is known about the payment, and the next step for the caller.',
    auth: reads,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'interface',
    params: CheckoutSessionParams,
    data: HostedCheckoutSession,
    response: 'HostedCheckoutSessionResponse',
    refusals: ['not_found'],
  }),
  cancelHostedCheckoutSession: operation({
    method: 'POST',
    path: '/api/v1/open/hosted/checkout/sessions/{sessionId}/cancel',
    tag,
    summary: 'Cancel a checkout session.',
    description:
      'The cart becomes active again. While a payment is processing, the cancellation waits for its outcome. A session with an unknown payment outcome is never canceled.',
    auth: writes,
    stability: 'stable',
    idempotency: 'required',
    idSource: 'interface',
    params: CheckoutSessionParams,
    body: HostedCheckoutCancelRequest,
    data: HostedCheckoutSession,
    response: 'HostedCheckoutSessionResponse',
    refusals: ['not_found', 'session_expired', 'session_not_cancelable', 'version_conflict', 'payment_outcome_unknown'],
  }),
}
