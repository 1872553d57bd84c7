import { type Static, Type } from 'typebox'
import { DiscountAllocation, LineId, SkuId, TaxLine, Totals } from './carts.ts'
import {
  Address,
  CurrencyCode,
  ExpectedVersion,
  HttpUrl,
  id,
  Money,
  NextPath,
  Timestamp,
  Version,
  Word,
} from './common.ts'
import { closed, formed, integer, leftOut, listOf, mapOf, named, oneOf, orNull, text } from './primitives.ts'
import { DocumentVersion, LegalDocumentType } from './storefront.ts'

export const ORDER_STATUSES = ['confirmed', 'processing', 'on_hold', 'completed', 'canceled'] as const
export const ORDER_PAYMENT_STATUSES = [
  'pending',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
  'unknown',
] as const
export const ORDER_FULFILLMENT_STATUSES = [
  'unfulfilled',
  'partially_fulfilled',
  'fulfilled',
  'delivered',
  'canceled',
] as const
export const AFTER_SALES_KINDS = ['refund_only', 'return', 'exchange', 'repair'] as const
export const AFTER_SALES_STATUSES = [
  'requested',
  'under_review',
  'approved',
  'declined',
  'awaiting_return',
  'in_transit',
  'received',
  'inspecting',
  'resolving',
  'completed',
  'withdrawn',
  'expired',
] as const
export const CANCELLATION_STATUSES = ['requested', 'approved', 'declined', 'completed'] as const
const AFTER_SALES_REASONS = [
  'defective',
  'damaged_in_transit',
  'wrong_item',
  'missing_item',
  'not_as_described',
  'size_or_fit',
  'unwanted',
  'late_delivery',
  'other',
] as const
const CANCELLATION_REASONS = ['customer_request', 'duplicate', 'address_wrong', 'payment_problem', 'other'] as const
const ORDER_LINES_MAX = 100

const OrderId = id('ord', 'The id of the order.')
const OrderLineId = id('oli', 'The id of the order line.')
const units = (description: string, example = 1) => integer(0, 999, description, example)
const Quantity = integer(1, 999, 'Units.', 1)
export const OrderNumber = formed('^[A-Z0-9-]{1,40}$', 40, 'The number that people say.', 'V-10044')
const Status = oneOf(ORDER_STATUSES, 'Its state.')
const PaymentStatus = oneOf(ORDER_PAYMENT_STATUSES, 'What became of the money.')
const FulfillmentStatus = oneOf(ORDER_FULFILLMENT_STATUSES, 'What became of the goods.')
const EligibilityToken = formed(
  '^[A-Za-z0-9_.-]+$',
  4096,
  'Binds us to the answer for ten minutes.',
  'eyJvcmRlciI6Im9yZF8wMSJ9.c2ln',
)
const Condition = oneOf(['unopened', 'opened', 'used', 'damaged'], 'In what state the goods are.')
const Kind = oneOf(AFTER_SALES_KINDS, 'What is asked for.')
const Note = text(1000, 'In words.', 'The seam has come undone.')

export const OrderParams = closed('The order.', { orderId: OrderId })

export const OrderSummary = named(
  'OrderSummary',
  closed('An order as a list shows it.', {
    id: OrderId,
    number: OrderNumber,
    status: Status,
    paymentStatus: PaymentStatus,
    fulfillmentStatus: FulfillmentStatus,
    placedAt: Timestamp,
    currency: CurrencyCode,
    total: Money,
    lineCount: integer(1, ORDER_LINES_MAX, 'Lines.', 2),
    version: Version,
    updatedAt: Timestamp,
  }),
)
export type OrderSummary = Static<typeof OrderSummary>

export const OrderList = named(
  'OrderList',
  closed('A page of orders, the newest first.', {
    orders: listOf(OrderSummary, 100, 'The orders.'),
    next: orNull(NextPath, 'The next page, ready made; `null` on the last.'),
  }),
)
export type OrderList = Static<typeof OrderList>

const linesOf = (description: string) =>
  listOf(closed('So many units of a line.', { lineId: OrderLineId, quantity: Quantity }), ORDER_LINES_MAX, description)

