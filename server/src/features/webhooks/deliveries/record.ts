import { present } from '../../../kernel/assert.ts'
import type { Environment } from '../../../kernel/environment.ts'
import { type EventContext, publishEvent } from '../../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../../platform/postgres/statement.ts'
import { type DisabledReason, disableEndpoint } from '../endpoints/endpoint.ts'
import { type EndpointOwner, lockEndpoint, saveEndpoint } from '../endpoints/store.ts'
import { afterAttempt, type Health, hasFailedTooLong } from './circuit-breaker.ts'
import { cancelWaiting, endpointStatus, healthOf } from './claim.ts'
import { type DeliveryStatus, deliveryMachine } from './delivery.ts'
import { isSuccess, nextAttempt, type Outcome } from './retry-policy.ts'

/** An attempt that ended. Its worker may have lost the lease since. */
export interface EndedAttempt {
  readonly id: string
  readonly fence: number
  readonly endpointId: string
  readonly attempt: number
  readonly startedAt: Date
  readonly endedAt: Date
  readonly outcome: Outcome
  /** In [0, 1): the jitter of the next attempt. */
  readonly chance: number
}

interface HealthRow {
  readonly endpoint_id: string
  readonly owner_id: string
  readonly integration_id: string | null
  readonly environment: Environment
  readonly status: string
  readonly consecutive_failures: number
  readonly failing_since: Date | null
  readonly last_attempt_at: Date | null
}

// Ordered, so that workers cannot deadlock. Endpoints are locked afterwards: see `disable`.
const lockHealth = statement<HealthRow>(
  'webhooks.lock_health_to_record',
  `select health.endpoint_id, endpoint.owner_id, endpoint.integration_id, endpoint.environment, ${endpointStatus('$2')},
     health.consecutive_failures, health.failing_since, health.last_attempt_at
   from webhook_health health join webhook_endpoints endpoint on endpoint.id = health.endpoint_id
   where health.endpoint_id = any($1) order by health.endpoint_id for no key update of health`,
)
const lockHeld = statement<{ readonly id: string; readonly fence: number }>(
  'webhooks.lock_held',
  `select delivery.id, delivery.fence from webhook_deliveries delivery
   join unnest($1::text[], $2::integer[]) as held (id, fence) on held.id = delivery.id and held.fence = delivery.fence
   where delivery.lease_until is not null
   order by delivery.id for no key update of delivery`,
)
const saveDeliveries = statement(
  'webhooks.save_deliveries',
  `update webhook_deliveries delivery set status = decided.status, due_at = decided.due_at, lease_until = null,
     version = delivery.version + 1, updated_at = decided.updated_at
   from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as decided (id, status, due_at, updated_at)
   where delivery.id = decided.id`,
)
const insertAttempts = statement(
  'webhooks.insert_attempts',
  `insert into webhook_attempts (delivery_id, n, at, duration_ms, http_status, error)
   select * from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::integer[], $5::smallint[], $6::text[])`,
)
const saveHealth = statement(
  'webhooks.save_health',
  `update webhook_health health set consecutive_failures = tally.consecutive_failures, failing_since = tally.failing_since,
     last_success_at = coalesce(tally.last_success_at, health.last_success_at),
     last_failure_at = coalesce(tally.last_failure_at, health.last_failure_at),
     delivered_count = health.delivered_count + tally.delivered, failed_count = health.failed_count + tally.failed
   from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[],
     $7::integer[]) as tally (endpoint_id, consecutive_failures, failing_since, last_success_at, last_failure_at,
     delivered, failed)
   where health.endpoint_id = tally.endpoint_id`,
)

/** The effect of the attempts on one endpoint. */
interface Tally {
  readonly owner: EndpointOwner
  health: Health
  isEnabled: boolean
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  delivered: number
  failed: number
  disable: DisabledReason | null
}

/** The decision about one delivery. */
interface Decision {
  readonly attempt: EndedAttempt
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
}

/**
 * Records attempts, and updates their deliveries and the health of their endpoints. An attempt whose lease was lost is
 * ignored: another worker records the delivery.
 *
 * @returns the new statuses of the deliveries that were still leased
 */
export async function recordAttempts(
  tx: Transaction,
  attempts: readonly EndedAttempt[],
  context: EventContext,
): Promise<readonly DeliveryStatus[]> {
  if (attempts.length === 0) return []
  const endpointIds = [...new Set(attempts.map((attempt) => attempt.endpointId))]
  const [healthRows, heldRows] = await Promise.all([
    tx.rows(lockHealth, [endpointIds, context.now]),
    tx.rows(lockHeld, [attempts.map(({ id }) => id), attempts.map(({ fence }) => fence)]),
  ])
  // By fence: one worker may have the late result of its own attempt and find the next attempt lost, that of another worker.
  const held = new Map(heldRows.map(({ id, fence }) => [id, fence]))
  const tallies = new Map(healthRows.map((row) => [row.endpoint_id, tallyOf(row)]))
  const decisions = attempts
    .filter(({ id, fence }) => held.get(id) === fence)
    .map((attempt) =>
      decide(attempt, present(tallies.get(attempt.endpointId), 'an endpoint with deliveries has a health row')),
    )
  if (decisions.length === 0) return []

  saveDecisions(tx, decisions)
  saveTallies(tx, tallies)
  for (const [id, { owner, disable: reason }] of tallies) if (reason) await disable(tx, owner, id, reason, context)
  return decisions.map(({ status }) => status)
}

