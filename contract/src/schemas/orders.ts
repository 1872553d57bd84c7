import { type Static, type TSchemaOptions, Type } from 'typebox'
import { DiscountAllocation, LineId, QuoteLine, ShippingOptionId, SkuId, TaxLine, Totals } from './carts.ts'
import { ClientReference } from './checkout.ts'
import {
  Address,
  CountryCode,
  CurrencyCode,
  Email,
  ExpectedVersion,
  HttpUrl,
  id,
  LocaleTag,
  Metadata,
  Money,
  NextPath,
  Phone,
  Timestamp,
  Version,
  Word,
} from './common.ts'
import {
  boundOnly,
  closed,
  fixedOneOf,
  formed,
  integer,
  leftOut,
  listOf,
  mapOf,
  named,
  oneOf,
  orNull,
  text,
} from './primitives.ts'
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
export const CANCELLATION_REASONS = [
  'customer_request',
  'duplicate',
  'address_wrong',
  'payment_problem',
  'other',
] as const
const ORDER_LINES_MAX = 100
const LINE_QUANTITY_MAX = 999
/** The maximum number of cancellations or after-sales requests in an order: the newest. */
export const ORDER_REQUESTS_MAX = 200

const OrderId = id('ord', 'The id of the order.')
const OrderLineId = id('oli', 'The id of the order line.')
const units = (description: string, example = 1) => integer(0, 999, description, example)
const Quantity = integer(1, 999, 'Units.', 1)
export const OrderNumber = formed('^[A-Z0-9-]{1,40}$', 40, 'The order number.', 'V-10044')
const Status = oneOf(ORDER_STATUSES, 'The status.')
const PaymentStatus = oneOf(ORDER_PAYMENT_STATUSES, 'The payment status.')
const FulfillmentStatus = oneOf(ORDER_FULFILLMENT_STATUSES, 'The fulfillment status.')
const EligibilityToken = formed(
  '^[A-Za-z0-9_.-]+$',
  4096,
  'Makes the answer binding for ten minutes.',
  'eyJvcmRlciI6Im9yZF8wMSJ9.c2ln',
)
const Condition = oneOf(['unopened', 'opened', 'used', 'damaged'], 'The condition of the goods.')
const Kind = oneOf(AFTER_SALES_KINDS, 'The kind of request.')
const Note = text(1000, 'A free-text note.', 'The seam has come undone.')
const CustomerId = id('cus', 'The id of the customer.')
const StoreId = id('store', 'The id of the store.')
const storeIds = listOf(StoreId, ORDER_LINES_MAX, 'The stores of its lines.')
const count = (max: number, description: string, example = 0) => integer(0, max, description, example)
const RefundStatus = oneOf(['not_needed', 'pending', 'succeeded', 'failed', 'unknown'], 'The status of the refund.')
const DeclineReason = text(500, 'Why it was declined.', 'The shipment has left.')

export const OrderParams = closed('The order.', { orderId: OrderId })

export const OrderSummary = named(
  'OrderSummary',
  closed('An order in a list.', {
    id: OrderId,
    number: OrderNumber,
    status: Status,
    paymentStatus: PaymentStatus,
    fulfillmentStatus: FulfillmentStatus,
    placedAt: Timestamp,
    currency: CurrencyCode,
    total: Money,
    customerId: Type.Optional(CustomerId),
    clientReferenceId: Type.Optional(ClientReference),
    storeIds,
    counts: closed('The number of lines and units, as ordered.', {
      lines: integer(1, ORDER_LINES_MAX, 'Lines.', 2),
      units: count(ORDER_LINES_MAX * LINE_QUANTITY_MAX, 'Units.', 3),
    }),
    open: closed('The number of open requests.', {
      cancellations: count(1, 'Cancellations that are requested or approved.'),
      afterSales: count(ORDER_LINES_MAX, 'After-sales requests that have not ended.'),
    }),
    lineCount: integer(1, ORDER_LINES_MAX, 'Lines, as in `counts`.', 2),
    version: Version,
    updatedAt: Timestamp,
  }),
)
export type OrderSummary = Static<typeof OrderSummary>

export const OrderList = named(
  'OrderList',
  closed('A page of orders, newest first.', {
    orders: listOf(OrderSummary, 100, 'The orders.'),
    next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
  }),
)
export type OrderList = Static<typeof OrderList>

const linesOf = (description: string, options: TSchemaOptions = {}) => {
  const line = closed('A quantity of one line.', { lineId: OrderLineId, quantity: Quantity })
  return listOf(line, ORDER_LINES_MAX, description, options)
}

const TimelineEntry = named(
  'TimelineEntry',
  closed('An event of the timeline.', {
    at: Timestamp,
    code: Word,
    text: text(500, 'The event in words.', 'The order was confirmed.'),
    actor: oneOf(['customer', 'installation', 'operator', 'system'], 'Who did it.'),
  }),
)

