import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { clusterMetrics } from './cluster-metrics.ts'

/** A figure, or one for each set of labels. */
export type Reading = number | readonly LabelledReading[]
export interface LabelledReading {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What a figure is called. A count ends in `_total`, a time in `_seconds`, a size in `_bytes`. */
export interface MetricName {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** Figures that one question answers, such as one look into the database: a reading for each name. */
export interface MetricGroup<Name extends string> {
  readonly figures: readonly (MetricName & { readonly name: Name })[]
  /** Where it fails, or takes longer than `timeoutMs`, these figures are left out and the others are still told. */
  readonly read: () => Promise<Readonly<Record<Name, Reading>>>
  readonly timeoutMs: number
}

/** What is counted. Names follow Prometheus' base units: seconds and bytes. */
export interface Metrics {
  /** Of this process. */
  readonly registry: Registry
  answered(operationId: string, status: number, code: string, seconds: number): void
  /** A figure that is read when somebody looks. */
  gauge(figure: MetricName, read: () => Reading): void
  /** A count that somebody else keeps and that only grows. */
  counter(figure: MetricName, read: () => Reading): void
  /** Figures that take a question to find out. */
  figures<Name extends string>(group: MetricGroup<Name>): void
  /** Of this process and of those that share its public door. */
  everywhere(): Promise<Registry>
}

/** 1 ms is a kept answer, 10 ms a write, 1 s a fault. */
const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const latency = new Histogram({
    name: 'vitrine_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['operation', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'vitrine_request_errors_total',
    help: 'Answers that are errors, by operation and code.',
    labelNames: ['operation', 'code'],
    registers: [registry],
  })
  const children = new Map<string, Histogram.Internal<string>>()
  return {
    registry,
    answered(operationId, status, code, seconds) {
      const key = `${operationId} ${status}`
      let child = children.get(key)
      if (!child) {
        child = latency.labels({ operation: operationId, status: String(status) })
        children.set(key, child)
      }
      child.observe(seconds)
      if (code) errors.inc({ operation: operationId, code })
    },
    gauge(figure, read) {
      const gauge: Gauge = new Gauge({ ...settingsOf(figure, registry), collect: () => show(gauge, read()) })
    },
    counter(figure, read) {
      const counter: Counter = new Counter({
        ...settingsOf(figure, registry),
        collect() {
          counter.reset()
          for (const { labels, value } of readingsOf(read())) counter.inc(labels, value)
        },
      })
    },
    figures({ figures, read, timeoutMs }) {
      const ask = askedOnce(() => inTime(read(), timeoutMs))
      for (const figure of figures) {
        const gauge: Gauge = new Gauge({
          ...settingsOf(figure, registry),
          collect: () =>
            ask().then(
              (readings) => show(gauge, readings[figure.name]),
              // Whoever looks sees that it is missing. That nothing can be asked is a figure of its own.
              () => show(gauge, []),
            ),
        })
      }
    },
    everywhere: () => clusterMetrics(registry),
  }
}

function settingsOf({ name, help, labels = [] }: MetricName, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] }
}

function readingsOf(reading: Reading): readonly LabelledReading[] {
  return typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading
}

/** A gauge without labels is 0 after a reset, which would be a lie: its one sample is taken away. */
function show(gauge: Gauge, reading: Reading): void {
  gauge.reset()
  gauge.remove({})
  for (const { labels, value } of readingsOf(reading)) gauge.set(labels, value)
}

/** All who ask while one answer is on its way get that answer. */
function askedOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}

async function inTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
