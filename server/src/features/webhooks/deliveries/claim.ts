import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Health, inFlightMax } from './circuit-breaker.ts'

/** A delivery leased by a worker. The fence distinguishes this lease from later ones. */
export interface HeldDelivery {
  readonly id: string
  readonly fence: number
  readonly endpointId: string
  readonly url: string
  readonly eventId: string
  readonly body: Buffer
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly startedAt: Date
}

interface HealthRow {
  readonly consecutive_failures: number
  readonly failing_since: Date | null
  readonly last_attempt_at: Date | null
}
interface DueRow extends HealthRow {
  readonly endpoint_id: string
  readonly status: string
  readonly in_flight: number
}

/** SQL: whether the installation of an `endpoint` is suspended. Like its credentials, its endpoints get nothing then. */
export const IS_SUSPENDED = `exists (select from installations suspended
     where suspended.id = endpoint.installation_id and suspended.status = 'suspended')`
/** SQL: the status of an `endpoint`; `suspended` if its installation is, `expired` if its integration or grant is at this parameter. */
export const endpointStatus = (now: '$1' | '$2') =>
  `case when ${IS_SUSPENDED} then 'suspended' when exists (
     select from integrations expired where expired.id = endpoint.integration_id and expired.expires_at <= ${now}
     union all
     select from oauth_grants ended where ended.id = endpoint.grant_id and ended.ends_at <= ${now})
   then 'expired' else endpoint.status end as status`

// A loose index scan: jumps from one waiting endpoint to the next, so that its cost depends on the number of these endpoints, not
// of their deliveries. What waits for an endpoint that is paused or disabled is canceled before it is due: when the endpoint is
// enabled again, nothing may be left.
const readDue = statement<DueRow>(
  'webhooks.read_due',
  `with recursive waiting as (
     (select endpoint_id, due_at from webhook_deliveries where due_at is not null order by endpoint_id, due_at limit 1)
     union all
     select next.endpoint_id, next.due_at from waiting cross join lateral (
       select endpoint_id, due_at from webhook_deliveries delivery
       where delivery.due_at is not null and delivery.endpoint_id > waiting.endpoint_id
       order by delivery.endpoint_id, delivery.due_at limit 1) next),
   due as materialized (
     select endpoint_id from waiting where due_at <= $1 or exists (
       select from webhook_endpoints ended where ended.id = waiting.endpoint_id and ended.status <> 'enabled'))
   select health.endpoint_id, ${endpointStatus('$1')}, health.consecutive_failures, health.failing_since, health.last_attempt_at, (
     select count(*)::integer from webhook_deliveries held
     where held.endpoint_id = due.endpoint_id and held.lease_until is not null) as in_flight
   from due
   join webhook_health health on health.endpoint_id = due.endpoint_id
   join webhook_endpoints endpoint on endpoint.id = due.endpoint_id`,
)

/** Endpoints with work now: a delivery that may be sent, or deliveries to cancel because the endpoint is not enabled. */
export async function dueEndpoints(reader: Reader, now: Date): Promise<readonly string[]> {
  const rows = await reader.rows(readDue, [now])
  return rows
    .filter((row) => row.status !== 'enabled' || row.in_flight < inFlightMax(healthOf(row), now))
    .map((row) => row.endpoint_id)
}

// A claim locks the health of the endpoint until it commits, so that the next statement sees all deliveries in flight, including
// those of the previous claim. Locked endpoints are skipped, not waited for.
const lockHealth = statement<HealthRow & { readonly endpoint_id: string; readonly status: string }>(
  'webhooks.lock_health',
  `select health.endpoint_id, ${endpointStatus('$2')}, health.consecutive_failures, health.failing_since, health.last_attempt_at
   from webhook_health health join webhook_endpoints endpoint on endpoint.id = health.endpoint_id
   where health.endpoint_id = any($1)
   for no key update of health skip locked`,
)

interface ClaimedRow {
  readonly id: string
  readonly fence: number
  readonly endpoint_id: string
  readonly url: string
  readonly event_id: string
  readonly body: Buffer
  readonly attempts: number
}

