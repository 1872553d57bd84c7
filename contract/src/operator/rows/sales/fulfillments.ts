import { type Static, Type } from 'typebox'
import { Environment, HttpUrl, id, none, Slug, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, integer, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Fulfillment'
const auth = { kind: 'operator', area: 'orders' } as const
const FulfillmentId = id('ful', 'The id of the fulfillment.')
const OrderLineId = id('oli', 'The id of the order line.')

export const FULFILLMENT_STATUSES = [
  'pending',
  'dispatched',
  'unknown',
  'failed',
  'confirmed',
  'reconciled',
  'stopped',
] as const
export const PARCEL_STEPS = ['deliver', 'fail', 'lose', 'correct', 'send_again'] as const

const Carrier = text(100, 'The carrier.', 'DHL')
const TrackingNumber = text(100, 'The tracking number.', '00340434161094042557')
export const Reason = text(500, 'The reason.', 'The parcel came back.')

/** Units of order lines, in a request body. */
export const unitsOfLines = (description: string, minItems = 1) =>
  listOf(
    closed('Units of a line.', { lineId: OrderLineId, quantity: integer(1, 999, 'Units.', 1) }),
    100,
    description,
    { minItems },
  )

export const carriage = {
  carrier: Type.Optional(Carrier),
  trackingNumber: Type.Optional(TrackingNumber),
  trackingUrl: Type.Optional(HttpUrl),
}

export const OperatorFulfillment = operatorNamed(
  'OperatorFulfillment',
  closed('Units to be fulfilled, or a parcel that was handed over.', {
    id: FulfillmentId,
    orderId: id('ord', 'The id of the order.'),
    orderNumber: text(40, 'The order number.', 'V-10044'),
    environment: Environment,
    store: closed('The store that ships.', { id: id('store', 'The id.'), slug: Slug }),
    method: oneOf(['manual', 'digital'], '`manual`: shipped with a carrier. `digital`: keys by email.'),
    status: oneOf(FULFILLMENT_STATUSES, 'The status.'),
    units: integer(0, 99_900, 'The number of units.', 2),
    lines: listOf(
      closed('Units of a line.', { lineId: OrderLineId, quantity: integer(1, 999, 'Units.', 1) }),
      100,
      'The lines.',
    ),
    waitingFor: Type.Optional(
      leftOut(text(500, 'The license keys that it waits for, by the codes of their SKUs.', '2 × NOVEL')),
    ),
    reference: Type.Optional(text(100, "The operator's own name for the parcel.", 'P-1')),
    ...carriage,
    note: Type.Optional(leftOut(text(500, 'Why it failed, or what is unknown.', 'The parcel came back.'))),
    dispatchedAt: Type.Optional(Timestamp),
    deliveredAt: Type.Optional(leftOut(Timestamp)),
    allowed: listOf(oneOf(PARCEL_STEPS, 'A step.'), PARCEL_STEPS.length, 'The allowed actions.'),
    version: Version,
    createdAt: Timestamp,
  }),
)
export type OperatorFulfillment = Static<typeof OperatorFulfillment>

const act = {
  method: 'POST',
  tag,
  auth,
  params: closed('The parcel.', { fulfillmentId: FulfillmentId }),
  query: none,
  data: OperatorFulfillment,
  meta: null,
  refusals: ['not_found', 'state_conflict'],
} as const

export const fulfillmentRows = {
  listFulfillments: operatorOperation({
    method: 'GET',
    path: '/operator/v1/fulfilments',
    tag,
    summary: 'List fulfillments, oldest first.',
    description: 'In one status, `pending` by default.',
    auth,
    query: closed('Page and status.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      status: Type.Optional(oneOf(FULFILLMENT_STATUSES, 'Only fulfillments in this status.')),
      environment: Type.Optional(Environment),
    }),
    data: pageOf(OperatorFulfillment, 'Fulfillments, oldest first.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  correctParcel: operatorOperation({
    ...act,
    path: '/operator/v1/fulfilments/{fulfillmentId}/correct',
    summary: 'Correct the carrier or tracking number of a parcel.',
    description: 'Fields that are absent are cleared.',
    body: closed('Carrier and tracking.', carriage),
    store: { object: 'fulfillment', field: 'fulfillmentId' },
  }),
  markParcelDelivered: operatorOperation({
    ...act,
    path: '/operator/v1/fulfilments/{fulfillmentId}/delivered',
    summary: 'Mark a parcel as delivered.',
    description: 'Also allowed for a lost parcel.',
    body: none,
    store: { object: 'fulfillment', field: 'fulfillmentId' },
  }),
  markParcelFailed: operatorOperation({
    ...act,
    path: '/operator/v1/fulfilments/{fulfillmentId}/failed',
    summary: 'Mark a parcel as failed.',
    description: 'It can be sent again.',
    body: closed('Why.', { reason: Reason }),
    store: { object: 'fulfillment', field: 'fulfillmentId' },
  }),
  markParcelLost: operatorOperation({
    ...act,
    path: '/operator/v1/fulfilments/{fulfillmentId}/lost',
    summary: 'Mark a parcel as lost.',
    description: 'It can still be marked as delivered or failed.',
    body: closed('Why.', { reason: Reason }),
    store: { object: 'fulfillment', field: 'fulfillmentId' },
  }),
  sendParcelAgain: operatorOperation({
    ...act,
    path: '/operator/v1/fulfilments/{fulfillmentId}/send-again',
    summary: 'Resend a failed parcel.',
    description: 'The same units, as the same parcel.',
    body: closed('Carrier and tracking.', carriage),
    store: { object: 'fulfillment', field: 'fulfillmentId' },
  }),
}
