import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Principal } from '../../platform/http/handler.ts'
import type { Reader, Transaction } from '../../platform/postgres/access.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type Endpoint, freeSlot } from './endpoint.ts'

interface EndpointRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: 'test' | 'live'
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly status: 'enabled' | 'paused' | 'disabled'
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `id, installation_id, environment, url, events, description, status, disabled_reason, disabled_at, version,
  created_at, updated_at`

// Whoever adds an endpoint holds its installation, so that two who add the sixteenth do it one after the other.
const hold = statement('webhook_endpoints.hold', 'select 1 from installations where id = $1 for no key update')
const count = statement<{ count: bigint }>(
  'webhook_endpoints.count',
  'select count(*) from webhook_endpoints where installation_id = $1 and environment = $2',
)
const insert = statement(
  'webhook_endpoints.insert',
  `insert into webhook_endpoints (id, installation_id, environment, slot, url, events, description, version, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)
const lock = statement('webhook_endpoints.lock', 'select 1 from webhook_endpoints where id = $1 for update')
const read = statement<EndpointRow>('webhook_endpoints.read', `select ${COLUMNS} from webhook_endpoints where id = $1`)
const update = statement(
  'webhook_endpoints.update',
  `update webhook_endpoints set url = $3, events = $4, description = $5, status = $6, disabled_reason = $7,
     disabled_at = $8, updated_at = $9, version = $2
   where id = $1 and version = $2 - 1`,
)

type Owner = Pick<Principal, 'installationId' | 'environment'>

/** The slot of a further endpoint, which is this transaction's alone. Refuses `endpoint_limit_reached`. */
export async function takeSlot(tx: Transaction, { installationId, environment }: Owner): Promise<number> {
  tx.write(hold, [installationId])
  const row = present(await tx.row(count, [installationId, environment]), 'a count has a row')
  return freeSlot(Number(row.count))
}

export function insertEndpoint(tx: Transaction, endpoint: Endpoint, slot: number): void {
  const { id, installationId, environment, url, events, description, version, createdAt, updatedAt } = endpoint
  tx.write(insert, [id, installationId, environment, slot, url, events, description, version, createdAt, updatedAt])
}

/** The endpoint, whoever owns it. */
export async function findEndpoint(reader: Reader, id: string): Promise<Endpoint | null> {
  const row = await reader.row(read, [id])
  return row ? endpointOf(row) : null
}

/** The same, and nobody else changes it until the transaction ends. */
export function lockEndpoint(tx: Transaction, id: string): Promise<Endpoint | null> {
  tx.write(lock, [id])
  return findEndpoint(tx, id)
}

/** An endpoint that is somebody else's, or of the other environment, is none: `not_found`. */
export function owned(endpoint: Endpoint | null, { installationId, environment }: Owner): Endpoint {
  const isTheirs = endpoint?.installationId === installationId && endpoint.environment === environment
  return isTheirs ? endpoint : refuse('not_found')
}

export function saveEndpoint(tx: Transaction, endpoint: Endpoint): void {
  const { id, version, url, events, description, status, updatedAt } = endpoint
  const reason = endpoint.status === 'disabled' ? endpoint.disabledReason : null
  const since = endpoint.status === 'disabled' ? endpoint.disabledAt : null
  tx.write(update, [id, version, url, events, description, status, reason, since, updatedAt], { rows: 1 })
}

function endpointOf(row: EndpointRow): Endpoint {
  const facts = {
    id: row.id,
    installationId: row.installation_id,
    environment: row.environment,
    url: row.url,
    events: row.events,
    description: row.description,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  const { status, disabled_reason: disabledReason, disabled_at: disabledAt } = row
  if (status !== 'disabled') return { ...facts, status }
  return {
    ...facts,
    status,
    disabledReason: present(disabledReason, 'what is disabled says why'),
    disabledAt: present(disabledAt, 'what is disabled says since when'),
  }
}
