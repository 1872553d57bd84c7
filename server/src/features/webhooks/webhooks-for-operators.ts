import type { EventKind, WebhookDelivery, WebhookEndpoint } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { DeliveryStatus } from './delivery.ts'
import { cancelWaiting } from './delivery-claim.ts'
import { findDelivery, insertReplay, listDeliveries } from './delivery-log.ts'
import { presentDelivery } from './delivery-view.ts'
import { changed, type Endpoint } from './endpoint.ts'
import { forgetFailures, readStats } from './endpoint-stats.ts'
import { findEndpoint, lockEndpoint, saveEndpoint } from './endpoint-store.ts'
import { presentEndpoint } from './endpoint-view.ts'
import { refuseUnlessReplayable } from './replay.ts'

/** An endpoint, and whose it is. */
export interface OwnedEndpoint {
  readonly endpoint: WebhookEndpoint
  readonly environment: 'test' | 'live'
  readonly installation: { readonly id: string; readonly name: string }
}

/** What is looked for among the endpoints of all installations. */
export interface EndpointQuestion {
  /** A pattern of LIKE, for addresses, descriptions and names of installations. */
  readonly like: string | null
  readonly status: Endpoint['status'] | null
  readonly afterId: string | null
  readonly limit: number
}

interface OwnerRow {
  readonly id: string
  readonly environment: 'test' | 'live'
  readonly installation_id: string
  readonly installation_name: string
}

const OWNER = `select endpoint.id, endpoint.environment, endpoint.installation_id, installation.name as installation_name
  from webhook_endpoints endpoint join installations installation on installation.id = endpoint.installation_id`

const page = statement<OwnerRow>(
  'webhook_endpoints.page',
  `${OWNER}
   where ($1::text is null or endpoint.url ilike $1 or endpoint.description ilike $1 or installation.name ilike $1
       or endpoint.id ilike $1)
     and ($2::text is null or endpoint.status = $2) and ($3::text is null or endpoint.id < $3)
   order by endpoint.id desc limit $4`,
)
const ownerOf = statement<OwnerRow>('webhook_endpoints.owner_named', `${OWNER} where endpoint.id = $1`)
const ownerOfDelivery = statement<OwnerRow>(
  'webhook_deliveries.owner_named',
  `${OWNER} join webhook_deliveries delivery on delivery.endpoint_id = endpoint.id where delivery.id = $1`,
)
const readBody = statement<{ body: Buffer }>('events.body', 'select body from events where id = $1')

/** Endpoints of all installations, the newest first. */
export async function pageOfEndpoints(reader: Reader, question: EndpointQuestion): Promise<OwnedEndpoint[]> {
  const { like, status, afterId, limit } = question
  const rows = await reader.rows(page, [like, status, afterId, limit])
  const statsOf = await readStats(
    reader,
    rows.map(({ id }) => id),
  )
  return Promise.all(rows.map(async (row) => show(row, await findEndpoint(reader, ownerIn(row), row.id), statsOf)))
}

/** An endpoint of any installation. Refuses `not_found`. */
export async function readOwnedEndpoint(reader: Reader, endpointId: string): Promise<OwnedEndpoint> {
  const row = (await reader.row(ownerOf, [endpointId])) ?? refuse('not_found')
  const [endpoint, statsOf] = await Promise.all([
    findEndpoint(reader, ownerIn(row), endpointId),
    readStats(reader, [endpointId]),
  ])
  return show(row, endpoint, statsOf)
}

/**
 * Lets events go out again, or stops them, as the endpoint's installation can. What waits is canceled with the pause.
 *
 * Refusals: `not_found`.
 *
 * @returns how it stood before
 */
export async function setEndpointStatus(
  tx: Transaction,
  endpointId: string,
  status: 'enabled' | 'paused',
  now: Date,
): Promise<Endpoint['status']> {
  const row = (await tx.row(ownerOf, [endpointId])) ?? refuse('not_found')
  if (status === 'enabled') forgetFailures(tx, ownerIn(row), endpointId)
  const endpoint = await lockEndpoint(tx, ownerIn(row), endpointId)

  saveEndpoint(tx, changed(endpoint, { status }, now))
  if (status === 'paused') cancelWaiting(tx, endpointId, now)
  return endpoint.status
}

/** What is looked for among the deliveries to an endpoint. */
export interface DeliveryQuestion {
  readonly status: DeliveryStatus | null
  readonly eventType: EventKind | null
  readonly behind: string | null
  readonly limit: number
}

/** Deliveries to an endpoint of any installation, the newest first. Refuses `not_found`. */
export async function pageOfDeliveries(
  reader: Reader,
  endpointId: string,
  question: DeliveryQuestion,
): Promise<WebhookDelivery[]> {
  const row = (await reader.row(ownerOf, [endpointId])) ?? refuse('not_found')
  return (await listDeliveries(reader, ownerIn(row), { endpointId, ...question })).map(presentDelivery)
}

/** A delivery with the bytes that are signed and sent. Refuses `not_found`. */
export async function readDeliveryWithBody(
  reader: Reader,
  deliveryId: string,
): Promise<{ readonly delivery: WebhookDelivery; readonly body: Buffer | null }> {
  const row = (await reader.row(ownerOfDelivery, [deliveryId])) ?? refuse('not_found')
  const delivery = presentDelivery(await findDelivery(reader, ownerIn(row), deliveryId))
  return { delivery, body: (await reader.row(readBody, [delivery.eventId]))?.body ?? null }
}

/**
 * Delivers an event again, to the same endpoint.
 *
 * Refusals: `not_found`, `delivery_in_progress`, `endpoint_disabled`.
 */
export async function replayDelivery(
  tx: Transaction,
  deliveryId: string,
  replay: { readonly id: string; readonly reason: string | null; readonly now: Date },
): Promise<WebhookDelivery> {
  const row = (await tx.row(ownerOfDelivery, [deliveryId])) ?? refuse('not_found')
  const delivery = await findDelivery(tx, ownerIn(row), deliveryId)
  refuseUnlessReplayable(delivery.status, await findEndpoint(tx, ownerIn(row), delivery.endpointId))
  return presentDelivery(insertReplay(tx, delivery, replay))
}

function ownerIn({ installation_id: installationId, environment }: OwnerRow) {
  return { installationId, environment }
}

function show(
  { environment, installation_id, installation_name }: OwnerRow,
  endpoint: Endpoint,
  statsOf: Awaited<ReturnType<typeof readStats>>,
): OwnedEndpoint {
  return {
    endpoint: presentEndpoint(endpoint, statsOf(endpoint.id)),
    environment,
    installation: { id: installation_id, name: installation_name },
  }
}
