import { type Static, Type } from 'typebox'
import { QuoteLine } from '../../../schemas/carts.ts'
import { Environment, id, Money, none, Timestamp } from '../../../schemas/common.ts'
import { AFTER_SALES_STATUSES, AfterSales, OrderNumber } from '../../../schemas/orders.ts'
import { closed, flag, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { carriage } from './fulfillments.ts'

const tag = 'After-sales'
const auth = { kind: 'operator', area: 'orders' } as const

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
const DeclineReason = text(500, 'Shown to the shopper.', 'It was worn.')

export const OperatorAfterSales = operatorNamed(
  'OperatorAfterSales',
  closed('An after-sales request with its order and the allowed actions.', {
    orderNumber: OrderNumber,
    request: AfterSales,
    allowed: listOf(oneOf(AFTER_SALES_STEPS, 'A step.'), AFTER_SALES_STEPS.length, 'The allowed actions.'),
    inspection: Type.Optional(
      leftOut(
        closed('The result of the inspection.', {
          accepted: flag('Whether the goods are accepted.'),
          restocks: flag('Whether the goods are restocked.'),
        }),
      ),
    ),
    refunded: Type.Optional(leftOut(Money)),
    declineReason: Type.Optional(leftOut(DeclineReason)),
    replacements: Type.Optional(
      leftOut(
        listOf(
          closed('What replaces a line of an exchange, as it is sold now.', {
            lineId: id('oli', 'The id of the order line.'),
            productId: QuoteLine.properties.productId,
            code: text(250, 'The code of the SKU.', 'LIN-SHIRT-BLUE-L'),
            name: text(500, 'The name of the product.', 'Linen shirt'),
            optionLabels: QuoteLine.properties.optionLabels,
            image: QuoteLine.properties.image,
            price: Type.Optional(Money),
            paid: Money,
          }),
          100,
          'The replacements, with their price now and the price of the unit that they replace. Only in a single exchange.',
        ),
      ),
    ),
    usual: Type.Optional(
      leftOut(
        closed('The defaults of an approval, from the policies. Only in a single request that can be approved.', {
          instructions: Type.Optional(text(2000, 'Instructions for the buyer.', 'Put the shirt into its box.')),
          returnAddress: Type.Optional(text(500, 'The return address.', 'Loom Returns\n10115 Berlin')),
          returnBy: Type.Optional(Timestamp),
        }),
      ),
    ),
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
    summary: 'List after-sales requests, oldest first.',
    description: 'In one status; open requests by default. With `closed`, ended requests, the last one first.',
    auth,
    query: closed('Page and status.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      status: Type.Optional(oneOf(AFTER_SALES_STATUSES, 'Only requests in this status.')),
      environment: Type.Optional(Environment),
      closed: Type.Optional(leftOut(flag('Whether to list ended requests, the last one first.', true))),
    }),
    data: pageOf(OperatorAfterSales, 'Requests, oldest first.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  getAfterSales: operatorOperation({
    method: 'GET',
    path: '/operator/v1/after-sales/{afterSalesId}',
    tag,
    summary: 'Get an after-sales request.',
    description: 'With the actions that are allowed now.',
    auth,
    params,
    data: OperatorAfterSales,
    refusals: ['not_found'],
    store: { object: 'after_sales', field: 'afterSalesId' },
    recordsRead: { type: 'after_sales', field: 'afterSalesId' },
  }),
  reviewAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/review',
    summary: 'Start reviewing a request.',
    description: 'The shopper sees that it is under review.',
    body: none,
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  approveAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/approve',
    summary: 'Approve a request.',
    description: 'Absent fields are taken from the policy of the store.',
    body: closed('The details of the return.', {
      instructions: Type.Optional(text(2000, 'Instructions for the shopper.', 'Put the shirt into its box.')),
      returnAddress: Type.Optional(
        leftOut(text(500, 'The return address, line by line.', 'Loom Returns\nGate 4\n10115 Berlin')),
      ),
      returnBy: Type.Optional(Timestamp),
    }),
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  declineAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/decline',
    summary: 'Decline a request.',
    description:
      'The reason is shown to the shopper. Goods that an inspection has accepted go back to them, and are taken from stock again.',
    body: closed('The reason.', { declineReason: DeclineReason }),
    refusals: ['not_found', 'version_conflict', 'out_of_stock'],
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  markAfterSalesInTransit: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/in-transit',
    summary: 'Mark the goods as in transit.',
    description: 'The request no longer expires.',
    body: none,
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  markAfterSalesReceived: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/received',
    summary: 'Mark the goods as received.',
    description: 'Also allowed if the goods were never marked as in transit, or arrive after the request has expired.',
    body: none,
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  inspectAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/inspect',
    summary: 'Record the inspection.',
    description: 'Accepted goods count as returned; sellable goods are restocked.',
    body: closed('The result of the inspection.', {
      accepted: flag('Whether the goods are accepted.'),
      restocks: Type.Optional(flag('Whether they are restocked; absent: according to the policy of the store.')),
      declineReason: Type.Optional(leftOut(DeclineReason)),
    }),
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  resolveAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/resolve',
    summary: 'Resolve a request.',
    description: 'Requests the refund, or takes the replacement goods from stock.',
    body: closed('The resolution.', {
      amount: Type.Optional(
        integer(0, Number.MAX_SAFE_INTEGER, 'Minor units; absent: the full refund of the units.', 1999),
      ),
      refund: Type.Optional(leftOut(flag('Whether an exchange or a repair is refunded instead.'))),
    }),
    refusals: ['not_found', 'version_conflict', 'payment_outcome_unknown', 'out_of_stock'],
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  completeAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/complete',
    summary: 'Mark the goods of an exchange or a repair as shipped.',
    description: 'The shopper gets an email with the carrier and tracking. A refund completes itself.',
    body: closed('Carrier and tracking, if known.', carriage),
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
  withdrawAfterSales: operatorOperation({
    ...act,
    path: '/operator/v1/after-sales/{afterSalesId}/withdraw',
    summary: 'Withdraw a request for the shopper.',
    description: 'As long as the goods have not been sent.',
    body: none,
    store: { object: 'after_sales', field: 'afterSalesId' },
  }),
}
