import { type Static, type TProperties, Type } from 'typebox'
import { CART_LINES_MAX, CheckoutBlocker, LineRequest, QuoteLine, Totals } from './carts.ts'
import {
  Address,
  CountryCode,
  CurrencyCode,
  ExpectedVersion,
  HttpUrl,
  id,
  LocaleTag,
  Metadata,
  Timestamp,
  Version,
} from './common.ts'
import { alternatives, boundOnly, closed, leftOut, listOf, named, oneOf, text } from './primitives.ts'

export const CHECKOUT_SESSION_STATUSES = [
  'open',
  'requires_action',
  'processing',
  'completed',
  'cancel_pending',
  'canceled',
  'expired',
] as const
export const CANCEL_REASONS = ['customer_request', 'abandoned', 'duplicate', 'other'] as const

const SessionId = id('cks', 'The id of the session.')
const CartId = id('cart', 'The id of the cart.')
const QuoteId = id('quo', 'The id of the quote.')
export const ClientReference = text(200, 'A reference of the caller, returned unchanged.', 'A-1044')

export const CheckoutSessionParams = closed('The session.', { sessionId: SessionId })

const begin = {
  returnUrl: HttpUrl,
  cancelUrl: HttpUrl,
  clientReferenceId: Type.Optional(ClientReference),
  metadata: Type.Optional(Metadata),
  expectedVersion: Type.Optional(ExpectedVersion),
} satisfies TProperties

export const CheckoutPublicCartRequest = named(
  'CheckoutPublicCartRequest',
  closed('The return URLs and the quote.', { quoteId: Type.Optional(QuoteId), ...begin }),
)
export type CheckoutPublicCartRequest = Static<typeof CheckoutPublicCartRequest>

export const CheckoutOfCartRequest = named(
  'CheckoutOfCartRequest',
  closed('A cart, optionally with its quote.', { cartId: CartId, quoteId: Type.Optional(QuoteId), ...begin }),
)
export type CheckoutOfCartRequest = Static<typeof CheckoutOfCartRequest>

export const CheckoutOfLinesRequest = named(
  'CheckoutOfLinesRequest',
  closed('Lines with currency and country.', {
    lines: listOf(LineRequest, CART_LINES_MAX, 'The lines to buy.'),
    currency: CurrencyCode,
    country: CountryCode,
    locale: Type.Optional(LocaleTag),
    ...begin,
  }),
)
export type CheckoutOfLinesRequest = Static<typeof CheckoutOfLinesRequest>

export const CreateHostedCheckoutSessionRequest = named(
  'CreateHostedCheckoutSessionRequest',
  alternatives(
    [CheckoutOfCartRequest, CheckoutOfLinesRequest],
    'Either a cart, optionally with its quote, or lines with currency and country.',
    {
      examples: [
        {
          cartId: 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8',
          quoteId: 'quo_01k5b7m2q8e9rtv3w4x5y6z7a8',
          returnUrl: 'https://shop.example/return',
          cancelUrl: 'https://shop.example/cart',
        },
      ],
    },
  ),
)
export type CreateHostedCheckoutSessionRequest = Static<typeof CreateHostedCheckoutSessionRequest>

export const HostedCheckoutCancelRequest = named(
  'HostedCheckoutCancelRequest',
  closed('The reason. May be empty.', {
    reason: Type.Optional(oneOf(CANCEL_REASONS, 'Why.')),
    note: Type.Optional(text(500, 'The reason, as free text.', 'The shopper changed their mind.')),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type HostedCheckoutCancelRequest = Static<typeof HostedCheckoutCancelRequest>

export const HostedCheckoutSession = named(
  'HostedCheckoutSession',
  closed('A hosted checkout session.', {
    id: SessionId,
    status: oneOf(CHECKOUT_SESSION_STATUSES, 'The status.'),
    version: Version,
    cartId: Type.Optional(CartId),
    quoteId: QuoteId,
    snapshot: closed('The purchase, as priced.', {
      lines: listOf(QuoteLine, CART_LINES_MAX, 'The lines.'),
      totals: Totals,
      address: Type.Optional(boundOnly(Address)),
    }),
    returnUrl: HttpUrl,
    cancelUrl: HttpUrl,
    url: Type.Optional(boundOnly(HttpUrl)),
    nextAction: closed('The next step for the caller.', {
      type: oneOf(['redirect', 'wait', 'none'], '`redirect`: send the shopper to `url`.'),
      url: Type.Optional(boundOnly(HttpUrl)),
    }),
    payment: closed('What is known about the payment.', {
      status: oneOf(
        ['not_started', 'pending', 'unknown', 'succeeded', 'failed'],
        '`unknown`: the outcome is being looked up. Do not guess.',
      ),
    }),
    orderId: Type.Optional(leftOut(id('ord', 'The order created from the session.'))),
    blockers: listOf(CheckoutBlocker, 50, 'What blocks checkout.', { examples: [[]] }),
    clientReferenceId: Type.Optional(ClientReference),
    metadata: Metadata,
    cancelReason: Type.Optional(leftOut(oneOf(CANCEL_REASONS, 'Why it was canceled.'))),
    canceledAt: Type.Optional(leftOut(Timestamp)),
    expiresAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type HostedCheckoutSession = Static<typeof HostedCheckoutSession>
