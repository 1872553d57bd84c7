import { isUnknown, unsettledFigures } from '../features/payments/index.ts'
import { type DeliveryRounds, endpointFigures } from '../features/webhooks/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { readBackups } from '../platform/backup/directory.ts'
import type { ResponseCache } from '../platform/http/response-cache.ts'
import { jobStats } from '../platform/jobs/index.ts'
import { mailStats } from '../platform/mail/index.ts'
import type { Metrics, Reading } from '../platform/observe/metrics.ts'
import type { Database } from '../platform/postgres/index.ts'

/** Metrics of this process. */
export function observeProcess(
  metrics: Metrics,
  { database, responseCache }: { readonly database: Database; readonly responseCache: ResponseCache },
): void {
  metrics.gauge({ name: 'vitrine_processes', help: 'Processes that these metrics cover.' }, () => 1)
  metrics.gauge(
    { name: 'vitrine_kept_answer_bytes', help: 'Bytes of cached public responses.' },
    () => responseCache.bytes,
  )
  metrics.counter(
    {
      name: 'vitrine_kept_answers_total',
      help: 'Public reads served from the cache (hit), or from the database (miss).',
      labels: ['result'],
    },
    () => [
      { labels: { result: 'hit' }, value: responseCache.counts.hits },
      { labels: { result: 'miss' }, value: responseCache.counts.misses },
    ],
  )
  observePools(metrics, database)
}

function observePools(metrics: Metrics, database: Database): void {
  const valuesOf = (read: (pool: { open: number; idle: number; waiting: number }) => number) => () =>
    Object.entries(database.pools()).flatMap(([pool, stats]) =>
      stats ? [{ labels: { pool }, value: read(stats) }] : [],
    )
  const pools = (name: string, help: string, read: Parameters<typeof valuesOf>[0]) =>
    metrics.gauge({ name, help, labels: ['pool'] }, valuesOf(read))
  pools('vitrine_database_connections', 'Open connections.', ({ open }) => open)
  pools('vitrine_database_connections_idle', 'Idle connections.', ({ idle }) => idle)
  pools('vitrine_database_waiting', 'Requests that wait for a connection.', ({ waiting }) => waiting)

  const counts = {
    queries: 'Queries since the start.',
    round_trips: 'Round trips since the start: queries that are sent together count as one.',
    transactions: 'Transactions since the start.',
    repetitions: 'Transactions retried after a collision or a lost connection.',
  }
  for (const [name, help] of Object.entries(counts)) {
    metrics.counter({ name: `vitrine_database_${name}_total`, help }, () => {
      const { queries, roundTrips, transactions, repetitions } = database.counters()
      return { queries, round_trips: roundTrips, transactions, repetitions }[name] ?? 0
    })
  }
}

/** Metrics of webhook deliveries. */
export function observeDeliveries(metrics: Metrics, deliveries: DeliveryRounds): void {
  metrics.gauge(
    { name: 'vitrine_webhook_calls_in_flight', help: 'Webhook calls that wait for a response.' },
    () => deliveries.inFlight,
  )
  metrics.counter(
    {
      name: 'vitrine_webhook_attempts_total',
      help: 'Webhook attempts, by the resulting status of the delivery.',
      labels: ['outcome'],
    },
    () =>
      (['succeeded', 'retrying', 'dead', 'canceled'] as const).map((outcome) => ({
        labels: { outcome },
        value: deliveries.countOf(outcome),
      })),
  )
  metrics.gauge(
    { name: 'vitrine_webhook_deliveries_waiting', help: 'Waiting webhook deliveries, as of the last check.' },
    () => deliveries.waiting.count,
  )
  metrics.gauge(
    { name: 'vitrine_webhook_deliveries_late_seconds', help: 'How long the oldest waiting delivery is overdue.' },
    () => deliveries.waiting.lateSeconds,
  )
}

/** Less than the 10 s timeout of Prometheus, so that the other metrics are available without a database. */
const READ_TIMEOUT_MS = 3000

/**
 * Metrics of queues in the database. Only the process that serves the metrics reads them, so that the same queue is not
 * counted once per process.
 */
