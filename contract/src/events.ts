import { type Static, type TObject, Type } from 'typebox'
import { CHECKOUT_SESSION_STATUSES, ClientReference } from './schemas/checkout.ts'
import { Environment, id, Money, Slug, Timestamp, Version, Word } from './schemas/common.ts'
import {
  AFTER_SALES_KINDS,
  AFTER_SALES_STATUSES,
  CANCELLATION_STATUSES,
  ORDER_FULFILLMENT_STATUSES,
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  OrderNumber,
} from './schemas/orders.ts'
import { closed, fixedOneOf, integer, listOf, oneOf, text } from './schemas/primitives.ts'
import type { Received } from './schemas/published.ts'

/** One kind of webhook event. @see docs/reference/rules.md#webhooks */
export interface EventKindEntry {
  /** When it is sent. */
  readonly description: string
  /** What its `sequence` counts, without gaps. */
  readonly subject:
    | 'checkout_session'
    | 'order'
    | 'cancellation'
    | 'after_sales'
    | 'cart'
    | 'product'
    | 'webhook_endpoint'
}

/** Every kind of event an endpoint can subscribe to. The names never change. */
export const eventKinds = {
  'checkout.session.created': { subject: 'checkout_session', description: 'A checkout session was created.' },
  'checkout.session.completed': {
    subject: 'checkout_session',
    description: 'A checkout session was completed and became an order.',
  },
  'checkout.session.canceled': {
    subject: 'checkout_session',
    description: 'A checkout session was canceled. Its cart is active again.',
  },
  'checkout.session.expired': {
    subject: 'checkout_session',
    description: 'A checkout session expired. Its cart is active again.',
  },
  'order.created': { subject: 'order', description: 'An order was confirmed.' },
  'order.updated': { subject: 'order', description: 'The status of an order, its payment or its fulfillment changed.' },
  'order.canceled': { subject: 'order', description: 'A whole order was canceled.' },
  'order.fulfilled': { subject: 'order', description: 'Every line of an order was fulfilled.' },
  'order.cancellation.requested': { subject: 'cancellation', description: 'A cancellation of an order was requested.' },
  'order.cancellation.decided': {
    subject: 'cancellation',
    description: 'A cancellation of an order was approved or declined.',
  },
  'after_sales.requested': { subject: 'after_sales', description: 'An after-sales request was recorded.' },
  'after_sales.updated': { subject: 'after_sales', description: 'The status of an after-sales request changed.' },
  'cart.revoked': { subject: 'cart', description: 'A cart was revoked.' },
  'catalog.product.updated': { subject: 'product', description: 'A product was published or updated.' },
  'catalog.product.deleted': { subject: 'product', description: 'A product is no longer for sale.' },
  'webhook.endpoint.disabled': {
    subject: 'webhook_endpoint',
    description: 'An endpoint was disabled after repeated failures. Sent to the other endpoints.',
  },
  'webhook.test': { subject: 'webhook_endpoint', description: 'A test event, sent on request.' },
} as const satisfies Readonly<Record<string, EventKindEntry>>

export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as readonly EventKind[]

const checkoutSession = closed('The session after the change.', {
  sessionId: id('cks', 'The id of the session.'),
  cartId: Type.Optional(id('cart', 'The id of the cart.')),
  quoteId: id('quo', 'The id of the quote.'),
  status: oneOf(CHECKOUT_SESSION_STATUSES, 'The status.'),
  total: Money,
  orderId: Type.Optional(id('ord', 'The order created from the session.')),
  expiresAt: Timestamp,
  version: Version,
})

/** The members that identify the order of an event. */
const ofOrder = {
  orderId: id('ord', 'The id of the order.'),
  number: OrderNumber,
  customerId: Type.Optional(id('cus', 'The id of the customer.')),
  clientReferenceId: Type.Optional(ClientReference),
  storeIds: listOf(id('store', 'The id of the store.'), 100, 'The stores of the lines concerned.'),
}

