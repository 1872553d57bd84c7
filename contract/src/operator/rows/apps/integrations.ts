import { type Static, Type } from 'typebox'
import { Environment, id, none, SAFE_INTEGER_MAX, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, formed, integer, leftOut, listOf, mapOf, oneOf, text } from '../../../schemas/primitives.ts'
import {
  CreateInstallationWebhookRequest,
  UpdateInstallationWebhookRequest,
  WebhookEndpointWithSecret,
} from '../../../schemas/webhooks.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { integrationAreas } from '../../roles.ts'
import { IntegrationId } from './webhooks.ts'

const tag = 'Integrations'
const auth = { kind: 'operator', area: 'apps' } as const
const Name = text(80, 'Its name, unique among those in use.', 'ERP')

/** The kinds of events in the event log of the operator API. */
export const LOGGED_EVENTS = [
  'order.created',
  'order.updated',
  'order.canceled',
  'order.fulfilled',
  'order.cancellation.requested',
  'order.cancellation.decided',
  'after_sales.requested',
  'after_sales.updated',
] as const

const accessOf = (area: string) => Type.Optional(oneOf(['read', 'write'], `Its access to the area ${area}.`))
const Access = closed(
  'The access of its token, by area; it has none to an absent area. `write` includes `read`.',
  Object.fromEntries(integrationAreas.map((area) => [area, accessOf(area)])) as Record<
    (typeof integrationAreas)[number],
    ReturnType<typeof accessOf>
  >,
  { minProperties: 1 },
)

export const OperatorIntegration = operatorNamed(
  'OperatorIntegration',
  closed('A system of the marketplace or of one store, such as an ERP, with a token of its own.', {
    id: IntegrationId,
    name: Name,
    status: oneOf(['active', 'expired', 'revoked'], 'Whether its token works.'),
    access: Access,
    store: Type.Optional(
      leftOut(
        closed('The only store that it can access; absent: all stores.', { id: id('store', 'The id.'), slug: Slug }),
      ),
    ),
    tokenHint: text(8, 'The last characters of its token.', '…x5Zq'),
    endpointCount: integer(0, 1000, 'Its webhook endpoints.', 1),
    createdAt: Timestamp,
    expiresAt: Type.Optional(leftOut(Timestamp)),
    revokedAt: Type.Optional(leftOut(Timestamp)),
    lastUsedAt: Type.Optional(leftOut(Timestamp)),
  }),
)
export type OperatorIntegration = Static<typeof OperatorIntegration>

const withToken = closed('The integration with its token, which is shown only once.', {
  integration: OperatorIntegration,
  token: formed(
    '^vit_[A-Za-z0-9_-]{43}$',
    47,
    'The token. Send it as `Authorization: Bearer`.',
    'vit_0000000000000000000000000000000000000000000',
  ),
})

