import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** Events that are fanned out by one transaction. */
const EVENTS_AT_ONCE = 200

interface Pairing {
  readonly event_id: string
  readonly event_type: string
  readonly sequence: bigint
  readonly endpoint_id: string | null
}

// An event is taken with the deliveries that it becomes, in one transaction: so each becomes them once, whoever dies. What
// another worker has taken is passed over.
//
// A test is for its endpoint alone, whatever that asked for; that an endpoint was disabled is for all but it.
const take = statement<Pairing>(
  'webhooks.take_events',
  `with taken as (
     delete from events_to_deliver where event_id in (
       select event_id from events_to_deliver order by event_id limit $1 for update skip locked)
     returning event_id),
   told as (
     select event.id, event.kind, event.sequence, event.environment, event.installation_id, event.store_id, event.subject_id
     from taken join events event on event.id = taken.event_id),
   listening as (
     select told.id as event_id, endpoint.id as endpoint_id
     from told
     join webhook_endpoints endpoint on endpoint.environment = told.environment
       and endpoint.installation_id = told.installation_id
     where endpoint.status = 'enabled' and case told.kind
       when 'webhook.test' then endpoint.id = told.subject_id
       when 'webhook.endpoint.disabled' then endpoint.id <> told.subject_id and endpoint.events && array['*', told.kind]
       else endpoint.events && array['*', told.kind] end
     union all
     select told.id, endpoint.id
     from told
     join webhook_endpoints endpoint on endpoint.environment = told.environment
     join installations installation on installation.id = endpoint.installation_id
     where told.installation_id is null and endpoint.status = 'enabled' and endpoint.events && array['*', told.kind]
       and (installation.store_id is null or installation.store_id = told.store_id))
   select told.id as event_id, told.kind as event_type, told.sequence, listening.endpoint_id
   from told left join listening on listening.event_id = told.id
   order by told.id, listening.endpoint_id`,
)

const look = statement('webhooks.look_for_events', 'select 1 from events_to_deliver limit 1')

/** Whether there are events that nobody has fanned out yet. */
export async function hasEvents(reader: Reader): Promise<boolean> {
  return (await reader.row(look)) !== undefined
}

const insert = statement(
  'webhooks.insert_deliveries',
  `with said as (
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       as said (id, endpoint_id, event_id, event_type, sequence)),
   known as (
     insert into webhook_health (endpoint_id) select distinct endpoint_id from said on conflict do nothing)
   insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, due_at, created_at, updated_at)
   select id, endpoint_id, event_id, event_type, sequence, $6, $6, $6 from said`,
)

export interface FannedOut {
  readonly events: number
  readonly endpointIds: readonly string[]
}
export const NOTHING_FANNED_OUT: FannedOut = { events: 0, endpointIds: [] }

/**
 * Makes of each event that has committed one delivery for each enabled endpoint that asked for it.
 *
 * @returns how many events it took, and the endpoints that there is something for
 */
export async function fanOut(tx: Transaction, { ids, now }: EventContext): Promise<FannedOut> {
  const pairings = await tx.rows(take, [EVENTS_AT_ONCE])
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
