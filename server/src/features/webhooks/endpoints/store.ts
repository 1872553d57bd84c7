import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Principal } from '../../../platform/http/handler.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Endpoint, freeSlot } from './endpoint.ts'

interface EndpointRow {
  readonly id: string
  readonly installation_id: string
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

const READ = `select id, installation_id, environment, url, events, description, status, disabled_reason, disabled_at, version,
    created_at, updated_at,
    (select hint from webhook_secrets where endpoint_id = webhook_endpoints.id and expires_at is null) as hint
  from webhook_endpoints`

// Adding an endpoint locks its installation, so that concurrent requests cannot exceed the limit.
const lockInstallation = statement(
  'webhook_endpoints.hold',
  'select 1 from installations where id = $1 for no key update',
)
const count = statement<{ count: bigint }>(
  'webhook_endpoints.count',
  'select count(*) from webhook_endpoints where installation_id = $1 and environment = $2',
)
const insert = statement(
  'webhook_endpoints.insert',
  `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, description, version, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)
const lock = statement(
  'webhook_endpoints.lock',
  'select 1 from webhook_endpoints where id = $1 and installation_id = $2 and environment = $3 for update',
)
const read = statement<EndpointRow>(
  'webhook_endpoints.read',
  `${READ} where id = $1 and installation_id = $2 and environment = $3`,
)
const list = statement<EndpointRow>(
  'webhook_endpoints.list',
  `${READ} where installation_id = $1 and environment = $2 and ($3::text is null or id < $3) order by id desc limit $4`,
)
const update = statement(
  'webhook_endpoints.update',
  `update webhook_endpoints set url = $3, events = $4, description = $5, status = $6, disabled_reason = $7,
     disabled_at = $8, updated_at = $9, version = $2
   where id = $1 and version = $2 - 1`,
)

type Owner = Pick<Principal, 'installationId' | 'environment'>

/** Reserves a slot for a new endpoint until the transaction ends. Refuses `endpoint_limit_reached`. */
export async function reserveSlot(tx: Transaction, { installationId, environment }: Owner): Promise<number> {
  tx.write(lockInstallation, [installationId])
  const row = present(await tx.row(count, [installationId, environment]), 'a count has a row')
  return freeSlot(Number(row.count))
}

export function insertEndpoint(tx: Transaction, endpoint: Endpoint, slot: number): void {
  const { id, installationId, environment, url, events, description, version, createdAt, updatedAt } = endpoint
  tx.write(insert, [id, installationId, environment, slot, url, events, description, version, createdAt, updatedAt])
}

/** An endpoint of an installation. Refuses `not_found`, also for an endpoint of another installation. */
export async function loadEndpoint(reader: Reader, owner: Owner, id: string): Promise<Endpoint> {
  const row = await reader.row(read, [id, owner.installationId, owner.environment])
  return row ? endpointOf(row) : refuse('not_found')
}

/** Loads an endpoint and locks it until the transaction ends. Refuses `not_found`. */
export function lockEndpoint(tx: Transaction, owner: Owner, id: string): Promise<Endpoint> {
  tx.write(lock, [id, owner.installationId, owner.environment])
  return loadEndpoint(tx, owner, id)
}

/** Endpoints, newest first. */
export async function listEndpoints(
  reader: Reader,
  { installationId, environment }: Owner,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<Endpoint[]> {
  const rows = await reader.rows(list, [installationId, environment, page.afterId, page.limit])
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
    installationId: row.installation_id,
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
