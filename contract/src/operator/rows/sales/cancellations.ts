import { type Static, Type } from 'typebox'
import { Environment, id, none } from '../../../schemas/common.ts'
import { CANCELLATION_STATUSES, Cancellation, OrderNumber } from '../../../schemas/orders.ts'
import { closed, leftOut, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Cancellations'
const auth = { kind: 'operator', area: 'orders' } as const

export const OperatorCancellation = operatorNamed(
  'OperatorCancellation',
  closed('A cancellation with its order.', {
    orderNumber: OrderNumber,
    cancellation: Cancellation,
    note: Type.Optional(leftOut(text(1000, 'The reason given.', 'Bought twice.'))),
  }),
)
export type OperatorCancellation = Static<typeof OperatorCancellation>

const act = {
  method: 'POST',
  tag,
  auth,
  params: closed('The cancellation.', { cancellationId: id('can', 'The id of the cancellation.') }),
  query: none,
  data: OperatorCancellation,
  meta: null,
} as const

export const cancellationRows = {
  listCancellations: operatorOperation({
    method: 'GET',
    path: '/operator/v1/cancellations',
    tag,
    summary: 'List cancellations, oldest first.',
    description: 'In one status; undecided ones by default.',
    auth,
    query: closed('Page and status.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      status: Type.Optional(oneOf(CANCELLATION_STATUSES, 'Only cancellations in this status.')),
      environment: Type.Optional(Environment),
    }),
    data: pageOf(OperatorCancellation, 'Cancellations, oldest first.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  approveCancellation: operatorOperation({
    ...act,
    path: '/operator/v1/cancellations/{cancellationId}/approve',
    summary: 'Approve a cancellation.',
    description: 'Takes effect at once: the goods are not shipped, and the refund is requested.',
    body: none,
    refusals: ['not_found', 'version_conflict', 'payment_outcome_unknown', 'order_not_cancelable'],
    store: { object: 'cancellation', field: 'cancellationId' },
  }),
  declineCancellation: operatorOperation({
    ...act,
    path: '/operator/v1/cancellations/{cancellationId}/decline',
    summary: 'Decline a cancellation.',
    description: 'The reason is shown to the shopper.',
    body: closed('The reason.', { declineReason: text(500, 'Shown to the shopper.', 'The parcel has left.') }),
    refusals: ['not_found', 'version_conflict'],
    store: { object: 'cancellation', field: 'cancellationId' },
  }),
}