const TimelineEntry = named(
  'TimelineEntry',
  closed('Something that happened.', {
    at: Timestamp,
    code: Word,
    text: text(500, 'In words.', 'The order was confirmed.'),
    actor: oneOf(['customer', 'installation', 'operator', 'system'], 'Who did it.'),
  }),
)

export const Order = named(
  'Order',
  closed('An order: what was bought, frozen, and what became of it.', {
    id: OrderId,
    number: OrderNumber,
    status: Status,
    paymentStatus: PaymentStatus,
    fulfillmentStatus: FulfillmentStatus,
    placedAt: Timestamp,
    currency: CurrencyCode,
    customer: closed('Whose it is.', {
      id: Type.Optional(id('cus', 'The id of the customer.')),
      emailMasked: text(254, 'The e-mail address, mostly hidden.', 'a…@example.com'),
    }),
    lines: listOf(
      closed('A line, frozen at the order.', {
        id: OrderLineId,
        cartLineId: Type.Optional(LineId),
        skuId: SkuId,
        name: text(500, 'What was bought.', 'Linen shirt'),
        quantity: closed('Units.', {
          ordered: units('Ordered.', 2),
          current: units('Ordered, less those canceled.', 2),
          fulfilled: units('Handed over to a carrier.', 1),
          returned: units('Come back.', 0),
        }),
        unitPrice: Money,
        discountAllocations: listOf(DiscountAllocation, 50, 'What promotions took off.'),
        taxLines: listOf(TaxLine, 20, 'The taxes.'),
        total: Money,
        refundable: Money,
        status: oneOf(['open', 'partially_fulfilled', 'fulfilled', 'returned', 'canceled'], 'What became of it.'),
      }),
      ORDER_LINES_MAX,
      'The lines.',
    ),
    totals: Totals,
    money: closed('Where the money is.', { charged: Money, refunded: Money, refundPending: Money, unknown: Money }),
    addresses: closed('Where it goes, and who pays.', {
      shipping: Type.Optional(Address),
      billing: Type.Optional(Address),
    }),
    fulfillments: listOf(
      closed('A parcel.', {
        status: oneOf(['pending', 'dispatched', 'delivered', 'failed', 'canceled'], 'Where it is.'),
        carrier: Type.Optional(text(100, 'Who carries it.', 'DHL')),
        trackingNumber: Type.Optional(text(100, 'Its number.', '00340434161094042557')),
        trackingUrl: Type.Optional(HttpUrl),
        lines: linesOf('What is in it.'),
      }),
      100,
      'The parcels.',
    ),
    adjustments: listOf(
      closed('A change of what is owed.', {
        kind: oneOf(['cancellation', 'refund', 'return', 'correction'], 'Why.'),
        amount: Money,
        at: Timestamp,
        reference: Type.Optional(text(64, 'The id of what it came of.', 'can_01k5b7m2q8e9rtv3w4x5y6z7a8')),
      }),
      200,
      'Changes of what is owed.',
    ),
    timeline: listOf(TimelineEntry, 500, 'What happened, the oldest first. Only ever added to.'),
    acceptedDocuments: listOf(
      closed('A document that was accepted.', { type: LegalDocumentType, version: DocumentVersion }),
      20,
      'What the buyer accepted.',
    ),
    source: oneOf(['hosted_checkout', 'import', 'operator'], 'How it came in.'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Order = Static<typeof Order>

const Decision = oneOf(['eligible', 'ineligible', 'manual_review'], 'Whether it will be done.')
const reasons = listOf(
  closed('A reason.', {
    code: Word,
    message: text(500, 'In words.', 'The window has closed.'),
    lineId: Type.Optional(OrderLineId),
  }),
  100,
  'Why, or why not.',
)

export const OrderEligibility = named(
  'OrderEligibility',
  closed('What would be answered, with reasons, a deadline and the money.', {
    decision: Decision,
    reasons,
    until: Type.Optional(Timestamp),
    kinds: Type.Optional(
      listOf(
        closed('One kind of after-sales.', {
          kind: Kind,
          decision: Decision,
          reasons,
          windowEndsAt: Type.Optional(Timestamp),
          maxByLine: mapOf(
            '^oli_[0-7][0-9a-hjkmnp-tv-z]{25}$',
            units('Units.'),
            ORDER_LINES_MAX,
            'Units that may be asked for, by line.',
            {
              examples: [{ oli_01k5b7m2q8e9rtv3w4x5y6z7a8: 1 }],
            },
          ),
        }),
        4,
        'Kind by kind.',
      ),
    ),
    preview: closed('What it would come to.', {
      refund: Money,
      shippingRefund: Money,
      restock: linesOf('What goes back on the shelf.'),
    }),
    evaluatedAt: Timestamp,
    orderVersion: Version,
    eligibilityToken: EligibilityToken,
  }),
)
export type OrderEligibility = Static<typeof OrderEligibility>

export const StorefrontOrderTransitionRequest = named(
  'StorefrontOrderTransitionRequest',
  closed('Why, and which units.', {
    reason: oneOf(CANCELLATION_REASONS, 'Why.'),
    lines: Type.Optional(linesOf('Which units; absent: all.')),
    note: Type.Optional(Note),
    eligibilityToken: Type.Optional(leftOut(EligibilityToken)),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type StorefrontOrderTransitionRequest = Static<typeof StorefrontOrderTransitionRequest>

export const Cancellation = named(
  'Cancellation',
  closed('A cancellation of an order, or of a part of it.', {
    id: id('can', 'The id of the cancellation.'),
    orderId: OrderId,
    status: oneOf(CANCELLATION_STATUSES, 'Its state.'),
    scope: oneOf(['full', 'partial'], 'The whole order, or a part.'),
    reason: oneOf(CANCELLATION_REASONS, 'Why.'),
    lines: linesOf('Which units.'),
    refund: closed('What is given back.', {
      status: oneOf(['not_needed', 'pending', 'succeeded', 'failed', 'unknown'], 'What became of it.'),
      amount: Money,
    }),
    order: closed('The order after it.', { status: Status, version: Version }),
    decidedAt: Type.Optional(Timestamp),
    declineReason: Type.Optional(leftOut(text(500, 'Why it was declined.', 'The parcel has left.'))),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Cancellation = Static<typeof Cancellation>

const afterSalesLines = listOf(
  closed('So many units of a line.', {
    lineId: OrderLineId,
    quantity: Quantity,
    condition: Type.Optional(Condition),
    exchangeSkuId: Type.Optional(leftOut(SkuId)),
  }),
  ORDER_LINES_MAX,
  'Which units.',
  { minItems: 1 },
)
const evidence = listOf(
  closed('A picture or a paper.', {
    url: Type.String({
      format: 'uri',
      pattern: '^https://',
      maxLength: 2048,
      description: 'Where it is.',
      examples: ['https://shop.example/evidence/1.jpg'],
    }),
    mediaType: formed('^[a-z]+/[a-z0-9.+-]+$', 100, 'Its media type.', 'image/jpeg'),
  }),
  10,
  'Pictures or papers.',
)

export const StorefrontAfterSalesRequest = named(
  'StorefrontAfterSalesRequest',
  closed('What is wrong, with which units, and what is asked for.', {
    kind: Kind,
    reasonCode: oneOf(AFTER_SALES_REASONS, 'What is wrong.'),
    lines: afterSalesLines,
    description: Type.Optional(Note),
    evidence: Type.Optional(evidence),
    eligibilityToken: Type.Optional(leftOut(EligibilityToken)),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type StorefrontAfterSalesRequest = Static<typeof StorefrontAfterSalesRequest>

export const AfterSales = named(
  'AfterSales',
  closed('A recorded request. No money moves by it.', {
    id: id('asr', 'The id of the request.'),
    orderId: OrderId,
    status: oneOf(AFTER_SALES_STATUSES, 'Its state.'),
    kind: Kind,
    reasonCode: oneOf(AFTER_SALES_REASONS, 'What is wrong.'),
    lines: afterSalesLines,
    description: Type.Optional(Note),
    evidence,
    refundEstimate: Money,
    instructions: Type.Optional(text(2000, 'What the buyer does now.', 'Put the shirt into its box.')),
    deadlines: closed('Until when.', { returnBy: Type.Optional(Timestamp), decideBy: Type.Optional(Timestamp) }),
    timeline: listOf(TimelineEntry, 200, 'What happened, the oldest first.'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type AfterSales = Static<typeof AfterSales>
