import { type Static, Type } from 'typebox'
import { id, Money, none, Timestamp } from '../../../schemas/common.ts'
import { AFTER_SALES_STATUSES, AfterSales, OrderNumber } from '../../../schemas/orders.ts'
import { closed, flag, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { carriage } from './fulfillments.ts'

const tag = 'After-sales'
const auth = { kind: 'operator' } as const

export const AFTER_SALES_STEPS = [
  'review',
  'approve',
  'decline',
  'mark_in_transit',
  'mark_received',
  'inspect',
  'resolve',
  'complete',
  'withdraw',
] as const
const DeclineReason = text(500, 'What the shopper is shown.', 'It was worn.')

export const OperatorAfterSales = operatorNamed(
  'OperatorAfterSales',
  closed('A request after the sale, with the order that it is of and what can be done with it.', {
    orderNumber: OrderNumber,
    request: AfterSales,
    allowed: listOf(oneOf(AFTER_SALES_STEPS, 'A step.'), AFTER_SALES_STEPS.length, 'What can be done with it.'),
    inspection: Type.Optional(
      leftOut(
        closed('What was found.', { accepted: flag('Whether the goods are kept.'), restocks: flag('On the shelf.') }),
      ),
    ),
    refunded: Type.Optional(leftOut(Money)),
    declineReason: Type.Optional(leftOut(DeclineReason)),
  }),
)
export type OperatorAfterSales = Static<typeof OperatorAfterSales>

const params = closed('The request.', { afterSalesId: id('asr', 'The id of the request.') })
const act = {
  method: 'POST',
  tag,
  auth,
  params,
  query: none,
  data: OperatorAfterSales,
  meta: null,
  refusals: ['not_found', 'version_conflict'],
} as const

export const afterSalesRows = {
  listAfterSales: operatorOperation({
    method: 'GET',
    path: '/operator/v1/after-sales',
    tag,
    summary: 'List requests after the sale, oldest first.',
    description: 'In one state; those that have not come to their end where none is said.',
    auth,
    params: none,
    query: closed('Page and state.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      status: Type.Optional(oneOf(AFTER_SALES_STATUSES, 'Only these.')),
    }),
    body: null,
    data: pageOf(OperatorAfterSales, 'Requests, the oldest first.'),
    meta: null,
    refusals: ['invalid_cursor'],
  }),
  getAfterSales: operatorOperation({
    method: 'GET',
    path: '/operator/v1/after-sales/{afterSalesId}',
    tag,
    summary: 'Get an after-sales request.',
    description: 'With what can be done with it now.',
    auth,
    params,
    query: none,
    body: null,
    data: OperatorAfterSales,
    meta: null,
    refusals: ['not_found'],
  }),
  reviewAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/review',
    summary: 'Take a request on.',
    description: 'The shopper sees that somebody looks at it.',
    body: none,
  }),
  approveAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/approve',
    summary: 'Approve a request.',
    description: 'What is absent comes from the policy of the store.',
    body: closed('What the shopper is told.', {
      instructions: Type.Optional(text(2000, 'What the shopper does now.', 'Put the shirt into its box.')),
      returnBy: Type.Optional(Timestamp),
    }),
  }),
  declineAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/decline',
    summary: 'Decline a request.',
    description: 'The shopper is shown why.',
    body: closed('Why not.', { declineReason: DeclineReason }),
  }),
  markAfterSalesInTransit: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/in-transit',
    summary: 'Say that the goods are on their way back.',
    description: 'It does not expire any more.',
    body: none,
  }),
  markAfterSalesReceived: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/received',
    summary: 'Say that the goods have come back.',
    description: 'Also allowed if the goods were never marked as in transit.',
    body: none,
  }),
  inspectAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/inspect',
    summary: 'Say what was found.',
    description: 'What is kept of a return counts as returned; what can be sold again goes on the shelf.',
    body: closed('What was found.', {
      accepted: flag('Whether the goods are kept.'),
      restocks: Type.Optional(flag('Whether they can be sold again; absent: as the policy of the store has it.')),
      declineReason: Type.Optional(leftOut(DeclineReason)),
    }),
  }),
  resolveAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/resolve',
    summary: 'Do what was promised.',
    description: 'Asks the money back, or takes the goods that leave instead off the shelf.',
    body: closed('How much.', {
      amount: Type.Optional(
        integer(0, Number.MAX_SAFE_INTEGER, 'Minor units; absent: all that the units give back.', 1999),
      ),
    }),
    refusals: ['not_found', 'version_conflict', 'payment_outcome_unknown', 'out_of_stock'],
  }),
  completeAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/complete',
    summary: 'Say that the goods of an exchange or a repair have left.',
    description: 'The buyer is told by a mail with whom, and how to follow them. A refund completes itself.',
    body: closed('How they left, where it is known.', carriage),
  }),
  withdrawAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/withdraw',
    summary: 'Withdraw a request for the shopper.',
    description: 'As long as the goods have not left them.',
    body: none,
  }),
}
