import type { Environment } from '../../../kernel/environment.ts'
import { type Owner, ofEndpointOwner } from '../../../kernel/owner.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** The delivery statistics of an endpoint. */
export interface EndpointStats {
  readonly deliveredCount: number
  readonly failedCount: number
  /** Waiting or in flight. Capped at 10,000. */
  readonly pendingCount: number
  readonly consecutiveFailures: number
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
}

/** The statistics of an endpoint without deliveries. */
export const NO_STATS: EndpointStats = {
  deliveredCount: 0,
  failedCount: 0,
  pendingCount: 0,
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
}

const PENDING_MAX = 10_000

interface StatsRow {
  readonly endpoint_id: string
  readonly delivered_count: bigint
  readonly failed_count: bigint
  readonly pending_count: bigint
  readonly consecutive_failures: number
  readonly last_success_at: Date | null
  readonly last_failure_at: Date | null
}

// Counts waiting deliveries in the index webhook_deliveries_waiting, and those in flight in webhook_deliveries_held.
const read = statement<StatsRow>(
  'webhook_endpoints.stats',
  `select asked.endpoint_id, coalesce(delivered_count, 0) as delivered_count, coalesce(failed_count, 0) as failed_count,
     coalesce(consecutive_failures, 0) as consecutive_failures, last_success_at, last_failure_at, pending_count
   from unnest($1::text[]) as asked (endpoint_id)
     left join webhook_health as health on health.endpoint_id = asked.endpoint_id,
     lateral (select count(*) as pending_count from (
       (select 1 from webhook_deliveries where endpoint_id = asked.endpoint_id and due_at is not null limit $2)
       union all
       (select 1 from webhook_deliveries where endpoint_id = asked.endpoint_id and lease_until is not null limit $2)
     ) as waiting) as counted`,
)

/** The statistics of endpoints, in one query. */
export async function readStats(
  reader: Reader,
  endpointIds: readonly string[],
): Promise<(endpointId: string) => EndpointStats> {
  const rows = await reader.rows(read, [endpointIds, PENDING_MAX])
  const byId = new Map(rows.map((row) => [row.endpoint_id, statsOf(row)]))
  return (endpointId) => byId.get(endpointId) ?? NO_STATS
}

function statsOf(row: StatsRow): EndpointStats {
  return {
    deliveredCount: Number(row.delivered_count),
    failedCount: Number(row.failed_count),
    pendingCount: Number(row.pending_count),
    consecutiveFailures: row.consecutive_failures,
    lastSuccessAt: row.last_success_at,
    lastFailureAt: row.last_failure_at,
  }
}

// Health is locked before the endpoint, so this checks the owner itself.
const reset = statement(
  'webhook_health.forget_failures',
  `update webhook_health set consecutive_failures = 0, failing_since = null
   where endpoint_id = (
     select id from webhook_endpoints where id = $1 and ${ofEndpointOwner.where('webhook_endpoints', 2)})`,
)

/**
 * Resets the failures of an endpoint that is enabled again or gets a new URL, so that one more failure does not disable it at
 * once. Call before locking the endpoint.
 */
export function resetFailures(tx: Transaction, owner: Owner, endpointId: string): void {
  tx.write(reset, [endpointId, ...ofEndpointOwner.values(owner)])
}

/** The number of endpoints by environment and status, also if it is 0: monitoring sees the first one as an increase. */
interface EndpointFigure {
  readonly environment: Environment
  readonly status: string
  readonly count: number
}

const figures = statement<EndpointFigure>(
  'webhooks.endpoint_figures',
  `select environment, status, count(endpoint.id)::integer as count
   from (values ('live'), ('test')) as every_environment (environment)
     cross join (values ('enabled'), ('paused'), ('disabled')) as every_status (status)
     left join webhook_endpoints endpoint using (environment, status)
   group by environment, status order by environment, status`,
)

export function endpointFigures(reader: Reader): Promise<readonly EndpointFigure[]> {
  return reader.rows(figures)
}

const newest = statement<{ readonly url: string }>(
  'webhooks.newest_urls',
  `select url from webhook_endpoints where status = 'enabled' order by created_at desc, id limit $1`,
)

/** The URLs of the newest enabled endpoints. */
export async function newestEndpointUrls(reader: Reader, limit: number): Promise<readonly string[]> {
  return (await reader.rows(newest, [limit])).map(({ url }) => url)
}
