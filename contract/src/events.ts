import { type Static, type TSchema, Type } from 'typebox'
import { Environment, id, Timestamp, Version } from './schemas/common.ts'
import { closed, integer, text } from './schemas/primitives.ts'

/** One kind of webhook event. @see CONTRACT, Webhooks */
export interface EventKindEntry {
  /** When it is told. */
  readonly description: string
  /** What its `sequence` counts: gap-free for each. */
  readonly subject: 'checkout_session' | 'order' | 'after_sales' | 'cart' | 'product' | 'webhook_endpoint'
}

/** Every kind of event that an endpoint may be told. The names never change. */
export const eventKinds = {
  'checkout.session.created': { subject: 'checkout_session', description: 'A checkout session was opened.' },
  'checkout.session.completed': { subject: 'checkout_session', description: 'A checkout session ended in an order.' },
  'checkout.session.canceled': {
    subject: 'checkout_session',
    description: 'A checkout session was canceled; its cart is active again.',
  },
  'checkout.session.expired': {
    subject: 'checkout_session',
    description: 'A checkout session expired; its cart is active again.',
  },
  'order.created': { subject: 'order', description: 'An order was confirmed.' },
  'order.updated': { subject: 'order', description: 'The state of an order, its payment or its fulfilment changed.' },
  'order.canceled': { subject: 'order', description: 'An order was canceled as a whole.' },
  'order.fulfilled': { subject: 'order', description: 'Every line of an order was fulfilled.' },
  'order.cancellation.requested': { subject: 'order', description: 'A cancellation of an order was requested.' },
  'order.cancellation.decided': {
    subject: 'order',
    description: 'A cancellation of an order was approved or declined.',
  },
  'after_sales.requested': { subject: 'after_sales', description: 'An after-sales request was recorded.' },
  'after_sales.updated': { subject: 'after_sales', description: 'The state of an after-sales request changed.' },
  'cart.revoked': { subject: 'cart', description: 'A cart was revoked for good.' },
  'catalog.product.updated': { subject: 'product', description: 'A product was published or changed.' },
  'catalog.product.deleted': { subject: 'product', description: 'A product is no longer for sale.' },
  'webhook.endpoint.disabled': {
    subject: 'webhook_endpoint',
    description: 'An endpoint was disabled after failures alone; told to the other endpoints.',
  },
  'webhook.test': { subject: 'webhook_endpoint', description: 'A test, sent because somebody asked for it.' },
} as const satisfies Readonly<Record<string, EventKindEntry>>

export type EventKind = keyof typeof eventKinds
export const eventKindNames = Object.keys(eventKinds) as readonly EventKind[]

/** The body of a delivery around the data of its kind. Under 20 KB; its bytes are frozen when the event commits. */
function eventEnvelope<Data extends TSchema>(kind: EventKind, data: Data) {
  return closed(eventKinds[kind].description, {
    id: id('evt', 'The id of the event: the same on each retry and replay.'),
    type: Type.Literal(kind, { description: 'The kind.' }),
    timestamp: Timestamp,
    apiVersion: Type.Literal('v1', { description: 'The version of the interface.' }),
    environment: Environment,
    sequence: integer(1, Number.MAX_SAFE_INTEGER, 'Gap-free for each object.', 4),
    data,
  })
}

export const CartRevokedData = closed('The cart that was revoked.', {
  cartId: id('cart', 'The id of the cart.'),
  version: Version,
  reason: Type.Optional(text(200, 'Why, in words.', 'The shopper started over.')),
  revokedAt: Timestamp,
})
export type CartRevokedData = Static<typeof CartRevokedData>

/** The body of a `cart.revoked` delivery. */
export const CartRevokedEvent = eventEnvelope('cart.revoked', CartRevokedData)
export type CartRevokedEvent = Static<typeof CartRevokedEvent>
