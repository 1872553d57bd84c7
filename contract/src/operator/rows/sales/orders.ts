import { type Static, Type } from 'typebox'
import { Email, Environment, ExpectedVersion, id, Money, none, Slug, Timestamp } from '../../../schemas/common.ts'
import {
  ORDER_FULFILLMENT_STATUSES,
  ORDER_PAYMENT_STATUSES,
  ORDER_STATUSES,
  Order,
  OrderSummary,
  StorefrontOrderTransitionRequest,
} from '../../../schemas/orders.ts'
import { closed, flag, formed, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { OperatorAfterSales } from './after-sales.ts'
import { OperatorCancellation } from './cancellations.ts'
import { carriage, OperatorFulfillment, Reason, unitsOfLines } from './fulfillments.ts'
import { OperatorDispute } from './payments.ts'

const tag = 'Orders'
const auth = { kind: 'operator', area: 'orders' } as const
const InstallationId = id('ins', 'The id of the installation.')
/** Each repetition of the change would have its own effect. With the version that was read, it has one, whatever answer is lost. */
const expectedVersion = Type.Optional(ExpectedVersion)
const Day = formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'A day, included.', '2026-03-31')
const CustomerId = id('cus', 'The id of the customer.')
export const OrderTag = text(40, 'A tag, to filter orders by.', 'fragile')
/** An email about an order that can be sent again. */
export const RESENT_MAIL = {
  kind: formed('^[a-z_]+\\.[a-z_]+$', 64, 'The kind of email.', 'orders.parcel'),
  reference: Type.Optional(
    leftOut(text(64, 'The parcel, refund or request that it is about.', 'ful_01k5b7m2q8e9rtv3w4x5y6z7a8')),
  ),
}
export const ORDER_STEPS = ['begin', 'hold', 'release', 'ship', 'cancel', 'refund'] as const

export const OperatorOrderSummary = operatorNamed(
  'OperatorOrderSummary',
  closed('An order in a list.', {
    order: OrderSummary,
    environment: Environment,
    installationId: InstallationId,
    email: Email,
    tags: listOf(OrderTag, 20, 'The tags, in alphabetical order.'),
  }),
)
export type OperatorOrderSummary = Static<typeof OperatorOrderSummary>

export const OperatorOrder = operatorNamed(
  'OperatorOrder',
  closed('An order in the view of the operator, unmasked and with the allowed actions.', {
    order: Order,
    environment: Environment,
    installation: closed('The installation that placed it.', {
      id: InstallationId,
      name: text(120, 'Its name.', 'Web shop'),
    }),
    email: Email,
    stores: listOf(
      closed('A store of the order.', {
        id: id('store', 'The id.'),
        slug: Slug,
        name: text(200, 'Its name, in the language of the order.', 'Havelton Ceramics'),
        returnAddress: Type.Optional(
          leftOut(text(500, 'The return address of its policy.', 'Loom Returns\nGate 4\n10115 Berlin')),
        ),
      }),
      100,
      'The stores of its items.',
    ),
    vatCheck: Type.Optional(
      closed('The check of the VAT number of the buyer with its registry when the order was placed.', {
        vatId: text(30, 'The VAT number.', 'ATU13585627'),
        outcome: oneOf(
          ['valid', 'invalid', 'unanswered'],
          'The answer of the registry. `unanswered`: it did not answer, and only format and check digits were checked.',
        ),
        name: Type.Optional(text(500, 'The business, as registered.', 'Example GmbH')),
        address: Type.Optional(text(1000, 'Its address, as registered.', 'Beispielgasse 2, 1010 Wien')),
        consultationNumber: Type.Optional(text(100, 'Proves the consultation.', 'WAPIAAAAW1a2b3c4')),
        checkedAt: Timestamp,
      }),
    ),
    isShare: Type.Optional(
      leftOut(flag('The share of one store in an order of several; absent: the whole order.', true)),
    ),
    ordersOfBuyer: integer(
      1,
      1000,
      'Orders with this email address, including this one. `1000` means 1,000 or more. For an operator of one store: those with its lines.',
      3,
    ),
    chargeId: Type.Optional(id('pay', 'The payment.')),
    paidWith: Type.Optional(text(64, 'The payment provider.', 'manual')),
    moneyLeft: Money,
    adjustments: listOf(
      closed('A refund and its status.', {
        reference: text(64, 'The cause.', 'rfd_01k5b7m2q8e9rtv3w4x5y6z7a8'),
        kind: oneOf(['cancellation', 'refund', 'return', 'correction', 'release'], 'Why.'),
        amount: Money,
        state: oneOf(['pending', 'succeeded', 'failed', 'unknown'], 'The outcome.'),
        at: Timestamp,
        allowed: listOf(oneOf(['retry', 'record_paid', 'record_returned'], 'A step.'), 3, 'The allowed actions.'),
      }),
      200,
      'The refunds.',
    ),
    disputes: listOf(OperatorDispute, 100, 'Disputes of its payment, oldest first.'),
    linesWithKeys: Type.Optional(
      leftOut(
        listOf(
          id('oli', 'The id of the order line.'),
          100,
          'The lines of an order with an authorized payment whose license keys are emailed once it is captured. They are not shipped.',
        ),
      ),
    ),
    fulfilments: listOf(OperatorFulfillment, 1000, 'Open fulfillments and parcels.'),
    cancellations: listOf(OperatorCancellation, 1000, 'The cancellations, oldest first.'),
    afterSales: listOf(OperatorAfterSales, 1000, 'The after-sales requests, oldest first.'),
    history: listOf(
      closed('An event.', {
        at: Timestamp,
        actor: oneOf(['customer', 'installation', 'operator', 'system'], 'Who did it.'),
        by: Type.Optional(
          text(254, 'The email address of the operator, or how they were signed in.', 'ada@example.com'),
        ),
        code: text(64, 'The kind of event.', 'parcel_dispatched'),
        text: text(500, 'The event in words.', '2 units were handed over to DHL.'),
        mail: Type.Optional(leftOut(text(64, 'The kind of email that was sent again.', 'orders.confirmed'))),
      }),
      1500,
      'The timeline with the names of operators and the emails that were sent again, oldest first.',
    ),
    notes: listOf(
      closed('A note.', {
        id: id('note', 'The id of the note.'),
        text: text(2000, 'The text.', 'Leave it with the neighbor.'),
        author: text(254, 'The email address of the operator.', 'ada@example.com'),
        at: Timestamp,
      }),
      1000,
      'Notes of staff, oldest first. Never shown to the buyer.',
    ),
    tags: listOf(OrderTag, 20, 'The tags, in alphabetical order.'),
    mails: listOf(
      closed('An email that can be sent again.', { ...RESENT_MAIL, at: Timestamp }),
      1000,
      'The emails that can be sent again, oldest first.',
    ),
    allowed: listOf(oneOf(ORDER_STEPS, 'A step.'), ORDER_STEPS.length, 'The allowed actions.'),
  }),
)
export type OperatorOrder = Static<typeof OperatorOrder>