export const Cancellation = named(
  'Cancellation',
  closed('A cancellation of an order or a part of it.', {
    id: id('can', 'The id of the cancellation.'),
    orderId: OrderId,
    status: oneOf(CANCELLATION_STATUSES, 'The status.'),
    scope: fixedOneOf(['full', 'partial'], 'Whether it covers the whole order or a part.'),
    reason: oneOf(CANCELLATION_REASONS, 'Why.'),
    lines: linesOf('The units.'),
    refund: closed('The refund.', {
      status: RefundStatus,
      amount: Money,
    }),
    order: closed('The order afterwards.', { status: Status, version: Version }),
    decidedAt: Type.Optional(Timestamp),
    declineReason: Type.Optional(leftOut(DeclineReason)),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Cancellation = Static<typeof Cancellation>

const afterSalesLines = listOf(
  closed('A quantity of one line.', {
    lineId: OrderLineId,
    quantity: Quantity,
    condition: Type.Optional(Condition),
    exchangeSkuId: Type.Optional(leftOut(SkuId)),
  }),
  ORDER_LINES_MAX,
  'The units.',
  { minItems: 1 },
)
const evidence = listOf(
  closed('A photo or document.', {
    url: Type.String({
      format: 'uri',
      pattern: '^https://',
      maxLength: 2048,
      description: 'The URL of the photo or document.',
      examples: ['https://shop.example/evidence/1.jpg'],
    }),
    mediaType: formed('^[a-z]+/[a-z0-9.+-]+$', 100, 'The media type.', 'image/jpeg'),
  }),
  10,
  'Photos or documents.',
)

export const AfterSales = named(
  'AfterSales',
  closed('A recorded request. No money moves.', {
    id: id('asr', 'The id of the request.'),
    orderId: OrderId,
    status: oneOf(AFTER_SALES_STATUSES, 'The status.'),
    kind: Kind,
    reasonCode: oneOf(AFTER_SALES_REASONS, 'The problem.'),
    lines: afterSalesLines,
    description: Type.Optional(Note),
    evidence,
    refundEstimate: Money,
    instructions: Type.Optional(text(2000, 'Instructions for the buyer.', 'Put the shirt into its box.')),
    returnAddress: Type.Optional(
      leftOut(text(500, 'The return address, line by line.', 'Loom Returns\nGate 4\n10115 Berlin')),
    ),
    declineReason: Type.Optional(leftOut(DeclineReason)),
    refund: Type.Optional(leftOut(closed('The refund, once it is decided.', { status: RefundStatus, amount: Money }))),
    deadlines: closed('The deadlines.', { returnBy: Type.Optional(Timestamp), decideBy: Type.Optional(Timestamp) }),
    timeline: listOf(TimelineEntry, 200, 'The timeline, oldest first.'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type AfterSales = Static<typeof AfterSales>

export const Order = named(
  'Order',
  closed('An order: the frozen purchase and its progress.', {
    id: OrderId,
    number: OrderNumber,
    status: Status,
    paymentStatus: PaymentStatus,
    fulfillmentStatus: FulfillmentStatus,
    placedAt: Timestamp,
    currency: CurrencyCode,
    country: CountryCode,
    locale: LocaleTag,
    cartId: Type.Optional(id('cart', 'The cart it was created from.')),
    checkoutSessionId: Type.Optional(id('cks', 'The checkout session it was created from.')),
    clientReferenceId: Type.Optional(ClientReference),
    metadata: Metadata,
    customer: closed('The customer of the order.', {
      id: Type.Optional(CustomerId),
      email: Type.Optional(boundOnly(Email)),
      phone: Type.Optional(boundOnly(Phone)),
      emailMasked: text(254, 'The masked email address.', 'a…@example.com'),
    }),
    lines: listOf(
      closed('An order line, frozen when the order was placed.', {
        id: OrderLineId,
        cartLineId: Type.Optional(LineId),
        skuId: SkuId,
        productId: Type.Optional(QuoteLine.properties.productId),
        storeId: StoreId,
        code: Type.Optional(text(250, 'The code of the SKU.', 'LIN-SHIRT-BLUE-M')),
        name: text(500, 'The product bought.', 'Linen shirt'),
        optionLabels: QuoteLine.properties.optionLabels,
        image: QuoteLine.properties.image,
        quantity: closed('Units.', {
          ordered: units('Ordered.', 2),
          current: units('Ordered minus canceled.', 2),
          fulfilled: units('Shipped or delivered.', 1),
          returned: units('Returned.', 0),
          canceled: units('Canceled.', 0),
        }),
        unitPrice: Money,
        subtotal: Money,
        discountAllocations: listOf(DiscountAllocation, 50, 'The discounts.'),
        taxLines: listOf(TaxLine, 20, 'The taxes.'),
        total: Money,
        refundable: Money,
        status: oneOf(['open', 'partially_fulfilled', 'fulfilled', 'returned', 'canceled'], 'The status of the line.'),
      }),
      ORDER_LINES_MAX,
      'The lines.',
    ),
    shipping: listOf(
      closed('The shipping of one store, frozen when the order was placed.', {
        storeId: StoreId,
        optionId: ShippingOptionId,
        name: Type.Optional(text(200, 'The title shown to shoppers.', 'Standard')),
        amount: Money,
        discountAllocations: listOf(DiscountAllocation, 50, 'The shipping discounts.', { examples: [[]] }),
        taxLines: listOf(TaxLine, 20, 'The taxes on shipping.'),
        total: Money,
      }),
      ORDER_LINES_MAX,
      'The shipping per store.',
    ),
    totals: Totals,
    money: closed('The money of the order. `disputed`: what the bank may take back, or has taken back.', {
      charged: Money,
      refunded: Money,
      refundPending: Money,
      unknown: Money,
      disputed: Money,
    }),
    addresses: closed('The shipping and billing addresses.', {
      shipping: Type.Optional(boundOnly(Address)),
      billing: Type.Optional(boundOnly(Address)),
    }),
    fulfillments: listOf(
      closed('A shipment.', {
        id: id('ful', 'The id of the shipment.'),
        storeId: StoreId,
        status: oneOf(['pending', 'dispatched', 'delivered', 'failed', 'canceled'], 'The status of the shipment.'),
        carrier: Type.Optional(text(100, 'The carrier.', 'DHL')),
        trackingNumber: Type.Optional(text(100, 'The tracking number.', '00340434161094042557')),
        trackingUrl: Type.Optional(HttpUrl),
        shippedAt: Type.Optional(Timestamp),
        deliveredAt: Type.Optional(Timestamp),
        lines: linesOf('The contents.'),
      }),
      100,
      'The shipments.',
    ),
    cancellations: listOf(Cancellation, ORDER_REQUESTS_MAX, 'The cancellations, oldest first.'),
    afterSales: listOf(AfterSales, ORDER_REQUESTS_MAX, 'The after-sales requests, oldest first.'),
    adjustments: listOf(
      closed('A change of the amount owed.', {
        kind: oneOf(['cancellation', 'refund', 'return', 'correction', 'release'], 'Why. `release`: not captured.'),
        amount: Money,
        at: Timestamp,
        reference: Type.Optional(text(64, 'The id of its cause.', 'can_01k5b7m2q8e9rtv3w4x5y6z7a8')),
      }),
      200,
      'Changes of the amount owed.',
    ),
    timeline: listOf(TimelineEntry, 500, 'The timeline, oldest first. Append-only.'),
    acceptedDocuments: listOf(
      closed('An accepted document.', { type: LegalDocumentType, version: DocumentVersion }),
      20,
      'The documents the buyer accepted.',
    ),
    source: oneOf(['hosted_checkout', 'import', 'operator'], 'Where the order came from.'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Order = Static<typeof Order>

const Decision = fixedOneOf(['eligible', 'ineligible', 'manual_review'], 'The decision.')
const reasons = listOf(
  closed('A reason.', {
    code: Word,
    message: text(500, 'The reason in words.', 'The window has closed.'),
    lineId: Type.Optional(OrderLineId),
  }),
  100,
  'The reasons.',
)

export const OrderEligibility = named(
  'OrderEligibility',
  closed('The decision with reasons, a deadline and a preview of the money.', {
    decision: Decision,
    reasons,
    until: Type.Optional(Timestamp),
    kinds: Type.Optional(
      listOf(
        closed('A kind of after-sales request.', {
          kind: Kind,
          decision: Decision,
          reasons,
          windowEndsAt: Type.Optional(Timestamp),
          maxByLine: mapOf(
            '^oli_[0-7][0-9a-hjkmnp-tv-z]{25}$',
            units('Units.'),
            ORDER_LINES_MAX,
            'The maximum units by line.',
            {
              examples: [{ oli_01k5b7m2q8e9rtv3w4x5y6z7a8: 1 }],
            },
          ),
        }),
        4,
        'The decision per kind.',
      ),
    ),
    preview: closed('A preview of the outcome.', {
      refund: Money,
      shippingRefund: Money,
      restock: linesOf('The units that would be restocked.'),
    }),
    evaluatedAt: Timestamp,
    orderVersion: Version,
    eligibilityToken: EligibilityToken,
  }),
)
export type OrderEligibility = Static<typeof OrderEligibility>

export const StorefrontOrderTransitionRequest = named(
  'StorefrontOrderTransitionRequest',
  closed('The reason and the units.', {
    reason: oneOf(CANCELLATION_REASONS, 'Why.'),
    lines: Type.Optional(linesOf('The units. Absent: all.', { minItems: 1 })),
    note: Type.Optional(Note),
    eligibilityToken: Type.Optional(leftOut(EligibilityToken)),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type StorefrontOrderTransitionRequest = Static<typeof StorefrontOrderTransitionRequest>

export const StorefrontAfterSalesRequest = named(
  'StorefrontAfterSalesRequest',
  closed('The problem, the units and the request.', {
    kind: Kind,
    reasonCode: oneOf(AFTER_SALES_REASONS, 'The problem.'),
    lines: afterSalesLines,
    description: Type.Optional(Note),
    evidence: Type.Optional(evidence),
    eligibilityToken: Type.Optional(leftOut(EligibilityToken)),
    expectedVersion: Type.Optional(ExpectedVersion),
  }),
)
export type StorefrontAfterSalesRequest = Static<typeof StorefrontAfterSalesRequest>
