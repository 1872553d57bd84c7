import { limits } from '@vitrine/contract'
import { assert } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../postgres/reader.ts'
import { type Statement, statement } from '../postgres/statement.ts'
import type { DomainEvent, PublicEvent } from './event.ts'

/** What recording and publishing events needs. The contexts of requests and jobs have it. */
export interface EventContext {
  readonly ids: IdSource
  readonly now: Date
}

const insert = statement(
  'outbox.append',
  `insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, data, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** Records an internal event in the transaction of its change: one exists if and only if the other does. */
export function recordEvent(tx: Transaction, event: DomainEvent, { ids, now }: EventContext): void {
  tx.write(insert, [
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

// The database assigns the sequence number, so the body is sent in two parts and joined around it.
const insertPublic = statement(
  'outbox.announce',
  `with counted as (
     insert into event_sequences (subject_id, environment, last) values ($6, $3, 1)
     on conflict (subject_id, environment) do update set last = event_sequences.last + 1
     returning last),
   told as (
     insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, body, created_at)
     select $1, $2, $3, $4, $5, $6, last, convert_to($7 || last || $8, 'UTF8'), $9 from counted
     returning id)
   insert into events_to_deliver (event_id) select id from told`,
)

// Only where an endpoint is narrowed to the store. It has a sequence of its own: other endpoints get the event of the whole.
const insertShare = statement(
  'outbox.announce_share',
  `with counted as (
     insert into event_sequences (subject_id, environment, last)
     select $6 || '/' || $5, $3, 1 where exists (
       select from webhook_endpoints endpoint join oauth_grants granted on granted.id = endpoint.grant_id
       where granted.store_id = $5 and endpoint.environment = $3)
     on conflict (subject_id, environment) do update set last = event_sequences.last + 1
     returning last),
   told as (
     insert into events (id, kind, environment, installation_id, store_id, subject_id, sequence, body, created_at, of_share)
     select $1, $2, $3, $4, $5, $6 || '/' || $5, last, convert_to($7 || last || $8, 'UTF8'), $9, true from counted
     returning id)
   insert into events_to_deliver (event_id) select id from told`,
)

/** Digits that a number can have at most. */
const SEQUENCE_DIGITS_MAX = 19

/**
 * Publishes an event to webhook endpoints in the transaction of its change. It gets the next sequence number of its subject in
 * its environment, without gaps. Its body is fixed: every delivery sends the same bytes.
 *
 * @see docs/reference/rules.md#webhooks
 */
export function publishEvent(tx: Transaction, event: PublicEvent, context: EventContext): void {
  publish(tx, insertPublic, event, context)
}

/**
 * The same for the share of one store in an object of several: for endpoints narrowed to `storeId`, which do not get the event of
 * the whole. Nothing is stored if there is none.
 */
export function publishShare(
  tx: Transaction,
  event: PublicEvent & { readonly storeId: string },
  context: EventContext,
): void {
  publish(tx, insertShare, event, context)
}

function publish(tx: Transaction, insertion: Statement, event: PublicEvent, { ids, now }: EventContext): void {
  const { kind, environment, installationId, storeId, subjectId, data } = event
  const id = ids.next('evt')
  const head = JSON.stringify({ id, type: kind, timestamp: now.toISOString(), apiVersion: 'v1', environment })
  const content = JSON.stringify(data)
  const before = `${head.slice(0, -1)},"sequence":`
  const after = `,"data":${content}}`
  const bytes = Buffer.byteLength(before) + SEQUENCE_DIGITS_MAX + Buffer.byteLength(after)
  assert(bytes <= limits.webhooks.bodyBytesMax, `the body of ${kind} is within the size limit of webhooks`)
  tx.write(insertion, [id, kind, environment, installationId, storeId, subjectId, before, after, now])
}
