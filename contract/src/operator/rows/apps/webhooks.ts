import { type Static, Type } from 'typebox'
import { type EventKind, eventKindNames } from '../../../events.ts'
import { Environment, id } from '../../../schemas/common.ts'
import { closed, integer, leftOut, oneOf, text } from '../../../schemas/primitives.ts'
import { DELIVERY_STATUSES, WebhookDelivery, WebhookEndpoint } from '../../../schemas/webhooks.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Webhooks'
const auth = { kind: 'operator', area: 'apps' } as const
const EndpointId = id('whe', 'The id of the endpoint.')
const DeliveryId = id('whd', 'The id of the delivery.')
export const IntegrationId = id('itg', 'The id of the integration.')
const kinds = eventKindNames as [EventKind, ...EventKind[]]

export const OperatorWebhookEndpoint = operatorNamed(
  'OperatorWebhookEndpoint',
  closed('An endpoint that receives events, of an installation or an integration.', {
    endpoint: WebhookEndpoint,
    environment: Environment,
    installation: Type.Optional(
      closed('The owner.', { id: id('ins', 'The id of the installation.'), name: text(120, 'Its name.', 'Web shop') }),
    ),
    integration: Type.Optional(
      leftOut(closed('The owner.', { id: IntegrationId, name: text(80, 'Its name.', 'ERP') })),
    ),
  }),
)
export type OperatorWebhookEndpoint = Static<typeof OperatorWebhookEndpoint>

export const OperatorWebhookDelivery = operatorNamed(
  'OperatorWebhookDelivery',
  closed('A delivery with its payload.', {
    delivery: WebhookDelivery,
    body: Type.Optional(
      text(1_048_576, 'The signed bytes that are sent; absent if the event was deleted.', '{"id":"evt_…"}'),
    ),
    bodyBytes: integer(0, 1_048_576, 'The size in bytes.', 412),
  }),
)
export type OperatorWebhookDelivery = Static<typeof OperatorWebhookDelivery>

const endpointParams = closed('The endpoint.', { endpointId: EndpointId })
const deliveryParams = closed('The delivery.', { deliveryId: DeliveryId })

export const webhookRows = {
  listWebhookEndpoints: operatorOperation({
    method: 'GET',
    path: '/operator/v1/webhook-endpoints',
    tag,
    summary: 'List the endpoints of all installations and integrations, newest first.',
    description: 'With their health.',
    auth,
    query: closed('Page.', {
      ...listQuery,
      status: Type.Optional(oneOf(['enabled', 'paused', 'disabled'], 'Only entries in this status.')),
      installationId: Type.Optional(id('ins', 'Only endpoints of this installation.')),
      integrationId: Type.Optional(id('itg', 'Only endpoints of this integration.')),
    }),
    data: pageOf(OperatorWebhookEndpoint, 'Endpoints, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  getWebhookEndpoint: operatorOperation({
    method: 'GET',
    path: '/operator/v1/webhook-endpoints/{endpointId}',
    tag,
    summary: 'Get an endpoint.',
    description: 'With its installation, events and health.',
    auth,
    params: endpointParams,
    data: OperatorWebhookEndpoint,
    refusals: ['not_found'],
  }),
  setWebhookEndpointStatus: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/webhook-endpoints/{endpointId}',
    tag,
    summary: 'Enable an endpoint, or pause it.',
    description: 'Pausing cancels waiting deliveries. Enabling resets past failures.',
    auth,
    params: endpointParams,
    body: closed('The change.', { status: oneOf(['enabled', 'paused'], 'Whether events are sent.') }),
    data: OperatorWebhookEndpoint,
    refusals: ['not_found'],
  }),
  sendWebhookTest: operatorOperation({
    method: 'POST',
    path: '/operator/v1/webhook-endpoints/{endpointId}/test',
    tag,
    summary: 'Send a test to an endpoint.',
    description:
      'Sends a `webhook.test` event, even if the endpoint does not subscribe to it. It appears in the deliveries at once.',
    auth,
    params: endpointParams,
    body: closed('The test.', { message: text(200, 'The message of the event.', 'Hello') }),
    data: closed('The result.', { status: oneOf(['accepted'], 'It is sent with the next round of deliveries.') }),
    refusals: ['not_found', 'state_conflict'],
  }),
  listWebhookDeliveries: operatorOperation({
    method: 'GET',
    path: '/operator/v1/webhook-endpoints/{endpointId}/deliveries',
    tag,
    summary: 'List the deliveries to an endpoint, newest first.',
    description: 'Each with its attempts.',
    auth,
    params: endpointParams,
    query: closed('Page.', {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only entries in this status.')),
      eventType: Type.Optional(oneOf(kinds, 'Only events of this kind.')),
    }),
    data: pageOf(WebhookDelivery, 'Deliveries, the newest first.'),
    refusals: ['not_found', 'invalid_cursor'],
  }),
  getWebhookDelivery: operatorOperation({
    method: 'GET',
    path: '/operator/v1/webhook-deliveries/{deliveryId}',
    tag,
    summary: 'Get a delivery.',
    description: 'With its attempts and its payload.',
    auth,
    params: deliveryParams,
    data: OperatorWebhookDelivery,
    refusals: ['not_found'],
  }),
  replayWebhookDelivery: operatorOperation({
    method: 'POST',
    path: '/operator/v1/webhook-deliveries/{deliveryId}/replay',
    tag,
    summary: 'Replay a delivery.',
    description: 'Creates a new delivery to the same endpoint with the same bytes, due at once.',
    auth,
    params: deliveryParams,
    body: closed('Why. May be empty.', {
      reason: Type.Optional(text(200, 'The reason.', 'Their server was down.')),
    }),
    data: WebhookDelivery,
    refusals: ['not_found', 'delivery_in_progress', 'endpoint_disabled'],
  }),
}
