import { present } from '../../kernel/assert.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { afterAttempt, type Health, isGivenUp } from './breaker.ts'
import { type DeliveryStatus, deliveryMachine, isSuccess, type Outcome, verdict } from './delivery.ts'
import { cancelWaiting, healthOf } from './delivery-claim.ts'
import { type DisabledReason, disabled } from './endpoint.ts'
import { lockEndpoint, saveEndpoint } from './endpoint-store.ts'

/** An attempt that ended, of a delivery that a worker holds or held. */
export interface EndedAttempt {
  readonly id: string
  readonly fence: number
  readonly endpointId: string
  readonly attempt: number
  readonly startedAt: Date
  readonly endedAt: Date
  readonly outcome: Outcome
  /** In [0, 1): spreads the next try. */
  readonly chance: number
}

interface HealthRow {
  readonly endpoint_id: string
  readonly installation_id: string
  readonly environment: 'test' | 'live'
  readonly status: string
  readonly consecutive_failures: number
  readonly failing_since: Date | null
  readonly last_attempt_at: Date | null
}

// In one order, so that two workers never wait for each other in a ring. Endpoints come after: see `disable`.
const lockHealth = statement<HealthRow>(
  'webhooks.lock_health_to_record',
  `select health.endpoint_id, endpoint.installation_id, endpoint.environment, endpoint.status,
     health.consecutive_failures, health.failing_since, health.last_attempt_at
   from webhook_health health join webhook_endpoints endpoint on endpoint.id = health.endpoint_id
   where health.endpoint_id = any($1) order by health.endpoint_id for no key update of health`,
)
const lockHeld = statement<{ readonly id: string }>(
  'webhooks.lock_held',
  `select delivery.id from webhook_deliveries delivery
   join unnest($1::text[], $2::integer[]) as held (id, fence) on held.id = delivery.id and held.fence = delivery.fence
   where delivery.lease_until is not null
   order by delivery.id for no key update of delivery`,
)
const saveDeliveries = statement(
  'webhooks.save_deliveries',
  `update webhook_deliveries delivery set status = said.status, due_at = said.due_at, lease_until = null,
     updated_at = said.updated_at
   from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as said (id, status, due_at, updated_at)
   where delivery.id = said.id`,
)
const insertAttempts = statement(
  'webhooks.insert_attempts',
  `insert into webhook_attempts (delivery_id, n, at, duration_ms, http_status, error)
   select * from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::integer[], $5::smallint[], $6::text[])`,
)
const saveHealth = statement(
  'webhooks.save_health',
  `update webhook_health health set consecutive_failures = said.consecutive_failures, failing_since = said.failing_since,
     last_success_at = coalesce(said.last_success_at, health.last_success_at),
     last_failure_at = coalesce(said.last_failure_at, health.last_failure_at),
     delivered_count = health.delivered_count + said.delivered, failed_count = health.failed_count + said.failed
   from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[],
     $7::integer[]) as said (endpoint_id, consecutive_failures, failing_since, last_success_at, last_failure_at,
     delivered, failed)
   where health.endpoint_id = said.endpoint_id`,
)

/** What attempts have made of an endpoint. */
interface Tally {
  readonly owner: { readonly installationId: string; readonly environment: 'test' | 'live' }
  health: Health
  isEnabled: boolean
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  delivered: number
  failed: number
  disable: DisabledReason | null
}

/** What is written of a delivery. */
interface Decided {
  readonly attempt: EndedAttempt
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
}

/**
 * Writes down how attempts ended, what becomes of their deliveries, and how their endpoints fare. Where a lease was lost in
 * the meantime the result counts for nothing: somebody else's does.
 *
 * @returns what became of those that were still held
 */
