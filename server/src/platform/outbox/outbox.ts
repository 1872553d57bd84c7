import { limits } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { insertion } from '../postgres/insertion.ts'
import type { Transaction } from '../postgres/reader.ts'
import type { DomainEvent, PublicEvent } from './event.ts'

/** The context for recording and publishing events, a part of the contexts of requests and jobs. */
export interface EventContext {
  readonly ids: IdSource
  readonly now: Date
}

const insertRecorded = insertion(
  'events',
  {
    id: 'text',
    kind: 'text',
    environment: 'text',
    installation_id: 'text',
    store_id: 'text',
    subject_id: 'text',
    sequence: 'bigint',
    data: 'jsonb',
    created_at: 'timestamptz',
  },
  `recorded as (
     insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, data, created_at)
     select id, kind, environment, installation_id, store_id, subject_id, sequence, data, created_at from ROWS)`,
)

/** Records an internal event in the transaction of its change: one exists if and only if the other does. */
export function recordEvent(tx: Transaction, event: DomainEvent, { ids, now }: EventContext): void {
  tx.add(insertRecorded, [
    ids.next('evt'),
    event.kind,
    event.environment,
    event.installationId,
    event.storeId,
    event.subjectId,
    event.sequence,
    JSON.stringify(event.data),
    now,
  ])
}

// The database assigns the sequence numbers, so a body is sent in two parts and joined around its number. The event for a store's
// share has its own sequence, and is stored only if an endpoint or an integration is narrowed to the store: others get the event for
// the whole object. Sequences are locked in the order of their subjects.
const insertPublished = insertion(
  'published',
  {
    id: 'text',
    kind: 'text',
    environment: 'text',
    installation_id: 'text',
    store_id: 'text',
    subject_id: 'text',
    head: 'text',
    tail: 'text',
    created_at: 'timestamptz',
    of_share: 'boolean',
  },
  `published as materialized (
     select *, row_number() over (partition by subject_id, environment order by nth) as place
     from ROWS where not of_share or exists (
       select from webhook_endpoints endpoint join oauth_grants granted on granted.id = endpoint.grant_id
       where granted.store_id = added.store_id and endpoint.environment = added.environment
         and granted.ends_at > added.created_at)
       or exists (
       select from integrations where integrations.store_id = added.store_id and integrations.revoked_at is null
         and (integrations.expires_at is null or integrations.expires_at > added.created_at))),
   counted as (
     insert into event_sequences (subject_id, environment, last)
     select subject_id, environment, count(*) from published group by subject_id, environment order by subject_id, environment
     on conflict (subject_id, environment) do update set last = event_sequences.last + excluded.last
     returning subject_id, environment, last),
   numbered as (
     select published.*, last - max(place) over (partition by subject_id, environment) + place as sequence
     from published join counted using (subject_id, environment)),
   published_events as (
     insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, body, created_at, of_share)
     select id, kind, environment, installation_id, store_id, subject_id, sequence,
       convert_to(head || sequence || tail, 'UTF8'), created_at, of_share from numbered
     returning id),
   delivered as (insert into events_to_deliver (event_id) select id from published_events)`,
)

/** The most digits that a sequence number can have. */
const SEQUENCE_DIGITS_MAX = 19

/**
 * Publishes an event to webhook endpoints in the transaction of its change. It gets the next sequence number of its subject in
 * its environment, without gaps. Its body is fixed: every delivery sends the same bytes.
 *
 * @see docs/reference/rules.md#webhooks
 */
export function publishEvent(tx: Transaction, event: PublicEvent, context: EventContext): void {
  publish(tx, event, event.subjectId, context)
}

/**
 * The same for one store's share of an object of several stores: for endpoints and integrations that are narrowed to `storeId`, which
 * do not get the event for the whole object. Nothing is stored if there are none.
 */
export function publishShare(
  tx: Transaction,
  event: PublicEvent & { readonly storeId: string },
  context: EventContext,
): void {
  publish(tx, event, `${event.subjectId}/${event.storeId}`, context)
}

function publish(tx: Transaction, event: PublicEvent, sequenceOf: string, { ids, now }: EventContext): void {
  const { kind, environment, installationId, storeId, subjectId, data } = event
  const isOfShare = sequenceOf !== subjectId
  const id = ids.next('evt')
  const head = JSON.stringify({ id, type: kind, timestamp: now.toISOString(), apiVersion: 'v1', environment })
  const content = JSON.stringify(data)
  const before = `${head.slice(0, -1)},"sequence":`
  const after = `,"data":${content}}`
  const bytes = Buffer.byteLength(before) + SEQUENCE_DIGITS_MAX + Buffer.byteLength(after)
  assert(bytes <= limits.webhooks.bodyBytesMax, `the body of ${kind} is within the size limit of webhooks`)
  tx.add(insertPublished, [id, kind, environment, installationId, storeId, sequenceOf, before, after, now, isOfShare])
}
