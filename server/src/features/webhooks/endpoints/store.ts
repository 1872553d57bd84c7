import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { type Owner, ofEndpointOwner } from '../../../kernel/owner.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Endpoint, freeSlot } from './endpoint.ts'

interface EndpointRow {
  readonly id: string
  readonly owner_id: string
  readonly environment: Environment
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly hint: string
  readonly status: 'enabled' | 'paused' | 'disabled'
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const READ = `select id, owner_id, environment, url, events, description, status, disabled_reason, disabled_at, version,
    created_at, updated_at,
    (select hint from webhook_secrets where endpoint_id = webhook_endpoints.id and expires_at is null) as hint
  from webhook_endpoints`

/** The owner of an endpoint. If it is an integration, `installationId` is the id of the integration. */
export interface EndpointOwner extends Owner {
  readonly isIntegration?: true
}

// Adding an endpoint locks its owner, so that concurrent requests cannot exceed the limit.
const lockInstallation = statement(
  'webhook_endpoints.hold',
  'select 1 from installations where id = $1 for no key update',
)
const lockIntegration = statement(
  'webhook_endpoints.hold_integration',
  'select 1 from integrations where id = $1 for no key update',
)
const slots = statement<{ slot: number }>(
  'webhook_endpoints.slots',
  `select slot from webhook_endpoints where ${ofEndpointOwner.where('webhook_endpoints', 1)}`,
)
const insert = statement(
  'webhook_endpoints.insert',
  `insert into webhook_endpoints (id, installation_id, environment, grant_id, slot, url, events, description, version,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const insertOfIntegration = statement(
  'webhook_endpoints.insert_of_integration',
  `insert into webhook_endpoints (id, integration_id, environment, slot, url, events, description, version, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)
const OWN = `id = $1 and ${ofEndpointOwner.where('webhook_endpoints', 2)}`
const lock = statement('webhook_endpoints.lock', `select 1 from webhook_endpoints where ${OWN} for update`)
const read = statement<EndpointRow>('webhook_endpoints.read', `${READ} where ${OWN}`)
const list = statement<EndpointRow>(
  'webhook_endpoints.list',
  `${READ} where ${ofEndpointOwner.where('webhook_endpoints', 1)} and ($4::text is null or id < $4) order by id desc limit $5`,
)
const update = statement(
  'webhook_endpoints.update',
  `update webhook_endpoints set url = $3, events = $4, description = $5, status = $6, disabled_reason = $7,
     disabled_at = $8, updated_at = $9, version = $2
   where id = $1 and version = $2 - 1`,
)

/** Reserves a slot for a new endpoint until the transaction ends. Refuses `endpoint_limit_reached`. */
export async function reserveSlot(tx: Transaction, owner: EndpointOwner): Promise<number> {
  tx.write(owner.isIntegration ? lockIntegration : lockInstallation, [owner.installationId])
  // The limit applies to the owner, whichever credential creates the endpoints.
  const taken = await tx.rows(slots, ofEndpointOwner.values({ ...owner, narrowedTo: null }))
  return freeSlot(taken.map(({ slot }) => slot))
}

export function insertEndpoint(tx: Transaction, owner: EndpointOwner, endpoint: Endpoint, slot: number): void {
  const { id, url, events, description, version, createdAt, updatedAt } = endpoint
  if (owner.isIntegration) {
    const { installationId: integrationId, environment } = owner
    tx.write(insertOfIntegration, [
      id,
      integrationId,
      environment,
      slot,
      url,
      events,
      description,
      version,
      createdAt,
      updatedAt,
    ])
    return
  }
  tx.write(insert, [
    id,
    ...ofEndpointOwner.values(owner),
    slot,
    url,
    events,
    description,
    version,
    createdAt,
    updatedAt,
  ])
}

/** An endpoint of an owner. Refuses `not_found`, also for an endpoint of another owner. */
export async function loadEndpoint(reader: Reader, owner: Owner, id: string): Promise<Endpoint> {
  const row = await reader.row(read, [id, ...ofEndpointOwner.values(owner)])
  return row ? endpointOf(row) : refuse('not_found')
}

/** Loads an endpoint and locks it until the transaction ends. Refuses `not_found`. */
export function lockEndpoint(tx: Transaction, owner: Owner, id: string): Promise<Endpoint> {
  tx.write(lock, [id, ...ofEndpointOwner.values(owner)])
  return loadEndpoint(tx, owner, id)
}

/** Endpoints, newest first. */
export async function listEndpoints(
  reader: Reader,
  owner: Owner,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  const rows = await reader.rows(list, [...ofEndpointOwner.values(owner), page.afterId, page.limit])
  return rows.map(endpointOf)
}

export function saveEndpoint(tx: Transaction, endpoint: Endpoint): void {
  const { id, version, url, events, description, status, updatedAt } = endpoint
  const reason = endpoint.status === 'disabled' ? endpoint.disabledReason : null
  const since = endpoint.status === 'disabled' ? endpoint.disabledAt : null
  tx.write(update, [id, version, url, events, description, status, reason, since, updatedAt], { rows: 1 })
}

function endpointOf(row: EndpointRow): Endpoint {
  const common = {
    id: row.id,
    ownerId: row.owner_id,
    environment: row.environment,
    url: row.url,
    events: row.events,
    description: row.description,
    secretHint: row.hint,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const { status, disabled_reason: disabledReason, disabled_at: disabledAt } = row
  if (status !== 'disabled') return { ...common, status }
  return {
    ...common,
    status,
    disabledReason: present(disabledReason, 'a disabled endpoint has a reason'),
    disabledAt: present(disabledAt, 'a disabled endpoint has a time'),
  }
}