const order = closed('The order after the change.', {
  ...ofOrder,
  status: oneOf(ORDER_STATUSES, 'The status.'),
  paymentStatus: oneOf(ORDER_PAYMENT_STATUSES, 'The payment status.'),
  fulfillmentStatus: oneOf(ORDER_FULFILLMENT_STATUSES, 'The fulfillment status.'),
  total: Money,
  version: Version,
})

const cancellation = closed('The cancellation after the change.', {
  ...ofOrder,
  cancellationId: id('can', 'The id of the cancellation.'),
  status: oneOf(CANCELLATION_STATUSES, 'The status.'),
  scope: fixedOneOf(['full', 'partial'], 'Whether it covers the whole order or a part.'),
  refund: Money,
  version: Version,
})

const afterSales = closed('The request after the change.', {
  ...ofOrder,
  afterSalesId: id('asr', 'The id of the request.'),
  kind: oneOf(AFTER_SALES_KINDS, 'The kind of request.'),
  status: oneOf(AFTER_SALES_STATUSES, 'The status.'),
  instructions: Type.Optional(text(2000, 'Instructions for the buyer.', 'Write RMA 77 on the parcel.')),
  returnBy: Type.Optional(Timestamp),
  version: Version,
})

const cart = closed('The cart that was revoked.', {
  cartId: id('cart', 'The id of the cart.'),
  version: Version,
  reason: Type.Optional(text(200, 'The reason, as free text.', 'The shopper started over.')),
  revokedAt: Timestamp,
})

const product = closed('The product that changed.', {
  productId: id('prod', 'The id of the product.'),
  storeId: id('store', 'The id of its store.'),
  slug: Slug,
})

const disabledEndpoint = closed('The endpoint that receives no more events.', {
  endpointId: id('whe', 'The id of the endpoint.'),
  reason: Word,
  disabledAt: Timestamp,
})

const sentTest = closed('A test event.', {
  endpointId: id('whe', 'The id of the endpoint.'),
  message: text(200, 'A text to recognize the test by.', 'Hello from Vitrine'),
})

/** The data of each kind: ids and statuses. Read the rest with a credential of your own. */
export const eventData = {
  'checkout.session.created': checkoutSession,
  'checkout.session.completed': checkoutSession,
  'checkout.session.canceled': checkoutSession,
  'checkout.session.expired': checkoutSession,
  'order.created': order,
  'order.updated': order,
  'order.canceled': order,
  'order.fulfilled': order,
  'order.cancellation.requested': cancellation,
  'order.cancellation.decided': cancellation,
  'after_sales.requested': afterSales,
  'after_sales.updated': afterSales,
  'cart.revoked': cart,
  'catalog.product.updated': product,
  'catalog.product.deleted': product,
  'webhook.endpoint.disabled': disabledEndpoint,
  'webhook.test': sentTest,
} as const satisfies Readonly<Record<EventKind, TObject>>

/** The data of an event kind. */
export type EventDataOf<Kind extends EventKind> = Static<(typeof eventData)[Kind]>

/** The data as a receiver gets it: an enum may have gained values, unless it is a `fixedOneOf`. */
export type ReceivedEventDataOf<Kind extends EventKind> = Received<(typeof eventData)[Kind]>

/** The body of a delivery: the data of its kind in an envelope. Its bytes are frozen when the event commits. */
export function eventBody<Kind extends EventKind>(kind: Kind) {
  return closed(eventKinds[kind].description, {
    id: id('evt', 'The id of the event, the same on each retry and replay.'),
    type: Type.Literal(kind, { description: 'The event kind.' }),
    timestamp: Timestamp,
    apiVersion: Type.Literal('v1', { description: 'The API version.' }),
    environment: Environment,
    sequence: integer(1, Number.MAX_SAFE_INTEGER, 'Counts the events of one object, without gaps.', 4),
    data: eventData[kind],
  })
}
