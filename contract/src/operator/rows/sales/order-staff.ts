import { type Static, Type } from 'typebox'
import { id, Money } from '../../../schemas/common.ts'
import { closed, flag, integer, leftOut, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { unitsOfLines } from './fulfillments.ts'
import { OperatorOrder, OrderTag, RESENT_MAIL } from './orders.ts'

const tag = 'Orders'
const auth = { kind: 'operator', area: 'orders' } as const
const params = closed('The order.', { orderId: id('ord', 'The id of the order.') })
const act = { tag, auth, params, data: OperatorOrder } as const

export const OperatorRefundPreview = operatorNamed(
  'OperatorRefundPreview',
  closed('What canceling units or a manual refund would do. Nothing has happened yet.', {
    refund: Money,
    /** Part of `refund`. */
    items: Money,
    /** Part of `refund`. */
    shipping: Money,
    /** Part of `refund`. */
    tax: Money,
    restock: unitsOfLines('The units that go back to stock.', 0),
    left: Money,
    paidWith: Type.Optional(leftOut(text(64, 'The payment provider that pays the refund; absent: none.', 'manual'))),
    isVoided: flag('Whether the authorization is released instead, because nothing was captured.', false),
  }),
)
export type OperatorRefundPreview = Static<typeof OperatorRefundPreview>

/** Notes, tags, emails and refund previews of an order, for staff only. */
export const orderStaffRows = {
  addOrderNote: operatorOperation({
    ...act,
    method: 'POST',
    path: '/operator/v1/orders/{orderId}/notes',
    summary: 'Add a note to an order.',
    description: 'With its author and time. Shown to operators only, and never changed.',
    body: closed('The note.', { text: text(2000, 'The text.', 'Leave it with the neighbor.') }),
    idempotencyKey: true,
    refusals: ['not_found'],
    store: { object: 'order', field: 'orderId' },
  }),
  setOrderTags: operatorOperation({
    ...act,
    method: 'PUT',
    path: '/operator/v1/orders/{orderId}/tags',
    summary: 'Set the tags of an order.',
    description: 'Replaces all tags. Tags that differ only in case are the same.',
    body: closed('The tags.', { tags: listOf(OrderTag, 20, 'The tags.') }),
    refusals: ['not_found'],
    store: { object: 'order', field: 'orderId' },
  }),
  listOrderTags: operatorOperation({
    method: 'GET',
    path: '/operator/v1/order-tags',
    tag,
    summary: 'List the tags of orders.',
    description: 'Each once, in alphabetical order.',
    auth,
    data: closed('The tags.', { items: listOf(OrderTag, 200, 'The first 200 tags.') }),
    refusals: [],
    store: 'filter',
  }),
  resendOrderMail: operatorOperation({
    ...act,
    method: 'POST',
    path: '/operator/v1/orders/{orderId}/mails',
    summary: 'Send an email of an order again.',
    description: 'One of the `mails` of the order, to its address, as the order is now.',
    body: closed('The email.', RESENT_MAIL),
    idempotencyKey: true,
    refusals: ['not_found'],
    store: { object: 'order', field: 'orderId' },
  }),
  previewRefund: operatorOperation({
    method: 'POST',
    path: '/operator/v1/orders/{orderId}/refund-preview',
    tag,
    summary: 'Preview the money of a cancellation or a refund.',
    description: 'Of units to cancel (by default all that are left), or of a manual refund of an amount.',
    auth,
    unaudited: true,
    params,
    body: closed('Units or an amount.', {
      lines: Type.Optional(leftOut(unitsOfLines('The units to cancel.'))),
      amount: Type.Optional(leftOut(integer(1, Number.MAX_SAFE_INTEGER, 'Minor units of a manual refund.', 1999))),
    }),
    data: OperatorRefundPreview,
    refusals: [
      'not_found',
      'payment_outcome_unknown',
      'order_not_cancelable',
      'cancellation_exists',
      'quantity_exceeded',
      'quantity_invalid',
    ],
    store: { object: 'order', field: 'orderId' },
  }),
}