function tallyOf(row: HealthRow): Tally {
  const nothing = { lastSuccessAt: null, lastFailureAt: null, delivered: 0, failed: 0, disable: null }
  const { owner_id: installationId, environment } = row
  const isOfIntegration = row.integration_id !== null && ({ isIntegration: true } as const)
  const owner = { installationId, environment, narrowedTo: null, ...isOfIntegration }
  return { owner, health: healthOf(row), isEnabled: row.status === 'enabled', ...nothing }
}

/** Decides about one delivery, and adds the attempt to the tally. */
function decide(attempt: EndedAttempt, tally: Tally): Decision {
  const { outcome, endedAt } = attempt
  const next = nextAttempt(outcome, attempt.attempt, endedAt, attempt.chance)
  if (outcome.kind !== 'interrupted') {
    const succeeded = isSuccess(outcome)
    tally.health = afterAttempt(tally.health, succeeded, endedAt)
    if (succeeded) tally.lastSuccessAt = endedAt
    else tally.lastFailureAt = endedAt
    if (next.command === 'give_up' && next.isGone) tally.disable = 'gone'
    else if (hasFailedTooLong(tally.health, endedAt)) tally.disable ??= 'failing'
    else if (succeeded && tally.disable === 'failing') tally.disable = null
  }
  if (next.command === 'succeed') tally.delivered += 1
  if (next.command === 'give_up') tally.failed += 1
  // An endpoint that is no longer enabled gets no retry.
  const command = next.command === 'retry' && !tally.isEnabled ? 'cancel' : next.command
  const status = present(
    deliveryMachine.transitions.delivering[command],
    'delivering has a transition for each command',
  )
  return { attempt, status, dueAt: command === 'retry' && next.command === 'retry' ? next.dueAt : null }
}

const DURATION_MAX_MS = 600_000

function saveDecisions(tx: Transaction, decisions: readonly Decision[]): void {
  const attempts = decisions.map(({ attempt }) => attempt)
  tx.write(
    saveDeliveries,
    [
      attempts.map(({ id }) => id),
      decisions.map(({ status }) => status),
      decisions.map(({ dueAt }) => dueAt),
      attempts.map(({ endedAt }) => endedAt),
    ],
    { rows: decisions.length },
  )
  tx.write(insertAttempts, [
    attempts.map(({ id }) => id),
    attempts.map(({ attempt }) => attempt),
    attempts.map(({ startedAt }) => startedAt),
    attempts.map(({ startedAt, endedAt }) =>
      Math.min(DURATION_MAX_MS, Math.max(0, endedAt.getTime() - startedAt.getTime())),
    ),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.httpStatus : null)),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? null : outcome.error)),
  ])
}

function saveTallies(tx: Transaction, tallies: ReadonlyMap<string, Tally>): void {
  const each = [...tallies.values()]
  tx.write(saveHealth, [
    [...tallies.keys()],
    each.map(({ health }) => health.consecutiveFailures),
    each.map(({ health }) => health.failingSince),
    each.map(({ lastSuccessAt }) => lastSuccessAt),
    each.map(({ lastFailureAt }) => lastFailureAt),
    each.map(({ delivered }) => delivered),
    each.map(({ failed }) => failed),
  ])
}

/** Disables an endpoint, and publishes that to the other endpoints of its owner. */
async function disable(
  tx: Transaction,
  owner: EndpointOwner,
  id: string,
  reason: DisabledReason,
  context: EventContext,
): Promise<void> {
  const endpoint = disableEndpoint(await lockEndpoint(tx, owner, id), reason, context.now)
  if (!endpoint) return
  saveEndpoint(tx, endpoint)
  cancelWaiting(tx, id, context.now)
  publishEvent(
    tx,
    {
      kind: 'webhook.endpoint.disabled',
      installationId: owner.isIntegration ? null : owner.installationId,
      environment: owner.environment,
      storeId: null,
      subjectId: id,
      data: { endpointId: id, reason, disabledAt: endpoint.disabledAt.toISOString() },
    },
    context,
  )
}

interface LostRow {
  readonly id: string
  readonly fence: number
  readonly endpoint_id: string
  readonly attempts: number
  readonly attempted_at: Date
}
const readLost = statement<LostRow>(
  'webhooks.read_lost',
  `select id, fence, endpoint_id, attempts, attempted_at from webhook_deliveries
   where lease_until <= $1 order by endpoint_id, lease_until limit 500`,
)

/** Attempts whose lease expired: their worker died or lost the database. It is unknown whether the request arrived. */
export async function lostAttempts(reader: Reader, now: Date): Promise<readonly EndedAttempt[]> {
  const rows = await reader.rows(readLost, [now])
  return rows.map((row) => ({
    id: row.id,
    fence: row.fence,
    endpointId: row.endpoint_id,
    attempt: row.attempts,
    startedAt: row.attempted_at,
    endedAt: now,
    outcome: { kind: 'interrupted', error: 'The attempt was interrupted. It is unknown whether the request arrived.' },
    chance: 0,
  }))
}

/** Deletes deliveries older than `$1`, with their attempts. */
export const sweepDeliveries = sweepStatement('webhook_deliveries', 'created_at')
