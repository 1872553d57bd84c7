import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { IS_SUSPENDED } from './claim.ts'

/** Events per transaction. */
const BATCH = 200

interface Pairing {
  readonly event_id: string
  readonly event_type: string
  readonly sequence: bigint
  readonly endpoint_id: string | null
}

const IS_LOGGED = `(fresh.kind like 'order.%' or fresh.kind like 'after_sales.%')`
/** Requests about an order of several stores belong to the marketplace, as on the operator door. */
const IS_OF_MARKETPLACE = `(fresh.of_share and (fresh.kind like 'order.cancellation.%' or fresh.kind like 'after_sales.%'))`
/** The area that an integration needs to receive a kind of event. It receives no events of checkouts and carts. */
const AREA_OF_KIND = `case when ${IS_LOGGED} then 'orders' when fresh.kind like 'catalog.%' then 'catalog' else '' end`

// Taking an event and inserting its deliveries is one transaction, so that each event is fanned out exactly once, even if a
// worker dies. Events locked by another worker are skipped.
//
// The endpoint of a grant receives the events of the grant's store, until the grant ends. Among the endpoints of installations, only
// these receive the events of a store's share of an order.
//
// A test event goes only to its endpoint, whatever the subscription; `webhook.endpoint.disabled` goes to all but that endpoint.
const reaches = (endpoint: string) => `(${endpoint}.grant_id is null and not fresh.of_share or exists (
       select from oauth_grants as granted where granted.id = ${endpoint}.grant_id and granted.revoked_at is null
         and granted.ends_at > $2 and (granted.store_id = fresh.store_id or fresh.kind = 'webhook.test')))`
//
// The endpoint of an integration receives the events of its store, or of all stores, in the areas that the integration can read, from
// every installation, until the integration expires. Events of checkouts and carts go only to their installation.
//
// One worker at a time locks the head of the log, and takes events in the order of their numbers, so that the log never has an event
// after a later one of the same object.
const take = statement<Pairing>(
  'webhooks.take_events',
  `with head as materialized (select last from event_log_head for update skip locked),
   taken as (
     delete from events_to_deliver where event_id in (
       select event_id from events_to_deliver where exists (select from head) order by nth limit $1 for update skip locked)
     returning event_id, nth),
   fresh as (
     select event.id, event.kind, event.sequence, event.environment, event.installation_id, event.store_id, event.subject_id,
       event.of_share, taken.nth
     from taken join events event on event.id = taken.event_id),
   kept as (
     select id, environment, store_id, of_share, row_number() over (order by nth) as place from fresh
     where ${IS_LOGGED} and not ${IS_OF_MARKETPLACE}),
   logged as (
     insert into event_log (position, event_id, environment, store_id, of_share)
     select head.last + place, kept.id, environment, store_id, of_share from kept cross join head),
   moved as (
     update event_log_head set last = last + (select count(*) from kept) where exists (select from kept)),
   listening as (
     select fresh.id as event_id, endpoint.id as endpoint_id
     from fresh
     join webhook_endpoints endpoint on endpoint.environment = fresh.environment
       and endpoint.installation_id = fresh.installation_id
     where endpoint.status = 'enabled' and not ${IS_SUSPENDED} and ${reaches('endpoint')} and case fresh.kind
       when 'webhook.test' then endpoint.id = fresh.subject_id
       when 'webhook.endpoint.disabled' then endpoint.id <> fresh.subject_id and endpoint.events && array['*', fresh.kind]
       else endpoint.events && array['*', fresh.kind] end
     union all
     select fresh.id, endpoint.id
     from fresh
     join webhook_endpoints endpoint on endpoint.environment = fresh.environment
     join installations installation on installation.id = endpoint.installation_id
     where fresh.installation_id is null and fresh.kind not like 'webhook.%' and endpoint.status = 'enabled'
       and installation.status = 'active'
       and endpoint.events && array['*', fresh.kind]
       and ${reaches('endpoint')} and (installation.store_id is null or installation.store_id = fresh.store_id)
     union all
     select fresh.id, endpoint.id
     from fresh
     join webhook_endpoints endpoint on endpoint.environment = fresh.environment
     join integrations integration on integration.id = endpoint.integration_id
     where endpoint.status = 'enabled' and integration.revoked_at is null
       and (integration.expires_at is null or integration.expires_at > $2)
       and (fresh.kind = 'webhook.test' or endpoint.events && array['*', fresh.kind])
       and case fresh.kind
         when 'webhook.test' then endpoint.id = fresh.subject_id
         when 'webhook.endpoint.disabled' then endpoint.id <> fresh.subject_id and exists (
           select from webhook_endpoints other where other.id = fresh.subject_id and other.integration_id = integration.id)
         else integration.access ? ${AREA_OF_KIND} and case when integration.store_id is null then not fresh.of_share
           else integration.store_id = fresh.store_id and not ${IS_OF_MARKETPLACE} end end)
   select fresh.id as event_id, fresh.kind as event_type, fresh.sequence, listening.endpoint_id
   from fresh left join listening on listening.event_id = fresh.id
   order by fresh.id, listening.endpoint_id`,
)

const findAny = statement('webhooks.look_for_events', 'select 1 from events_to_deliver limit 1')

/** Whether there are events to fan out. */
export async function hasEvents(reader: Reader): Promise<boolean> {
  return (await reader.row(findAny)) !== undefined
}

const insert = statement(
  'webhooks.insert_deliveries',
  `with added as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       as added (id, endpoint_id, event_id, event_type, sequence)),
   health as (
     insert into webhook_health (endpoint_id) select distinct endpoint_id from added on conflict do nothing)
   insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, due_at, created_at, updated_at)
   select id, endpoint_id, event_id, event_type, sequence, $6, $6, $6 from added`,
)

interface FannedOut {
  readonly events: number
  readonly endpointIds: readonly string[]
}
export const NOTHING_FANNED_OUT: FannedOut = { events: 0, endpointIds: [] }

/**
 * Creates a delivery of each committed event for each enabled endpoint subscribed to it.
 *
 * @returns the number of events taken, and the endpoints with new deliveries
 */
export async function fanOut(tx: Transaction, { ids, now }: EventContext): Promise<FannedOut> {
  const pairings = await tx.rows(take, [BATCH, now])
  const deliveries = pairings.flatMap(({ endpoint_id, ...event }) =>
    endpoint_id === null ? [] : { ...event, endpoint_id },
  )
  if (deliveries.length > 0) {
    tx.write(insert, [
      deliveries.map(() => ids.next('whd')),
      deliveries.map((each) => each.endpoint_id),
      deliveries.map((each) => each.event_id),
      deliveries.map((each) => each.event_type),
      deliveries.map((each) => each.sequence),
      now,
    ])
  }
  const endpointIds = [...new Set(deliveries.map((each) => each.endpoint_id))]
  return { events: new Set(pairings.map((each) => each.event_id)).size, endpointIds }
}