// Each endpoint contributes up to its free in-flight slots. If the worker has fewer slots than that, endpoints with the fewest in
// flight come first. The attempt is counted here, before the request.
const claim = statement<ClaimedRow>(
  'webhooks.claim',
  `with requested as (
     select * from unnest($1::text[], $2::integer[]) as requested (endpoint_id, in_flight_max)),
   open as (
     select requested.endpoint_id, requested.in_flight_max, (
       select count(*) from webhook_deliveries held
       where held.endpoint_id = requested.endpoint_id and held.lease_until is not null) as in_flight
     from requested),
   candidates as (
     select waiting.id, open.in_flight + row_number() over (partition by open.endpoint_id order by waiting.due_at) as nth,
       waiting.due_at
     from open cross join lateral (
       select id, due_at from webhook_deliveries delivery
       where delivery.endpoint_id = open.endpoint_id and delivery.due_at is not null and delivery.due_at <= $3
       order by delivery.due_at limit greatest(0, open.in_flight_max - open.in_flight)) waiting),
   chosen as (select id from candidates order by nth, due_at limit $5),
   claimed as (
     update webhook_deliveries delivery set status = 'delivering', attempts = delivery.attempts + 1, attempted_at = $3,
       due_at = null, lease_until = $4, fence = delivery.fence + 1,
       version = delivery.version + 1, updated_at = $3
     from chosen where delivery.id = chosen.id and delivery.due_at is not null
     returning delivery.id, delivery.fence, delivery.endpoint_id, delivery.event_id, delivery.attempts),
   noted as (
     update webhook_health health set last_attempt_at = $3
     where health.endpoint_id in (select endpoint_id from claimed))
   select claimed.id, claimed.fence, claimed.endpoint_id, endpoint.url, claimed.event_id, event.body, claimed.attempts
   from claimed
   join webhook_endpoints endpoint on endpoint.id = claimed.endpoint_id
   join events event on event.id = claimed.event_id`,
)

const setBack = statement(
  'webhooks.set_back',
  `update webhook_deliveries set due_at = greatest($1::timestamptz, due_at - ($2::timestamptz - $1::timestamptz))
   where due_at > $1 and updated_at > $1`,
)

/** Moves up the deliveries that were scheduled while the clock was ahead, until `before`. Others keep their time. */
export function setBackDeliveries(tx: Transaction, { now, before }: { now: Date; before: Date }): void {
  tx.write(setBack, [now, before])
}

const cancel = statement(
  'webhooks.cancel_waiting',
  `update webhook_deliveries set status = 'canceled', due_at = null, version = version + 1, updated_at = $2
   where id in (
     select id from webhook_deliveries where endpoint_id = $1 and due_at is not null
     order by due_at limit $3 for update skip locked)`,
)
/** The maximum per statement. The next rounds of a worker cancel the rest. */
const CANCELED_AT_ONCE = 1000

/** Cancels the waiting deliveries of an endpoint that is no longer enabled. */
export function cancelWaiting(tx: Transaction, endpointId: string, now: Date): void {
  tx.write(cancel, [endpointId, now, CANCELED_AT_ONCE])
}

interface ClaimRequest {
  /** Endpoints that may have due deliveries. */
  readonly endpointIds: readonly string[]
  readonly now: Date
  readonly leaseUntil: Date
  readonly limit: number
}

/** The result of a claim. */
export interface Claimed<Secrets> {
  readonly held: readonly HeldDelivery[]
  readonly secrets: Secrets | null
  /** Endpoints no longer enabled whose waiting deliveries were canceled. */
  readonly ended: number
}

/**
 * Leases due deliveries of some endpoints: at most five in flight per endpoint across all workers, so that a slow endpoint
 * does not take the slots of others. No two workers hold the same delivery.
 *
 * @param read loads the secrets of the endpoints that can receive deliveries, in the same round trip
 */
export async function claimDeliveries<Secrets>(
  tx: Transaction,
  { endpointIds, now, leaseUntil, limit }: ClaimRequest,
  read: (endpointIds: readonly string[]) => Promise<Secrets>,
): Promise<Claimed<Secrets>> {
  if (endpointIds.length === 0) return { held: [], secrets: null, ended: 0 }
  const locked = await tx.rows(lockHealth, [endpointIds, now])
  const notEnabled = locked.filter(({ status }) => status !== 'enabled')
  for (const { endpoint_id: id } of notEnabled) cancelWaiting(tx, id, now)
  const open = locked
    .filter(({ status }) => status === 'enabled')
    .map((row) => ({ id: row.endpoint_id, max: inFlightMax(healthOf(row), now) }))
    .filter(({ max }) => max > 0)
  if (open.length === 0 || limit === 0) return { held: [], secrets: null, ended: notEnabled.length }
  const ids = open.map(({ id }) => id)
  const [rows, secrets] = await Promise.all([
    tx.rows(claim, [ids, open.map(({ max }) => max), now, leaseUntil, limit]),
    read(ids),
  ])
  const held = rows.map((row) => ({
    id: row.id,
    fence: row.fence,
    endpointId: row.endpoint_id,
    url: row.url,
    eventId: row.event_id,
    body: row.body,
    attempt: row.attempts,
    startedAt: now,
  }))
  return { held, secrets, ended: notEnabled.length }
}

export function healthOf(row: HealthRow): Health {
  return {
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    lastAttemptAt: row.last_attempt_at,
  }
}
