import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is counted. Names follow Prometheus' base units: seconds and bytes. */
export interface Metrics {
  readonly registry: Registry
  answered(operationId: string, status: number, code: string, seconds: number): void
  /** A figure that is read when somebody looks. */
  gauge(name: string, help: string, read: () => number): void
}

/** 1 ms is a kept answer, 10 ms a write, 1 s a fault. */
const LATENCY_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export function metrics(): Metrics {
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
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
  }
}
