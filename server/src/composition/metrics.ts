import { isUnknown, unsettledFigures } from '../features/payments/index.ts'
import { type DeliveryRounds, endpointFigures } from '../features/webhooks/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { ResponseCache } from '../platform/http/response-cache.ts'
import { jobStats } from '../platform/jobs/index.ts'
import { mailStats } from '../platform/mail/index.ts'
import type { Metrics, Reading } from '../platform/observe/metrics.ts'
import type { Database } from '../platform/postgres/index.ts'

/** Figures of what this process holds. */
export function observeProcess(
  metered: Metrics,
  { database, responseCache }: { readonly database: Database; readonly responseCache: ResponseCache },
): void {
  metered.gauge({ name: 'vitrine_processes', help: 'Processes whose figures these are.' }, () => 1)
  metered.gauge({ name: 'vitrine_kept_answer_bytes', help: 'Bytes of kept public answers.' }, () => responseCache.bytes)
  metered.counter(
    {
      name: 'vitrine_kept_answers_total',
      help: 'Public reads that were answered from kept bytes (hit), or had to be read (miss).',
      labels: ['result'],
    },
    () => [
      { labels: { result: 'hit' }, value: responseCache.counts.hits },
      { labels: { result: 'miss' }, value: responseCache.counts.misses },
    ],
  )
  observePools(metered, database)
}

function observePools(metered: Metrics, database: Database): void {
  const ofPools = (read: (pool: { open: number; idle: number; waiting: number }) => number) => () =>
    Object.entries(database.pools()).flatMap(([pool, stats]) =>
      stats ? [{ labels: { pool }, value: read(stats) }] : [],
    )
  const pools = (name: string, help: string, read: Parameters<typeof ofPools>[0]) =>
    metered.gauge({ name, help, labels: ['pool'] }, ofPools(read))
  pools('vitrine_database_connections', 'Open connections.', ({ open }) => open)
  pools('vitrine_database_connections_idle', 'Open connections that nobody uses.', ({ idle }) => idle)
  pools('vitrine_database_waiting', 'Who waits for a connection.', ({ waiting }) => waiting)

  const counts = {
    queries: 'Queries since the start.',
    round_trips: 'Waits for an answer since the start: queries that are sent together are one.',
    transactions: 'Transactions since the start.',
    repetitions: 'Transactions that were done again after a collision or a lost connection.',
  }
  for (const [name, help] of Object.entries(counts)) {
    metered.counter({ name: `vitrine_database_${name}_total`, help }, () => {
      const { queries, roundTrips, transactions, repetitions } = database.counters()
      return { queries, round_trips: roundTrips, transactions, repetitions }[name] ?? 0
    })
  }
}

/** Figures of what this process delivers, and of what waits. */
export function observeDeliveries(metered: Metrics, deliveries: DeliveryRounds): void {
  metered.gauge(
    { name: 'vitrine_webhook_calls_in_flight', help: 'Webhook calls that wait for an answer.' },
    () => deliveries.inFlight,
  )
  metered.counter(
    {
      name: 'vitrine_webhook_attempts_total',
      help: 'Webhook attempts, by what the delivery was afterwards.',
      labels: ['outcome'],
    },
    () =>
      (['succeeded', 'retrying', 'dead', 'canceled'] as const).map((outcome) => ({
        labels: { outcome },
        value: deliveries.countOf(outcome),
      })),
  )
  metered.gauge(
    { name: 'vitrine_webhook_deliveries_waiting', help: 'Webhook deliveries that wait, as last looked at.' },
    () => deliveries.waiting.count,
  )
  metered.gauge(
    { name: 'vitrine_webhook_deliveries_late_seconds', help: 'How late the longest due of them is.' },
    () => deliveries.waiting.lateSeconds,
  )
}

/** Under the ten seconds after which Prometheus gives up: without a database there are still the other figures. */
const LOOK_MS_MAX = 3000

/**
 * Figures of what waits in the database, for everybody: observed by the process that shows them, so that several processes
 * do not each count the same queue.
 */
export function observeQueues(metered: Metrics, { database, clock }: { database: Database; clock: Clock }): void {
  const ages = agesBy(clock)
  metered.figures({
    timeoutMs: LOOK_MS_MAX,
    figures: [{ name: 'vitrine_database_reachable', help: '1 while the database answers, else 0.' }],
    read: async () => ({ vitrine_database_reachable: (await database.isHealthy()) ? 1 : 0 }),
  })
  metered.figures({
    timeoutMs: LOOK_MS_MAX,
    figures: [
      { name: 'vitrine_jobs_due', help: 'Jobs whose time has come.' },
      { name: 'vitrine_jobs_late_seconds', help: 'How late the longest due of them is.' },
      { name: 'vitrine_jobs_dead', help: 'Jobs that were given up and wait for an operator.' },
    ],
    read: async () => {
      const { due, oldestDueAt, dead } = await jobStats(database.reader, clock.now())
      return { vitrine_jobs_due: due, vitrine_jobs_late_seconds: ages(oldestDueAt), vitrine_jobs_dead: dead }
    },
  })
  metered.figures({
    timeoutMs: LOOK_MS_MAX,
    figures: [
      { name: 'vitrine_mails', help: 'Mails that are not sent.', labels: ['status'] },
      { name: 'vitrine_mails_waiting_seconds', help: 'How long the oldest waiting mail has waited.' },
    ],
    read: async () => {
      const { waiting, oldestWaitingAt, failed } = await mailStats(database.reader)
      const mails = Object.entries({ waiting, failed }).map(([status, value]) => ({ labels: { status }, value }))
      return { vitrine_mails: mails, vitrine_mails_waiting_seconds: ages(oldestWaitingAt) }
    },
  })
  metered.figures({
    timeoutMs: LOOK_MS_MAX,
    figures: [
      {
        name: 'vitrine_webhook_endpoints',
        help: 'Webhook endpoints, by state.',
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
  observePayments(metered, database, ages)
}

function observePayments(metered: Metrics, database: Database, ages: (since: Date | null) => number): void {
  metered.figures({
    timeoutMs: LOOK_MS_MAX,
    figures: [
      {
        name: 'vitrine_payments_unsettled',
        help: 'Payments that have not come to an end, by state.',
        labels: ['environment', 'status'],
      },
      {
        name: 'vitrine_payments_unknown_seconds',
        help: 'How long ago the oldest payment of unknown outcome was begun.',
        labels: ['environment'],
      },
    ],
    read: async () => {
      const figures = await unsettledFigures(database.reader)
      const unknown = Map.groupBy(
        figures.filter(({ status }) => isUnknown(status)),
        ({ environment }) => environment,
      )
      const unsettled: Reading = figures.map(({ environment, status, count }) => ({
        labels: { environment, status },
        value: count,
      }))
      const longest: Reading = [...unknown].map(([environment, each]) => ({
        labels: { environment },
        value: Math.max(...each.map(({ oldestBegunAt }) => ages(oldestBegunAt))),
      }))
      return { vitrine_payments_unsettled: unsettled, vitrine_payments_unknown_seconds: longest }
    },
  })
}

/** Seconds since a moment; 0 where there is none. */
function agesBy(clock: Clock): (since: Date | null) => number {
  return (since) => (since ? Math.max(0, clock.now().getTime() - since.getTime()) / 1000 : 0)
}