export async function recordAttempts(
  tx: Transaction,
  attempts: readonly EndedAttempt[],
  context: EventContext,
): Promise<readonly DeliveryStatus[]> {
  if (attempts.length === 0) return []
  const endpointIds = [...new Set(attempts.map((attempt) => attempt.endpointId))]
  const [healthRows, heldRows] = await Promise.all([
    tx.rows(lockHealth, [endpointIds]),
    tx.rows(lockHeld, [attempts.map(({ id }) => id), attempts.map(({ fence }) => fence)]),
  ])
  const held = new Set(heldRows.map(({ id }) => id))
  const tallies = new Map(healthRows.map((row) => [row.endpoint_id, tallyOf(row)]))
  const decided = attempts
    .filter(({ id }) => held.has(id))
    .map((attempt) =>
      decide(attempt, present(tallies.get(attempt.endpointId), 'an endpoint that is called has a health')),
    )
  if (decided.length === 0) return []

  save(tx, decided)
  saveTallies(tx, tallies)
  for (const [id, { owner, disable: reason }] of tallies) if (reason) await disable(tx, owner, id, reason, context)
  return decided.map(({ status }) => status)
}

function tallyOf(row: HealthRow): Tally {
  const nothing = { lastSuccessAt: null, lastFailureAt: null, delivered: 0, failed: 0, disable: null }
  const owner = { installationId: row.installation_id, environment: row.environment }
  return { owner, health: healthOf(row), isEnabled: row.status === 'enabled', ...nothing }
}

/** Decides about one attempt, and counts it. */
function decide(attempt: EndedAttempt, tally: Tally): Decided {
  const { outcome, endedAt } = attempt
  const next = verdict(outcome, attempt.attempt, endedAt, attempt.chance)
  if (outcome.kind !== 'interrupted') {
    const succeeded = isSuccess(outcome)
    tally.health = afterAttempt(tally.health, succeeded, endedAt)
    if (succeeded) tally.lastSuccessAt = endedAt
    else tally.lastFailureAt = endedAt
    if (next.command === 'give_up' && next.isGone) tally.disable = 'gone'
    else if (isGivenUp(tally.health, endedAt)) tally.disable ??= 'failing'
    if (succeeded) tally.disable = tally.disable === 'gone' ? 'gone' : null
  }
  if (next.command === 'succeed') tally.delivered += 1
  if (next.command === 'give_up') tally.failed += 1
  // Who listens no more is not called again.
  const command = next.command === 'retry' && !tally.isEnabled ? 'cancel' : next.command
  const status = present(deliveryMachine.transitions.delivering[command], 'what is in flight can end in any way')
  return { attempt, status, dueAt: command === 'retry' && next.command === 'retry' ? next.dueAt : null }
}

const DURATION_MAX_MS = 600_000

function save(tx: Transaction, decided: readonly Decided[]): void {
  const attempts = decided.map(({ attempt }) => attempt)
  tx.write(
    saveDeliveries,
    [
      attempts.map(({ id }) => id),
      decided.map(({ status }) => status),
      decided.map(({ dueAt }) => dueAt),
      attempts.map(({ endedAt }) => endedAt),
    ],
    { rows: decided.length },
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

/** Tells an endpoint nothing any more, and the others of its installation that we do not. */
async function disable(
  tx: Transaction,
  owner: Tally['owner'],
  id: string,
  reason: DisabledReason,
  context: EventContext,
): Promise<void> {
  const ended = disabled(await lockEndpoint(tx, owner, id), reason, context.now)
  if (!ended) return
  saveEndpoint(tx, ended)
  cancelWaiting(tx, id, context.now)
  publishEvent(
    tx,
    {
      kind: 'webhook.endpoint.disabled',
      ...owner,
      storeId: null,
      subjectId: id,
      data: { endpointId: id, reason, disabledAt: ended.disabledAt.toISOString() },
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

/** Deliveries whose worker died, or lost its way to the database: whether they arrived is not known. */
export async function lostAttempts(reader: Reader, now: Date): Promise<readonly EndedAttempt[]> {
  const rows = await reader.rows(readLost, [now])
  return rows.map((row) => ({
    id: row.id,
    fence: row.fence,
    endpointId: row.endpoint_id,
    attempt: row.attempts,
    startedAt: row.attempted_at,
    endedAt: now,
    outcome: { kind: 'interrupted', error: 'We were interrupted: whether it arrived is not known.' },
    chance: 0,
  }))
}

/** Deletes deliveries that are older than $1 with their attempts, at most $2. */
export const sweepDeliveries = statement(
  'webhooks.sweep_deliveries',
  `delete from webhook_deliveries where id in (
     select id from webhook_deliveries where created_at < $1 order by created_at limit $2)`,
)
