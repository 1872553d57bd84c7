import { Counter, collectDefaultMetrics, Gauge, type Histogram, type Metric, Registry } from 'prom-client'
import { clusterMetrics } from './cluster-metrics.ts'
import { SECURITY_EVENTS, type SecurityEvent } from './security-log.ts'

/** A value, or one per set of labels. */
export type Reading = number | readonly LabeledReading[]
interface LabeledReading {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The name of a metric. A count ends in `_total`, a time in `_seconds`, a size in `_bytes`. */
interface MetricName {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** Gauges that are read together, such as with one query: a reading per name. */
interface MetricGroup<Name extends string> {
  readonly gauges: readonly (MetricName & { readonly name: Name })[]
  /** If it fails or takes longer than `timeoutMs`, these gauges are omitted from the scrape. */
  readonly read: () => Promise<Readonly<Record<Name, Reading>>>
  readonly timeoutMs: number
}

/** Metrics in the base units of Prometheus: seconds and bytes. */
export interface Metrics {
  /** The metrics of this process. */
  readonly registry: Registry
  answered(operationId: string, status: number, code: string, seconds: number): void
  recordSecurityEvent(event: SecurityEvent): void
  /** Counts a request by the proxies that it came through. */
  recordChain(chain: string): void
  /** A value that is read at each scrape. */
  gauge(metric: MetricName, read: () => Reading): void
  /** A count that is kept elsewhere and only grows. */
  counter(metric: MetricName, read: () => Reading): void
  /** Gauges that are read asynchronously. */
  gauges<Name extends string>(group: MetricGroup<Name>): void
  /** The metrics of this process and of the workers that share its public door. */
  everywhere(): Promise<Registry>
}

/** 1 ms: a cached response. 10 ms: a write. 1 s: a problem. */
const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

let ofProcess: readonly Metric[] | null = null

/**
 * prom-client's metrics of this process, shared by all servers in it: their timer for the delay of the event loop fires 100 times a
 * second and cannot be stopped.
 */
function processMetrics(): readonly Metric[] {
  if (ofProcess === null) {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    ofProcess = registry.getMetricsAsArray() as unknown as readonly Metric[]
  }
  return ofProcess
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)
  const observeAnswer = answerDurations(registry)
  const errors = new Counter({
    name: 'vitrine_request_errors_total',
    help: 'Error responses, by operation and code.',
    labelNames: ['operation', 'code'],
    registers: [registry],
  })
  const securityEvents = new Counter({
    name: 'vitrine_security_events_total',
    help: 'Security events, including those that are omitted from the log.',
    labelNames: ['event'],
    registers: [registry],
  })
  // From 0, so that the first one is an increase.
  for (const event of SECURITY_EVENTS) securityEvents.inc({ event }, 0)
  const chainCounts = new Map<string, number>()
  new Counter({
    name: 'vitrine_proxied_requests_total',
    help: 'Requests of the public and pages doors, by how the proxies that they name compare with TRUSTED_PROXIES.',
    labelNames: ['chain'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [chain, count] of chainCounts) this.inc({ chain }, count)
    },
  })
  return {
    registry,
    answered(operationId, status, code, seconds) {
      observeAnswer(operationId, status, seconds)
      if (code) errors.inc({ operation: operationId, code })
    },
    recordSecurityEvent: (event) => securityEvents.inc({ event }),
    recordChain(chain) {
      chainCounts.set(chain, (chainCounts.get(chain) ?? 0) + 1)
    },
    gauge(metric, read) {
      const gauge: Gauge = new Gauge({ ...optionsOf(metric, registry), collect: () => setGauge(gauge, read()) })
    },
    counter(metric, read) {
      const counter: Counter = new Counter({
        ...optionsOf(metric, registry),
        collect() {
          counter.reset()
          for (const { labels, value } of readingsOf(read())) counter.inc(labels, value)
        },
      })
    },
    gauges({ gauges, read, timeoutMs }) {
      const readGroup = shared(() => withTimeout(read(), timeoutMs))
      for (const metric of gauges) {
        const gauge: Gauge = new Gauge({
          ...optionsOf(metric, registry),
          collect: () =>
            readGroup().then(
              (readings) => setGauge(gauge, readings[metric.name]),
              // Omitted. vitrine_database_reachable reports an unreachable database.
              () => setGauge(gauge, []),
            ),
        })
      }
    },
    everywhere: () => clusterMetrics(registry),
  }
}

/** Answers of one operation and status. */
interface Durations {
  readonly labels: { readonly operation: string; readonly status: string }
  /** Responses by the smallest bucket that covers them. The last element counts those beyond all buckets. */
  readonly counts: number[]
  sum: number
}

/**
 * A histogram. That of prom-client validates, joins and looks up its labels in each observation: a tenth of the time of a cached read.
 */
function answerDurations(registry: Registry): (operationId: string, status: number, seconds: number) => void {
  const name = 'vitrine_request_duration_seconds'
  const byOperation = new Map<string, Map<number, Durations>>()
  const valuesOf = ({ labels, counts, sum }: Durations) => {
    let count = 0
    const buckets = counts.map((each, index) => {
      count += each
      const le = LATENCY_BUCKETS_SECONDS[index] ?? '+Inf'
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
  // It contains no functions, because workers send it to the primary process.
  const facts = {
    name,
    help: 'Time from the first byte of a request to the last byte of its response.',
    type: 'histogram',
    aggregator: 'sum',
  }
  const histogram = {
    ...facts,
    labelNames: ['operation', 'status'],
    get() {
      const values = [...byOperation.values()].flatMap((byStatus) => [...byStatus.values()]).flatMap(valuesOf)
      return Promise.resolve({ ...facts, values })
    },
  }
  registry.registerMetric(histogram as unknown as Histogram)
  return (operation, status, seconds) => {
    const byStatus = byOperation.get(operation) ?? new Map<number, Durations>()
    if (byStatus.size === 0) byOperation.set(operation, byStatus)
    let durations = byStatus.get(status)
    if (!durations) {
      const counts = Array<number>(LATENCY_BUCKETS_SECONDS.length + 1).fill(0)
      durations = { labels: { operation, status: String(status) }, counts, sum: 0 }
      byStatus.set(status, durations)
    }
    let bucket = 0
    while (seconds > (LATENCY_BUCKETS_SECONDS[bucket] as number)) bucket += 1
    durations.counts[bucket] = (durations.counts[bucket] as number) + 1
    durations.sum += seconds
  }
}

function optionsOf({ name, help, labels = [] }: MetricName, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] }
}

function readingsOf(reading: Reading): readonly LabeledReading[] {
  return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading
}

/** A gauge without labels is 0 after a reset, which would be wrong: its sample is removed. */
function setGauge(gauge: Gauge, reading: Reading): void {
  gauge.reset()
  gauge.remove({})
  for (const { labels, value } of readingsOf(reading)) gauge.set(labels, value)
}

/** Concurrent calls share one result. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | null = null
  return () => {
    pending ??= read().finally(() => {
      pending = null
    })
    return pending
  }
}

async function withTimeout<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no result within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([result, timeout])
  } finally {
    clearTimeout(timer)
  }
}
