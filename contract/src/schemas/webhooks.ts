import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { type EventKind, eventKindNames } from '../events.ts'
import { Cursor, ExpectedVersion, HttpUrl, id, NextPath, Timestamp, Version, Word } from './common.ts'
import {
  closed,
  fixedOneOf,
  flag,
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

export const DELIVERY_STATUSES = ['pending', 'delivering', 'retrying', 'succeeded', 'dead', 'canceled'] as const
const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled'] as const

const EndpointId = id('whe', 'The id of the endpoint.')
const DeliveryId = id('whd', 'The id of the delivery.')
const EventId = id('evt', 'The id of the event, the same on each retry and replay.')
const kinds = eventKindNames as [EventKind, ...EventKind[]]
const Kind = oneOf(kinds, 'A kind of event.')
/** The handler checks the kinds, to refuse an unknown one as `unknown_event_type`. */
const Subscription = listOf(
  formed('^(\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+)$', 64, 'A kind of event, or `*` for all.', 'order.created'),
  50,
  'The subscribed event kinds.',
  { minItems: 1 },
)
const Target = Type.String({
  format: 'uri',
  pattern: '^https?://',
  maxLength: 2048,
  description: 'The target URL. https, unless the operator allows the host.',
  examples: ['https://shop.example/hooks'],
  'x-refusal': 'webhook_url_invalid',
})
const Description = text(200, 'A note for yourself.', 'Warehouse')
const count = (description: string, example: number) => integer(0, Number.MAX_SAFE_INTEGER, description, example)

export const WebhookEndpointParams = closed('The endpoint.', { id: EndpointId })
export const WebhookDeliveryParams = closed('The delivery.', { id: DeliveryId })

export const CreateInstallationWebhookRequest = named(
  'CreateInstallationWebhookRequest',
  closed('A new endpoint.', { url: Target, events: Subscription, description: Type.Optional(Description) }),
)
export type CreateInstallationWebhookRequest = Static<typeof CreateInstallationWebhookRequest>

export const UpdateInstallationWebhookRequest = named(
  'UpdateInstallationWebhookRequest',
  closed(
    'Partial update: an absent member is unchanged.',
    {
      url: Type.Optional(Target),
      events: Type.Optional(Subscription),
      description: Type.Optional(Description),
      status: Type.Optional(oneOf(['enabled', 'paused'], 'Whether events are delivered.')),
      rotateSecret: Type.Optional(
        Type.Union(
          [
            flag('The old secret keeps signing for 24 hours.'),
            Type.Literal('now', { description: 'All old secrets stop.' }),
          ],
          {
            description:
              'Create a new secret. `true`: the old one keeps signing for 24 hours. `now`: all old ones stop.',
          },
        ),
      ),
      expectedVersion: Type.Optional(ExpectedVersion),
    },
    { minProperties: 1 },
  ),
)
export type UpdateInstallationWebhookRequest = Static<typeof UpdateInstallationWebhookRequest>

export const PublicWebhookReplayRequest = named(
  'PublicWebhookReplayRequest',
  closed('The reason. May be empty.', {
    reason: Type.Optional(text(200, 'The reason, as free text.', 'Our server was down.')),
  }),
)
export type PublicWebhookReplayRequest = Static<typeof PublicWebhookReplayRequest>

const endpoint = {
  id: EndpointId,
  url: HttpUrl,
  events: Subscription,
  status: oneOf(ENDPOINT_STATUSES, '`disabled`: by us, after repeated failures.'),
  disabledReason: Type.Optional(leftOut(Word)),
  secretHint: text(16, 'The last characters of the secret.', '…k3Qs'),
  description: Type.Optional(Description),
  stats: closed('Delivery statistics.', {
    deliveredCount: count('Succeeded deliveries.', 1204),
    failedCount: count('Dead deliveries.', 0),
    pendingCount: count('Waiting deliveries.', 1),
    consecutiveFailures: count('Failures since the last success.', 0),
    lastSuccessAt: Type.Optional(Timestamp),
    lastFailureAt: Type.Optional(leftOut(Timestamp)),
  }),
  apiVersion: Type.Literal('v1', { description: 'The API version of its events.' }),
  version: Version,
  createdAt: Timestamp,
  updatedAt: Timestamp,
} satisfies TProperties

export const WebhookEndpoint = named('WebhookEndpoint', closed('A webhook endpoint.', endpoint))
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpointWithSecret = named(
  'WebhookEndpointWithSecret',
  closed('The endpoint, with its secret if a new one was created.', {
    ...endpoint,
    secret: Type.Optional(
      formed(
        '^whsec_[A-Za-z0-9+/]{43}=$',
        50,
        'The secret, shown once.',
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      ),
    ),
    secretState: fixedOneOf(
      ['unchanged', 'shown', 'already_shown'],
      '`already_shown`: this answer is a replay, and secrets are not stored.',
    ),
  }),
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

export const WebhookEndpointList = named(
  'WebhookEndpointList',
  closed('The endpoints of the installation.', {
    endpoints: listOf(WebhookEndpoint, 100, 'The endpoints, newest first.'),
    next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
  }),
)
export type WebhookEndpointList = Static<typeof WebhookEndpointList>

export const WebhookDelivery = named(
  'WebhookDelivery',
  closed('The delivery of one event to one endpoint.', {
    id: DeliveryId,
    endpointId: EndpointId,
    eventId: EventId,
    eventType: Kind,
    sequence: integer(1, Number.MAX_SAFE_INTEGER, 'Counts the events of one object, without gaps.', 4),
    status: oneOf(DELIVERY_STATUSES, 'The status.'),
    attempts: listOf(
      closed('One attempt.', {
        n: integer(1, 10_000, 'The number of the attempt.', 1),
        at: Timestamp,
        durationMs: integer(0, 600_000, 'The duration.', 84),
        httpStatus: Type.Optional(integer(100, 599, 'The HTTP status of the response.', 200)),
        error: Type.Optional(leftOut(text(500, 'What went wrong.', 'timeout'))),
      }),
      200,
      'The attempts, oldest first.',
    ),
    nextAttemptAt: Type.Optional(leftOut(Timestamp)),
    replayOf: Type.Optional(leftOut(DeliveryId)),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = named(
  'WebhookDeliveryList',
  closed('A page of deliveries, newest first.', {
    deliveries: listOf(WebhookDelivery, 100, 'The deliveries.'),
    next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
  }),
)
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>

export const DeliveriesQuery = closed('Filters and page.', {
  endpointId: Type.Optional(EndpointId),
  status: Type.Optional(oneOf(DELIVERY_STATUSES, 'The status.')),
  eventType: Type.Optional(oneOf(kinds, 'The event kind.', { 'x-refusal': 'unknown_event_type' })),
  cursor: Type.Optional(Cursor),
})

const BASE64 = '^[A-Za-z0-9+/]+={0,2}$'
const signedHeaders = closed('The headers as sent.', {
  'content-type': Type.Literal('application/json', { description: 'The type of the body.' }),
  'webhook-delivery-id': id('whd', 'The delivery, the same for each attempt.'),
  'webhook-attempt': formed('^[0-9]{1,4}$', 4, 'The number of the attempt.', '1'),
  'webhook-id': EventId,
  'webhook-timestamp': formed('^[0-9]{1,12}$', 12, 'Unix time in seconds.', '1773480413'),
  'webhook-signature': text(
    500,
    'One signature, or two during a secret rotation.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
})
const bodyBytes = formed(BASE64, 40_000, 'The exact bytes of the body, in base64.', 'eyJpZCI6ImV2dF8wMSJ9')

export const WebhookSignatureFixture = named(
  'WebhookSignatureFixture',
  closed('A signed sample to test a receiver with. Its secret is derived for this purpose and is never the live one.', {
    endpointId: EndpointId,
    secret: formed(
      '^whsec_[A-Za-z0-9+/]{43}=$',
      50,
      'The secret of the sample.',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    ),
    headers: signedHeaders,
    body: text(20_480, 'The body as text.', '{"id":"evt_01"}'),
    bodyBase64: bodyBytes,
    signedBase64: formed(
      BASE64,
      40_000,
      'The exact signed bytes: id, timestamp and body, joined by periods.',
      'ZXZ0XzAxLjE3NzM0ODA0MTMue30=',
    ),
    mustBeRefused: listOf(
      closed('A sample a receiver must refuse.', {
        case: oneOf(['tampered_body', 'wrong_secret', 'stale_timestamp'], 'What is wrong with it.'),
        headers: signedHeaders,
        bodyBase64: bodyBytes,
      }),
      10,
      'Samples a receiver must refuse.',
    ),
  }),
)
export type WebhookSignatureFixture = Static<typeof WebhookSignatureFixture>

/** Any JSON object: a schema or an example. */
const anyJson = (description: string, example: object) =>
  mapOf(
    '^[$A-Za-z][A-Za-z0-9_-]{0,63}$',
    Type.Unknown({ description: 'Any JSON.', 'x-any-json': true }),
    100,
    description,
    { examples: [example] },
  )

export const WebhookEventKindList = named(
  'WebhookEventKindList',
  closed('Every event kind.', {
    events: listOf(
      closed('A kind of event.', {
        type: Kind,
        description: text(500, 'When it is sent.', 'An order was confirmed.'),
        schema: anyJson('The JSON Schema of the body.', { type: 'object' }),
        sample: anyJson('An example of the body.', { sequence: 4 }),
      }),
      100,
      'The kinds.',
    ),
  }),
)
export type WebhookEventKindList = Static<typeof WebhookEventKindList>

const OPERATION_STATUSES = ['succeeded', 'accepted', 'noop'] as const

/** The data of an operation whose response the interface calls OperationResponse. */
export function operationResult<const Id extends string, Result extends TSchema>(operationId: Id, result: Result) {
  return closed('The result of the operation.', {
    operation: Type.Literal(operationId, { description: 'The operationId.' }),
    status: oneOf(OPERATION_STATUSES, '`noop`: nothing had to change.'),
    result,
  })
}
