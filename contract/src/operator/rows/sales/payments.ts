import { type Static, Type } from 'typebox'
import { Environment, HttpUrl, id, Money, none, Timestamp, Word } from '../../../schemas/common.ts'
import { OrderNumber } from '../../../schemas/orders.ts'
import { closed, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Payments'
const auth = { kind: 'operator', area: 'finance' } as const
const PaymentId = id('pay', 'The id of the payment.')
const PaidOrder = closed('The order that was placed with the payment, or whose payment is refunded.', {
  id: id('ord', 'The id of the order.'),
  number: OrderNumber,
})

const PAYMENT_STATUSES = [
  'created',
  'submitted',
  'requires_action',
  'pending',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'unknown',
  'reconciling',
] as const
const PAYMENT_STEPS = ['reconcile', 'confirm', 'reverse', 'capture', 'release'] as const
export const PAYMENT_VIEWS = ['unknown', 'waiting', 'succeeded', 'failed', 'canceled', 'all'] as const

export const OperatorPayment = operatorNamed(
  'OperatorPayment',
  closed('A charge or a refund and its status.', {
    id: PaymentId,
    kind: oneOf(['charge', 'refund'], 'Charge or refund.'),
    purpose: oneOf(['checkout', 'cancellation', 'after_sales', 'late_success', 'operator'], 'Why.'),
    subjectId: text(64, 'The id of the object it is for.', 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8'),
    environment: Environment,
    installationId: id('ins', 'The id of the installation.'),
    order: Type.Optional(PaidOrder),
    provider: text(64, 'The payment provider.', 'manual'),
    amount: Money,
    /** For an authorization, once its capture is requested. */
    captured: Type.Optional(leftOut(Money)),
    status: oneOf(PAYMENT_STATUSES, 'The status.'),
    step: Word,
    refundAsked: Money,
    chargeId: Type.Optional(leftOut(PaymentId)),
    providerReference: Type.Optional(text(500, 'The id at the provider.', 'ch_1')),
    failureCode: Type.Optional(leftOut(text(200, 'Why it was declined.', 'declined'))),
    looks: integer(0, 1_000_000, 'The number of lookups.', 1),
    dueAt: Type.Optional(leftOut(Timestamp)),
    /** When the provider releases an authorization, or the wait for a delayed payment ends. */
    expiresAt: Type.Optional(leftOut(Timestamp)),
    /** When an authorization is captured in full, unless the shop captures it earlier. */
    capturesAt: Type.Optional(leftOut(Timestamp)),
    allowed: listOf(oneOf(PAYMENT_STEPS, 'A step.'), PAYMENT_STEPS.length, 'The allowed actions.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    endedAt: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorPayment = Static<typeof OperatorPayment>

export const OperatorDispute = operatorNamed(
  'OperatorDispute',
  closed('A dispute of a payment by the payer, through their bank.', {
    reference: text(200, 'The id at the provider.', 'dp_1'),
    amount: Money,
    reason: text(100, 'The reason, in the words of the provider.', 'fraudulent'),
    status: oneOf(['open', 'under_review', 'won', 'lost'], '`open`: the shop can respond, at the provider.'),
    respondBy: Type.Optional(Timestamp),
    url: Type.Optional(HttpUrl),
    openedAt: Timestamp,
  }),
)
export type OperatorDispute = Static<typeof OperatorDispute>

export const DISPUTE_VIEWS = ['open', 'under_review', 'decided'] as const

export const OperatorListedDispute = operatorNamed(
  'OperatorListedDispute',
  closed('A dispute, with its payment and order.', {
    paymentId: PaymentId,
    order: Type.Optional(PaidOrder),
    dispute: OperatorDispute,
  }),
)
export type OperatorListedDispute = Static<typeof OperatorListedDispute>

export const OperatorPaymentHistory = operatorNamed(
  'OperatorPaymentHistory',
  closed('A payment with all calls to its provider.', {
    payment: OperatorPayment,
    orderId: Type.Optional(id('ord', 'The order of the payment.')),
    attempts: listOf(
      closed('A call to the provider and its answer.', {
        number: integer(1, 1_000_000, 'The sequence number.', 1),
        action: oneOf(['send', 'look'], 'Whether the call was to move money or to look up its status.'),
        step: Word,
        sentAt: Timestamp,
        answeredAt: Type.Optional(Timestamp),
        answer: Type.Optional(Word),
        detail: Type.Optional(text(500, 'The detail of the answer.', 'ch_1')),
      }),
      100,
      'The calls, newest first.',
    ),
    refunds: listOf(OperatorPayment, 200, 'Refunds of a charge, newest first.'),
    disputes: listOf(OperatorDispute, 100, 'Disputes of a charge, oldest first.'),
  }),
)
export type OperatorPaymentHistory = Static<typeof OperatorPaymentHistory>

const params = closed('The payment.', { paymentId: PaymentId })
const act = { method: 'POST', tag, auth, params, data: OperatorPayment } as const

export const paymentRows = {
  listPayments: operatorOperation({
    method: 'GET',
    path: '/operator/v1/payments',
    tag,
    summary: 'List payments and refunds.',
    description:
      'Payments with unknown outcome and waiting payments are sorted by the time since their last update, longest first; all others newest first.',
    auth,
    query: closed('Page and view.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      environment: Type.Optional(Environment),
      view: Type.Optional(oneOf(PAYMENT_VIEWS, 'The view; payments with unknown outcomes by default.')),
    }),
    data: pageOf(OperatorPayment, 'Payments.'),
    refusals: ['invalid_cursor'],
  }),
  getPayment: operatorOperation({
    method: 'GET',
    path: '/operator/v1/payments/{paymentId}',
    tag,
    summary: 'Get a payment.',
    description: 'With each call to the provider and its answer.',
    auth,
    params,
    data: OperatorPaymentHistory,
    refusals: ['not_found'],
  }),
  listDisputes: operatorOperation({
    method: 'GET',
    path: '/operator/v1/disputes',
    tag,
    summary: 'List disputes.',
    description: 'Open ones are sorted by the deadline to respond, all others newest first.',
    auth,
    query: closed('Page and view.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      environment: Type.Optional(Environment),
      view: Type.Optional(oneOf(DISPUTE_VIEWS, 'The view; open disputes by default. `decided`: won or lost.')),
    }),
    data: pageOf(OperatorListedDispute, 'Disputes.'),
    refusals: ['invalid_cursor'],
  }),
  reconcilePayment: operatorOperation({
    ...act,
    path: '/operator/v1/payments/{paymentId}/reconcile',
    summary: 'Reconcile a payment now.',
    description: 'Calls the provider at once. A settled payment stays unchanged; its disputes are looked up.',
    body: none,
    ownTransactions: true,
    refusals: ['not_found'],
  }),
  confirmPayment: operatorOperation({
    ...act,
    path: '/operator/v1/payments/{paymentId}/confirm',
    summary: 'Confirm or reject a manual payment.',
    description:
      'For payments by bank transfer or in cash, which have no provider. A refund that was paid and that the bank has returned is reversed: it has failed, and can be retried.',
    body: closed('The decision.', {
      outcome: oneOf(
        ['done', 'never', 'returned'],
        '`done`: the money was received, or paid back. `never`: it will not be. `returned`: a refund that was paid has come back.',
      ),
    }),
    ownTransactions: true,
    refusals: ['not_found', 'state_conflict', 'version_conflict'],
  }),
  capturePayment: operatorOperation({
    ...act,
    path: '/operator/v1/payments/{paymentId}/capture',
    summary: 'Capture an authorization.',
    description:
      'The provider releases what is not captured. The order is paid with what was captured, and is fulfilled and invoiced from then on.',
    body: closed('The amount.', {
      amount: Type.Optional(integer(1, Number.MAX_SAFE_INTEGER, 'Minor units; absent: all of it.', 4990)),
    }),
    ownTransactions: true,
    refusals: ['not_found', 'state_conflict'],
  }),
  releasePayment: operatorOperation({
    ...act,
    path: '/operator/v1/payments/{paymentId}/release',
    summary: 'Release an authorization.',
    description: 'Nothing is charged. Its order is canceled.',
    body: none,
    ownTransactions: true,
    refusals: ['not_found', 'state_conflict'],
  }),
}