export const OperatorEvent = operatorNamed(
  'OperatorEvent',
  closed('An event of an order or of an after-sales request.', {
    position: integer(1, SAFE_INTEGER_MAX, 'Its position in the log.', 1042),
    id: id('evt', 'The id of the event, as in webhooks.'),
    type: oneOf(LOGGED_EVENTS, 'The kind of event.'),
    timestamp: Timestamp,
    environment: Environment,
    sequence: integer(1, SAFE_INTEGER_MAX, 'Counts the events of one object, without gaps.', 4),
    data: mapOf(
      '^[A-Za-z][A-Za-z0-9_]{0,63}$',
      Type.Unknown({ description: 'Any JSON.', 'x-any-json': true }),
      100,
      'The data of this kind of event, as in webhooks.',
      { examples: [{ orderId: 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8' }] },
    ),
  }),
)
export type OperatorEvent = Static<typeof OperatorEvent>

const params = closed('The integration.', { integrationId: IntegrationId })
const endpointParams = closed('The endpoint.', {
  integrationId: IntegrationId,
  endpointId: id('whe', 'The id of the endpoint.'),
})

export const integrationRows = {
  listIntegrations: operatorOperation({
    method: 'GET',
    path: '/operator/v1/integrations',
    tag,
    summary: 'List integrations, newest first.',
    description: 'With their access and the last use of their tokens. Revoked integrations come last.',
    auth,
    data: closed('Integrations.', { items: listOf(OperatorIntegration, 1000, 'Integrations, newest first.') }),
    refusals: [],
  }),
  getIntegration: operatorOperation({
    method: 'GET',
    path: '/operator/v1/integrations/{integrationId}',
    tag,
    summary: 'Get an integration.',
    description: 'Without its token.',
    auth,
    params,
    data: OperatorIntegration,
    refusals: ['not_found'],
  }),
  createIntegration: operatorOperation({
    method: 'POST',
    path: '/operator/v1/integrations',
    tag,
    summary: 'Create an integration with a token.',
    description:
      'For the whole marketplace or one store. A token of one store can access only that store, and no operation that concerns several. It can have at most the access of the role that creates it. Access, store and expiry cannot be changed later.',
    auth,
    body: closed('The new integration.', {
      name: Name,
      access: Access,
      storeSlug: Type.Optional(Slug),
      expiresAt: Type.Optional(Timestamp),
    }),
    data: withToken,
    freshProof: 'always',
    refusals: ['not_found', 'name_taken', 'role_insufficient'],
  }),
  replaceIntegrationToken: operatorOperation({
    method: 'POST',
    path: '/operator/v1/integrations/{integrationId}/token',
    tag,
    summary: 'Replace the token of an integration.',
    description: 'The previous token stops working at once. Webhook endpoints stay.',
    auth,
    params,
    body: none,
    data: withToken,
    freshProof: 'always',
    refusals: ['not_found', 'role_insufficient', 'state_conflict'],
  }),
  revokeIntegration: operatorOperation({
    method: 'POST',
    path: '/operator/v1/integrations/{integrationId}/revoke',
    tag,
    summary: 'Revoke an integration.',
    description: 'Its token stops working at once, and its webhook endpoints are deleted.',
    auth,
    params,
    body: none,
    data: OperatorIntegration,
    refusals: ['not_found', 'state_conflict'],
  }),
  createIntegrationWebhook: operatorOperation({
    method: 'POST',
    path: '/operator/v1/integrations/{integrationId}/webhook-endpoints',
    tag,
    summary: 'Create a webhook endpoint of an integration.',
    description:
      'It receives the events of orders, returns and products of its store, or of all stores, for the sales of every installation. Order events and product events each require access to their area.',
    auth,
    params,
    body: closed('The endpoint.', { environment: Environment, ...CreateInstallationWebhookRequest.properties }),
    data: WebhookEndpointWithSecret,
    freshProof: 'always',
    idempotencyKey: true,
    secrets: { secret: 'secretState' },
    refusals: ['not_found', 'state_conflict', 'webhook_url_invalid', 'unknown_event_type', 'endpoint_limit_reached'],
  }),
  updateIntegrationWebhook: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/integrations/{integrationId}/webhook-endpoints/{endpointId}',
    tag,
    summary: 'Update a webhook endpoint of an integration, or rotate its secret.',
    description: 'After a rotation the previous secret signs for 24 hours, unless it is dropped at once.',
    auth,
    params: endpointParams,
    body: UpdateInstallationWebhookRequest,
    data: WebhookEndpointWithSecret,
    freshProof: 'always',
    refusals: ['not_found', 'webhook_url_invalid', 'unknown_event_type', 'version_conflict'],
  }),
  listEvents: operatorOperation({
    method: 'GET',
    path: '/operator/v1/events',
    store: 'filter',
    tag,
    summary: 'Read the events of orders and returns since a position.',
    description:
      'Returns each event once, in a fixed order. Continue from `position`, even if the page is empty. Covers all installations. One store gets the events of its orders and of its share of orders with several stores, the latter without cancellations and returns; a token of one store only those since its creation. Events are retained for 30 days.',
    auth: { kind: 'operator', area: 'orders' },
    query: closed('The position to start from.', {
      environment: Environment,
      after: Type.Optional(
        integer(0, SAFE_INTEGER_MAX, 'The last position that was read; `0`: all retained events.', 1041),
      ),
      limit: Type.Optional(integer(1, 100, 'Events per page.', 100)),
    }),
    data: closed('A page of events.', {
      items: listOf(OperatorEvent, 100, 'The events, in order.'),
      position: integer(0, SAFE_INTEGER_MAX, 'The position to continue from.', 1042),
      hasMore: flag('Whether more events are available now.'),
    }),
    refusals: ['events_expired'],
  }),
}
