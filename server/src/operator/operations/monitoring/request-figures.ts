import type { OperatorSystem } from '@vitrine/contract/operator'
import type { Registry } from 'prom-client'
import { UNKNOWN_CLIENTS } from '../../../platform/http/proxy-watch.ts'
import type { Metrics } from '../../../platform/observe/metrics.ts'

interface Sample {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
}

const DURATIONS = 'vitrine_request_duration_seconds'
const ERRORS = 'vitrine_request_errors_total'
const SLOW_SECONDS = 0.1
const SHOWN_MAX = 20

/** Request figures of all processes since they started, from their metrics, most requested operations first. */
export async function requestFigures(metrics: Metrics): Promise<Pick<OperatorSystem, 'requests' | 'errors'>> {
  const registry = await metrics.everywhere()
  const [durations, errors] = await Promise.all([samplesOf(registry, DURATIONS), samplesOf(registry, ERRORS)])
  const byOperation = Map.groupBy(durations, ({ labels }) => String(labels.operation))
  const requests = [...byOperation].map(([operation, samples]) => {
    const sum = (name: string, fits: (labels: Sample['labels']) => boolean = () => true) =>
      samples
        .filter(({ metricName, labels }) => metricName === `${DURATIONS}_${name}` && fits(labels))
        .reduce((total, { value }) => total + value, 0)
    const answers = sum('count')
    const quick = sum('bucket', ({ le }) => Number(le) === SLOW_SECONDS)
    return {
      operation,
      answers,
      meanMs: answers === 0 ? 0 : (sum('sum') / answers) * 1000,
      slowShare: answers === 0 ? 0 : (answers - quick) / answers,
      errors: sum('count', ({ status }) => Number(status) >= 400),
    }
  })
  const codes = Map.groupBy(errors, ({ labels }) => String(labels.code))
  return {
    requests: requests.toSorted((one, other) => other.answers - one.answers).slice(0, SHOWN_MAX),
    errors: Object.fromEntries(
      [...codes].map(([code, samples]) => [code, samples.reduce((total, { value }) => total + value, 0)]),
    ),
  }
}

/** The number of requests through the trusted number of proxies, and through fewer or more. */
export async function proxyFigures(metrics: Metrics): Promise<Omit<OperatorSystem['proxies'], 'trusted'>> {
  const registry = await metrics.everywhere()
  const [samples, unknown] = await Promise.all([
    samplesOf(registry, 'vitrine_proxied_requests_total'),
    samplesOf(registry, UNKNOWN_CLIENTS),
  ])
  const countOf = (chain: string) =>
    samples.filter(({ labels }) => labels.chain === chain).reduce((total, { value }) => total + value, 0)
  return {
    asConfigured: countOf('as_configured'),
    tooFew: countOf('too_few'),
    tooMany: countOf('too_many'),
    unknownOperators: unknown.reduce((total, { value }) => total + value, 0),
  }
}

async function samplesOf(registry: Registry, name: string): Promise<readonly Sample[]> {
  const metric = registry.getSingleMetric(name)
  return metric ? ((await metric.get()).values as readonly Sample[]) : []
}