export function observeQueues(metrics: Metrics, { database, clock }: { database: Database; clock: Clock }): void {
  const age = ageBy(clock)
  metrics.gauges({
    timeoutMs: READ_TIMEOUT_MS,
    gauges: [
      { name: 'vitrine_database_reachable', help: '1 while the database is reachable, else 0.' },
      { name: 'vitrine_database_writable', help: '1 while the database commits writes, else 0.' },
    ],
    read: async () => {
      const [isReachable, isWritable] = await Promise.all([database.isHealthy(), database.takesWrites()])
      return { vitrine_database_reachable: Number(isReachable), vitrine_database_writable: Number(isWritable) }
    },
  })
  metrics.gauges({
    timeoutMs: READ_TIMEOUT_MS,
    gauges: [
      { name: 'vitrine_jobs_due', help: 'Due jobs that no worker has.' },
      { name: 'vitrine_jobs_late_seconds', help: 'How long the oldest due job is overdue.' },
      { name: 'vitrine_jobs_dead', help: 'Dead jobs, which wait for an operator.' },
    ],
    read: async () => {
      const { due, oldestDueAt, dead } = await jobStats(database.reader, clock.now())
      return { vitrine_jobs_due: due, vitrine_jobs_late_seconds: age(oldestDueAt), vitrine_jobs_dead: dead }
    },
  })
  metrics.gauges({
    timeoutMs: READ_TIMEOUT_MS,
    gauges: [
      { name: 'vitrine_mails', help: 'Unsent mails, by status.', labels: ['status'] },
      { name: 'vitrine_mails_waiting_seconds', help: 'Age of the oldest waiting mail.' },
    ],
    read: async () => {
      const { waiting, oldestWaitingAt, failed } = await mailStats(database.reader)
      const mails = Object.entries({ waiting, failed }).map(([status, value]) => ({ labels: { status }, value }))
      return { vitrine_mails: mails, vitrine_mails_waiting_seconds: age(oldestWaitingAt) }
    },
  })
  metrics.gauges({
    timeoutMs: READ_TIMEOUT_MS,
    gauges: [
      {
        name: 'vitrine_webhook_endpoints',
        help: 'Webhook endpoints, by status.',
        labels: ['environment', 'status'],
      },
    ],
    read: async () => ({
      vitrine_webhook_endpoints: (await endpointFigures(database.reader)).map(({ environment, status, count }) => ({
        labels: { environment, status },
        value: count,
      })),
    }),
  })
  observePayments(metrics, database, age)
}

function observePayments(metrics: Metrics, database: Database, age: (since: Date | null) => number): void {
  metrics.gauges({
    timeoutMs: READ_TIMEOUT_MS,
    gauges: [
      {
        name: 'vitrine_payments_unsettled',
        help: 'Unsettled payments, by status.',
        labels: ['environment', 'status'],
      },
      {
        name: 'vitrine_payments_unknown_seconds',
        help: 'Age of the oldest unknown outcome of a payment.',
        labels: ['environment'],
      },
    ],
    read: async () => {
      const stats = await unsettledFigures(database.reader)
      const unknown = Map.groupBy(
        stats.filter(({ status }) => isUnknown(status)),
        ({ environment }) => environment,
      )
      const unsettled: Reading = stats.map(({ environment, status, count }) => ({
        labels: { environment, status },
        value: count,
      }))
      const oldest: Reading = [...unknown].map(([environment, each]) => ({
        labels: { environment },
        value: Math.max(...each.map(({ oldestBegunAt }) => age(oldestBegunAt))),
      }))
      return { vitrine_payments_unsettled: unsettled, vitrine_payments_unknown_seconds: oldest }
    },
  })
}

/** Seconds since a time; 0 without one. */
function ageBy(clock: Clock): (since: Date | null) => number {
  return (since) => (since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1000 : 0)
}

const READ_MS_MAX = 1000

/** Metrics of the backups in BACKUP_DIR. Without a backup there are no samples. */
export function observeBackups(
  metrics: Metrics,
  { directory, clock }: { readonly directory: string | null; readonly clock: Clock },
): void {
  const secondsSince = (at: number) => Math.max(0, (clock.now().getTime() - at) / 1000)
  metrics.gauges({
    timeoutMs: READ_MS_MAX,
    gauges: [
      { name: 'vitrine_backup_age_seconds', help: 'Age of the newest backup in BACKUP_DIR.' },
      {
        name: 'vitrine_backup_restored_age_seconds',
        help: 'Time since a backup was restored by vitrine backups verify.',
      },
    ],
    read: async (): Promise<Record<'vitrine_backup_age_seconds' | 'vitrine_backup_restored_age_seconds', Reading>> => {
      const { files, drill } =
        directory === null ? { files: [], drill: null } : await readBackups(directory, clock.now())
      return {
        vitrine_backup_age_seconds: files[0] ? secondsSince(files[0].at.getTime()) : [],
        vitrine_backup_restored_age_seconds: drill ? secondsSince(Date.parse(drill.restoredAt)) : [],
      }
    },
  })
}