const params = closed('The order.', { orderId: id('ord', 'The id of the order.') })
const refundParams = closed('The refund.', {
  ...params.properties,
  reference: text(64, 'The cause of the refund.', 'rfd_01k5b7m2q8e9rtv3w4x5y6z7a8'),
})
const act = { method: 'POST', tag, auth, params, data: OperatorOrder } as const

const FailedRefunds = Type.Optional(leftOut(oneOf(['failed'], 'Only orders with a refund that failed.')))

export const orderRows = {
  listOrders: operatorOperation({
    method: 'GET',
    path: '/operator/v1/orders',
    tag,
    summary: 'List orders, newest first.',
    description: 'Of all installations. `q` is a complete order number, email address or id.',
    auth,
    query: closed('Page and filters.', {
      ...listQuery,
      status: Type.Optional(oneOf(ORDER_STATUSES, 'Only orders in this status.')),
      paymentStatus: Type.Optional(oneOf(ORDER_PAYMENT_STATUSES, 'Only orders in this payment status.')),
      fulfillmentStatus: Type.Optional(oneOf(ORDER_FULFILLMENT_STATUSES, 'Only orders in this fulfillment status.')),
      environment: Type.Optional(Environment),
      customerId: Type.Optional(CustomerId),
      tag: Type.Optional(OrderTag),
      installationId: Type.Optional(InstallationId),
      refunds: FailedRefunds,
    }),
    data: pageOf(OperatorOrderSummary, 'Orders, newest first.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  exportOrders: operatorOperation({
    method: 'GET',
    path: '/operator/v1/exports/orders',
    tag,
    summary: 'Export orders as a table.',
    description:
      'A CSV file with a row for each line of an order, newest first. Amounts in major units, days in UTC. It has names and addresses, so each export is in the audit log.',
    auth,
    download: 'text/csv',
    recorded: true,
    query: closed('The days, both included, and the filters of listOrders.', {
      from: Type.Optional(Day),
      to: Type.Optional(Day),
      q: listQuery.q,
      status: Type.Optional(oneOf(ORDER_STATUSES, 'Only orders in this status.')),
      paymentStatus: Type.Optional(oneOf(ORDER_PAYMENT_STATUSES, 'Only orders in this payment status.')),
      fulfillmentStatus: Type.Optional(oneOf(ORDER_FULFILLMENT_STATUSES, 'Only orders in this fulfillment status.')),
      environment: Type.Optional(Environment),
      customerId: Type.Optional(CustomerId),
      tag: Type.Optional(OrderTag),
      installationId: Type.Optional(InstallationId),
      refunds: FailedRefunds,
    }),
    data: text(8_388_608, 'Rows.', 'V-10001,2026-03-31T09:30:00.000Z,live,confirmed'),
    refusals: [],
    store: 'filter',
  }),
  getOrder: operatorOperation({
    method: 'GET',
    path: '/operator/v1/orders/{orderId}',
    tag,
    summary: 'Get an order.',
    description: 'With parcels, cancellations, after-sales requests and allowed actions.',
    auth,
    params,
    data: OperatorOrder,
    refusals: ['not_found'],
    store: { object: 'order_share', field: 'orderId' },
    recordsRead: { type: 'order', field: 'orderId' },
  }),
  beginOrder: operatorOperation({
    ...act,
    path: '/operator/v1/orders/{orderId}/begin',
    summary: 'Start preparing an order.',
    description: 'From now on its cancellations need approval.',
    body: none,
    refusals: ['not_found', 'state_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
  holdOrder: operatorOperation({
    ...act,
    path: '/operator/v1/orders/{orderId}/hold',
    summary: 'Put an order on hold.',
    description: 'Nothing ships until it is released.',
    body: closed('Why.', { reason: Type.Optional(Reason) }),
    refusals: ['not_found', 'state_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
  releaseOrder: operatorOperation({
    ...act,
    path: '/operator/v1/orders/{orderId}/release',
    summary: 'Release an order that is on hold.',
    description: 'Resumes where it was held.',
    body: none,
    refusals: ['not_found', 'state_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
  shipOrder: operatorOperation({
    ...act,
    path: '/operator/v1/orders/{orderId}/parcels',
    summary: 'Ship an order or part of it.',
    description:
      'Repeating a reference returns the same parcel and ships nothing. An authorized payment is captured first, as a whole.',
    body: closed('The parcel.', {
      reference: Type.Optional(text(100, "The operator's own name for it; absent: one is generated.", 'P-1')),
      ...carriage,
      storeId: Type.Optional(leftOut(id('store', 'The store that ships the parcel, if several stores ship.'))),
      lines: Type.Optional(leftOut(unitsOfLines('The lines; absent: everything that the store has left.'))),
    }),
    ownTransactions: true,
    refusals: ['not_found', 'state_conflict', 'name_taken', 'payment_outcome_unknown'],
    store: { object: 'order_share', field: 'orderId' },
  }),
  cancelOrder: operatorOperation({
    ...act,
    path: '/operator/v1/orders/{orderId}/cancellations',
    summary: 'Cancel an order or a part of it.',
    description: 'Takes effect at once, regardless of the cancellation window. Shipped units cannot be canceled.',
    body: closed('The reason and the units.', {
      reason: StorefrontOrderTransitionRequest.properties.reason,
      lines: Type.Optional(leftOut(unitsOfLines('The units; absent: all that are left.'))),
      note: Type.Optional(text(1000, 'A description.', 'Bought twice.')),
      expectedVersion,
    }),
    idempotencyKey: true,
    refusals: [
      'not_found',
      'version_conflict',
      'payment_outcome_unknown',
      'order_not_cancelable',
      'cancellation_exists',
      'quantity_exceeded',
      'quantity_invalid',
    ],
    store: { object: 'order', field: 'orderId' },
  }),
  refundOrder: operatorOperation({
    ...act,
    auth: { kind: 'operator', area: 'refunds' },
    path: '/operator/v1/orders/{orderId}/refunds',
    summary: 'Refund an order.',
    description: 'A manual refund, not tied to any item. It reduces what later item refunds can return.',
    body: closed('The amount.', {
      amount: integer(1, Number.MAX_SAFE_INTEGER, 'Minor units.', 1999),
      expectedVersion,
    }),
    freshProof: 'when_large',
    idempotencyKey: true,
    refusals: ['not_found', 'version_conflict', 'payment_outcome_unknown'],
    store: { object: 'order', field: 'orderId' },
  }),
  retryRefund: operatorOperation({
    ...act,
    auth: { kind: 'operator', area: 'refunds' },
    path: '/operator/v1/orders/{orderId}/refunds/{reference}/retry',
    params: refundParams,
    summary: 'Retry a refused refund.',
    description: 'For the same amount.',
    body: none,
    refusals: ['not_found', 'version_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
  recordRefundPaid: operatorOperation({
    ...act,
    auth: { kind: 'operator', area: 'refunds' },
    path: '/operator/v1/orders/{orderId}/refunds/{reference}/paid',
    params: refundParams,
    summary: 'Record that a refund was paid another way.',
    description: 'If the provider declined it, or there is no provider.',
    body: none,
    refusals: ['not_found', 'version_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
  recordRefundReturned: operatorOperation({
    ...act,
    auth: { kind: 'operator', area: 'refunds' },
    path: '/operator/v1/orders/{orderId}/refunds/{reference}/returned',
    params: refundParams,
    summary: 'Record that a refund that was paid another way has come back.',
    description:
      'It is owed again. A refund that was paid through the payment is reversed there, with `confirmPayment`.',
    body: none,
    refusals: ['not_found', 'version_conflict'],
    store: { object: 'order', field: 'orderId' },
  }),
}
