import type { WebhookDelivery, WebhookEndpoint } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { cancelWaiting, IS_SUSPENDED } from './deliveries/claim.ts'
import { type DeliveryQuery, insertReplay, listDeliveries, loadDelivery } from './deliveries/log.ts'
import { assertReplayable } from './deliveries/replay.ts'
import { presentDelivery } from './deliveries/view.ts'
import { changeEndpoint, type Endpoint } from './endpoints/endpoint.ts'
import { readStats, resetFailures } from './endpoints/stats.ts'
import { type EndpointOwner, loadEndpoint, lockEndpoint, saveEndpoint } from './endpoints/store.ts'
import { presentEndpoint } from './endpoints/view.ts'

/** An endpoint with its owner: an installation or an integration. */
interface OwnedEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly environment: Environment
  readonly installation?: { readonly id: string; readonly name: string }
  readonly integration?: { readonly id: string; readonly name: string }
}

/** Filters and position of a page. `null` is no filter. */
interface EndpointQuery {
  /** A LIKE pattern for URL, description, id and the owner's name. */
  readonly like: string | null
  readonly status: Endpoint['status'] | null
  readonly installationId: string | null
  readonly integrationId: string | null
  readonly afterId: string | null
  readonly limit: number
}

interface OwnerRow {
  readonly id: string
  readonly environment: Environment
  readonly owner_id: string
  readonly owner_name: string
  readonly of_integration: boolean
  readonly is_suspended: boolean
  readonly expires_at: Date | null
}

const OWNER = `select endpoint.id, endpoint.environment, endpoint.owner_id, endpoint.integration_id is not null as of_integration,
    coalesce(installation.name, integration.name) as owner_name, ${IS_SUSPENDED} as is_suspended,
    coalesce(integration.expires_at, granted.ends_at) as expires_at
  from webhook_endpoints endpoint
    left join installations installation on installation.id = endpoint.installation_id
    left join integrations integration on integration.id = endpoint.integration_id
    left join oauth_grants granted on granted.id = endpoint.grant_id`

const page = statement<OwnerRow>(
  'webhook_endpoints.page',
  `${OWNER}
   where ($1::text is null or endpoint.url ilike $1 or endpoint.description ilike $1 or installation.name ilike $1
       or integration.name ilike $1 or endpoint.id ilike substr($1, 2))
     and ($2::text is null or endpoint.status = $2) and ($3::text is null or endpoint.id < $3)
     and ($5::text is null or installation.id = $5) and ($6::text is null or integration.id = $6)
   order by endpoint.id desc limit $4`,
)
const ownerOf = statement<OwnerRow>('webhook_endpoints.owner_named', `${OWNER} where endpoint.id = $1`)
const ownerOfDelivery = statement<OwnerRow>(
  'webhook_deliveries.owner_named',
  `${OWNER} join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id where delivery.id = $1`,
)
const readBody = statement<{ body: Buffer }>('events.body', 'select body from events where id = $1')

/** Endpoints of all installations and integrations, newest first. */
export async function listOwnedEndpoints(reader: Reader, query: EndpointQuery): Promise<OwnedEndpoint[]> {
  const { like, status, installationId, integrationId, afterId, limit } = query
  const rows = await reader.rows(page, [like, status, afterId, limit, installationId, integrationId])
  const statsOf = await readStats(
    reader,
    rows.map(({ id }) => id),
  )
  return Promise.all(
    rows.map(async (row) => presentOwned(row, await loadEndpoint(reader, ownerIn(row), row.id), statsOf)),
  )
}

/** An endpoint of any owner. Refuses `not_found`. */
export async function loadOwnedEndpoint(reader: Reader, endpointId: string): Promise<OwnedEndpoint> {
  const row = (await reader.row(ownerOf, [endpointId])) ?? refuse('not_found')
  const [endpoint, statsOf] = await Promise.all([
    loadEndpoint(reader, ownerIn(row), endpointId),
    readStats(reader, [endpointId]),
  ])
  return presentOwned(row, endpoint, statsOf)
}

/**
 * Enables or pauses an endpoint. Pausing cancels its waiting deliveries.
 *
 * Refusals: `not_found`.
 *
 * @returns the previous status
 */
export async function setEndpointStatus(
  tx: Transaction,
  endpointId: string,
  status: 'enabled' | 'paused',
  now: Date,
): Promise<Endpoint['status']> {
  const row = (await tx.row(ownerOf, [endpointId])) ?? refuse('not_found')
  if (status === 'enabled') resetFailures(tx, ownerIn(row), endpointId)
  const endpoint = await lockEndpoint(tx, ownerIn(row), endpointId)

  saveEndpoint(tx, changeEndpoint(endpoint, { status }, now))
  if (status === 'paused') cancelWaiting(tx, endpointId, now)
  return endpoint.status
}

/** Deliveries to an endpoint of any owner, newest first. Refuses `not_found`. */
export async function listOwnedDeliveries(
  reader: Reader,
  endpointId: string,
  query: Omit<DeliveryQuery, 'endpointId'>,
): Promise<WebhookDelivery[]> {
  const row = (await reader.row(ownerOf, [endpointId])) ?? refuse('not_found')
  return (await listDeliveries(reader, ownerIn(row), { endpointId, ...query })).map(presentDelivery)
}

/** A delivery with the body that is signed and sent. Refuses `not_found`. */
export async function loadDeliveryWithBody(
  reader: Reader,
  deliveryId: string,
): Promise<{ readonly delivery: WebhookDelivery; readonly body: Buffer | null }> {
  const row = (await reader.row(ownerOfDelivery, [deliveryId])) ?? refuse('not_found')
  const delivery = presentDelivery(await loadDelivery(reader, ownerIn(row), deliveryId))
  return { delivery, body: (await reader.row(readBody, [delivery.eventId]))?.body ?? null }
}

/**
 * Delivers an event to the same endpoint again.
 *
 * Refusals: `not_found`, `delivery_in_progress`, `endpoint_disabled`.
 */
export async function replayDelivery(
  tx: Transaction,
  deliveryId: string,
  replay: { readonly id: string; readonly reason: string | null; readonly now: Date },
): Promise<WebhookDelivery> {
  const row = (await tx.row(ownerOfDelivery, [deliveryId])) ?? refuse('not_found')
  const delivery = await loadDelivery(tx, ownerIn(row), deliveryId)
  assertReplayable(delivery.status, await loadEndpoint(tx, ownerIn(row), delivery.endpointId))
  const ended = endOf(row, replay.now)
  if (ended) refuse('endpoint_disabled', { conflict: { currentState: ended, allowed: ['active'] } })
  return presentDelivery(insertReplay(tx, delivery, replay))
}

/**
 * Sends a test event to an endpoint, whatever its subscription.
 *
 * Refusals: `not_found`, `state_conflict` if the endpoint is not enabled, its installation is suspended or its integration or grant has expired.
 */
export async function sendTest(
  tx: Transaction,
  { endpointId, message }: { readonly endpointId: string; readonly message: string },
  context: EventContext,
): Promise<void> {
  const row = (await tx.row(ownerOf, [endpointId])) ?? refuse('not_found')
  const owner = ownerIn(row)
  const { environment } = owner
  const installationId = owner.isIntegration ? null : owner.installationId
  const endpoint = await loadEndpoint(tx, owner, endpointId)
  const status = endOf(row, context.now) ?? endpoint.status
  if (status !== 'enabled') refuse('state_conflict', { conflict: { currentState: status, allowed: ['enabled'] } })
  const event = { kind: 'webhook.test', installationId, environment, storeId: null, subjectId: endpointId } as const
  publishEvent(tx, { ...event, data: { endpointId, message } }, context)
}

/** Why the owner of an endpoint receives nothing, whatever the status of the endpoint. */
function endOf(
  { is_suspended: isSuspended, expires_at: expiresAt }: OwnerRow,
  now: Date,
): 'suspended' | 'expired' | null {
  if (isSuspended) return 'suspended'
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

function ownerIn({ owner_id: installationId, environment, of_integration: isIntegration }: OwnerRow): EndpointOwner {
  return { installationId, environment, narrowedTo: null, ...(isIntegration && { isIntegration }) }
}

function presentOwned(
  { environment, owner_id: id, owner_name: name, of_integration: isIntegration }: OwnerRow,
  endpoint: Endpoint,
  statsOf: Awaited<ReturnType<typeof readStats>>,
): OwnedEndpoint {
  return {
    endpoint: presentEndpoint(endpoint, statsOf(endpoint.id)),
    environment,
    ...(isIntegration ? { integration: { id, name } } : { installation: { id, name } }),
  }
}
